//go:build unix

package main_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTheKeyFileIsTakenFromUnderTheEngine: the command line grants from the file that
// is there now, so the engine must not, and both readyz and the doctor say so.
func TestTheKeyFileIsTakenFromUnderTheEngine(t *testing.T) {
	h := newHouse(t)
	if out, errs, code := h.run("doctor"); code != 0 {
		t.Fatalf("before: %d\n%s%s", code, out, errs)
	}
	files, err := filepath.Glob(filepath.Join(h.dir, "ledger.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(1100 * time.Millisecond) // a look at the file stands for a second
	h.must("claim", "both")
	if a := h.post("/v1/claim", map[string]any{"key": "both"}); a.Code != http.StatusServiceUnavailable {
		t.Errorf("the engine answered %d: %s", a.Code, a.Raw)
	}
	if a := h.call(http.MethodGet, "/readyz", "", ""); a.Code != http.StatusServiceUnavailable {
		t.Errorf("readyz: %d: %s", a.Code, a.Raw)
	}
	out, _, code := h.run("doctor")
	if code != 1 || !strings.Contains(out, "fault  The engine takes no claims. ") || !strings.Contains(out, "replaced") {
		t.Errorf("doctor: %d\n%s", code, out)
	}
}
