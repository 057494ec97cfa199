package cli_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The script of the article and dedupe, each on a file of its own, are told the
// same things and have to answer alike. Left out are the script's faults: it
// calls an unknown or finished key's done and release a success, and takes
// prune -1, --lease -1 and nan.
func TestSeedScriptAndDedupeAnswerAlike(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Fatal("this needs python3, which build/test installs")
	}
	script, err := filepath.Abs(filepath.Join("..", "..", "ledger", "sqlite", "testdata", "dedupe.py"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := t.TempDir(), t.TempDir()
	for _, line := range []string{
		"claim a", "claim a", "done a", "claim a", "done a",
		"claim b", "release b", "claim b", "done b", "claim b",
		"--lease 900 claim c", "claim c --lease 900", "done c --lease 900",
		"claim d", "release d", "release d", "claim d",
		"prune 3", "prune 0.5", "prune 1e9", "prune 0", "claim a", "claim d",
		"prune soon", "claim", "steal a", "claim a b", "--lease ten claim e", "claim e",
	} {
		args := strings.Fields(line)
		theirOut, theirCode := answer(t, theirs, python, append([]string{script}, args...))
		ourOut, ourCode := answer(t, ours, "dedupe", append([]string{"--db", "seen.db"}, args...))
		if ourOut != theirOut || ourCode != theirCode {
			t.Errorf("%s: %q with %d, the script says %q with %d", line, ourOut, ourCode, theirOut, theirCode)
		}
	}
	for _, blank := range []string{"", "  "} {
		if _, code := answer(t, ours, "dedupe", []string{"--db", "seen.db", "claim", blank}); code != 2 {
			t.Errorf("claim %q ended with %d, want 2 as the script does", blank, code)
		}
	}
}

func answer(t *testing.T, dir, name string, args []string) (out string, code int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	data, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		return string(data), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data), 0
}
