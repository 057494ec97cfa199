package main_test

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRestoreIsToldUntilItIsAccepted: keys that came after the backup was made are
// forgotten, and everybody is told until a person has looked.
func TestRestoreIsToldUntilItIsAccepted(t *testing.T) {
	h := newHouse(t)
	h.must("claim", "before", "--owner", "a")
	h.must("done", "before", "--owner", "a")
	backup := filepath.Join(t.TempDir(), "backup.db")
	h.must("backup", backup) // while the engine works
	h.must("claim", "after")

	out, errs, code := h.run("restore", backup)
	if code != 2 || !strings.Contains(errs, "An engine runs on this data folder. Nothing was changed. Stop it with ") {
		t.Fatalf("while the engine runs: %d\n%s%s", code, out, errs)
	}
	h.stop()
	h.must("claim", "after-the-stop")
	out, errs, code = h.run("restore", backup)
	if code != 0 || out != "restored 1\n" || !strings.Contains(errs, "may be forgotten: a copy of such an event runs again") {
		t.Fatalf("restore: %d\n%s%s", code, out, errs)
	}
	kept, err := filepath.Glob(filepath.Join(h.dir, "ledger.db.before-restore-*Z"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept: %v, %v", kept, err)
	}
	if left, err := filepath.Glob(filepath.Join(h.dir, "*restoring*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if out, errs, code := h.run("keys", "--json"); code != 0 || !strings.Contains(out, `"before"`) || strings.Contains(out, `"after`) {
		t.Errorf("keys: %d\n%s%s", code, out, errs)
	}

	h.start()
	banner := func() bool {
		return strings.Contains(h.page(http.MethodGet, "/", nil).Raw, "This ledger comes from a backup.")
	}
	if !banner() {
		t.Error("the pages do not tell of the restore")
	}
	if out, _, code := h.run("doctor"); code != 1 || !strings.Contains(out, "fault  This ledger comes from a backup.") {
		t.Errorf("doctor: %d\n%s", code, out)
	}
	if a := h.post("/v1/claim", map[string]any{"key": "before"}); a.text("status") != "done" {
		t.Errorf("a finished key: %s", a.Raw)
	}
	if out, _, code := h.run("doctor", "--accept-restore", "--name", "Ada"); code != 0 || strings.Contains(out, "backup") {
		t.Errorf("accepted: %d\n%s", code, out)
	}
	if banner() {
		t.Error("the pages still tell of the restore")
	}
	h.stop()
	if got := keysOf(t, h, kept[0]); got != "after after-the-stop before" {
		t.Errorf("the file that was set aside holds %q", got)
	}
}

func TestRestoreRefusesWhatIsNoBackup(t *testing.T) {
	h := newHouse(t)
	h.must("claim", "mine")
	h.stop()
	dir := t.TempDir()
	text := filepath.Join(dir, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, want string }{
		{text, "text.db: This file is no backup of a ledger, or it is damaged. Nothing was changed."},
		{filepath.Join(dir, "none.db"), "There is no such file. Nothing was changed."},
		{filepath.Join(h.dir, "ledger.db"), "This is the key file itself. Nothing was changed."},
	} {
		out, errs, code := h.run("restore", tt.file)
		if code != 2 || !strings.Contains(errs, tt.want) {
			t.Errorf("%s: %d\n%s%s", tt.file, code, out, errs)
		}
	}
	if got := keysOf(t, h, filepath.Join(h.dir, "ledger.db")); got != "mine" {
		t.Errorf("the key file holds %q", got)
	}
	if _, err := os.Lstat(filepath.Join(dir, "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the missing backup was made: %v", err)
	}
}

// TestRestoreOfAKeyFileAlone, by --db: what uses the file has to end first, and where
// there was none, one is made.
func TestRestoreOfAKeyFileAlone(t *testing.T) {
	h := newHouse(t)
	h.must("claim", "kept")
	h.stop()
	path := filepath.Join(t.TempDir(), "keys.db")
	for _, want := range []int{0, 0} {
		cmd := h.command("restore", filepath.Join(h.dir, "ledger.db"), "--db", path)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != want {
			t.Fatalf("exit %d: %s", cmd.ProcessState.ExitCode(), out)
		}
	}
	if got := keysOf(t, h, path); got != "kept" {
		t.Errorf("the file holds %q", got)
	}
	info, err := os.Stat(path)
	if err != nil || (info.Mode().Perm() != 0o600 && filepath.Separator == '/') {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// keysOf returns the keys of a key file, in order.
func keysOf(t *testing.T, h *house, path string) string {
	t.Helper()
	out, err := h.command("export-keys", "-", "--db", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for line := range strings.Lines(string(out)) {
		_, rest, _ := strings.Cut(line, `"key":"`)
		key, _, _ := strings.Cut(rest, `"`)
		keys = append(keys, key)
	}
	return strings.Join(keys, " ")
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
