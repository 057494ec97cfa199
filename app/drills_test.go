package main_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/drill"
	"dedupedesk/app/scratch"
	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// drilled makes the drills on a rule file, and returns their states, one letter each.
func drilled(t *testing.T, file string, slowest time.Duration) (string, []drill.Outcome) {
	t.Helper()
	engine, err := rules.New(rules.WithSenders(presets.Known), rules.WithSecret(func() ([]byte, error) { return []byte("secret"), nil }))
	if err != nil {
		t.Fatal(err)
	}
	rule, err := rules.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	sender := rules.Sender{}
	if e, err := rule.Samples[0].Event(); err == nil {
		sender, _ = presets.Known(rule.Sender, e)
	}
	all, err := drill.Run(t.Context(), scratch.Needs{Open: func(path string) (ledger.Store, error) { return sqlite.Open(path) }, Rules: engine},
		drill.Case{Rule: rule, Sender: sender, Slowest: slowest})
	if err != nil {
		t.Fatal(err)
	}
	states := ""
	for _, o := range all {
		states += strings.ToUpper(string(o.State)[:1])
		if o.Seen == "" || o.Expected == "" || (o.State == drill.Failed) != (o.Change != "" && o.State != drill.Told) {
			t.Errorf("%+v", o)
		}
	}
	return states, all
}

const orderSamples = `
samples:
  - {group: A, name: one, body: {event_id: evt_1, order: {id: 1001, status: paid}, amount: 1200, sent_at: "2026-11-30T10:00:00Z", attempt: 1}}
  - {group: A, name: again, body: {event_id: evt_1, order: {id: 1001, status: paid}, amount: 1200, sent_at: "2026-11-30T10:05:00Z", attempt: 2}}
  - {group: B, name: other, body: {event_id: evt_2, order: {id: 1002, status: paid}, amount: 900, sent_at: "2026-11-30T10:01:00Z", attempt: 1}}
`

const goodOrder = "rule: orders\nkey: key(\"shop\", body.order.id, body.order.status)\nlease: 15m\nfingerprint: [body.amount]" + orderSamples

// TestDrillsAreGreenOnAGoodRule, whatever it does when a run ends half way, and of a list
// and of a condition too.
func TestDrillsAreGreenOnAGoodRule(t *testing.T) {
	for name, file := range map[string]string{
		"next": goodOrder,
		"ask":  strings.Replace(goodOrder, "lease:", "on_expiry: ask\nlease:", 1),
		"when": strings.Replace(goodOrder, "lease:", "when: body.order.status == \"paid\"\nlease:", 1),
		"each": "rule: lines\nkey: key(\"shop\", body.id, item.n)\neach: body.lines\nlease: 15m\nsamples:\n" +
			"  - {group: A, name: one, body: {id: 1, lines: [{n: 1}, {n: 2}]}}\n  - {group: B, name: other, body: {id: 2, lines: [{n: 1}]}}\n",
	} {
		states, all := drilled(t, file, 10*time.Minute)
		want := "PPPPPP"
		if name == "each" {
			want = "PPPNPN" // no field besides those of the key, and none that names the message
		}
		if states != want {
			t.Errorf("%s: %s\n%s", name, states, drillText(all))
		}
	}
}

func drillText(all []drill.Outcome) string {
	text := ""
	for _, o := range all {
		text += fmt.Sprintf("%s: %s. %s %s\n", o.Name, o.State, o.Seen, o.Change)
	}
	return text
}

// TestDrillsPointAtTheFault of four bad rules.
func TestDrillsPointAtTheFault(t *testing.T) {
	for _, tt := range []struct {
		name, from, to string
		slowest        time.Duration
		at             int // the drill that fails
		seen, change   string
		where          string
	}{
		{"constant key", `key("shop", body.order.id, body.order.status)`, `key("shop", body.order.status)`, time.Minute, 4, "Event 2 was stopped as a copy of another one, under the key shop:paid: it would be lost.", "Add a field to the key that differs between events.", "key"},
		{"delivery time in the key", `body.order.status)`, `body.sent_at)`, time.Minute, 0, "A copy ran. The first key is shop:1001:2026-11-30T10%3A00%3A00Z", "Take out of the key what changes on every try: body.sent_at.", "key"},
		{"no fingerprint", "\nfingerprint: [body.amount]", "", time.Minute, 3, "With another body.amount it was stopped like any copy", "such as body.amount", "settings"},
		{"time allowed shorter than the work", "lease: 15m", "lease: 1m", 10 * time.Minute, 1, "the time allowed is 1m, the slowest run takes 10m", "more time than the slowest one takes", "settings"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, all := drilled(t, strings.Replace(goodOrder, tt.from, tt.to, 1), tt.slowest)
			if o := all[tt.at]; o.State != drill.Failed || !strings.Contains(o.Seen, tt.seen) || !strings.Contains(o.Change, tt.change) || o.Where != tt.where {
				t.Errorf("%+v\n%s", o, drillText(all))
			}
		})
	}
}

// TestDrillsSayWhatTheyCannotTry, and what depends on the person.
func TestDrillsSayWhatTheyCannotTry(t *testing.T) {
	one := "rule: one\nkey: key(\"shop\", body.event_id)\nsamples:\n  - {name: one, body: {event_id: evt_1, amount: 3}}\n"
	if states, all := drilled(t, one, time.Minute); states != "PPPFNL" {
		t.Errorf("%s\n%s", states, drillText(all))
	}
	none := "rule: none\nkey: key(\"shop\", body.id)\nwhen: body.id == 7\nsamples:\n  - {name: one, body: {id: 1}}\n"
	if states, all := drilled(t, none, time.Minute); states != "NNNNNN" {
		t.Errorf("%s\n%s", states, drillText(all))
	}
}
