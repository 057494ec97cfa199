package api_test

import (
	"testing"
	"time"
)

// TestWhatRanUnderAFormerFormula is the story of an event that was finished before the
// formula of its rule was changed, for each reason.
func TestWhatRanUnderAFormerFormula(t *testing.T) {
	const was, is = `{"rule":"shop","key":"key(body.id, body.try)"}`, `{"rule":"shop","key":"key(body.id)"}`
	const again = `{"http":200,"status":"done","run":false,"rule":"shop","key":"7:1","fence":1,"attempt":1,"repeated":false,"took_over":false,"result":{"invoice":12},"first_seen":"2026-11-30T12:00:00.000Z","kept_until":"2027-01-04T12:00:00.000Z",` +
		`"reason":"This was finished 1 min ago. Do not do the work again. It is known by the event key of an earlier formula of this rule."}`
	sent := call{path: "/v1/rules/shop/claim?owner=run-1", body: `{"id":7,"try":1}`}
	for _, tt := range []struct {
		name, query string
		rows        []row
	}{
		{"copies", "?why=copies", []row{
			{name: "does not run again", call: sent, code: 200, want: `{"status":"done","run":false,"key":"7:1","result":{"invoice":12}}`},
			{name: "nor does another try of it", call: call{path: "/v1/rules/shop/claim", body: `{"id":7,"try":2}`}, code: 200, want: `{"status":"done","key":"7:1"}`},
			{name: "in a batch neither", call: call{path: "/v1/batch", body: `{"op":"claim","items":[{"rule":"shop","event":{"id":7,"try":1}}]}`}, code: 200, want: `{"results":[` + again + `]}`},
			{name: "nor by its new key", call: call{path: "/v1/claim", body: `{"rule":"shop","key":"7"}`}, code: 200, want: `{"status":"done","key":"7:1"}`},
			{name: "an open one is reported by its event", call: call{path: "/v1/done", body: `{"rule":"shop","event":{"id":8,"try":1},"owner":"run-2"}`}, code: 200, want: `{"status":"done","key":"8:1"}`},
			{name: "until finished keys are forgotten", wait: 35*24*time.Hour + time.Second, call: call{path: "/v1/rules/shop/claim", body: `{"id":9,"try":1}`}, code: 200, want: `{"status":"claimed","key":"9"}`},
		}},
		{"no reason", "", []row{
			{name: "does not run again", call: sent, code: 200, want: `{"status":"done","key":"7:1"}`},
		}},
		{"merged", "?why=merged", []row{
			{name: "runs apart", call: sent, code: 200, want: `{"status":"claimed","run":true,"key":"7"}`},
			{name: "and another try does not", call: call{path: "/v1/rules/shop/claim", body: `{"id":7,"try":2}`}, code: 200, want: `{"status":"in_progress","key":"7"}`},
			{name: "an open one is reported by its event", call: call{path: "/v1/done", body: `{"rule":"shop","event":{"id":8,"try":1},"owner":"run-2"}`}, code: 200, want: `{"status":"done","key":"8:1"}`},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t)
			change := h.put("shop"+tt.query, is)
			drive(t, h, append([]row{
				{name: "rule", call: h.put("shop", was), code: 200},
				{name: "claim", call: sent, code: 200, want: `{"status":"claimed","key":"7:1"}`},
				{name: "done", call: call{path: "/v1/done", body: `{"rule":"shop","event":{"id":7,"try":1},"owner":"run-1","result":{"invoice":12}}`}, code: 200},
				{name: "an open one", call: call{path: "/v1/rules/shop/claim?owner=run-2", body: `{"id":8,"try":1}`}, code: 200},
				{name: "one more", call: call{path: "/v1/rules/shop/claim?owner=run-3", body: `{"id":9,"try":1}`}, code: 200},
				{name: "done", call: call{path: "/v1/done", body: `{"rule":"shop","key":"9:1","owner":"run-3"}`}, code: 200},
				{name: "a reason that is none", call: h.put("shop?why=because", is), code: 400, want: `{"code":"invalid","field":"why","run":false}`},
				{name: "a name that is none", call: h.put("shop?reason=copies", is), code: 400, want: `{"code":"invalid","field":"reason"}`},
				{name: "which changed nothing", call: call{method: "GET", path: "/v1/rules/shop", as: h.admin}, code: 200, want: `{"version":1}`, lacks: []string{"look_back_until"}},
				{name: "change", wait: time.Minute, call: change, code: 200, want: `{"version":2}`},
				{name: "whose answer was lost", call: change, code: 200, want: `{"version":2}`},
			}, tt.rows...))
			rule := h.send(call{method: "GET", path: "/v1/rules/shop", as: h.admin})
			want := "2027-01-04T12:01:00.000Z"
			if tt.name == "merged" {
				want = ""
			}
			if got := rule.text("look_back_until"); got != want {
				t.Errorf("it looks back until %q, want %q", got, want)
			}
		})
	}
}
