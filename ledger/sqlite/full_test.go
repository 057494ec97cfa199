package sqlite

import (
	"errors"
	"fmt"
	"testing"

	driver "modernc.org/sqlite"

	"dedupedesk/ledger"
)

// TestPeers58FullFileIsBusyAndLosesNothing lets the file grow no further, which SQLite
// reports as it reports a full disk.
func TestPeers58FullFileIsBusyAndLosesNothing(t *testing.T) {
	s := openStore(t)
	l := ledger.New(s, ledger.SystemClock(), nil)
	var pages int
	if err := s.writer.conn.QueryRowContext(t.Context(), "PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(n int) {
		t.Helper()
		if err := s.writer.exec(fmt.Sprint("PRAGMA max_page_count = ", n)); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages + 3)
	granted := 0
	var err error
	for range 10_000 {
		var a ledger.Answer
		a, err = l.Claim(t.Context(), ledger.ClaimRequest{Key: fmt.Sprintf("key-%0200d", granted)})
		if err != nil {
			if a.Run || a.Token != "" || a.Status != "" {
				t.Errorf("an answer beside the error: %+v", a)
			}
			break
		}
		granted++
	}
	if ledger.CodeOf(err) != ledger.Busy || granted == 0 {
		t.Fatalf("after %d: %v", granted, err)
	}
	if e, ok := errors.AsType[*driver.Error](err); !ok || e.Code()&0xff != 13 {
		t.Errorf("not what SQLite says of a full disk: %v", err)
	}
	c, err := l.Counts(t.Context())
	if err != nil || c.Total != int64(granted) {
		t.Errorf("%d granted, %+v, %v", granted, c, err)
	}
	limit(1 << 20)
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: fmt.Sprintf("key-%0200d", granted)})
	if err != nil || !a.Run || a.Fence != 1 {
		t.Errorf("it does not recover: %+v, %v", a, err)
	}
}
