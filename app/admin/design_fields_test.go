package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/rules"
)

var (
	fieldPath   = regexp.MustCompile(`name="path" value="([^"]+)"`)
	treeStands  = regexp.MustCompile(`data-version="([0-9a-f]+)"`)
	branchStand = regexp.MustCompile(`(?s)aria-expanded="(true|false)"[^>]*data-branch="([^"]+)"`)
)

// wide is an event of about 256 KB with 5,000 fields.
func wide(id string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"id":%q,"orders":{`, id)
	for i := range 50 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"order_%02d":{`, i)
		for j := range 100 {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"field_%02d":"value %s %d of order %d, some words more"`, j, id, j, i)
		}
		b.WriteString("}")
	}
	b.WriteString("}}")
	return b.String()
}

func TestTreeOpensByLevelAndFindsByNameOrValue(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {wide("evt_1")}})
	stands := map[string]string{}
	for _, m := range branchStand.FindAllStringSubmatch(dr.shown, -1) {
		stands[m[2]] = m[1]
	}
	if stands["body.orders"] != "true" || stands["body.orders.order_07"] != "false" || len(stands) != 51 {
		t.Errorf("%d branches, orders %s, order_07 %s", len(stands), stands["body.orders"], stands["body.orders.order_07"])
	}
	if n := len(fieldPath.FindAllString(dr.shown, -1)); n != 1 {
		t.Errorf("%d fields stand open, want the id alone", n)
	}
	dr.do(http.StatusOK, "fields", "open", "body.orders.order_07")
	dr.wants(`value="body.orders.order_07.field_99"`)
	dr.do(http.StatusOK, "fields", "find", "FIELD_42")
	if n := len(fieldPath.FindAllString(dr.shown, -1)); n != 50 {
		t.Errorf("%d fields have the name, want 50", n)
	}
	dr.do(http.StatusOK, "fields", "find", "evt_1 42 of order 7,")
	if got := fieldPath.FindStringSubmatch(dr.shown); got == nil || got[1] != "body.orders.order_07.field_42" {
		t.Errorf("the value is found at %q", got)
	}
	dr.wants("orders.order_07.field_42</span>")
	dr.do(http.StatusOK, "fields", "find", "value")
	dr.wants("More fields have this.")
	dr.do(http.StatusOK, "fields", "find", "nowhere")
	dr.wants("No field has this in its name or value.")
	dr.do(http.StatusOK, "fields", "shut", "body.orders")
	dr.lacks("order_07")
}

func TestLongLevelIsShownInPieces(t *testing.T) {
	d := newDesk(t)
	var b strings.Builder
	b.WriteString(`{"n0":0`)
	for i := 1; i < 450; i++ {
		fmt.Fprintf(&b, `,"n%d":%d`, i, i)
	}
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {b.String() + "}"}})
	dr.wants("Show more of 250 fields that are left")
	w := dr.post("/design/fields", url.Values{"draft": {dr.draft}, "more": {"", ""}})
	if n := len(fieldPath.FindAllString(w.Body.String(), -1)); n != 450 {
		t.Errorf("%d fields after two presses, want 450", n)
	}
}

// What is typed into the formula changes no row, so the rows do not travel again.
func TestAnswerLeavesOutATreeThatThePageHas(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {wide("evt_1")}})
	has := treeStands.FindStringSubmatch(dr.shown)[1]
	w := dr.do(http.StatusOK, "formula", "formula", `key("shop", body.id)`, "tree", has)
	if w.Header().Get("Dedupe-Fields") != "same" || strings.Contains(dr.shown, "field-row") {
		t.Error("the tree came again")
	}
	dr.wants(`data-chosen="body.id"`, "shop:evt_1")
	if n := w.Body.Len(); n > 40<<10 {
		t.Errorf("the answer has %d bytes", n)
	}
	w = dr.do(http.StatusOK, "samples/add", "text", wide("evt_2"), "tree", has)
	if w.Header().Get("Dedupe-Fields") != "" {
		t.Error("a new sample is not in the tree")
	}
	for _, m := range [][]string{{"tree", "0badc0ffee0badc0"}, {"tree", ""}} {
		if w := dr.do(http.StatusOK, "formula", append(m, "formula", "key(body.id)")...); w.Header().Get("Dedupe-Fields") != "" {
			t.Errorf("with %q the tree is left out", m)
		}
	}
}

func TestWhoMayLookMayOpenTheTree(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	looker := sit(t, d, "Kim", session.Look)
	w := looker.post("/design/fields", url.Values{"draft": {dr.draft}, "find": {"robin@"}})
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "order.email") {
		t.Errorf("%d: %.300s", w.Code, w.Body)
	}
	if strings.Contains(w.Body.String(), "hx-post") {
		t.Error("a field can be pressed by someone who may only look")
	}
}

func TestShelfKeepsTheLatestTrees(t *testing.T) {
	var s treeShelf
	sample := func(id string) []rules.Sample { return []rules.Sample{{Group: "A", Body: `{"id":"` + id + `"}`}} }
	first := s.of(sample("0")).Tree
	for _, id := range []string{"1", "2", "3"} {
		s.of(sample(id))
	}
	if s.of(sample("0")).Tree != first {
		t.Error("samples that were read are read again")
	}
	s.of(sample("4"))
	if s.of(sample("0")).Tree != first || len(s.kept) != treesKept {
		t.Errorf("%d trees are kept", len(s.kept))
	}
	other := sample("0")
	other[0].Group = "B"
	if s.of(other).Tree == first {
		t.Error("another group is the same tree")
	}
}
