//go:build unix

// Modes, and a bound on the size of files, are matters of Unix.

package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

// TestABackupIsItsOwnersFromTheFirstByte looks at its folder all the time.
func TestABackupIsItsOwnersFromTheFirstByte(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	fill(t, path, 5000)
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	looks := 0
	look := func() {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Error(err)
		}
		for _, e := range entries {
			if info, err := e.Info(); err == nil && info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v", e.Name(), info.Mode())
			} else if err == nil {
				looks++
			}
		}
	}
	wg.Go(func() {
		for ctx.Err() == nil {
			look()
		}
	})
	err := l.Backup(t.Context(), filepath.Join(dir, "copy.db"))
	stop()
	wg.Wait()
	if look(); err != nil || looks < 2 {
		t.Errorf("%d looks, %v", looks, err)
	}
}

// TestABackupThatFindsNoRoomLeavesNothing has the system refuse what is over 1 MB, as
// a full disk does.
func TestABackupThatFindsNoRoomLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	fill(t, path, 20_000)
	run(t, raw(t, path), "PRAGMA wal_checkpoint(TRUNCATE)") // so that a claim still fits
	dir := t.TempDir()
	out, err := child(t, "backup", path, filepath.Join(dir, "copy.db")).CombinedOutput()
	got := string(out)
	if err != nil || !strings.Contains(got, "backup busy") || !strings.Contains(got, "Nothing is left") || !strings.Contains(got, "claim  true") {
		t.Errorf("%q, %v", got, err)
	}
	if got := inFolder(t, dir); got != "" {
		t.Errorf("it left %q", got)
	}
}

// childBackup backs a ledger up where no file may grow over 1 MB, and goes on.
func childBackup(args []string) error {
	s, err := sqlite.Open(args[0])
	if err != nil {
		return err
	}
	l := ledger.New(s, ledger.SystemClock(), nil)
	defer l.Close()
	signal.Ignore(syscall.SIGXFSZ) // else it ends the process
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}); err != nil {
		return err
	}
	err = l.Backup(context.Background(), args[1])
	fmt.Println("backup", ledger.CodeOf(err), ledger.MessageOf(err))
	a, err := l.Claim(context.Background(), ledger.ClaimRequest{Key: "after"})
	fmt.Println("claim", ledger.CodeOf(err), a.Run)
	return nil
}
