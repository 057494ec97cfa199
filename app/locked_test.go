package main_test

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"
)

// TestLockedFileIsAnsweredAndNotCutOff: another program holds the key file for
// longer than the listener's write time-out. The first call after a start, which
// also has the time of the last call to write down, was cut off without an answer.
func TestLockedFileIsAnsweredAndNotCutOff(t *testing.T) {
	t.Parallel() // it waits most of the time
	h := newHouse(t)
	h.must("claim", "before")
	other, err := sql.Open("sqlite", "file:"+filepath.Join(h.dir, "ledger.db")+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	a := h.post("/v1/claim", map[string]any{"key": "while-locked"})
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if a.Code != http.StatusServiceUnavailable || a.Body["run"] != false || a.Header.Get("Retry-After") == "" {
		t.Errorf("%d %s, want 503 with Retry-After", a.Code, a.Raw)
	}
	if n := h.keys("default"); n != 1 {
		t.Errorf("%d keys, want the one made before", n)
	}
	if a := h.post("/v1/claim", map[string]any{"key": "while-locked"}); a.text("status") != "claimed" {
		t.Errorf("after the lock: %s", a.Raw)
	}
}
