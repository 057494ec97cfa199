package ledgertest

import (
	"context"
	"strconv"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/ledger"
)

// A walk is one random sequence under a rule of its own.
type walk struct {
	*rapid.T
	b      *bench
	rule   string
	policy ledger.Policy
	models map[string]*model
	tokens []string        // every token that was ever granted
	gone   map[string]bool // those that must never be accepted again
	called time.Time       // when a call was granted last

	truth  time.Duration // what has really passed, whatever any clock shows
	behind time.Duration // what the wall clock lacks
}

func walkThrough(rt *rapid.T, b *bench, rule string) {
	w := &walk{T: rt, b: b, rule: rule, models: map[string]*model{"a": {}, "b": {}}, gone: make(map[string]bool)}
	b.clock.Step(time.Hour) // the grace of the walk before is over
	defer func() { b.clock.Set(w.behind) }()
	w.policy = ledger.DefaultPolicy()
	w.policy.OnExpiry = rapid.SampledFrom([]ledger.OnExpiry{ledger.Next, ledger.Ask}).Draw(rt, "on expiry")
	w.policy.MaxAttempts = rapid.SampledFrom([]int{0, 0, 2}).Draw(rt, "max attempts")
	w.put()
	acts := map[string]func(*rapid.T){
		"claim":   func(*rapid.T) { w.claim() },
		"again":   func(*rapid.T) { w.claim() }, // claims come twice as often as the rest
		"done":    func(*rapid.T) { w.report("done") },
		"release": func(*rapid.T) { w.report("release") },
		"renew":   func(*rapid.T) { w.report("renew") },
		"decide":  func(*rapid.T) { w.decide() },
		"prune":   func(*rapid.T) { w.prune() },
		"policy":  func(*rapid.T) { w.change() },
		"step":    func(*rapid.T) { w.step() },
		"set":     func(*rapid.T) { w.set() },
		"restart": func(*rapid.T) { w.restart() },
		"":        func(*rapid.T) { w.compare() },
	}
	for range 2 { // longer walks come to places that short ones do not
		rt.Repeat(acts)
	}
	w.figures()
}

func (w *walk) must(what string, err error) {
	if err != nil {
		w.Fatalf("%s: %v", what, err)
	}
}

func (w *walk) expect(op string, err error, want ledger.Code) {
	if got := ledger.CodeOf(err); got != want {
		w.Fatalf("%s: code %q (%v), want %q", op, got, err, want)
	}
}

func (w *walk) put() {
	_, err := w.b.l.PutRule(w.b.Context(), "", ledger.Rule{Name: w.rule, Policy: w.policy})
	w.must("put the rule", err)
}

func (w *walk) pick() (string, *model) {
	key := rapid.SampledFrom([]string{"a", "a", "b"}).Draw(w.T, "key")
	return key, w.models[key]
}

// gap returns the last time in which nobody could report, as the store has it.
func (w *walk) gap() (begin, end time.Time) {
	at := func(name string) time.Time {
		text, ok, err := w.b.l.Setting(w.b.Context(), name)
		w.must("setting", err)
		if !ok {
			return time.Time{}
		}
		n, err := strconv.ParseInt(text, 10, 64)
		w.must(name, err)
		return time.UnixMilli(n)
	}
	return at("clock.gap_begin"), at("clock.gap_end")
}

func (w *walk) claim() {
	key, m := w.pick()
	req := ledger.ClaimRequest{
		Rule: w.rule, Key: key,
		Owner:       rapid.SampledFrom([]string{"", "", "run-1", "run-2"}).Draw(w.T, "owner"),
		Fingerprint: rapid.SampledFrom([]string{"", "", "x", "y"}).Draw(w.T, "fingerprint"),
		Lease:       rapid.SampledFrom([]time.Duration{0, 0, 10 * time.Second}).Draw(w.T, "lease"),
	}
	now := w.b.l.Now()
	a, err := w.b.l.Claim(w.b.Context(), req)
	w.must("claim", err)
	begin, end := w.gap()
	want, repeated := m.answer(req, w.policy, now, begin, end)
	if a.Status != want || a.Repeated != repeated || a.Run != (want == ledger.StatusClaimed) || a.Run != (a.Token != "") {
		w.Fatalf("claim %+v of %+v at %v, gap %v to %v: %+v, want %q", req, *m, now, begin, end, a, want)
	}
	if repeated && a.Token != m.token {
		w.Fatalf("repeated with another token")
	}
	if a.Run && !repeated {
		w.called = now
		w.void(m)
		w.tokens = append(w.tokens, a.Token)
	}
	// The highest time is stored to half a minute, so that much may be lost of a lease
	// where the clock is set back and right again while nothing runs.
	if a.TookOver && w.truth-m.since < m.lease-31*time.Second {
		w.Fatalf("taken over %v after it was given for %v", w.truth-m.since, m.lease)
	}
	m.claim(want, req, a, now)
	if a.Run && !repeated {
		m.since = w.truth
	}
}

// void remembers that the token of the grant that stands is worth nothing any more.
func (w *walk) void(m *model) {
	if m.token != "" {
		w.gone[m.token] = true
	}
}

// report makes one of the holder's calls with some token that was granted once.
func (w *walk) report(op string) {
	if len(w.tokens) == 0 {
		return
	}
	key, m := w.pick()
	tokens := w.tokens
	if rapid.Bool().Draw(w.T, "newest") {
		tokens = tokens[len(tokens)-1:]
	}
	token := rapid.SampledFrom(tokens).Draw(w.T, "token")
	id := ledger.Identity{Rule: w.rule, Key: key, Token: token}
	now, result := w.b.l.Now(), `"`+token+`"`
	var wait time.Duration
	var err error
	switch ctx := w.b.Context(); op {
	case "done":
		_, err = w.b.l.Done(ctx, ledger.DoneRequest{Identity: id, Result: []byte(result)})
	case "release":
		wait = rapid.SampledFrom([]time.Duration{0, time.Minute}).Draw(w.T, "wait")
		_, err = w.b.l.Release(ctx, ledger.ReleaseRequest{Identity: id, RetryAfter: wait})
	case "renew":
		_, err = w.b.l.Renew(ctx, ledger.RenewRequest{Identity: id})
	}
	w.expect(op, err, m.report(op, token, result, wait, now))
	if op == "renew" && err == nil {
		m.since = w.truth
	}
	if err == nil && w.gone[token] {
		w.Fatalf("%s by a token that was voided", op)
	}
}

func (w *walk) decide() {
	key, m := w.pick()
	d := rapid.SampledFrom([]ledger.Decision{ledger.Finished, ledger.Again, ledger.Block, ledger.Forget}).Draw(w.T, "decision")
	now := w.b.l.Now()
	_, err := w.b.l.Decide(w.b.Context(), ledger.DecideRequest{Rule: w.rule, Key: key, Decision: d, By: "Ada", Why: "model"})
	if m.state == "" {
		w.expect("decide", err, ledger.NotFound)
		return
	}
	w.must("decide", err)
	w.void(m)
	m.decide(d, now)
}

func (w *walk) prune() {
	age := rapid.SampledFrom([]time.Duration{time.Hour, 0}).Draw(w.T, "age")
	now := w.b.l.Now()
	res, err := w.b.l.Prune(w.b.Context(), ledger.PruneRequest{Rule: w.rule, OlderThan: age})
	w.must("prune", err)
	if age == 0 {
		age = w.policy.Keep
	}
	var gone int64
	for _, m := range w.models {
		if m.state == ledger.Done && m.done.Before(now.Add(-age)) {
			w.void(m)
			*m = model{}
			gone++
		}
	}
	if res.Removed != gone {
		w.Fatalf("prune of what is older than %v: %+v, want %d", age, res, gone)
	}
}

// change puts the rule with another policy.
func (w *walk) change() {
	w.policy.OnExpiry = rapid.SampledFrom([]ledger.OnExpiry{ledger.Next, ledger.Ask}).Draw(w.T, "on expiry")
	w.put()
}

// step lets time pass: the ledger's passes as fast, whatever the wall clock shows.
func (w *walk) step() {
	steps := []time.Duration{time.Millisecond, 10 * time.Second, time.Minute, lease - time.Millisecond, lease, 40 * day}
	if w.behind > 0 {
		steps = steps[:3] // after a long silence nobody knows whether the clock was set right
	}
	by := rapid.SampledFrom(steps).Draw(w.T, "by")
	before := w.b.l.Now()
	w.b.clock.Step(by)
	w.truth += by
	if got := w.b.l.Now().Sub(before); got != by {
		w.Fatalf("%v passed, the ledger's time went on by %v", by, got)
	}
}

// set lets the machine sleep, has its clock set back, and then right again. A server's
// clock does nothing of that: it goes on.
func (w *walk) set() {
	asleep := rapid.Bool().Draw(w.T, "asleep")
	by := rapid.SampledFrom([]time.Duration{2 * time.Hour, time.Minute}).Draw(w.T, "by")
	before := w.b.l.Now()
	switch {
	case w.b.served(), asleep && w.behind == 0:
		w.truth += by
	case w.behind > 0:
		by, w.behind = w.behind, 0
	default:
		by, w.behind = -4*time.Hour, 4*time.Hour
	}
	w.b.clock.Set(by)
	if got := w.b.l.Now().Sub(before); got < 0 || got > max(0, by) {
		w.Fatalf("the wall clock was moved by %v, the ledger's time by %v", by, got)
	}
}

// restart is another process on the same store: an engine, or the command line. The
// time of the last call is stored to half a minute.
func (w *walk) restart() {
	// Where nothing was stored for long, nobody can know that the clock was set back.
	young := w.b.l.Now().Sub(w.called) < 30*time.Second
	served := w.b.served()
	w.b.stop()
	if !served && (young || w.behind > 0) && rapid.Bool().Draw(w.T, "set while stopped") {
		by := -4 * time.Hour
		if w.behind > 0 {
			by = w.behind // set right
		}
		w.b.clock.Set(by)
		w.behind = max(0, -by)
	}
	w.b.start()
	if rapid.Bool().Draw(w.T, "engine") {
		w.b.engine()
	}
	_, err := w.b.l.ClockBehind(w.b.Context()) // reads the store's time
	w.must("clock", err)
	if after := w.b.l.Now(); w.called.Sub(after) > 30*time.Second {
		w.Fatalf("time went back to %v, the last grant was at %v", after, w.called)
	}
}

// compare looks at both keys.
func (w *walk) compare() {
	for key, m := range w.models {
		life, err := w.b.l.Key(context.Background(), w.rule, key)
		if m.state == "" {
			w.expect("key", err, ledger.NotFound)
			continue
		}
		w.must("key", err)
		k := life.Key
		if k.State != m.state || k.Fence != m.fence || k.Attempts != m.attempts || k.Generation != m.generation ||
			k.Copies != m.copies || k.Mismatches != m.differs || k.Fingerprint != m.print {
			w.Fatalf("key %+v, model %+v", k, *m)
		}
		if m.state == ledger.Done && string(k.Result) != m.result {
			w.Fatalf("result %s, model %s", k.Result, m.result)
		}
	}
}

// figures looks at what is counted of the rule, at the end: there are many rules.
func (w *walk) figures() {
	var keys, copies int64
	for _, m := range w.models {
		if m.state != "" {
			keys++
			copies += m.copies
		}
	}
	uses, err := w.b.l.RuleUses(context.Background())
	w.must("rule uses", err)
	for _, u := range uses {
		// Copies of keys that are gone stay counted.
		if u.Rule == w.rule && (u.Keys != keys || u.Copies < copies) {
			w.Fatalf("%+v counted, %d keys with %d copies there", u, keys, copies)
		}
	}
}
