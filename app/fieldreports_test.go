package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"dedupedesk/ledger"
)

// TestBug52OneLedgerOneAnswer: whichever way a key came, over HTTP, by command, by an
// import or in a batch, every other way knows it.
func TestBug52OneLedgerOneAnswer(t *testing.T) { eachBackend(t, oneLedgerOneAnswer) }

func oneLedgerOneAnswer(t *testing.T, h *house) {
	file := filepath.Join(t.TempDir(), "keys.csv")
	if err := os.WriteFile(file, []byte("key\nby-import\nby-http\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := h.post("/v1/claim", map[string]any{"key": "by-http"}); a.text("status") != "claimed" {
		t.Fatalf("%s", a.Raw)
	}
	h.must("claim", "by-command")
	h.must("import", file)
	h.post("/v1/batch", map[string]any{"op": "claim", "items": []any{map[string]any{"key": "by-batch"}}})
	// An import overwrites nothing: the run that was granted the key still has it.
	for key, want := range map[string]string{"by-http": "in_progress", "by-command": "in_progress", "by-batch": "in_progress", "by-import": "done"} {
		if a := h.post("/v1/claim", map[string]any{"key": key}); a.text("status") != want {
			t.Errorf("over HTTP %s is %s, want %s", key, a.Raw, want)
		}
		out, errs, code := h.run("claim", key, "--json")
		var said struct{ Status string }
		if err := json.Unmarshal([]byte(out), &said); err != nil || said.Status != want || code != 1 {
			t.Errorf("by command %s: exit %d, %s%s; want %s and 1", key, code, out, errs, want)
		}
		a := h.post("/v1/batch", map[string]any{"op": "claim", "items": []any{map[string]any{"key": key}}})
		if !strings.Contains(a.Raw, `"status":"`+want+`"`) {
			t.Errorf("in a batch %s: %s, want %s", key, a.Raw, want)
		}
	}
}

// TestBug56ClaimsGoOnWhileTenThousandKeysAreImported: no caller is told that the file is
// locked.
func TestBug56ClaimsGoOnWhileTenThousandKeysAreImported(t *testing.T) {
	h := newHouse(t)
	var lines strings.Builder
	lines.WriteString("key\n")
	for i := range 10_000 {
		fmt.Fprintf(&lines, "imported:%d\n", i)
	}
	file := filepath.Join(t.TempDir(), "keys.csv")
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	var callers sync.WaitGroup
	for caller := range 4 {
		callers.Go(func() {
			for n := 0; ; n++ {
				a := h.post("/v1/claim", map[string]any{"key": fmt.Sprintf("live:%d:%d", caller, n)})
				if a.text("status") != string(ledger.StatusClaimed) {
					t.Errorf("while keys are imported: %d %s", a.Code, a.Raw)
					return
				}
				select {
				case <-over:
					return
				default:
				}
			}
		})
	}
	out := h.must("import", file)
	close(over)
	callers.Wait()
	if !strings.Contains(out, "10000") && !strings.Contains(out, "10,000") {
		t.Errorf("the import says %q", out)
	}
}
