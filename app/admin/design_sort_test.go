package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// Many deliveries pasted at once, each order twice: one press says of all second ones
// what they are, and one undo takes it back.
func TestManyOpenSamplesAreSortedAtOnce(t *testing.T) {
	d := newDesk(t)
	var lines []string
	for i := range 30 {
		for try := range 2 {
			lines = append(lines, fmt.Sprintf(`{"order_id":"o%d","total":5,"try":%d,"sent":"2026-11-01T10:%02d:%02dZ"}`, i, try, i, try))
		}
	}
	dr := startRule(t, d, url.Values{"text": {strings.Join(lines, "\n")}, "take": {"all"}})
	dr.open("/design/rule?draft=" + dr.draft)
	events := func() int {
		seen := map[string]bool{}
		for _, s := range keptDraft(t, d, dr.draft).Rule.Samples {
			seen[s.Group] = true
		}
		return len(seen)
	}
	dr.wants("30 samples share <code>order_id</code> with another one", "60 samples, 30 events, 30 not sorted yet", "They differ in <code>try</code>, <code>sent</code>.", "All are copies")
	dr.do(http.StatusOK, "samples/group", "all", "copies")
	dr.wants("60 samples, 30 events")
	dr.lacks("All are copies", "not sorted yet")
	if n := events(); n != 30 {
		t.Errorf("%d events", n)
	}
	dr.do(http.StatusOK, "undo")
	dr.wants("All are copies")
	dr.do(http.StatusOK, "samples/group", "all", "events")
	dr.wants("60 samples, 60 events")
	if n := events(); n != 60 {
		t.Errorf("%d events", n)
	}
}

func TestSamplesInBoxesHaveNamesOfTheirOwn(t *testing.T) {
	for _, tt := range []struct {
		group string
		copy  int
		want  string
	}{{"A", 21, "A21"}, {"A2", 1, "A2·1"}, {"", 3, "7"}, {"order", 2, "order2"}} {
		if got := sampleName(rules.SampleResult{Index: 6, Group: tt.group}, tt.copy); got != tt.want {
			t.Errorf("%q, copy %d: %q, want %q", tt.group, tt.copy, got, tt.want)
		}
	}
}
