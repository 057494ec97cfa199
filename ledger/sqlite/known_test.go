package sqlite

import (
	"errors"
	"testing"

	"dedupedesk/ledger"
)

// ruleVersion asks as a claim does.
func ruleVersion(t *testing.T, s *Store) (version int64) {
	t.Helper()
	wantFine(t, ask(t.Context(), s, func(tx ledger.Tx) error {
		r, ok, err := tx.RuleNamed(t.Context(), "default")
		if !ok {
			t.Error("no rule")
		}
		version = r.Version
		return err
	}))
	return version
}

// TestAKnownRuleIsNeverOld: nor is it one that was never committed.
func TestAKnownRuleIsNeverOld(t *testing.T) {
	s := openStore(t)
	other, err := Open(s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	wanted := errors.New("wanted")
	raise := func(after error) func(ledger.Tx) error {
		return func(tx ledger.Tx) error {
			r, _, err := tx.RuleNamed(t.Context(), "default")
			if err != nil {
				return err
			}
			r.Version++
			if _, err := tx.SaveRule(t.Context(), r); err != nil {
				return err
			}
			if now, _, err := tx.RuleNamed(t.Context(), "default"); err != nil || now.Version != r.Version {
				t.Errorf("within: %d, %v", now.Version, err)
			}
			return after
		}
	}
	if v := ruleVersion(t, s); v != 1 {
		t.Errorf("version %d", v)
	}
	wantFine(t, ask(t.Context(), other, raise(nil)))
	if v := ruleVersion(t, s); v != 2 {
		t.Errorf("after another process: version %d", v)
	}
	wantFine(t, ask(t.Context(), s, raise(nil)))
	if v := ruleVersion(t, s); v != 3 {
		t.Errorf("after its own change: version %d", v)
	}
	if got := ask(t.Context(), s, raise(wanted)); !errors.Is(got.err, wanted) {
		t.Errorf("%+v", got)
	}
	if v := ruleVersion(t, s); v != 3 {
		t.Errorf("after a change that was undone: version %d", v)
	}
}
