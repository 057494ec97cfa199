package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dedupedesk/app/cli"
	"dedupedesk/ledger"
)

// doctor runs dedupe doctor on a key file and returns what it printed.
func doctor(t *testing.T, path string) (out string, code int) {
	t.Helper()
	t.Setenv("DEDUPE_TEST_CLOCK", "")
	var printed bytes.Buffer
	p := program()
	p.Out = &printed
	code = cli.Run(t.Context(), []string{"--db", path, "doctor"}, p)
	return printed.String(), code
}

// TestDoctorFindsADamagedPage that no call has met yet.
func TestDoctorFindsADamagedPage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := openLedger(t.Context(), cli.Target{DB: path})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		key := fmt.Sprintf("key-%03d-%s", i, strings.Repeat("k", 200))
		if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if out, code := doctor(t, path); code != 0 || !strings.Contains(out, "It holds 100 keys.") {
		t.Fatalf("before: %d\n%s", code, out)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const size, indexLeaf = 4096, 0x0a // see https://sqlite.org/fileformat2.html (read 2026-11-30)
	for page := size; page < len(b); page += size {
		if p := b[page : page+size]; p[0] == indexLeaf && bytes.Contains(p, []byte("key-000")) {
			clear(p)
		}
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	out, code := doctor(t, path)
	if code != 1 || !strings.Contains(out, "fault  The ledger file is damaged.") || strings.Contains(out, "takes claims") {
		t.Errorf("after: %d\n%s", code, out)
	}
}

func TestDoctorCountsTheRowsThatCouldNotBeTakenOver(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := openLedger(t.Context(), cli.Target{DB: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.PutSetting(t.Context(), ledger.SeenUnreadable, "3"); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if out, code := doctor(t, path); code != 0 || !strings.Contains(out, "could not be kept: 3.") {
		t.Errorf("%d\n%s", code, out)
	}
}
