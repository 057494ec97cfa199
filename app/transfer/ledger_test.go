package transfer

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestAnyLedgerGoesThroughAFile: from one ledger to a file, from there to another
// ledger, and to a file again. The two files are equal to the last byte. Each check has
// a rule of its own, which is a ledger of its own as far as keys go.
func TestAnyLedgerGoesThroughAFile(t *testing.T) {
	first, second, third := empty(t), empty(t), empty(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		rule := fmt.Sprint("shop-", n)
		for _, l := range []*ledger.Ledger{first, second, third} {
			if _, err := l.PutRule(context.Background(), "", ledger.Rule{Name: rule, Policy: ledger.DefaultPolicy()}); err != nil {
				t.Fatal(err)
			}
		}
		keys := rapid.SliceOfNDistinct(rapid.Custom(importable), 1, 8, func(k ledger.Key) string { return k.Key }).Draw(t, "keys")
		for i := range keys {
			keys[i].Rule = rule
		}
		imports(t, first, keys)
		for f, to := range map[Format]*ledger.Ledger{JSONL: second, CSV: third} {
			before := exported(t, first, rule, f)
			got, err := readAll(bytes.NewReader(before), f)
			if err != nil {
				t.Fatalf("%v in\n%s", err, before)
			}
			imports(t, to, got)
			if diff := cmp.Diff(string(before), string(exported(t, to, rule, f))); diff != "" {
				t.Fatalf("%s: -first +other\n%s", f, diff)
			}
		}
	})
}

// importable draws a key that an import takes.
func importable(t *rapid.T) ledger.Key {
	return rapid.Custom(anyKey).Filter(func(k ledger.Key) bool {
		if k.State != ledger.Done && !k.DoneAt.IsZero() {
			return false
		}
		return ledger.CheckImport(k, now) == nil
	}).Draw(t, "key")
}

func empty(t *testing.T) *ledger.Ledger {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	l := ledger.New(store, ledgertest.NewClockAt(now), nil)
	t.Cleanup(func() { _ = l.Close() })
	return l
}

func imports(t *rapid.T, l *ledger.Ledger, keys []ledger.Key) {
	if _, err := l.Import(context.Background(), ledger.ImportRequest{Keys: keys, By: "Ada"}); err != nil {
		t.Fatal(err)
	}
}

func exported(t *rapid.T, l *ledger.Ledger, rule string, f Format) []byte {
	var keys []ledger.Key
	err := l.Export(context.Background(), ledger.KeyQuery{Rule: rule}, func(k ledger.Key) error {
		keys = append(keys, k)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return written(t, keys, f)
}
