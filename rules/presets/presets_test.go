package presets

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/rules"
)

// everyDelivery runs a check on each kind of delivery of each preset.
func everyDelivery(t *testing.T, check func(t *testing.T, p Preset, d Delivery)) {
	t.Helper()
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		for _, d := range p.Deliveries() {
			t.Run(strings.TrimSuffix(p.Sender+"/"+d.Kind, "/"), func(t *testing.T) { check(t, p, d) })
		}
	}
}

func engine(t *testing.T) *rules.Engine {
	t.Helper()
	e, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestPresetsProveThemselves runs each preset's formulas, of both levels, on its
// deliveries: the keys are those written down, a copy has the sample's, another event
// has its own.
func TestPresetsProveThemselves(t *testing.T) {
	e := engine(t)
	everyDelivery(t, func(t *testing.T, p Preset, d Delivery) {
		j := e.Judge(t.Context(), &d.Rule)
		if !j.OK {
			t.Errorf("the rule fails on its samples: %+v", j.Verdicts)
		}
		if len(d.Keys) == 0 {
			t.Error("keys.yaml names no key")
		}
		for i, want := range [][]string{d.Keys, d.Keys, d.otherKeys} {
			if diff := cmp.Diff(want, j.Samples[i].Keys); diff != "" {
				t.Errorf("keys of the %s (-want +got):\n%s", j.Samples[i].Name, diff)
			}
		}
		if slices.ContainsFunc(d.otherKeys, func(k string) bool { return slices.Contains(d.Keys, k) }) {
			t.Errorf("another event shares a key with the sample: %q", d.otherKeys)
		}
		for _, k := range slices.Concat(d.Keys, d.BusinessKeys) {
			if !strings.HasPrefix(k, p.Sender+":") {
				t.Errorf("the key %q does not begin with the sender %s", k, p.Sender)
			}
		}
		business(t, e, d)
	})
}

// business runs the formula for once per order, charge or item.
func business(t *testing.T, e *rules.Engine, d Delivery) {
	t.Helper()
	r, ok := d.BusinessRule()
	if !ok {
		if d.BusinessKeys != nil || d.otherBusinessKeys != nil {
			t.Error("keys.yaml has business keys, and there is no formula")
		}
		return
	}
	j := e.Judge(t.Context(), &r)
	if len(d.BusinessKeys) == 0 {
		t.Error("keys.yaml names no business key")
	}
	for i, want := range [][]string{d.BusinessKeys, d.BusinessKeys, d.otherBusinessKeys} {
		if diff := cmp.Diff(want, j.Samples[i].Keys); diff != "" {
			t.Errorf("business keys of the %s (-want +got):\n%s", j.Samples[i].Name, diff)
		}
	}
}

// TestNoEventGivesNoKey: a challenge, a ping or a heartbeat makes no key.
func TestNoEventGivesNoKey(t *testing.T) {
	e, seen := engine(t), 0
	everyDelivery(t, func(t *testing.T, _ Preset, d Delivery) {
		if d.NoEvent == nil {
			return
		}
		seen++
		program, issues := e.Compile(&d.Rule)
		if issues != nil {
			t.Fatal(issues)
		}
		event, err := d.NoEvent.Event()
		if err != nil {
			t.Fatal(err)
		}
		keyed, err := program.Keys(t.Context(), event)
		if _, refused := err.(*rules.KeyError); refused && program.HasEach() {
			return // a heartbeat has an empty list, a knock has none
		}
		if err != nil || slices.ContainsFunc(keyed, func(k rules.Keyed) bool { return !k.Ignored }) {
			t.Errorf("it gives %+v, %v; want it ignored", keyed, err)
		}
	})
	if seen < 1 {
		t.Error("no preset has a first contact that is no event")
	}
}

// TestAPresetIsItsCallersOwn: what one caller changes no other sees.
func TestAPresetIsItsCallersOwn(t *testing.T) {
	first, ok := BySender("github")
	if !ok || len(first.Rule.Samples[0].Headers) == 0 || first.NoEvent == nil || len(first.Others) == 0 {
		t.Fatalf("%v, %+v", ok, first)
	}
	clear(first.Rule.Samples[0].Headers)
	clear(first.NoEvent.Headers)
	first.Rule.Samples[1].Body, first.Others[0].Rule.Samples[0].Body = "", ""
	first.Keys[0], first.Facts.Pitfalls[0].Text = "", ""
	again, _ := BySender("github")
	if len(again.Rule.Samples[0].Headers) == 0 || len(again.NoEvent.Headers) == 0 || again.Rule.Samples[1].Body == "" ||
		again.Others[0].Rule.Samples[0].Body == "" || again.Keys[0] == "" || again.Facts.Pitfalls[0].Text == "" {
		t.Error("a caller's change is seen by the next")
	}
}
