package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/ledger"
)

// RunFailing lets every call that a ledger makes of its store fail in turn, under
// every method of the ledger. The calls are found by a run in which none fails, so
// none is forgotten. It calls open once per point; open must return an empty store.
//
// Whatever fails: the caller is told the failure or the whole answer, never half of
// one. What is stored is untouched or whole. A token is told only if it is stored.
// The same call again, where it is one that may be repeated, ends as if nothing had
// failed.
func RunFailing(t *testing.T, open func(t *testing.T) ledger.Store) {
	t.Run("EveryMethodIsListed", everyMethodIsListed)
	t.Run("EveryStoreCallIsAPoint", func(t *testing.T) { everyCallIsAPoint(t, open) })
	for _, a := range acts {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			a.run(t, open)
		})
	}
}

// An act is one call of a ledger.
type act struct {
	name    string
	method  string         // of ledger.Ledger
	prepare func(b *trial) // nothing fails yet
	call    func(b *trial) (any, error)
	again   func(b *trial) (any, error) // what its caller does where it failed; nil = the same call
	// once: the same call again is another call, which is not checked.
	once bool
	// parts: it writes several times, so what is stored may be between two of them.
	parts bool
	// aside: what it writes is no reason to refuse the caller.
	aside bool
	// machine: it is about this machine's clock, which a store with a server ignores.
	machine bool
}

// A trial is a bench whose store can fail.
type trial struct {
	*bench
	failing *FailingStore
	secret  string // of an API token
	last    error  // of the last call
}

// errFailed is a fault that has no code.
var errFailed = errors.New("wanted by the test")

// failures are what the store returns, in turn: an error that callers act on, and a
// fault of the house.
var failures = [...]error{
	&ledger.Error{Code: ledger.Busy, Msg: "The test wants this call to fail.", Err: errFailed},
	errFailed,
}

// told is what came of an act, with nothing in it that chance decides.
type told struct {
	answer any
	code   ledger.Code
	run    bool
	token  string
}

func (a act) run(t *testing.T, open func(t *testing.T) ledger.Store) {
	clean := a.trial(t, open)
	before := clean.picture()
	clean.failing.Watch()
	want := clean.tell(a.call)
	points := clean.failing.Points()
	after := clean.picture()
	if len(points) == 0 {
		if a.machine && clean.served() {
			return // a server's clock needs none of it
		}
		t.Fatal("it asks the store nothing")
	}
	for i, p := range points {
		b := a.trial(t, open)
		err := failures[i%len(failures)]
		b.failing.FailAt(p, err)
		got, failed := b.tell(a.call), b.failing.Failed()
		b.failing.Watch()
		if at := fmt.Sprintf("%s at %s", ledger.CodeOf(err), p); failed {
			a.judge(b, at, p, got, want, before, after)
		} else {
			t.Errorf("%s: it was not reached", at)
		}
		b.close()
	}
}

// judge checks one outcome and what is stored after it.
func (a act) judge(b *trial, at string, p Point, got, want told, before, after string) {
	b.Helper()
	stored := b.picture()
	switch {
	case errors.Is(b.last, errFailed):
		if got.run || got.token != "" {
			b.Errorf("%s: an error came with run %v and token %q", at, got.run, got.token)
		}
		whole := stored == after && (p.Op == AtCommitted || a.parts)
		if stored != before && !whole && !a.parts {
			b.Errorf("%s: refused, and stored is neither as before nor whole (-before +stored):\n%s", at, cmp.Diff(lines(before), lines(stored)))
		}
	case got.answer != want.answer || got.code != want.code:
		b.Errorf("%s: told %v %q, want %v %q", at, got.answer, got.code, want.answer, want.code)
	case stored != after && !(a.aside && stored == before):
		b.Errorf("%s: told that all is well (-want +stored):\n%s", at, cmp.Diff(lines(after), lines(stored)))
	}
	if a.once {
		return
	}
	call := a.call
	if a.again != nil && errors.Is(b.last, errFailed) {
		call = a.again
	}
	again := b.tell(call)
	if again.code != want.code || again.run != want.run {
		b.Errorf("%s: again: %+v (%v), want %+v", at, again, b.last, want)
	}
	if again.token != "" && !strings.Contains(b.tokens(), again.token) {
		b.Errorf("%s: again: the token that was told is not stored", at)
	}
	if stored := b.picture(); stored != after {
		b.Errorf("%s: again (-want +stored):\n%s", at, cmp.Diff(lines(after), lines(stored)))
	}
}

func lines(picture string) []string { return strings.Split(picture, "\n") }

func (a act) trial(t *testing.T, open func(t *testing.T) ledger.Store) *trial {
	t.Helper()
	clock := NewClock()
	store := Failing(open(t))
	b := &trial{bench: &bench{T: t, l: ledger.New(store, clock, nil), store: store, clock: clock}, failing: store}
	t.Cleanup(b.close)
	b.rule("shop", ledger.DefaultPolicy())
	if a.prepare != nil {
		a.prepare(b)
	}
	return b
}

// close closes the ledger, which may be done twice.
func (b *trial) close() {
	if err := b.l.Close(); err != nil {
		b.Errorf("Close: %v", err)
	}
}

// tell makes a call and returns what its caller was told. b.last is its error.
func (b *trial) tell(call func(b *trial) (any, error)) told {
	v, err := call(b)
	b.last = err
	out := told{code: ledger.CodeOf(err)}
	if answer, ok := v.(ledger.Answer); ok {
		out.run, out.token = answer.Run, answer.Token
		// A repeat says that it is one; that is no difference in what is granted.
		answer.Token, answer.Repeated, answer.Already, answer.Reason = "", false, false, ""
		v = answer
	}
	out.answer = fmt.Sprintf("%+v", v)
	return out
}

// picture is all that is stored, but for what the clock keeps and for secrets.
func (b *trial) picture() string {
	b.Helper()
	var s strings.Builder
	err := b.store.Read(context.Background(), func(r ledger.Reader) error {
		ctx := context.Background()
		rules, err := r.AllRules(ctx)
		if err != nil {
			return err
		}
		for _, rule := range rules {
			if rule.Name == ledger.DefaultRule {
				rule.CreatedAt, rule.ChangedAt = time.Time{}, time.Time{} // when the store was made
			}
			id := rule.ID
			rule.ID = 0 // the store's own
			fmt.Fprintf(&s, "rule %+v\n", rule)
			if err := b.pictureVersions(ctx, r, id, &s); err != nil {
				return err
			}
			for _, key := range keysInPictures {
				if err := b.pictureKey(ctx, r, id, key, &s); err != nil {
					return err
				}
			}
		}
		return b.pictureRest(ctx, r, &s)
	})
	if err != nil {
		b.Fatalf("read what is stored: %v", err)
	}
	return s.String()
}

// keysInPictures are the keys that acts use.
var keysInPictures = [...]string{"a", "b", "c"}

// pictureVersions adds a rule's versions, and which keys mean which.
func (b *trial) pictureVersions(ctx context.Context, r ledger.Reader, ruleID int64, s *strings.Builder) error {
	versions, err := r.RuleVersions(ctx, ruleID)
	if err != nil {
		return err
	}
	for _, v := range versions {
		if ruleID == 1 {
			v.Since = time.Time{} // when the store was made
		}
		fmt.Fprintf(s, "  version %+v\n", v)
	}
	rows, err := r.Tied(ctx, ruleID, keysInPictures[:])
	for i, row := range rows {
		fmt.Fprintf(s, "  %s means %q\n", keysInPictures[i], row.Key)
	}
	return err
}

func (b *trial) pictureKey(ctx context.Context, r ledger.Reader, ruleID int64, key string, s *strings.Builder) error {
	row, ok, err := r.Load(ctx, ruleID, key)
	if err != nil {
		return err
	}
	events, err := r.Events(ctx, ruleID, key)
	if err != nil {
		return err
	}
	if ok {
		arrivals, err := r.Arrivals(ctx, row.ID)
		if err != nil {
			return err
		}
		if row.Token != "" {
			row.Token = "a token"
		}
		row.ID, row.RuleID, row.Version = 0, 0, 0 // a repeat may write the same again
		fmt.Fprintf(s, "  row %+v\n  arrivals %+v\n", row, arrivals)
	}
	if len(events) > 0 {
		fmt.Fprintf(s, "  events of %s %+v\n", key, events)
	}
	return nil
}

func (b *trial) pictureRest(ctx context.Context, r ledger.Reader, s *strings.Builder) error {
	tokens, err := r.AllTokens(ctx)
	if err != nil {
		return err
	}
	for _, t := range tokens {
		t.Last4 = "" // chance
		fmt.Fprintf(s, "token %+v\n", t)
	}
	for _, prefix := range []string{"test.", "clock.", "restored.", "backup."} {
		settings, err := r.Settings(ctx, prefix)
		if err != nil {
			return err
		}
		// These are written when they are due, with whatever call comes.
		delete(settings, "clock.high")
		delete(settings, "clock.alive")
		fmt.Fprintf(s, "settings %v\n", settings)
	}
	counts, err := r.Counts(ctx, b.clock.Now())
	fmt.Fprintf(s, "counts %+v\n", counts)
	return err
}

// tokens are the tokens of all grants that are stored.
func (b *trial) tokens() string {
	b.Helper()
	var all []string
	err := b.store.Read(context.Background(), func(r ledger.Reader) error {
		rows, err := r.Rows(context.Background(), ledger.RowQuery{Order: ledger.ByKey, Limit: 100})
		for _, row := range rows {
			all = append(all, row.Token)
		}
		return err
	})
	if err != nil {
		b.Fatalf("read the tokens: %v", err)
	}
	return strings.Join(all, " ")
}

// notActs are the methods that ask the store nothing, or nothing of its own calls.
var notActs = []string{"Close", "Now", "Tend", "Backup"}

// everyMethodIsListed: whoever adds a method to the ledger adds it here too.
func everyMethodIsListed(t *testing.T) {
	typ := reflect.TypeFor[*ledger.Ledger]()
	var names []string
	for m := range typ.Methods() {
		names = append(names, m.Name)
		listed := slices.ContainsFunc(acts, func(a act) bool { return a.method == m.Name })
		if !listed && !slices.Contains(notActs, m.Name) {
			t.Errorf("no act calls Ledger.%s", m.Name)
		}
	}
	for _, a := range acts {
		if !slices.Contains(names, a.method) {
			t.Errorf("%s: there is no Ledger.%s", a.name, a.method)
		}
	}
}

// everyCallIsAPoint calls each method that a store has for its ledger, and wants it
// counted and failed under its own name.
func everyCallIsAPoint(t *testing.T, open func(t *testing.T) ledger.Store) {
	s := Failing(open(t))
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	typ := reflect.TypeFor[ledger.Tx]()
	for m := range typ.Methods() {
		s.FailAt(Point{m.Name, 1}, errFailed)
		err := s.Write(t.Context(), func(tx ledger.Tx) error {
			args := []reflect.Value{reflect.ValueOf(t.Context())}
			for i := 1; i < m.Type.NumIn(); i++ {
				args = append(args, reflect.Zero(m.Type.In(i)))
			}
			out := reflect.ValueOf(tx).MethodByName(m.Name).Call(args)
			err, _ := out[len(out)-1].Interface().(error)
			return err
		})
		if !errors.Is(err, errFailed) || !s.Failed() {
			t.Errorf("%s is no point: %v", m.Name, err)
		}
	}
}

// minute is long enough to be seen in a time that is stored.
const minute = time.Minute
