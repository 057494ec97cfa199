package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// fieldsOf returns the fields of samples, and the error of the first that cannot be read.
func fieldsOf(samples []Sample) ([]Field, error) {
	t := NewTree(samples)
	return t.Fields(), t.Err()
}

func TestFieldTree(t *testing.T) {
	fields, err := fieldsOf([]Sample{
		{Group: "A", Body: `{"zeta":{"id":820982911946154508,"n":19.90},"email":"a@example.com","created":1,"type":"x","l":[{"id":1}],"none":null}`, Headers: map[string]string{"X-Id": "h1"}},
		{Group: "A", Body: `{"zeta":{"id":820982911946154508,"n":19.9},"email":"a@example.com","created":2,"type":"x","l":[{"id":1}],"none":null}`, Headers: map[string]string{"X-Id": "h1"}},
		{Group: "B", Body: `{"zeta":{"id":820982911946154509,"n":19.9,"late":true},"email":"a@example.com","created":3,"type":"x","l":[],"extra.name":1}`, Headers: map[string]string{"X-Id": "h2"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range fields {
		var badges []string
		for _, b := range f.Badges {
			badges = append(badges, string(b))
		}
		got = append(got, fmt.Sprintf("%d %s %s %s", f.Depth, f.Text, f.Kind, strings.Join(badges, ",")))
	}
	want := strings.Join([]string{
		`0 body.zeta object `,
		`1 body.zeta.id number good`,
		`1 body.zeta.n number same`,
		`1 body.zeta.late bool missing`,
		`0 body.email text same,personal`,
		`0 body.created number changes`,
		`0 body.type text same`,
		`0 body.l list `,
		`1 body.l[0] object missing,list_position`,
		`2 body.l[0].id number missing,list_position`,
		`0 body.none null missing`,
		`0 body["extra.name"] number missing`,
		`0 headers["x-id"] text good`,
	}, "\n")
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("the tree is\n%s\nwant\n%s", text, want)
	}
	if f := fields[1]; f.Values[2] != "820982911946154509" || f.Name != "id" {
		t.Errorf("%+v", f)
	}
	if f := fields[3]; f.Values[0] != "" || f.Values[2] != "true" || fmt.Sprint(f.Missing) != "[0 1]" {
		t.Errorf("%+v", f)
	}
	if fields[0].Children != 3 {
		t.Errorf("zeta has %d children", fields[0].Children)
	}
}

func TestFieldsThatAreThereAndEmpty(t *testing.T) {
	fields, err := fieldsOf(samples(`A {"a":null,"b":"x","c":1}`, `B {"a":1,"b":" ","c":2,"amount":5}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"a [0] [0] []", "b [1] [1] []", "c [] [] []", "amount [0] [] []"} {
		f := fields[i]
		if got := fmt.Sprint(f.Name, f.Missing, f.Empty, slices.DeleteFunc(f.Badges, func(b Badge) bool { return b != BadgeGood })); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestFieldsOfABrokenSample(t *testing.T) {
	fields, err := fieldsOf(samples(`A {"id":1}`, `B {"id":`))
	if err == nil || !strings.HasPrefix(err.Error(), "sample 2: line 1") || len(fields) != 1 {
		t.Errorf("%v, %v", fields, err)
	}
}

func TestFieldsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range maxTree {
		fmt.Fprintf(&b, `,"m%d":{"a":1}`, i)
	}
	tree := NewTree([]Sample{{Body: `{"first":1` + b.String() + `}`}})
	if n := len(tree.Fields()); tree.Err() != nil || n != maxTree || tree.Left() != maxTree+1 {
		t.Errorf("%d fields, %d left out, %v", n, tree.Left(), tree.Err())
	}
	list := strings.Repeat(`{"x":1},`, 99) + `{"y":{"z":1}}`
	tree = NewTree([]Sample{{Body: `{"l":[` + list + `],"end":"` + strings.Repeat("é", 300) + `"}`}})
	fields := tree.Fields()
	if len(fields) != 1+2*maxInList+1 || tree.Left() != 2*50+1 {
		t.Errorf("%d fields, %d left out", len(fields), tree.Left())
	}
	if last := fields[len(fields)-1]; last.Name != "end" || len([]rune(last.Values[0])) != maxShown+1 {
		t.Errorf("the last field is %+v", last)
	}
}

// TestTreeByLevel asks a tree for one level at a time, for one field, and for words.
func TestTreeByLevel(t *testing.T) {
	tree := NewTree([]Sample{
		{Group: "A", Body: `{"id":1,"data":{"object":{"id":"ch_1","a.b":"Zoë"}},"l":[{"id":1}]}`, Headers: map[string]string{"X-Id": "h1"}},
		{Group: "B", Body: "POST /hook?shop=7 HTTP/1.1\nHost: x\n\n" + `{"data":{"object":{"id":"ch_2","late":true}}}`},
	})
	texts := func(fields []Field) string {
		var out []string
		for _, f := range fields {
			out = append(out, f.Text)
		}
		return strings.Join(out, " ")
	}
	for of, want := range map[string]string{
		"":                               `body.id body.data body.l headers["x-id"] headers["host"] query.shop`,
		"body":                           `body.id body.data body.l`,
		"body.data":                      `body.data.object`,
		"body.data.object":               `body.data.object.id body.data.object["a.b"] body.data.object.late`,
		"body.l":                         `body.l[0]`,
		"body.l[0]":                      `body.l[0].id`,
		"body.data.object.id":            ``,
		"body.dat":                       ``,
		"nothing":                        ``,
		`body.data.object["a.b"].deeper`: ``,
	} {
		if got := texts(tree.Children(of)); got != want {
			t.Errorf("below %q: %s, want %s", of, got, want)
		}
	}
	for _, f := range tree.Fields() {
		if got, ok := tree.Find(f.Text); !ok || got.Text != f.Text || pathText(f.Path) != f.Text {
			t.Errorf("%s: found %q %v", f.Text, got.Text, ok)
		}
	}
	if _, ok := tree.Find("body"); ok {
		t.Error("an object as body is a field")
	}
	for words, want := range map[string]string{
		"ID":    `body.id body.data.object.id body.l[0].id headers["x-id"]`,
		"zoë":   `body.data.object["a.b"]`,
		"CH_":   `body.data.object.id`,
		"shop":  `query.shop`,
		" ":     ``,
		"xyzzy": ``,
	} {
		if got := texts(tree.Search(words, 10)); got != want {
			t.Errorf("%q: %s, want %s", words, got, want)
		}
	}
	if got := texts(tree.Search("id", 2)); got != `body.id body.data.object.id` {
		t.Errorf("at most two: %s", got)
	}
	list := NewTree(samples(`A [{"id":1},{"id":2}]`))
	if got := texts(list.Children("")) + "; " + texts(list.Children("body")); got != "body; body[0] body[1]" {
		t.Errorf("a list: %s", got)
	}
}

func TestSuggest(t *testing.T) {
	hooks := []Sample{
		{Group: "A", Body: `{"ref":"main","after":"a1","repository":{"id":5}}`, Headers: map[string]string{"X-GitHub-Delivery": "1"}},
		{Group: "A", Body: `{"ref":"main","after":"a1","repository":{"id":5}}`, Headers: map[string]string{"X-GitHub-Delivery": "2"}},
		{Group: "B", Body: `{"ref":"main","after":"a2","repository":{"id":5}}`, Headers: map[string]string{"X-GitHub-Delivery": "3"}},
	}
	for _, tt := range []struct {
		name    string
		samples []Sample
		want    string
	}{
		{"a delivery's id that differs between copies", hooks, `key("event", body.after)`},
		{"one sample", samples(`A {"type":"order.paid","order_id":7}`), `key("event", body.order_id, body.type)`},
		{"two fields", samples(`A {"shop":"x","no":1}`, `B {"shop":"x","no":2}`, `C {"shop":"y","no":1}`), `key("event", body.shop, body.no)`},
		{"nothing fits", samples(`A {"type":"x"}`, `B {"type":"x"}`), ``},
		{"nothing to go by", samples(`A {"type":"x"}`), ``},
		{"never personal, never a list", samples(`A {"email":"a@example.com","l":[1]}`, `B {"email":"b@example.com","l":[2]}`), ``},
		{"never an attempt", samples(`A {"attempt":1,"ref":"q"}`, `B {"attempt":2,"ref":"r"}`), `key("event", body.ref)`},
	} {
		got := ""
		if parts := NewTree(tt.samples).Suggest(); parts != nil {
			got = Formula(parts)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if NewTree(nil).Suggest() != nil {
		t.Error("no samples gave a suggestion")
	}
}
