package ledgertest

import (
	"context"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/ledger"
)

// A model is what a key has come to, in as few words as the promise needs: who holds
// it until when. It is not a copy of the decide functions.
type model struct {
	state  ledger.State // "" = no row
	token  string       // of the grant that stands; "" once a person decided
	until  time.Time
	due    time.Time
	given  bool // the grant that stands was given back
	fence  int64
	result string
	gone   map[string]bool // tokens that must never be accepted again
}

// runModel drives random calls and clock steps through the ledger and a model.
func runModel(t *testing.T, empty func(t *testing.T) func() ledger.Store) {
	store := empty(t)()
	clock := NewClock()
	l := ledger.New(store, clock, nil)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		w := &walk{T: rt, l: l, clock: clock, models: make(map[string]*model),
			rule: "r" + time.Duration(round).String()}
		w.ask = rapid.Bool().Draw(rt, "ask")
		p := ledger.DefaultPolicy()
		if w.ask {
			p.OnExpiry = ledger.Ask
		}
		if _, err := l.PutRule(context.Background(), "", ledger.Rule{Name: w.rule, Policy: p}); err != nil {
			rt.Fatalf("PutRule: %v", err)
		}
		rt.Repeat(map[string]func(*rapid.T){
			"claim":   func(*rapid.T) { w.claim() },
			"done":    func(*rapid.T) { w.report("done") },
			"release": func(*rapid.T) { w.report("release") },
			"renew":   func(*rapid.T) { w.report("renew") },
			"decide":  func(*rapid.T) { w.decide() },
			"step": func(*rapid.T) {
				clock.Step(rapid.SampledFrom([]time.Duration{1, 30e9, 899e9, 900e9, 1e13}).Draw(rt, "by"))
			},
			"": func(*rapid.T) { w.compare() },
		})
	})
}

type walk struct {
	*rapid.T
	l      *ledger.Ledger
	clock  *Clock
	rule   string
	ask    bool
	models map[string]*model
	tokens []string // every token that was ever granted
}

func (w *walk) pick() (string, *model) {
	key := rapid.SampledFrom([]string{"a", "b"}).Draw(w.T, "key")
	m := w.models[key]
	if m == nil {
		m = &model{gone: make(map[string]bool)}
		w.models[key] = m
	}
	return key, m
}

// now is the clock's time as the ledger sees it: a step of a nanosecond is none.
func (w *walk) now() time.Time { return w.clock.Now().Truncate(time.Millisecond) }

func (w *walk) claim() {
	key, m := w.pick()
	now := w.now()
	a, err := w.l.Claim(context.Background(), ledger.ClaimRequest{Rule: w.rule, Key: key})
	if err != nil {
		w.Fatalf("Claim: %v", err)
	}
	expired := m.state == ledger.Claimed && !now.Before(m.until)
	free := m.state == "" || (expired && !w.ask) || (m.state == ledger.Retryable && !now.Before(m.due))
	if a.Run != free {
		w.Fatalf("claim of %+v at %v: run %v", *m, now, a.Run)
	}
	if !free {
		if expired {
			m.state = ledger.Held
		}
		return
	}
	if a.Fence != m.fence+1 {
		w.Fatalf("fence %d after %d", a.Fence, m.fence)
	}
	m.void()
	m.state, m.token, m.until, m.fence, m.given = ledger.Claimed, a.Token, a.LeaseUntil, a.Fence, false
	w.tokens = append(w.tokens, a.Token)
}

func (m *model) void() {
	if m.token != "" {
		m.gone[m.token] = true
	}
	m.token = ""
}

// report makes one of the holder's calls with some token that was granted once.
func (w *walk) report(op string) {
	if len(w.tokens) == 0 {
		return
	}
	key, m := w.pick()
	token := rapid.SampledFrom(w.tokens).Draw(w.T, "token")
	id := ledger.Identity{Rule: w.rule, Key: key, Token: token}
	now := w.now()
	var err error
	switch op {
	case "done":
		_, err = w.l.Done(context.Background(), ledger.DoneRequest{Identity: id, Result: []byte(`"` + token + `"`)})
	case "release":
		wait := rapid.SampledFrom([]time.Duration{0, time.Minute}).Draw(w.T, "wait")
		_, err = w.l.Release(context.Background(), ledger.ReleaseRequest{Identity: id, RetryAfter: wait})
		if err == nil && !m.given {
			m.state, m.due, m.given = ledger.Retryable, now.Add(wait), true
		}
	case "renew":
		_, err = w.l.Renew(context.Background(), ledger.RenewRequest{Identity: id})
		if err == nil {
			m.until = now.Add(lease)
		}
	}
	code := ledger.CodeOf(err)
	switch {
	case m.state == "":
		w.expect(op, code, ledger.NotFound)
	case token != m.token:
		w.expect(op, code, ledger.Stale)
	case op == "done":
		w.expect(op, code, "")
		if m.state != ledger.Done {
			m.state, m.result = ledger.Done, `"`+token+`"`
		}
	case m.state == ledger.Done:
		w.expect(op, code, ledger.Closed)
	case op == "renew" && m.state != ledger.Claimed:
		w.expect(op, code, ledger.Closed)
	default:
		w.expect(op, code, "")
	}
	if code == "" && m.gone[token] {
		w.Fatalf("%s by a token that was voided", op)
	}
}

func (w *walk) expect(op string, got, want ledger.Code) {
	if got != want {
		w.Fatalf("%s: code %q, want %q", op, got, want)
	}
}

func (w *walk) decide() {
	key, m := w.pick()
	d := rapid.SampledFrom([]ledger.Decision{ledger.Finished, ledger.Again, ledger.Block, ledger.Forget}).Draw(w.T, "decision")
	_, err := w.l.Decide(context.Background(), ledger.DecideRequest{Rule: w.rule, Key: key, Decision: d, By: "Ada", Why: "model"})
	if m.state == "" {
		w.expect("decide", ledger.CodeOf(err), ledger.NotFound)
		return
	}
	w.expect("decide", ledger.CodeOf(err), "")
	m.void()
	switch d {
	case ledger.Finished:
		m.state = ledger.Done
	case ledger.Again:
		m.state, m.due, m.result = ledger.Retryable, w.now(), ""
	case ledger.Block:
		m.state = ledger.Held
	case ledger.Forget:
		m.state, m.fence, m.result = "", 0, ""
	}
}

// compare looks at both keys and at the figures.
func (w *walk) compare() {
	var states [5]int64
	for key, m := range w.models {
		life, err := w.l.Key(context.Background(), w.rule, key)
		if m.state == "" {
			w.expect("key", ledger.CodeOf(err), ledger.NotFound)
			continue
		}
		if err != nil {
			w.Fatalf("Key: %v", err)
		}
		states[0]++
		if life.Key.State != m.state || life.Key.Fence != m.fence {
			w.Fatalf("key %+v, model %+v", life.Key, *m)
		}
		if m.state == ledger.Done && string(life.Key.Result) != m.result {
			w.Fatalf("result %s, model %s", life.Key.Result, m.result)
		}
	}
	uses, err := w.l.RuleUses(context.Background())
	if err != nil {
		w.Fatalf("RuleUses: %v", err)
	}
	for _, u := range uses {
		if u.Rule == w.rule && u.Keys != states[0] {
			w.Fatalf("%d keys counted, %d there", u.Keys, states[0])
		}
	}
}
