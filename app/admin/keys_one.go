package admin

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"time"

	"dedupedesk/app/catch"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

func (d Desk) showKey(w http.ResponseWriter, r *http.Request) error {
	rule, key := r.URL.Query().Get("rule"), r.URL.Query().Get("key")
	life, err := d.Ledger.Key(r.Context(), rule, key)
	switch ledger.CodeOf(err) {
	case "":
		return d.show(w, r, http.StatusOK, place{Title: "Key", Active: "keys"}, page.KeyPage(d.keyView(r, life)))
	case ledger.NotFound, ledger.UnknownRule, ledger.Invalid:
		return d.show(w, r, http.StatusNotFound, place{Title: "No such key", Active: "keys"}, page.KeyGone(noSuchKey(rule, key)))
	}
	return err
}

func noSuchKey(rule, key string) page.KeyGoneView {
	where := "The rule “" + isolate(rule) + "” has"
	if rule == "" || rule == ledger.DefaultRule {
		where = "Among the plain keys (no rule) there is"
	}
	return page.KeyGoneView{
		Title: "There is no such key",
		Text:  where + " no key “" + isolate(key) + "”. Nobody asked for it, or it was forgotten.",
	}
}

// keyView turns a key and its history into what a person reads and may do.
func (d Desk) keyView(r *http.Request, l ledger.Life) page.KeyView {
	k, now := l.Key, d.Clock.Now()
	rule := ledger.Rule{Name: k.Rule}
	// The page is of use without the rule, which may be archived.
	if found, err := d.Ledger.Rule(r.Context(), k.Rule); err == nil {
		rule = found
	}
	told := tellLife(l)
	v := page.KeyView{
		Key: k.Key, Rule: titleOf(rule), State: k.Word(), Twice: told.twice,
		Span: spanOf(k, now), Timeline: told.views(), Earlier: earlier(l, len(told.moments)),
		Facts: keyFactViews(k, rule, now), Result: readable(k.Result), Error: k.LastError,
		Question: askAbout(l, rule, now, mayDecide(r)),
	}
	if came, ok := d.Kept.Of(rule.ID, k.Key); ok {
		v.Came = cameView(came, now)
	}
	if mayDecide(r) {
		v.Note = &page.NoteView{Form: drawnAs(k)}
	}
	if mayChange(r) && (k.State != ledger.Claimed || k.Expired) {
		v.Forget = &page.ForgetView{Form: drawnAs(k)}
	}
	return v
}

// drawnAs is how a key stands as the page is drawn; a decision carries it back.
func drawnAs(k ledger.Key) page.DecideFormView {
	return page.DecideFormView{Rule: k.Rule, Key: k.Key, Fence: fenceText(k), State: string(k.State)}
}

// earlier says what the history leaves out.
func earlier(l ledger.Life, moments int) string {
	if more := l.Key.Copies + l.Key.Mismatches - int64(len(l.Arrivals)); more > 0 {
		return "Copies before these, counted and no longer listed: " + page.Count(more) + "."
	}
	if moments > maxMoments {
		return "The newest " + page.Count(maxMoments) + " lines are listed."
	}
	return ""
}

// keyFactViews are the lines beside the history.
func keyFactViews(k ledger.Key, rule ledger.Rule, now time.Time) []page.KeyFactView {
	facts := []page.KeyFactView{{Name: "Rule", Text: titleOf(rule)}}
	add := func(name, text string) { facts = append(facts, page.KeyFactView{Name: name, Text: text}) }
	at := func(name string, t time.Time) {
		facts = append(facts, page.KeyFactView{Name: name, Time: page.At(t, now)})
	}
	if k.Owner != "" {
		facts = append(facts, page.KeyFactView{Name: "Last run", Text: k.Owner, Code: true})
	}
	add("Copies stopped", page.Count(k.Copies))
	attempts := "Attempts"
	if k.Generation > 1 {
		attempts = "Attempts since a person let it run again"
	}
	add(attempts, page.Count(int64(k.Attempts)))
	at("First seen", k.FirstSeen)
	if !k.ClaimedAt.Equal(k.FirstSeen) {
		at("Reserved last", k.ClaimedAt)
	}
	switch k.State {
	case ledger.Claimed:
		at("Time allowed until", k.LeaseUntil)
	case ledger.Retryable:
		at("Next try from", k.NextTryAt)
	case ledger.Done:
		at("Finished", k.DoneAt)
	}
	if k.Mismatches > 0 {
		add("Same key, different contents", page.Count(k.Mismatches))
	}
	if k.StaleCalls > 0 {
		add("Late reports refused", page.Count(k.StaleCalls))
	}
	if k.Generation > 1 {
		add("Let run again by a person", page.Count(k.Generation-1))
	}
	switch rule.Policy.OnExpiry {
	case ledger.Next:
		add("When the time is over", "The next copy runs")
	case ledger.Ask:
		add("When the time is over", "A person is asked")
	}
	return facts
}

// readable lays a stored result out over lines. Its digits stay as they are.
func readable(result json.RawMessage) string {
	if len(result) == 0 {
		return ""
	}
	var out bytes.Buffer
	if err := json.Indent(&out, result, "", "  "); err != nil {
		return string(result)
	}
	return out.String()
}

// cameView shows an event as it came, laid out where it is JSON.
func cameView(d catch.Delivery, now time.Time) *page.CameView {
	v := page.CameView{At: page.At(d.At, now), Body: readable(json.RawMessage(d.Body))}
	for _, name := range slices.Sorted(maps.Keys(d.Headers)) {
		v.Headers += name + ": " + d.Headers[name] + "\n"
	}
	return &v
}
