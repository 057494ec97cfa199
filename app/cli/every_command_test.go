package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A use is one good call of a command.
type use struct {
	args   string
	code   int
	remote string // what becomes of it with --url
}

// What becomes of a command with --url.
const (
	asks    = "asks the engine"
	refuses = "refuses"
	apart   = "needs no keys"
)

// uses are good calls of every command, in the folder that [newPlace] makes. Those of
// start and serve go on until they are stopped, and print what they are given here.
var uses = map[string]use{
	"serve":          {"serve", 0, refuses},
	"open":           {"open --print", 0, refuses},
	"stop":           {"stop", 0, refuses},
	"claim":          {"claim new:1", 0, asks},
	"done":           {"done order:1 --owner me", 0, asks},
	"release":        {"release order:1 --owner me", 0, asks},
	"renew":          {"renew order:1 --owner me", 0, asks},
	"prune":          {"prune 35", 0, refuses},
	"run":            {"run order:1 -- true", 0, asks},
	"keys":           {"keys", 0, asks},
	"key":            {"key order:1", 0, asks},
	"decide":         {"decide order:1 finished --why test", 0, refuses},
	"token new":      {"token new second", 0, refuses},
	"token list":     {"token list", 0, refuses},
	"token revoke":   {"token revoke first", 0, refuses},
	"rule test":      {"rule test shop", 0, asks},
	"rule show":      {"rule show shop", 0, asks},
	"rule import":    {"rule import shop.yaml", 0, asks},
	"rule export":    {"rule export shop", 0, asks},
	"rule key":       {"rule key event.json --rule shop", 0, asks},
	"export":         {"export sharepoint --rule shop --out out --set list=Orders", 0, asks},
	"lab":            {"lab --events 20 --work 1 --method no-check --method unique-column", 0, apart},
	"reconcile":      {"reconcile rows.csv --rule shop --part id --prefix shop", 1, refuses},
	"export-keys":    {"export-keys keys.jsonl", 0, refuses},
	"import":         {"import list --format lines", 0, refuses},
	"backup":         {"backup copy.db", 0, refuses},
	"restore":        {"restore backup.db", 0, refuses},
	"check":          {"check flow.json", 0, apart},
	"condition test": {"condition test --outputs event.json @equals(1,1)", 0, apart},
	"condition make": {"condition make schedule working-days --value UTC", 0, apart},
	"doctor":         {"doctor", 0, refuses},
	"completion":     {"completion fish", 0, apart},
}

// newPlace makes a folder with keys, a rule and files, and goes there.
func newPlace(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("DEDUPE_DATA", filepath.Join(dir, "data"))
	t.Setenv("DEDUPE_DATABASE_URL", "")
	t.Setenv("DEDUPE_TOKEN", "")
	t.Setenv("DEDUPE_TEST_CLOCK", "")
	for name, text := range map[string]string{
		"shop.yaml":  "rule: shop\nkey: key(\"shop\", body.id)\nsamples:\n  - {group: A, name: one, body: {id: 1}}\n  - {group: A, name: again, body: {id: 1}}\n  - {group: B, name: other, body: {id: 2}}\n",
		"event.json": `{"id": 1}`,
		"flow.json":  `{"definition":{"triggers":{"manual":{"type":"Request","kind":"Button"}},"actions":{}}}`,
		"list":       "old:1\n",
		"rows.csv":   "id\n1\n",
		"backup.db":  "not read here",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"claim order:1 --owner me", "rule import shop.yaml", "token new first"} {
		if _, errs, code := said(t, strings.Fields(line)...); code != 0 {
			t.Fatalf("%s: exit %d, %s", line, code, errs)
		}
	}
}

// each calls f for every command that there is, and wants each to be known here.
func each(t *testing.T, f func(t *testing.T, name string, u use)) {
	t.Helper()
	for _, name := range commands(t) {
		u, ok := uses[name]
		if !ok {
			t.Errorf("the command %q is not tried here", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			newPlace(t)
			f(t, name, u)
		})
	}
}

// With --json the output is JSON and nothing else, and the error output has no part of it.
func TestEveryCommandAnswersInJSON(t *testing.T) {
	each(t, func(t *testing.T, name string, u use) {
		if name == "serve" || name == "run" {
			return // they have no answer of their own
		}
		before, after, found := strings.Cut(u.args, " -- ")
		args := append(strings.Fields(before), "--json")
		if found {
			args = append(append(args, "--"), strings.Fields(after)...)
		}
		out, errs, code := said(t, args...)
		if code != u.code {
			t.Fatalf("exit %d, want %d: %s", code, u.code, errs)
		}
		members := oneObject(t, out)
		if len(members) == 0 {
			t.Errorf("the answer is empty: %q", out)
		}
	})
}

// What cannot be read or done ends with 2 and one sentence, and says so in JSON too.
func TestEveryCommandSaysWhatIsWrong(t *testing.T) {
	each(t, func(t *testing.T, name string, u use) {
		for _, wrong := range []string{"--no-such-flag", "--lease=-1"} {
			out, errs, code := said(t, append([]string{wrong, "--json"}, strings.Fields(u.args)...)...)
			if code != 2 || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "dedupe: ") {
				t.Errorf("%s: exit %d, %q", wrong, code, errs)
			}
			if members := oneObject(t, out); members["run"] != false || members["code"] != "invalid" || members["detail"] == "" {
				t.Errorf("%s: %s", wrong, out)
			}
		}
		// Where the key file is none, every command that needs it is an error.
		if err := os.WriteFile("broken.db", bytes.Repeat([]byte("no key file "), 100), 0o600); err != nil {
			t.Fatal(err)
		}
		if u.remote == apart || name == "serve" || name == "restore" {
			return // main's parts, which look at the file, are not here
		}
		out, errs, code := said(t, append([]string{"--db", "broken.db"}, strings.Fields(u.args)...)...)
		switch {
		case name == "doctor": // its answer is what is wrong
			if code != 1 || !strings.Contains(out, "fault  ") {
				t.Errorf("exit %d, %q", code, out)
			}
		case code != 2 || out != "" || !strings.HasPrefix(errs, "dedupe: "):
			t.Errorf("with a broken key file: exit %d, %q, %q", code, out, errs)
		}
	})
}

// With --url a command asks the engine, or says in a sentence where it works. It never
// answers from the keys of this computer instead.
func TestEveryCommandWithAnEngineElsewhere(t *testing.T) {
	asked := 0
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		http.Error(w, "no engine", http.StatusTeapot)
	}))
	defer elsewhere.Close()
	each(t, func(t *testing.T, name string, u use) {
		if err := os.RemoveAll("data"); err != nil {
			t.Fatal(err)
		}
		asked = 0
		out, errs, code := said(t, append([]string{"--url", elsewhere.URL, "--token", "dd_x"}, strings.Fields(u.args)...)...)
		if (asked == 1) != (u.remote == asks) {
			t.Errorf("the engine was asked %d times", asked)
		}
		switch u.remote {
		case apart:
			if code != 0 {
				t.Errorf("exit %d, %s", code, errs)
			}
		case asks:
			if code != 2 || out != "" || !strings.Contains(errs, "answered 418 I'm a teapot, and not as an engine") {
				t.Errorf("exit %d, %q, %q", code, out, errs)
			}
			_, errs, code = said(t, append([]string{"--url", elsewhere.URL}, strings.Fields(u.args)...)...)
			if code != 2 || !strings.Contains(errs, "--url needs the engine's password") {
				t.Errorf("without a password: exit %d, %q", code, errs)
			}
		case refuses:
			if code != 2 || out != "" || strings.Count(errs, "\n") != 1 {
				t.Errorf("exit %d, %q, %q", code, out, errs)
			}
			if !strings.Contains(errs, "dedupe "+name) && name != "serve" {
				t.Errorf("%q does not name the command", errs)
			}
		}
		if _, err := os.Stat("data"); err == nil {
			t.Error("a data folder was made here")
		}
	})
}

// oneObject reads an output that is one JSON object.
func oneObject(t *testing.T, out string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(out))
	var members map[string]any
	if err := d.Decode(&members); err != nil {
		t.Errorf("%q: %v", out, err)
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		t.Errorf("there is more than one answer: %q", out)
	}
	return members
}
