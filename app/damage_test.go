package main_test

import (
	"bytes"
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// raw opens the house's file beside the engine, as another program would.
func (h *house) raw() *sql.DB {
	h.t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(h.dir, "ledger.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		h.t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	h.t.Cleanup(func() { _ = db.Close() })
	return db
}

// emptyLog moves all that was written into the file itself, so that the next write
// needs room of its own.
func (h *house) emptyLog() {
	h.t.Helper()
	db := h.raw()
	var busy, pages, moved int
	if err := db.QueryRow("PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil || busy != 0 {
		h.t.Fatalf("empty the log: busy %d, %v", busy, err)
	}
	if err := db.Close(); err != nil {
		h.t.Fatal(err)
	}
}

// pageSize is that of the house's file, and indexLeaf how a page of an index begins;
// see https://sqlite.org/fileformat2.html (read 2026-11-30).
const (
	pageSize  = 4096
	indexLeaf = 0x0a
)

// fillKeys claims keys over HTTP, so many that they stand on pages of their own.
func (h *house) fillKeys(prefix string) {
	h.t.Helper()
	const many, each = 1500, 100
	for i := 0; i < many; i += each {
		var items []map[string]any
		for n := range each {
			items = append(items, map[string]any{"key": prefix + strings.Repeat("x", 30) + "-" + string(rune('a'+n%26)) + time.Duration(i+n).String(), "owner": "o"})
		}
		if a := h.post("/v1/batch", map[string]any{"op": "claim", "items": items}); a.Code != http.StatusOK {
			h.t.Fatalf("fill: %d %s", a.Code, a.Raw)
		}
	}
}

// damage overwrites, in place, every page of an index that holds a text. It returns
// how many.
func damage(t *testing.T, path, text string) int {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	// Closing a file drops the locks that this process holds on it; it holds none.
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	found, page := 0, make([]byte, pageSize)
	for at := int64(pageSize); at+pageSize <= info.Size(); at += pageSize {
		if _, err := f.ReadAt(page, at); err != nil {
			t.Fatal(err)
		}
		if page[0] != indexLeaf || !bytes.Contains(page, []byte(text)) {
			continue
		}
		found++
		if _, err := f.WriteAt(bytes.Repeat([]byte{0xAA}, pageSize), at); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	return found
}

// backUp copies the house's file while no engine runs, and returns the copy.
func (h *house) backUp() string {
	h.t.Helper()
	h.stop()
	backup := filepath.Join(h.t.TempDir(), "backup.db")
	copyFile(h.t, filepath.Join(h.dir, "ledger.db"), backup)
	h.start()
	return backup
}

// sayDamaged are the words of an engine that stopped for good.
var sayDamaged = []string{"damaged"}

// stoppedForGood wants every wish refused, and told how to restore, and that it stays
// so: a page that can be read proves nothing about the rest.
func (s *siege) stoppedForGood() {
	s.t.Helper()
	s.await("the damage to be noticed", func() bool {
		return s.call(http.MethodGet, "/readyz", "", "").Code == http.StatusServiceUnavailable
	})
	a := s.post("/v1/claim", map[string]any{"key": s.name + "-anything"})
	if a.Code != http.StatusServiceUnavailable || a.Body["run"] != false || a.text("code") != "corrupt" || !strings.Contains(a.text("detail"), "backup") {
		s.t.Errorf("a claim: %d %s, want 503 and how to restore", a.Code, a.Raw)
	}
	for name, r := range s.all() {
		if w := wishNamed(name); w.args != nil {
			continue // a command looks at the file by itself, and may not meet the damage
		}
		if problem := r.refusal(sayDamaged); problem != "" {
			s.t.Errorf("%s: %s: %d %q %v", name, problem, r.code, clip(r.text), r.err)
		}
	}
	if a := s.call(http.MethodGet, "/healthz", "", ""); a.Code != http.StatusOK {
		s.t.Errorf("healthz: %d", a.Code)
	}
}

// TestPeers58DamagedWhileStopped overwrites a page of the file between two runs of the
// engine: the next one finds it by itself, stops granting, and grants again from a
// backup.
func TestPeers58DamagedWhileStopped(t *testing.T) {
	h := newHouse(t)
	h.fillKeys("damaged-")
	s := h.besiege("damaged")
	backup := h.backUp()
	h.stop()
	path := filepath.Join(h.dir, "ledger.db")
	if damage(t, path, "damaged-xxx") == 0 {
		t.Fatal("no page was damaged")
	}
	h.start()
	s.stoppedForGood()
	h.stop()
	h.must("restore", backup)
	h.start()
	s.untouched()
	s.granted()
	h.sound()
}

// TestPeers58DamagedWhileOpen overwrites pages under a running engine. It goes on until
// a call meets them, and then stops for good.
func TestPeers58DamagedWhileOpen(t *testing.T) {
	h := newHouse(t)
	h.fillKeys("damaged-")
	s := h.besiege("damaged")
	backup := h.backUp()
	h.emptyLog()
	if damage(t, filepath.Join(h.dir, "ledger.db"), "damaged-xxx") == 0 {
		t.Fatal("no page was damaged")
	}
	// The writer may have the pages in memory still, which are whole; the viewer reads.
	h.await("somebody to meet the damage", func() bool {
		a := h.call(http.MethodGet, "/v1/keys?limit=200&prefix=damaged-xxx", "", "", "Authorization", "Bearer "+h.admin)
		h.run("doctor")
		return a.Code == http.StatusServiceUnavailable
	})
	s.stoppedForGood()
	h.stop()
	h.must("restore", backup)
	h.start()
	s.untouched()
	s.granted()
	h.sound()
}
