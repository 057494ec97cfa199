package sqlite_test

import (
	"path/filepath"
	"strings"
	"testing"

	"dedupedesk/ledger"
)

// TestScriptIsRefusedAKeyThatMeansAnothersRow: dedupe.py knows no former key, so to it a
// key that stands for another row is taken, until that row is gone.
func TestScriptIsRefusedAKeyThatMeansAnothersRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	given, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "old"})
	if err != nil || !given.Run {
		t.Fatalf("%+v, %v", given, err)
	}
	rule, err := l.Rule(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	rule.Doc = []byte("new")
	if rule, err = l.ChangeRule(t.Context(), ledger.RuleChange{Rule: rule, Why: ledger.Copies}); err != nil {
		t.Fatal(err)
	}
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "new", Former: []ledger.FormerKey{{Key: "old", Until: rule.FormerAt}}})
	if err != nil || a.Run || a.Key != "old" {
		t.Fatalf("%+v, %v", a, err)
	}
	db := raw(t, path)
	take := func(key string) error {
		_, err := db.ExecContext(t.Context(), "INSERT INTO seen (key, state, claimed_at) VALUES (?, 'claimed', 1)", key)
		return err
	}
	if err := take("new"); err == nil || !strings.Contains(err.Error(), "this key is taken") {
		t.Errorf("the script took a key that stands for another row: %v", err)
	}
	if err := take("other"); err != nil {
		t.Errorf("a new key: %v", err)
	}
	if _, err := l.Decide(t.Context(), ledger.DecideRequest{Key: "old", Decision: ledger.Forget, By: "Ada", Why: "test"}); err != nil {
		t.Fatal(err)
	}
	if err := take("new"); err != nil {
		t.Errorf("after the row was forgotten: %v", err)
	}
}
