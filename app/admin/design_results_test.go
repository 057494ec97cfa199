package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"dedupedesk/frontend/page"
	"github.com/google/go-cmp/cmp"
)

// TestBug22EditorShowsWhichValueEachPartCameFrom: two ids, of which the wrong one was
// used, are told apart by where they stand; and so is the part that copies differ in.
func TestBug22EditorShowsWhichValueEachPartCameFrom(t *testing.T) {
	dr := startRule(t, newDesk(t), url.Values{"text": {`{"id":"same","n":1}`}, "headers": {"X-Event-Id: one"}})
	dr.do(http.StatusOK, "samples/add", "text", `{"id":"same","n":1}`, "headers", "X-Event-Id: two")
	dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo("1"), "group", "A")
	dr.do(http.StatusOK, "formula", "formula", `key("s", body.id, header("X-Event-Id"))`)
	dr.wants("<code>same</code> from id", "<code>one</code> from x-event-id", "<code>two</code> from x-event-id <strong>(differs)</strong>")
	dr.do(http.StatusOK, "formula", "formula", `"s:" + body.id`)
	dr.lacks(" from id")
}

// TestLongValueIsCutBesideItsKey: a row of the results has room for so much of a value.
func TestLongValueIsCutBesideItsKey(t *testing.T) {
	dr := startRule(t, newDesk(t), url.Values{"text": {`{"id":"` + strings.Repeat("é", 240) + `"}`}})
	dr.do(http.StatusOK, "formula", "formula", `key(body.id)`)
	dr.wants("<code>" + strings.Repeat("é", 200) + "…</code> from id")
}

// TestEqualKeysStandInOneBox draws the samples by the key that they get.
func TestEqualKeysStandInOneBox(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {`{"a":1,"b":1,"c":1}`}})
	for _, s := range []struct{ body, group string }{{`{"a":1,"b":2,"c":2}`, "A"}, {`{"a":1,"b":3,"c":3}`, "+"}, {`{"a":1,"b":4}`, "+"}} {
		dr.do(http.StatusOK, "samples/add", "text", s.body)
		n := []string{"0", "1", "2", "3"}[len(keptDraft(t, d, dr.draft).Rule.Samples)-1]
		dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo(n), "group", s.group)
	}
	split := "copies of event A have different keys"
	for formula, want := range map[string]page.GridView{
		`key(body.a)`:      {Boxes: []page.BoxView{{Number: "1", Samples: []string{"A1", "A2", "B1", "C1"}, Wrong: "different events share this key"}}},
		`key(body.b)`:      {Boxes: []page.BoxView{{Number: "1", Samples: []string{"A1"}, Wrong: split}, {Number: "2", Samples: []string{"A2"}, Wrong: split}, {Number: "3", Samples: []string{"B1"}}, {Number: "4", Samples: []string{"C1"}}}},
		`key(body.c - 0)`:  {Boxes: []page.BoxView{{Number: "1", Samples: []string{"A1"}, Wrong: split}, {Number: "2", Samples: []string{"A2"}, Wrong: split}, {Number: "3", Samples: []string{"B1"}}}, None: []string{"C1"}},
		`key(body.b >= 3)`: {Boxes: []page.BoxView{{Number: "1", Samples: []string{"A1", "A2"}}, {Number: "2", Samples: []string{"B1", "C1"}, Wrong: "different events share this key"}}},
	} {
		rule := keptDraft(t, d, dr.draft).Rule
		rule.Key = formula
		if diff := cmp.Diff(want, gridView(d.Rules.Judge(t.Context(), &rule))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", formula, diff)
		}
	}
}
