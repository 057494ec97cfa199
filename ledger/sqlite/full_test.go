package sqlite

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	driver "modernc.org/sqlite"

	"dedupedesk/ledger"
)

// TestPeers58FullFileIsBusyAndLosesNothing lets the file grow no further, which SQLite
// reports as it reports a full disk.
func TestPeers58FullFileIsBusyAndLosesNothing(t *testing.T) {
	s := openStore(t)
	l := ledger.New(s, ledger.SystemClock(), nil)
	pages, err := s.writer.session.number("PRAGMA page_count")
	if err != nil {
		t.Fatal(err)
	}
	limit := func(n int64) {
		t.Helper()
		if _, err := s.writer.session.exec(fmt.Sprint("PRAGMA max_page_count = ", n)); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages + 3)
	if err := l.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	granted := 0
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
	// A little still fits; a claim does not.
	if err := l.PutSetting(t.Context(), "little", "x"); err != nil {
		t.Fatalf("the disk is fuller than this test means: %v", err)
	}
	for range 2 {
		if err := l.Check(t.Context()); ledger.CodeOf(err) != ledger.Busy || !strings.Contains(ledger.MessageOf(err), "full") {
			t.Errorf("Check of a full disk: %v", err)
		}
	}
	limit(1 << 20)
	if err := l.Check(t.Context()); err != nil {
		t.Errorf("Check after space was freed: %v", err)
	}
	if left, err := l.SettingsWithPrefix(t.Context(), "ledger.trial"); err != nil || len(left) != 0 {
		t.Errorf("Check left something behind: %d, %v", len(left), err)
	}
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: fmt.Sprintf("key-%0200d", granted)})
	if err != nil || !a.Run || a.Fence != 1 {
		t.Errorf("it does not recover: %+v, %v", a, err)
	}
}
