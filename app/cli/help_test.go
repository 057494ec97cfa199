package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"dedupedesk/app/cli"
)

// said runs a command in this process and returns what it said.
func said(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	p := program()
	p.In, p.Out, p.Err = strings.NewReader(""), &o, &e
	code = cli.Run(t.Context(), args, p)
	return o.String(), e.String(), code
}

// commands returns every command there is, as a person finds them: by completion.
func commands(t *testing.T) []string {
	t.Helper()
	var list []string
	var walk func(prefix []string)
	walk = func(prefix []string) {
		out, _, _ := said(t, append(append([]string{"__complete", "zsh"}, prefix...), "")...)
		for line := range strings.Lines(out) {
			word, about, _ := strings.Cut(strings.TrimSpace(line), "\t")
			path := append(append([]string{}, prefix...), word)
			help, _, _ := said(t, append(path, "--help")...)
			if about == "" || !strings.HasPrefix(help, "Usage: dedupe "+strings.Join(path, " ")+" ") {
				continue // a value, and no command
			}
			if strings.Contains(help, " <command> ") && strings.Contains(help, "\nCommands:") {
				walk(path)
				continue
			}
			list = append(list, strings.Join(path, " "))
		}
	}
	walk(nil)
	if len(list) < 25 {
		t.Fatalf("only %d commands were found: %q", len(list), list)
	}
	return list
}

// Every command's help shows calls of it, and each can be read as a command line.
func TestHelpShowsExamplesThatWork(t *testing.T) {
	for _, command := range commands(t) {
		help, _, code := said(t, append(strings.Fields(command), "--help")...)
		if code != 0 {
			t.Errorf("%s --help: exit %d", command, code)
		}
		shown := 0
		for line := range strings.Lines(help) {
			for _, call := range strings.Split(strings.TrimSpace(line), " && ") {
				call, _, _ = strings.Cut(call, " | ")
				call, _, _ = strings.Cut(call, " < ")
				words := shellWords(call)
				if !strings.HasPrefix(line, "    ") || len(words) == 0 || words[0] != "dedupe" {
					continue
				}
				if strings.HasPrefix(call, "dedupe "+command) {
					shown++
				}
				if fault := readable(t, words[1:]); fault != "" {
					t.Errorf("%s --help shows %q: %s", command, call, fault)
				}
			}
		}
		if shown == 0 {
			t.Errorf("%s --help shows no example", command)
		}
	}
}

// readable returns what is wrong with a command line as such. A time allowed that can
// not be is refused after all else was read, and before anything is done.
func readable(t *testing.T, words []string) string {
	t.Helper()
	at := len(words)
	for i, w := range words {
		if w == "--" {
			at = i
			break
		}
	}
	asked := append(append(append([]string{}, words[:at]...), "--lease=-1"), words[at:]...)
	_, errs, code := said(t, asked...)
	if code != 2 || !strings.HasPrefix(errs, "dedupe: --lease ") {
		return errs
	}
	return ""
}

// shellWords splits a line that has plain and quoted words.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	var quote rune
	open := false
	for _, r := range line + " " {
		switch {
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && r == ' ':
			if open {
				words = append(words, word.String())
			}
			word.Reset()
			open = false
		default:
			word.WriteRune(r)
			open = true
		}
	}
	return words
}
