package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"dedupedesk/app/cli"
)

// TestAPauseHoldsForCommands: nothing is claimed or run, what is in progress is closed,
// and the doctor says what is the matter and how it ends.
func TestAPauseHoldsForCommands(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l, err := openLedger(t.Context(), cli.Target{DB: path})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("DEDUPE_TEST_CLOCK", "")
	try := func(line, wantOut, wantErrs string, wantCode int) {
		t.Helper()
		out, errs, code := said(t, append(strings.Fields(line), "--db", path)...)
		if code != wantCode || !strings.Contains(out, wantOut) || !strings.Contains(errs, wantErrs) {
			t.Errorf("dedupe %s: exit %d\n%s%s", line, code, out, errs)
		}
	}
	try("claim begun --owner o", "claimed", "", 0)
	if err := l.Pause(t.Context(), "Ada"); err != nil {
		t.Fatal(err)
	}
	const told = "dedupe: Dedupe Desk is paused: nothing is let through, so nothing was granted."
	try("claim new", "", told, 2)
	try("claim new --json", `{"code":"paused",`, told, 2)
	try("run new echo it-ran", "", told, 2)
	try("done begun --owner o", "done begun", "", 0)
	try("doctor", "fault  Paused by Ada since ", "", 1)
	try("doctor --json", "dedupe doctor --resume", "", 1)
	try("doctor --resume", "takes claims.", "", 0)
	try("claim new", "claimed", "", 0)
}
