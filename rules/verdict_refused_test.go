package rules

import (
	"fmt"
	"testing"
)

// What is wrong with many samples for one reason is one sentence, and what weighs most
// comes first.
func TestOneReasonIsOneVerdict(t *testing.T) {
	e := newEngine(t)
	bare := samples(`A {"id":1,"ref":"p"}`)
	for i := range 12 {
		bare = append(bare, samples(fmt.Sprintf(`- {"id":%d}`, i+2))...)
	}
	for _, tt := range []struct {
		name, key string
		samples   []Sample
		want      []string
	}{
		{"twelve lack a field", `key("s", body.ref)`, bare,
			[]string{"Samples 2, 3, 4 and 9 others have no `ref`. These events would be refused with an error, not skipped."}},
		{"two reasons", `key("s", body.ref)`, samples(`A {"ref":1}`, `B {"ref":null}`, `C {}`, `D {}`),
			[]string{"Samples 3 and 4 have no `ref`. These events would be refused with an error, not skipped.", "Sample 2 has null for `ref`. This event would be refused with an error, not skipped."}},
		{"not read", `key("s", body.id)`, samples(`A {"id":1}`, `B {`, `C {`),
			[]string{"We could not read samples 2 and 3: line 1, column 2: A name in double quotes is missing here, such as \"id\"."}},
		{"copies of two events", `key("s", body.id, body.at)`, samples(`A {"id":1,"at":1}`, `A {"id":1,"at":2}`, `B {"id":2,"at":3}`, `B {"id":2,"at":4}`),
			[]string{"Copies of events A and B get different keys, because `at` changes on each try."}},
		{"two keys of two events each", `key("s", body.kind)`, samples(`A {"id":1,"kind":"x"}`, `B {"id":2,"kind":"x"}`, `C {"id":3,"kind":"y"}`, `D {"id":4,"kind":"y"}`),
			[]string{"Different events would share a key, A with B and C with D, so all but the first of each would be dropped. Add a field that differs: `id`."}},
		{"what is lost before what is refused", `key("s", body.kind)`, samples(`A {"id":1}`, `B {"id":2,"kind":"x"}`, `C {"id":3,"kind":"x"}`),
			[]string{"Events B and C would share one key, so C would be dropped. Add a field that differs: `id`.", "Sample 1 has no `kind`. This event would be refused with an error, not skipped."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, v := range e.Judge(t.Context(), &Rule{Key: tt.key, Samples: tt.samples}).Verdicts {
				if v.Fail {
					got = append(got, v.Text)
				}
				if v.Code == VerdictFewSamples && tt.name == "twelve lack a field" {
					t.Errorf("asks for another event where the other ones are refused: %s", v.Text)
				}
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// Many questions of one kind are one line.
func TestManyQuestionsAreAskedTogether(t *testing.T) {
	var unsorted []Sample
	for i := range 8 {
		unsorted = append(unsorted, samples(fmt.Sprintf(`- {"id":"a%d","n":%d}`, i/2, i))...)
	}
	var got []string
	for _, v := range newEngine(t).Judge(t.Context(), &Rule{Key: `key("s", body.id)`, Samples: unsorted}).Verdicts {
		if v.Code == VerdictSharedID {
			got = append(got, v.Text)
		}
	}
	want := "Samples 1 and 2, 3 and 4, 5 and 6, and 1 more like them, share `id` and differ elsewhere: are they copies of one event, or different events? Say it beside the samples. This key takes them for copies: only the first of each would run."
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %q", got)
	}
}
