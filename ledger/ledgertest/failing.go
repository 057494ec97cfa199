package ledgertest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"dedupedesk/ledger"
)

// The points at which a store fails beside the calls of a [ledger.Tx], which are
// named as they are.
const (
	AtWrite     = "write"     // before a write transaction began
	AtCommit    = "commit"    // instead of the commit: nothing is written
	AtCommitted = "committed" // after the commit: all is written, and nobody is told
	AtRead      = "read"      // before a snapshot was taken
	AtReadEnd   = "read end"  // after all was read
	AtExamine   = "Examine"
)

// A Point is one place of a run where the store can fail.
type Point struct {
	Op  string
	Nth int // of this Op, counted from 1
}

// String returns the point as a test's name.
func (p Point) String() string { return fmt.Sprintf("%s-%d", p.Op, p.Nth) }

// Failing returns store with every call of it open to failure, once, at one point.
// Until a point is chosen it works as store does. It is safe for concurrent use; the
// points of calls that run at once are counted as they come.
func Failing(store ledger.Store) *FailingStore {
	return &FailingStore{store: store, passed: map[string]int{}}
}

// A FailingStore is the store that [Failing] returns.
type FailingStore struct {
	store ledger.Store

	mu     sync.Mutex
	passed map[string]int
	points []Point
	at     Point
	err    error // nil = no point is chosen, or it was reached
	failed bool
}

// Watch forgets what was counted and fails nothing from now on.
func (s *FailingStore) Watch() { s.FailAt(Point{}, nil) }

// FailAt counts anew, and has the store return err at p, that one time.
func (s *FailingStore) FailAt(p Point, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed, s.points = map[string]int{}, nil
	s.at, s.err, s.failed = p, err, false
}

// Points returns every point that was passed since [FailingStore.Watch] or
// [FailingStore.FailAt], in order.
func (s *FailingStore) Points() []Point {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Point(nil), s.points...)
}

// Failed reports whether the chosen point was reached.
func (s *FailingStore) Failed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// pass counts a point, and returns the error if it is the chosen one.
func (s *FailingStore) pass(op string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed[op]++
	p := Point{op, s.passed[op]}
	s.points = append(s.points, p)
	if s.err == nil || p != s.at {
		return nil
	}
	err := s.err
	s.err, s.failed = nil, true
	return err
}

// Write is the store's, with points before, in, at the end of and after it.
func (s *FailingStore) Write(ctx context.Context, f func(tx ledger.Tx) error) error {
	if err := s.pass(AtWrite); err != nil {
		return err
	}
	err := s.store.Write(ctx, func(tx ledger.Tx) error {
		if err := f(failingTx{failingReader{tx, s}, tx}); err != nil {
			return err
		}
		return s.pass(AtCommit)
	})
	if err != nil {
		return err
	}
	return s.pass(AtCommitted)
}

// Read is the store's, with points before, in and at the end of it.
func (s *FailingStore) Read(ctx context.Context, f func(r ledger.Reader) error) error {
	if err := s.pass(AtRead); err != nil {
		return err
	}
	return s.store.Read(ctx, func(r ledger.Reader) error {
		if err := f(failingReader{r, s}); err != nil {
			return err
		}
		return s.pass(AtReadEnd)
	})
}

// Examine is the store's.
func (s *FailingStore) Examine(ctx context.Context) error {
	if err := s.pass(AtExamine); err != nil {
		return err
	}
	return s.store.Examine(ctx)
}

// Close is the store's and never fails here.
func (s *FailingStore) Close() error { return s.store.Close() }

type failingReader struct {
	in ledger.Reader
	s  *FailingStore
}

func (r failingReader) Now(ctx context.Context) (time.Time, bool, error) {
	if err := r.s.pass("Now"); err != nil {
		return time.Time{}, false, err
	}
	return r.in.Now(ctx)
}

func (r failingReader) RuleNamed(ctx context.Context, name string) (ledger.Rule, bool, error) {
	if err := r.s.pass("RuleNamed"); err != nil {
		return ledger.Rule{}, false, err
	}
	return r.in.RuleNamed(ctx, name)
}

func (r failingReader) AllRules(ctx context.Context) ([]ledger.Rule, error) {
	return fails(r.s, "AllRules", func() ([]ledger.Rule, error) { return r.in.AllRules(ctx) })
}

func (r failingReader) RuleVersions(ctx context.Context, ruleID int64) ([]ledger.RuleVersion, error) {
	return fails(r.s, "RuleVersions", func() ([]ledger.RuleVersion, error) { return r.in.RuleVersions(ctx, ruleID) })
}

func (r failingReader) LastChange(ctx context.Context, ruleID int64) (time.Time, error) {
	return fails(r.s, "LastChange", func() (time.Time, error) { return r.in.LastChange(ctx, ruleID) })
}

func (r failingReader) Tied(ctx context.Context, ruleID int64, keys []string) ([]ledger.Row, error) {
	return fails(r.s, "Tied", func() ([]ledger.Row, error) { return r.in.Tied(ctx, ruleID, keys) })
}

func (r failingReader) Load(ctx context.Context, ruleID int64, key string) (ledger.Row, bool, error) {
	if err := r.s.pass("Load"); err != nil {
		return ledger.Row{}, false, err
	}
	return r.in.Load(ctx, ruleID, key)
}

func (r failingReader) Rows(ctx context.Context, q ledger.RowQuery) ([]ledger.Row, error) {
	return fails(r.s, "Rows", func() ([]ledger.Row, error) { return r.in.Rows(ctx, q) })
}

func (r failingReader) Events(ctx context.Context, ruleID int64, key string) ([]ledger.Event, error) {
	return fails(r.s, "Events", func() ([]ledger.Event, error) { return r.in.Events(ctx, ruleID, key) })
}

func (r failingReader) Arrivals(ctx context.Context, rowID int64) ([]ledger.Arrival, error) {
	return fails(r.s, "Arrivals", func() ([]ledger.Arrival, error) { return r.in.Arrivals(ctx, rowID) })
}

func (r failingReader) Counts(ctx context.Context, now time.Time) (ledger.Counts, error) {
	return fails(r.s, "Counts", func() (ledger.Counts, error) { return r.in.Counts(ctx, now) })
}

func (r failingReader) CopiesByDay(ctx context.Context, from, until time.Time) ([]ledger.DayCopies, error) {
	return fails(r.s, "CopiesByDay", func() ([]ledger.DayCopies, error) { return r.in.CopiesByDay(ctx, from, until) })
}

func (r failingReader) CallsByHour(ctx context.Context, from, until time.Time) ([]ledger.HourCalls, error) {
	return fails(r.s, "CallsByHour", func() ([]ledger.HourCalls, error) { return r.in.CallsByHour(ctx, from, until) })
}

func (r failingReader) RuleUses(ctx context.Context, now time.Time) ([]ledger.RuleUse, error) {
	return fails(r.s, "RuleUses", func() ([]ledger.RuleUse, error) { return r.in.RuleUses(ctx, now) })
}

func (r failingReader) DoneBefore(ctx context.Context, ruleID int64, before time.Time) (int64, error) {
	return fails(r.s, "DoneBefore", func() (int64, error) { return r.in.DoneBefore(ctx, ruleID, before) })
}

func (r failingReader) AllTokens(ctx context.Context) ([]ledger.Token, error) {
	return fails(r.s, "AllTokens", func() ([]ledger.Token, error) { return r.in.AllTokens(ctx) })
}

func (r failingReader) TokenByHash(ctx context.Context, hash []byte) (ledger.Token, []byte, bool, error) {
	if err := r.s.pass("TokenByHash"); err != nil {
		return ledger.Token{}, nil, false, err
	}
	return r.in.TokenByHash(ctx, hash)
}

func (r failingReader) Setting(ctx context.Context, name string) (string, bool, error) {
	if err := r.s.pass("Setting"); err != nil {
		return "", false, err
	}
	return r.in.Setting(ctx, name)
}

func (r failingReader) Settings(ctx context.Context, prefix string) (map[string]string, error) {
	return fails(r.s, "Settings", func() (map[string]string, error) { return r.in.Settings(ctx, prefix) })
}

type failingTx struct {
	failingReader
	tx ledger.Tx
}

func (t failingTx) Insert(ctx context.Context, row ledger.Row) (int64, bool, error) {
	if err := t.s.pass("Insert"); err != nil {
		return 0, false, err
	}
	return t.tx.Insert(ctx, row)
}

func (t failingTx) Replace(ctx context.Context, row ledger.Row) (bool, error) {
	return fails(t.s, "Replace", func() (bool, error) { return t.tx.Replace(ctx, row) })
}

func (t failingTx) Remove(ctx context.Context, row ledger.Row) (bool, error) {
	return fails(t.s, "Remove", func() (bool, error) { return t.tx.Remove(ctx, row) })
}

func (t failingTx) Append(ctx context.Context, ruleID int64, key string, e ledger.Event) error {
	if err := t.s.pass("Append"); err != nil {
		return err
	}
	return t.tx.Append(ctx, ruleID, key, e)
}

func (t failingTx) Arrive(ctx context.Context, rowID, n int64, a ledger.Arrival) error {
	if err := t.s.pass("Arrive"); err != nil {
		return err
	}
	return t.tx.Arrive(ctx, rowID, n, a)
}

func (t failingTx) DropHours(ctx context.Context, before time.Time) error {
	if err := t.s.pass("DropHours"); err != nil {
		return err
	}
	return t.tx.DropHours(ctx, before)
}

func (t failingTx) Prune(ctx context.Context, ruleID int64, before time.Time, limit int) (int64, error) {
	return fails(t.s, "Prune", func() (int64, error) { return t.tx.Prune(ctx, ruleID, before, limit) })
}

func (t failingTx) SaveRule(ctx context.Context, r ledger.Rule) (int64, error) {
	return fails(t.s, "SaveRule", func() (int64, error) { return t.tx.SaveRule(ctx, r) })
}

func (t failingTx) AddRuleVersion(ctx context.Context, ruleID int64, v ledger.RuleVersion) error {
	if err := t.s.pass("AddRuleVersion"); err != nil {
		return err
	}
	return t.tx.AddRuleVersion(ctx, ruleID, v)
}

func (t failingTx) DropRuleVersion(ctx context.Context, ruleID, version int64) error {
	if err := t.s.pass("DropRuleVersion"); err != nil {
		return err
	}
	return t.tx.DropRuleVersion(ctx, ruleID, version)
}

func (t failingTx) Tie(ctx context.Context, ruleID int64, key string, rowID int64) error {
	if err := t.s.pass("Tie"); err != nil {
		return err
	}
	return t.tx.Tie(ctx, ruleID, key, rowID)
}

func (t failingTx) AddToken(ctx context.Context, k ledger.Token, hash []byte) (int64, error) {
	return fails(t.s, "AddToken", func() (int64, error) { return t.tx.AddToken(ctx, k, hash) })
}

func (t failingTx) SaveToken(ctx context.Context, k ledger.Token) error {
	if err := t.s.pass("SaveToken"); err != nil {
		return err
	}
	return t.tx.SaveToken(ctx, k)
}

func (t failingTx) PutSetting(ctx context.Context, name, value string) error {
	if err := t.s.pass("PutSetting"); err != nil {
		return err
	}
	return t.tx.PutSetting(ctx, name, value)
}

func (t failingTx) AddSetting(ctx context.Context, name, value string) error {
	if err := t.s.pass("AddSetting"); err != nil {
		return err
	}
	return t.tx.AddSetting(ctx, name, value)
}

// fails calls f, unless this is where the store fails.
func fails[T any](s *FailingStore, op string, f func() (T, error)) (T, error) {
	if err := s.pass(op); err != nil {
		var none T
		return none, err
	}
	return f()
}

var (
	_ ledger.Store = (*FailingStore)(nil)
	_ ledger.Tx    = failingTx{}
)
