package admin

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"dedupedesk/app/session"
)

// BenchmarkEditorAnswer is one change of the formula beside three samples of 256 KB
// with 5,000 fields each, from the post to the answer.
func BenchmarkEditorAnswer(b *testing.B) {
	d := newDesk(b)
	s := sit(b, d, "Robin", session.Change)
	send := func(path string, form url.Values) *httptest.ResponseRecorder {
		w := s.post(path, form)
		if w.Code != http.StatusOK {
			b.Fatalf("%s: %d %.200s", path, w.Code, w.Body)
		}
		return w
	}
	to := send("/design/new", url.Values{"start": {"paste"}, "text": {wide("evt_1")}}).Header().Get("HX-Redirect")
	draft := to[len("/design/rule?draft="):]
	for _, id := range []string{"evt_1", "evt_2"} {
		send("/design/samples/add", url.Values{"draft": {draft}, "text": {wide(id)}})
	}
	last := keptDraft(b, d, draft).Rule.Samples[2]
	send("/design/samples/group", url.Values{"draft": {draft}, "sample": {sampleID(2, last)}, "group": {"+"}})
	has := treeStands.FindStringSubmatch(send("/design/formula", url.Values{"draft": {draft}, "formula": {"key(body.id)"}}).Body.String())[1]
	n := 0
	for b.Loop() {
		n++
		send("/design/formula", url.Values{"draft": {draft}, "tree": {has}, "formula": {fmt.Sprintf(`key("shop%d", body.id)`, n)}})
	}
}
