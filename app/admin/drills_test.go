package admin

import (
	"net/http"
	"net/url"
	"testing"

	"dedupedesk/app/session"
)

const drillRule = `rule: orders
title: New orders
key: key("shop", body.order.id)
lease: 15m
fingerprint: [body.amount]
samples:
  - {group: A, name: one, body: {event_id: evt_1, order: {id: 1001}, amount: 1200, sent_at: "2026-11-30T10:00:00Z"}}
  - {group: B, name: other, body: {event_id: evt_2, order: {id: 1002}, amount: 900, sent_at: "2026-11-30T10:01:00Z"}}
`

// TestDrillsAreMadeOnARuleOfOnesOwn and touch no key.
func TestDrillsAreMadeOnARuleOfOnesOwn(t *testing.T) {
	d := newDesk(t)
	s := sit(t, d, "Lou", session.Look)
	wantWords(t, wantStatus(t, s.get("/lab"), http.StatusOK), "No rule has samples yet.")
	putRule(t, d, drillRule)
	putRule(t, d, "rule: bare\nkey: key(body.id)\n")
	wantWords(t, wantStatus(t, s.get("/lab?rule=orders"), http.StatusOK), `value="orders" selected`, "Run the drills")
	body := wantStatus(t, s.post("/lab/drills", url.Values{"rule": {"orders"}, "slowest": {"10m"}}), http.StatusOK)
	wantWords(t, body, "6 of 6 drills passed.", "New orders", "Expected: One run. The copies are stopped.")
	body = wantStatus(t, s.post("/lab/drills", url.Values{"rule": {"orders"}, "slowest": {"1h"}}), http.StatusOK)
	wantWords(t, body, "5 of 6 drills passed. 1 failed.", "the time allowed is 15m, the slowest run takes 1h", "/design/rule?rule=orders")
	for _, slow := range []string{"", "soon", "8d", "-1m"} {
		wantWords(t, wantStatus(t, s.post("/lab/drills", url.Values{"rule": {"orders"}, "slowest": {slow}}), http.StatusUnprocessableEntity), "Write a time such as")
	}
	wantWords(t, wantStatus(t, s.post("/lab/drills", url.Values{"rule": {"bare"}, "slowest": {"1m"}}), http.StatusUnprocessableEntity), "This rule has no samples to send.")
	wantStatus(t, s.post("/lab/drills", url.Values{"rule": {"gone"}, "slowest": {"1m"}}), http.StatusNotFound)
	if c, err := d.Ledger.Counts(t.Context()); err != nil || c.Total != 0 {
		t.Errorf("%d keys, %v", c.Total, err)
	}
}
