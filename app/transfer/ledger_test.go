package transfer

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestAnyLedgerGoesThroughAFile: from one ledger to a file, from there to another
// ledger, and to a file again. The two files are equal to the last byte.
func TestAnyLedgerGoesThroughAFile(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		first, second := empty(t, dir), empty(t, dir)
		keys := rapid.SliceOfNDistinct(rapid.Custom(importable), 1, 8, func(k ledger.Key) string { return k.Key }).Draw(t, "keys")
		imports(t, first, keys)
		for _, f := range []Format{JSONL, CSV} {
			before := exported(t, first, f)
			got, err := readAll(bytes.NewReader(before), f)
			if err != nil {
				t.Fatalf("%v in\n%s", err, before)
			}
			imports(t, second, got)
			if diff := cmp.Diff(string(before), string(exported(t, second, f))); diff != "" {
				t.Fatalf("%s: -first +second\n%s", f, diff)
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

// empty returns a new ledger with the rule shop, which lasts as long as one check.
func empty(t *rapid.T, dir string) *ledger.Ledger {
	at, err := os.MkdirTemp(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(filepath.Join(at, "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	l := ledger.New(store, ledgertest.NewClockAt(now), nil)
	t.Cleanup(func() { _ = l.Close() })
	if _, err := l.PutRule(context.Background(), "", ledger.Rule{Name: "shop", Policy: ledger.DefaultPolicy()}); err != nil {
		t.Fatal(err)
	}
	return l
}

func imports(t *rapid.T, l *ledger.Ledger, keys []ledger.Key) {
	if _, err := l.Import(context.Background(), ledger.ImportRequest{Keys: keys, By: "Ada"}); err != nil {
		t.Fatal(err)
	}
}

func exported(t *rapid.T, l *ledger.Ledger, f Format) []byte {
	var keys []ledger.Key
	err := l.Export(context.Background(), ledger.KeyQuery{}, func(k ledger.Key) error {
		keys = append(keys, k)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return written(t, keys, f)
}
