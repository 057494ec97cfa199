package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/calls"
	"dedupedesk/ledger"
)

// A report is what somebody met in the field when an automation ran twice, or not at
// all: deliveries to one rule, and how many of them may run. Its name carries the
// number of the row in the collected field reports; build/decisions/0011 says which
// test holds which row.
type report struct {
	name  string
	rule  string // members of the rule file besides its name
	sent  []delivery
	runs  int
	pause time.Duration // after each delivery, whose run has finished by then; 0 = all come at once
}

// A delivery is one event as it was sent.
type delivery struct {
	header []string // name, value, …
	body   string
}

// bodies returns deliveries without headers of their own.
func bodies(texts ...string) (out []delivery) {
	for _, text := range texts {
		out = append(out, delivery{body: text})
	}
	return out
}

// times returns n equal deliveries, each with the value of a header of its own.
func times(n int, body, header, value string) (out []delivery) {
	for i := range n {
		out = append(out, delivery{header: []string{header, fmt.Sprint(value, i)}, body: body})
	}
	return out
}

const (
	push    = `{"object_kind":"push","project_id":7,"ref":"refs/heads/main","after":"da1560886d4f094c3e6c9ef40349f7d38b5d27d7"}`
	edit    = `{"doctype":"Lead","name":"LEAD-7","modified":"2026-11-30 09:00:00.123456"%s}`
	charge  = `{"id":"%s","type":"charge.succeeded","data":{"object":{"id":"ch_3TbGBUJEe0yY0QKr18Sf1VVH"}}}`
	message = `{"event_id":"%s","team_id":"T1","event":{"type":"message","channel":"C1","event_ts":"1764493200.000100"}}`
	item    = `{"ID":42,"{VersionNumber}":"%s"}`
	product = `{"id":7513594,"topic":"%s"}`
	paid    = `{"id":"evt_1","type":"invoice.paid","data":{"object":{"id":"in_1"}}}`
)

// reports are the rows whose outcome follows from the rule alone. Every one is sent as
// hard as it can come: all deliveries at once, unless time has to pass between them.
var reports = []report{
	{name: "Bug01 white space differs", rule: `"key":"key(\"chat\", body.message)"`, runs: 1,
		sent: bodies(`{"message":"Hello    there second line"}`, `{"message":"Hello\nthere\nsecond line"}`)},
	{name: "Bug02 one request, two executions", rule: `"key":"key(body.id)"`, runs: 1, sent: times(8, `{"id":"evt_1"}`, "X-Execution", "e")},
	{name: "Bug03 one event three times", rule: `"key":"key(body.event_id)"`, runs: 1, sent: times(3, `{"event_id":"e1"}`, "X-Execution", "e")},
	{name: "Bug04 hooks pile up: the event key misses it", rule: `"key":"key(\"gitlab\", header(\"X-Gitlab-Event-UUID\"))"`, runs: 3, sent: times(3, push, "X-Gitlab-Event-UUID", "u")},
	{name: "Bug04 hooks pile up: the business key stops it", rule: `"key":"key(\"gitlab\", body.project_id, body.ref, body.after)"`, runs: 1, sent: times(3, push, "X-Gitlab-Event-UUID", "u")},
	{name: "Bug05 three hooks of one deal", rule: `"key":"key(\"pipedrive\", body.data.id, body.data.update_time)"`, runs: 1, sent: bodies(
		`{"meta":{"webhook_id":"1"},"data":{"id":9,"update_time":"2026-11-30T09:00:00Z"}}`,
		`{"meta":{"webhook_id":"2"},"data":{"id":9,"update_time":"2026-11-30T09:00:00Z"}}`,
		`{"meta":{"webhook_id":"3"},"data":{"id":9,"update_time":"2026-11-30T09:00:00Z"}}`)},
	{name: "Bug13 one save, three webhooks", rule: `"key":"key(\"erp\", body.doctype, body.name, body.modified)"`, runs: 1, sent: bodies(
		fmt.Sprintf(edit, `,"event":"on_update"`), fmt.Sprintf(edit, `,"event":"on_change"`), fmt.Sprintf(edit, `,"event":"after_save"`))},
	{name: "Bug17 own update: the version lets it through", rule: `"key":"key(\"sp\", body.ID, body[\"{VersionNumber}\"])"`, runs: 2,
		sent: bodies(fmt.Sprintf(item, "3.0"), fmt.Sprintf(item, "4.0"))},
	{name: "Bug17 own update: the item alone stops it", rule: `"key":"key(\"sp\", body.ID)"`, runs: 1,
		sent: bodies(fmt.Sprintf(item, "3.0"), fmt.Sprintf(item, "4.0"))},
	{name: "Bug19 a charge told for three hours", rule: `"key":"key(\"stripe\", body.data.object.id, body.type)"`, runs: 1, pause: time.Hour,
		sent: bodies(fmt.Sprintf(charge, "evt_1"), fmt.Sprintf(charge, "evt_2"), fmt.Sprintf(charge, "evt_3"), fmt.Sprintf(charge, "evt_4"))},
	{name: "Bug20 two invitees of one slot", rule: `"key":"key(\"calendly\", body.payload.uri)"`, runs: 2, sent: bodies(
		`{"payload":{"event":"slot-1","uri":"invitee-1"}}`, `{"payload":{"event":"slot-1","uri":"invitee-2"}}`)},
	{name: "Bug25 one message, eleven event ids", rule: `"key":"key(\"slack\", body.team_id, body.event.channel, body.event.event_ts)"`, runs: 1, sent: func() (out []delivery) {
		for i := range 11 {
			out = append(out, delivery{body: fmt.Sprintf(message, fmt.Sprint("Ev", i))})
		}
		return out
	}()},
	{name: "Bug28 two hooks, two delivery ids", rule: `"key":"key(\"github\", \"push\", body.ref, body.after)"`, runs: 1, sent: times(2, push, "X-GitHub-Delivery", "d")},
	{name: "Bug30 create and push are two events", rule: `"key":"key(\"github\", header(\"X-GitHub-Event\"), body.ref, body.after)"`, runs: 2, sent: []delivery{
		{[]string{"X-GitHub-Event", "create"}, push}, {[]string{"X-GitHub-Event", "push"}, push}}},
	{name: "Bug33 two in one millisecond", rule: `"key":"key(header(\"X-Shopify-Event-Id\"))"`, runs: 1, sent: []delivery{
		{[]string{"X-Shopify-Event-Id", "e"}, `{}`}, {[]string{"X-Shopify-Event-Id", "e"}, `{}`}}},
	{name: "Bug34 again a minute later", rule: `"key":"key(header(\"X-Shopify-Event-Id\"))"`, runs: 1, pause: time.Minute, sent: []delivery{
		{[]string{"X-Shopify-Event-Id", "e"}, `{}`}, {[]string{"X-Shopify-Event-Id", "e"}, `{}`}}},
	{name: "Bug35 several subscriptions", rule: `"key":"key(header(\"X-Shopify-Event-Id\"))"`, runs: 1, sent: []delivery{
		{[]string{"X-Shopify-Event-Id", "e", "X-Shopify-Webhook-Id", "w1"}, `{}`}, {[]string{"X-Shopify-Event-Id", "e", "X-Shopify-Webhook-Id", "w2"}, `{}`}}},
	{name: "Bug36 create and update are two events", rule: `"key":"key(\"shopify\", body.id, body.topic)"`, runs: 2,
		sent: bodies(fmt.Sprintf(product, "products/create"), fmt.Sprintf(product, "products/update"))},
	{name: "Bug36 one product is made", rule: `"key":"key(\"shopify\", \"product\", body.id)"`, runs: 1,
		sent: bodies(fmt.Sprintf(product, "products/create"), fmt.Sprintf(product, "products/update"))},
	{name: "Bug38 an invoice paid twice", rule: `"key":"key(\"stripe\", body.id)"`, runs: 1, sent: bodies(paid, paid)},
	{name: "Bug41 eight workers without a look-up", rule: `"key":"key(\"stripe\", body.id)"`, runs: 1, sent: times(8, paid, "X-Worker", "w")},
	{name: "Bug58 ids above 2^53", rule: `"key":"key(\"shopify\", body.id)"`, runs: 2, sent: bodies(`{"id":820982911946154508}`, `{"id":820982911946154509}`)},
}

// TestFieldReports sends what people met, and wants as many runs as there were events;
// every other delivery is counted as a copy, so that the person sees what arrived.
func TestFieldReports(t *testing.T) {
	h := newHouse(t)
	for i, r := range reports {
		t.Run(r.name, func(t *testing.T) {
			inner := *h
			inner.t = t
			rule := fmt.Sprint("report", i)
			inner.rule(`{"rule":"` + rule + `",` + r.rule + `}`)
			runs := 0
			for _, a := range inner.deliver(rule, r) {
				switch a.text("status") {
				case "claimed":
					runs++
				case "in_progress", "done":
				default:
					t.Errorf("answered %d %s", a.code, a.raw)
				}
			}
			if runs != r.runs {
				t.Errorf("%d of %d deliveries may run, want %d", runs, len(r.sent), r.runs)
			}
			inner.wantCopies(rule, int64(len(r.sent)-r.runs))
		})
	}
}

// deliver sends the deliveries of a report.
func (h *house) deliver(rule string, r report) []answer {
	answers := make([]answer, len(r.sent))
	send := func(i int) {
		d := r.sent[i]
		path := fmt.Sprintf("/v1/rules/%s/claim?owner=run-%d", rule, i)
		answers[i] = h.send(call{path: path, body: d.body, header: d.header})
	}
	if r.pause > 0 {
		for i := range r.sent {
			send(i)
			if a := answers[i]; a.members["run"] == true {
				h.send(call{path: "/v1/done", body: fmt.Sprintf(`{"rule":%q,"key":%q,"token":%q}`, rule, a.text("key"), a.text("token"))})
			}
			h.clock.Step(r.pause)
		}
		return answers
	}
	var senders sync.WaitGroup
	for i := range r.sent {
		senders.Go(func() { send(i) })
	}
	senders.Wait()
	return answers
}

// wantCopies wants so many copies stopped under a rule, each with its time and run.
func (h *house) wantCopies(rule string, want int64) {
	h.t.Helper()
	page, err := h.ledger.Keys(h.t.Context(), ledger.KeyQuery{Rule: rule})
	if err != nil {
		h.t.Fatal(err)
	}
	var copies int64
	for _, k := range page.Keys {
		copies += k.Copies
		life, err := h.ledger.Key(h.t.Context(), rule, k.Key)
		if err != nil {
			h.t.Fatal(err)
		}
		if int64(len(life.Arrivals)) != k.Copies {
			h.t.Errorf("%s: %d arrivals are kept of %d", k.Key, len(life.Arrivals), k.Copies)
		}
		for _, a := range life.Arrivals {
			if a.At.IsZero() || !strings.HasPrefix(a.Owner, "run-") || a.Owner == k.Owner {
				h.t.Errorf("%s: an arrival without its time or run: %+v", k.Key, a)
			}
		}
	}
	if copies != want {
		h.t.Errorf("%d copies are counted, want %d", copies, want)
	}
}

// TestBug06AScheduleThatFiresTwice: the job and its planned minute are the key.
func TestBug06AScheduleThatFiresTwice(t *testing.T) {
	h := newHouse(t)
	const slot = `{"key":"schedule:job:2026-08-14T09:00","owner":"$"}`
	drive(t, h, []row{
		{name: "the current version", call: call{path: "/v1/claim", body: slot}, code: 200, want: `{"status":"claimed"}`},
		{name: "the outdated one", call: call{path: "/v1/claim", body: slot}, code: 200, want: `{"status":"in_progress"}`},
	})
}

// TestBug12TwoRunsOfOneItemAreBothTold: the key names the run that has it and the one
// that was stopped.
func TestBug12TwoRunsOfOneItemAreBothTold(t *testing.T) {
	h := newHouse(t)
	for _, owner := range []string{"hook-1", "hook-2"} {
		h.send(call{path: "/v1/claim", body: `{"key":"item:1","owner":"` + owner + `"}`})
	}
	a := h.send(call{method: http.MethodGet, path: "/v1/keys/one?key=item:1", as: h.admin})
	arrivals, _ := a.members["arrivals"].([]any)
	if len(arrivals) != 1 || a.text("owner") != "hook-1" {
		t.Fatalf("%s", a.raw)
	}
	if got, _ := arrivals[0].(map[string]any); got["owner"] != "hook-2" {
		t.Errorf("the copy's run is not told: %s", a.raw)
	}
}

// TestBug15TwoInOneMillisecond over and over: one of the two, never both, never none.
func TestBug15TwoInOneMillisecond(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"pair","key":"key(body.id)"}`)
	for round := range 100 {
		body := fmt.Sprintf(`{"id":%d}`, round)
		runs := 0
		for _, a := range h.deliver("pair", report{sent: bodies(body, body)}) {
			if a.members["run"] == true {
				runs++
			}
		}
		if runs != 1 {
			t.Fatalf("round %d: %d may run", round, runs)
		}
	}
}

// TestBug18TwoZapsOnOneTrigger each do their own thing once, unless they share a rule.
func TestBug18TwoZapsOnOneTrigger(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"invoice","key":"key(body.id)"}`)
	h.rule(`{"rule":"mail","key":"key(body.id)"}`)
	event := func(rule string) call { return call{path: "/v1/rules/" + rule + "/claim", body: `{"id":"$"}`} }
	drive(t, h, []row{
		{name: "different effects", before: []call{event("invoice")}, call: event("mail"), code: 200, want: `{"status":"claimed","rule":"mail"}`},
		{name: "the same effect", before: []call{event("invoice")}, call: event("invoice"), code: 200, want: `{"status":"in_progress"}`},
	})
}

// TestBug23AnEventWithoutIDIsRefusedInSight: it does not vanish, and is no key of its own.
func TestBug23AnEventWithoutIDIsRefusedInSight(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"unique","key":"key(\"shop\", body.id)"}`)
	for _, body := range []string{`{}`, `{"id":null}`, `{"id":""}`} {
		a := h.send(call{path: "/v1/rules/unique/claim", body: body})
		if a.code != http.StatusBadRequest || a.text("field") != "body.id" || a.members["run"] != false {
			t.Errorf("%s: %d %s", body, a.code, a.raw)
		}
	}
	if n := h.count("unique"); n != 0 {
		t.Errorf("%d keys were made of nothing", n)
	}
	told := 0
	for _, c := range h.calls.Newest(calls.Kept) {
		if c.Rule == "unique" && c.Status == http.StatusBadRequest && c.Answer == "invalid" {
			told++
		}
	}
	if told != 3 {
		t.Errorf("%d of 3 refused events are in the list of calls", told)
	}
}
