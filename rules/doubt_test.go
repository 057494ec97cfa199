package rules

import (
	"slices"
	"strings"
	"testing"
)

// Samples that share an id, in no group, are neither copies nor different events before
// a person says so: no key is guessed for them, and none is proved.
func TestSharedIDIsAskedAbout(t *testing.T) {
	e := newEngine(t)
	samples := func(groups string, bodies ...string) []Sample {
		var out []Sample
		for i, g := range strings.Fields(groups) {
			out = append(out, Sample{Group: strings.Trim(g, "-"), Body: bodies[i]})
		}
		return out
	}
	three := []string{`{"id":"a1","n":1}`, `{"id":"a1","n":2}`, `{"id":"b2","n":1}`}
	const asked = "Samples 1 and 2 share `id` a1 but differ in `n`: are they copies of one event, or different events?"
	for _, tt := range []struct {
		name, key string
		samples   []Sample
		text      string // of the question, "" for none
		ok        bool
	}{
		{"a key that tells them apart", `key("event", body.id, body.n)`, samples("A - B", three...), asked + " Say it beside the samples. This key takes them for different events: each would run.", false},
		{"a key that does not", `key("event", body.id)`, samples("A - B", three...), asked + " Say it beside the samples. This key takes them for copies: only the first would run.", false},
		{"nobody said anything", `key("event", body.id)`, samples("- - -", three...), asked, false},
		{"copies, says a person", `key("event", body.id)`, samples("A A B", three...), "", true},
		{"different, says a person", `key("event", body.id, body.n)`, samples("A B C", three...), "", true},
		{"the kind tells them apart", `key("event", body.id, body.type)`, samples("A -", `{"id":"o1","type":"created"}`, `{"id":"o1","type":"paid"}`), "", true},
		{"an account is shared by many events", `key("event", body.id)`, samples("A - -", `{"id":"1","user_id":"u"}`, `{"id":"2","user_id":"u"}`, `{"id":"3","user_id":"u"}`), "", true},
		{"equal texts leave nothing to ask", `key("event", body.id)`, samples("A A -", three[0], three[0], three[2]), "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &Rule{Key: tt.key, Samples: tt.samples}
			j := e.Judge(t.Context(), r)
			at := slices.IndexFunc(j.Verdicts, func(v Verdict) bool { return v.Code == VerdictSharedID })
			if j.OK != tt.ok || (at >= 0) != (tt.text != "") {
				t.Fatalf("OK is %v: %+v", j.OK, j.Verdicts)
			}
			got := e.Suggestions(t.Context(), r, NewTree(tt.samples))
			if at < 0 {
				return
			}
			if !strings.HasPrefix(j.Verdicts[at].Text, tt.text) {
				t.Errorf("asked is %q", j.Verdicts[at].Text)
			}
			if slices.ContainsFunc(j.Verdicts, func(v Verdict) bool { return v.Fail || v.Fix != nil && strings.Contains(v.Fix.Formula, "body.n") }) {
				t.Errorf("it decides for the person: %+v", j.Verdicts)
			}
			if len(got) > 0 {
				t.Errorf("suggested is %+v", got)
			}
		})
	}
}
