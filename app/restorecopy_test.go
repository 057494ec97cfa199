package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRestoreOfAPlainCopyTellsSinceItsLastCall: the copy was made days after the last
// call that is in it. What came between was in the write-ahead log, which was not
// copied. A copy whose own time is earlier is taken by that.
func TestRestoreOfAPlainCopyTellsSinceItsLastCall(t *testing.T) {
	h := newHouse(t)
	h.must("claim", "kept")
	h.stop()
	called := time.Now()
	source, never := filepath.Join(t.TempDir(), "copy.db"), filepath.Join(t.TempDir(), "never.db")
	copyFile(t, filepath.Join(h.dir, "ledger.db"), source)
	if out, err := h.command("keys", "--db", never).CombinedOutput(); err != nil { // makes it
		t.Fatalf("%v\n%s", err, out)
	}
	since := func(file string, written time.Time) time.Time {
		t.Helper()
		if err := os.Chtimes(file, written, written); err != nil {
			t.Fatal(err)
		}
		out, err := h.command("restore", file, "--json", "--db", filepath.Join(t.TempDir(), "keys.db")).Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		var said struct{ Since string }
		if err := json.Unmarshal(out, &said); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if said.Since == "" {
			return time.Time{}
		}
		at, err := time.Parse(time.RFC3339, said.Since)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	for _, later := range []time.Duration{time.Hour, 72 * time.Hour} {
		if got := since(source, called.Add(later)); got.After(called) || got.Before(called.Add(-5*time.Minute)) {
			t.Errorf("written %v after the last call: missing since %v", later, got)
		}
	}
	early := called.Add(-72 * time.Hour).Truncate(time.Second)
	if got := since(source, early); !got.Equal(early) {
		t.Errorf("written before the last call: missing since %v, want %v", got, early)
	}
	if got := since(never, called); !got.IsZero() {
		t.Errorf("a file without a call: missing since %v", got)
	}
}
