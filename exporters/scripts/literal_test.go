package scripts

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
)

// oddTexts are texts with everything in them that some language takes for its own.
func oddTexts(t *testing.T) []string {
	t.Helper()
	texts := []string{
		"", "plain", "it's", `say "so"`, `back\slash\`, "a\nb\r\n\tc", "$(id) `id` ${HOME} $HOME", "@{x} {{x}} }} «.Rule» %s", "a;b&&c|d>e<f", "-n", "!x", "#x", "--x", "/*x*/", "//x",
		"' || '1'='1", "'; DROP TABLE keys; --", `\'`, `\\'`, "‘curly’ ‚low‛", "😀", "שלום العربية", "\u2028\u2029", "\u202eturned", "\x01\x7f", "\ufeff", `E'\n'`, "$dedupe$", ":name :'name'",
	}
	odd := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune("'\"`\\{}$@=:%;\n\r\t<>&|/#!-()*? ‘’\u2028\u202e😀שא")), rapid.Rune().Filter(func(r rune) bool { return r != 0 })))
	for seed := range 60 {
		texts = append(texts, odd.Example(seed))
	}
	return texts
}

// read runs a program that prints a JSON list of the texts that it was given as literals.
func read(t *testing.T, file, program string, args ...string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "literals")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, append(args, path)...).Output()
	if err != nil {
		t.Fatalf("%s, which build/test installs: %v\n%.2000s", program, err, file)
	}
	var got []string
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%s: %v in %.500s", program, err, out)
	}
	return got
}

func compare(t *testing.T, language string, want, got []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s read %d texts, want %d", language, len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s read %q as %q", language, want[i], got[i])
		}
	}
}

// TestAnyTextComesBack: each language itself reads its literals, all in one process.
func TestAnyTextComesBack(t *testing.T) {
	texts := oddTexts(t)
	var sh, py, js, ps strings.Builder
	for _, text := range texts {
		word, err := shell(text)
		if err != nil {
			t.Fatal(err)
		}
		sh.WriteString("printf '%s\\0' " + word + "\n")
		py.WriteString(python(text) + ",\n")
		js.WriteString(jsonText(text) + ",\n")
		literal, err := powershell(text)
		if err != nil {
			t.Fatal(err)
		}
		ps.WriteString(literal + "\x00")
	}
	compare(t, "Python", texts, read(t, "import json\nprint(json.dumps(["+py.String()+"]))", "python3"))
	compare(t, "Node", texts, read(t, "console.log(JSON.stringify(["+js.String()+"]))", "node"))
	path := filepath.Join(t.TempDir(), "literals.sh")
	if err := os.WriteFile(path, []byte(sh.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("sh", path).Output()
	if err != nil {
		t.Fatalf("sh: %v", err)
	}
	compare(t, "sh", texts, strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"))
	// There is no PowerShell for Debian: its literals are read as its documents say.
	var back []string
	for _, literal := range strings.Split(strings.TrimSuffix(ps.String(), "\x00"), "\x00") {
		inner := strings.TrimSuffix(strings.TrimPrefix(literal, "'"), "'")
		for _, quote := range []string{"'", "‘", "’", "‚", "‛"} {
			if strings.Contains(strings.ReplaceAll(inner, quote+quote, ""), quote) {
				t.Errorf("the literal %s ends at %s", literal, quote)
			}
			inner = strings.ReplaceAll(inner, quote+quote, quote)
		}
		back = append(back, inner)
	}
	compare(t, "PowerShell", texts, back)
}

// TestNULsAreSaidInWords, where a language has no such character.
func TestNULsAreSaidInWords(t *testing.T) {
	s := exporters.Setup{Rule: "a\x00b", Details: map[string]string{}}
	for _, language := range []string{shellLanguage, powershellLanguage} {
		s.Details["language"] = language
		c, err := New().Build(s)
		if reason, blocked := c.Blocked(); err != nil || !blocked || !strings.Contains(reason, "NUL") || len(c.Files) > 0 {
			t.Errorf("%s: %q, %v", language, reason, err)
		}
	}
	s = exporters.Setup{Rule: "r", Expressible: true, Parts: []exporters.Part{{Literal: "a\x00"}, {Path: []string{"body", "id"}}}, Details: map[string]string{"language": postgresLanguage}}
	c, err := New().Build(s)
	if reason, blocked := c.Blocked(); err != nil || !blocked || !strings.Contains(reason, "NUL") {
		t.Errorf("PostgreSQL: %q, %v", reason, err)
	}
}

// TestFunctionNamesNeverMeet: two rules have two functions.
func TestFunctionNamesNeverMeet(t *testing.T) {
	seen := map[string]string{}
	for _, rule := range []string{"orders", "paid-orders", "paid_orders", "paid.orders", "Paid orders", strings.Repeat("a", 60), strings.Repeat("a", 61), "it's", "żółw"} {
		name := functionName(rule)
		if other, twice := seen[name]; twice || len(name) > 63 || strings.ContainsFunc(name, func(r rune) bool { return !(r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9') }) {
			t.Errorf("%q: %q, as %q", rule, name, other)
		}
		seen[name] = rule
	}
}

// TestWhatALanguageCannotSay blocks the file in words.
func TestWhatALanguageCannotSay(t *testing.T) {
	for name, tt := range map[string]struct {
		language string
		parts    []exporters.Part
		words    string
	}{
		"a hidden part":     {postgresLanguage, []exporters.Part{{Path: []string{"body", "mail"}, Steps: []string{"secret"}}}, "hidden with secret"},
		"a day":             {appsScriptLanguage, []exporters.Part{{Path: []string{"body", "at"}, Steps: []string{"day:Europe/Berlin"}}}, "Apps Script cannot do"},
		"a header":          {appsScriptLanguage, []exporters.Part{{Path: []string{"headers", "x"}}}, "not told the headers"},
		"the address":       {postgresLanguage, []exporters.Part{{Path: []string{"query", "id"}}}, "Use a field of the body"},
		"the whole body":    {postgresLanguage, []exporters.Part{{Path: []string{"body"}}}, "not one value"},
		"a formula, in SQL": {postgresLanguage, nil, "formula"},
	} {
		s := exporters.Setup{Rule: "r", Expressible: tt.parts != nil, Parts: tt.parts, Details: map[string]string{"language": tt.language}}
		c, err := New().Build(s)
		reason, blocked := c.Blocked()
		if err != nil || !blocked || !strings.Contains(reason, tt.words) || len(c.Files) > 0 {
			t.Errorf("%s: %q, %v, %d files, want … %s …", name, reason, err, len(c.Files), tt.words)
		}
	}
}
