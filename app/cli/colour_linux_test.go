package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Colours are for people: on a terminal only, and not where NO_COLOR or a dumb terminal
// says so. What a script reads has none.
func TestColoursOnATerminalOnly(t *testing.T) {
	b := newBench(t)
	if _, code := b.dedupe("claim", "order:1"); code != 0 {
		t.Fatalf("claim: exit %d", code)
	}
	const ok = "\x1b[32mok   \x1b[0m  The key file takes claims."
	for _, tt := range []struct {
		env, command, shown string
		coloured            bool
	}{
		{"TERM=xterm", "doctor", ok, true},
		{"NO_COLOR=1", "doctor", "ok     The key file takes claims.", false},
		{"NO_COLOR=", "doctor", ok, true},
		{"TERM=dumb", "doctor", "ok     The key file takes claims.", false},
		{"TERM=xterm", "doctor --json", `"result":"ok"`, false},
		{"TERM=xterm", "claim order:1 --json", `"status":"in_progress"`, false},
		{"TERM=xterm", "claim ", "\x1b[31mdedupe:\x1b[0m ", true},
		{"TERM=dumb", "claim ", "dedupe: ", false},
		{"TERM=xterm", "keys", "In progress", false},
	} {
		cmd := b.command(strings.Split(tt.command, " ")...)
		cmd.Env = append(cmd.Env, "TERM=xterm", "NO_COLOR=", tt.env)
		shown, _ := onTerminal(t, cmd).end()
		shown = strings.ReplaceAll(shown, "\r\x1b[K", "") // lines that were written over
		if !strings.Contains(shown, tt.shown) || strings.Contains(shown, "\x1b") != tt.coloured {
			t.Errorf("%s dedupe %s shows %q, want %q", tt.env, tt.command, shown, tt.shown)
		}
	}
	if out, _ := b.dedupe("doctor"); strings.Contains(out, "\x1b") {
		t.Errorf("through a pipe: %q", out)
	}
}

// Long work tells on a terminal how far it is, in a line that is gone at the end; else it
// says nothing.
func TestLongWorkTellsHowFarItIs(t *testing.T) {
	b := newBench(t)
	var keys strings.Builder
	for i := range 2000 {
		_, _ = fmt.Fprintf(&keys, "order:%d\n", i)
	}
	list := filepath.Join(b.dir, "list")
	if err := os.WriteFile(list, []byte(keys.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	const over = "\r\x1b[K"
	for _, tt := range []struct {
		args []string
		said string // on the way
		end  string
	}{
		{[]string{"import", list, "--format", "lines"}, "dedupe: imported ", "imported 2000, already there 0"},
		{[]string{"doctor"}, "dedupe: Reading all of it, 2000 keys …", "takes claims"},
		{[]string{"backup", filepath.Join(b.dir, "copy.db")}, "dedupe: Writing a copy of the key file …", "backed up "},
	} {
		cmd := b.command(tt.args...)
		cmd.Env = append(cmd.Env, "TERM=xterm", "NO_COLOR=1")
		shown, _ := onTerminal(t, cmd).end()
		last := strings.LastIndex(shown, over)
		if !strings.Contains(shown, over+tt.said) || last < 0 || strings.Contains(shown[last:], tt.said) || !strings.Contains(shown, tt.end) {
			t.Errorf("dedupe %s shows %q, want %q on the way", tt.args[0], shown, tt.said)
		}
	}
	cmd := b.command("doctor")
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Errorf("without a terminal: %v, %q", err, errs.String())
	}
}
