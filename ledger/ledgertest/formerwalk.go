package ledgertest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/ledger"
)

// runFormulas drives random sequences of calls and changed formulas through the ledger
// and through models that know events alone: a formula that let copies through changes
// nothing for an event, whatever key it has now, and one that merged events lets it
// begin anew.
func runFormulas(t *testing.T, empty func(t *testing.T) func() ledger.Store) {
	b := newBench(t, empty(t))
	walks := 0
	for seed := range byte(12) {
		input := make([]byte, 64<<10)
		_, _ = rand.NewChaCha8([32]byte{seed}).Read(input) // it never fails
		t.Run(fmt.Sprint("seed-", seed), func(t *testing.T) {
			rapid.MakeFuzz(func(rt *rapid.T) {
				walks++
				newFormulaWalk(rt, b, fmt.Sprint("formulas-", walks)).run()
			})(t, input)
		})
	}
}

// A formulaWalk is one random sequence under a rule of its own.
type formulaWalk struct {
	*rapid.T
	b      *bench
	rule   string
	number int                   // of the formula in use
	left   map[int]time.Time     // formulas that claims look back to, and when each was left
	events map[string]*eventLife // what the promise is about
}

// An eventLife is a model and the formula that made the key of its row.
type eventLife struct {
	model
	born int
}

func newFormulaWalk(rt *rapid.T, b *bench, rule string) *formulaWalk {
	w := &formulaWalk{T: rt, b: b, rule: rule, left: map[int]time.Time{}, events: map[string]*eventLife{"a": {}, "b": {}}}
	w.put(ledger.WhyNone)
	return w
}

func (w *formulaWalk) run() {
	w.Repeat(map[string]func(*rapid.T){
		"claim":   func(*rapid.T) { w.claim() },
		"again":   func(*rapid.T) { w.claim() },
		"report":  func(*rapid.T) { w.report() },
		"copies":  func(*rapid.T) { w.change(ledger.Copies) },
		"merged":  func(*rapid.T) { w.change(ledger.Merged) },
		"same":    func(*rapid.T) { w.put(ledger.WhyNone) },
		"forget":  func(*rapid.T) { w.forget() },
		"step":    func(*rapid.T) { w.b.clock.Step(rapid.SampledFrom([]time.Duration{1e6, lease}).Draw(w.T, "by")) },
		"restart": func(*rapid.T) { w.b.restart() },
	})
}

func (w *formulaWalk) put(why ledger.Why) {
	doc := fmt.Appendf(nil, "formula %d at %v", w.number, w.b.clock.Now())
	r, err := w.b.l.ChangeRule(w.b.Context(), ledger.RuleChange{Rule: ledger.Rule{Name: w.rule, Policy: ledger.DefaultPolicy(), Doc: doc}, Why: why})
	if err != nil {
		w.Fatalf("put the rule: %v", err)
	}
	if why == ledger.Copies && !r.FormerAt.Equal(w.b.l.Now()) && w.any() {
		w.Fatalf("a formula was left, and the rule does not look back: %+v", r)
	}
}

// any reports whether the rule has a row.
func (w *formulaWalk) any() bool {
	page, err := w.b.l.Keys(w.b.Context(), ledger.KeyQuery{Rule: w.rule, Limit: 1})
	if err != nil {
		w.Fatal(err)
	}
	return len(page.Keys) > 0
}

func (w *formulaWalk) change(why ledger.Why) {
	if len(w.left) == ledger.MaxFormer {
		return
	}
	w.number++
	w.put(why)
	if why == ledger.Copies {
		w.left[w.number-1] = w.b.l.Now()
	}
}

func (w *formulaWalk) key(formula int, event string) string {
	return fmt.Sprintf("f%d:%s", formula, event)
}

// former returns the keys of the formulas that are looked back to, newest first. Some
// copies have another one than the event had before, as where it counted the tries.
func (w *formulaWalk) former(event string, knows bool) []ledger.FormerKey {
	var former []ledger.FormerKey
	for n := w.number - 1; n >= 0; n-- {
		until, ok := w.left[n]
		if !ok {
			continue
		}
		key := w.key(n, event)
		if !knows {
			key += ":another-try"
		}
		former = append(former, ledger.FormerKey{Key: key, Until: until})
	}
	return former
}

// pick returns an event with its life as the formula in use has it.
func (w *formulaWalk) pick() (string, *eventLife) {
	event := rapid.SampledFrom([]string{"a", "a", "b"}).Draw(w.T, "event")
	e := w.events[event]
	if _, looked := w.left[e.born]; e.born != w.number && !looked {
		*e = eventLife{}
	}
	return event, e
}

func (w *formulaWalk) claim() {
	event, e := w.pick()
	key := w.key(w.number, event)
	// Once the new key was asked for, it means the row, whatever former key a copy has.
	_, err := w.b.l.Key(w.b.Context(), w.rule, key)
	knows := err != nil || rapid.Bool().Draw(w.T, "knows")
	req := ledger.ClaimRequest{
		Rule: w.rule, Key: key, Former: w.former(event, knows),
		Owner: rapid.SampledFrom([]string{"", "run-1", "run-2"}).Draw(w.T, "owner"),
	}
	now := w.b.l.Now()
	a, err := w.b.l.Claim(w.b.Context(), req)
	if err != nil {
		w.Fatalf("claim: %v", err)
	}
	want, repeated := e.answer(req, ledger.DefaultPolicy(), now, time.Time{}, time.Time{})
	if a.Status != want || a.Repeated != repeated {
		w.Fatalf("claim %+v of %+v at %v: %+v, want %q", req, *e, now, a, want)
	}
	if e.state == "" {
		e.born = w.number
	}
	if at := w.key(e.born, event); a.Key != at {
		w.Fatalf("claim %s: answered for %s, want %s", key, a.Key, at)
	}
	born := e.born
	e.model.claim(want, req, a, now)
	e.born = born
}

// report ends the run that holds an event, or gives it back, by the event or its key.
func (w *formulaWalk) report() {
	event, e := w.pick()
	if e.token == "" {
		return
	}
	id := ledger.Identity{Rule: w.rule, Key: w.key(e.born, event), Token: e.token}
	if rapid.Bool().Draw(w.T, "by the event") {
		id.Key, id.Former = w.key(w.number, event), w.former(event, true)
	}
	now := w.b.l.Now()
	op := rapid.SampledFrom([]string{"done", "release"}).Draw(w.T, "op")
	var err error
	if op == "done" {
		_, err = w.b.l.Done(w.b.Context(), ledger.DoneRequest{Identity: id})
	} else {
		_, err = w.b.l.Release(w.b.Context(), ledger.ReleaseRequest{Identity: id})
	}
	if got, want := ledger.CodeOf(err), e.model.report(op, e.token, "", 0, now); got != want {
		w.Fatalf("%s by %+v of %+v: %v, want %q", op, id, *e, err, want)
	}
}

func (w *formulaWalk) forget() {
	event, e := w.pick()
	if e.state == "" {
		return
	}
	_, err := w.b.l.Decide(w.b.Context(), ledger.DecideRequest{Rule: w.rule, Key: w.key(e.born, event), Decision: ledger.Forget, By: "Ada", Why: "model"})
	if err != nil {
		w.Fatalf("forget: %v", err)
	}
	*e = eventLife{}
}
