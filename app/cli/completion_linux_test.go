package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

const prompt = `READY> `

// shells are how each shell is started bare, and told to complete dedupe.
var shells = []struct {
	name  string
	start []string
	setUp string
}{
	{"bash", []string{"bash", "--norc", "--noprofile", "-i"},
		`bind 'set enable-bracketed-paste off'; source <(dedupe completion bash); PS1='REA''DY> '`},
	{"zsh", []string{"zsh", "-f", "-i"},
		`autoload -U compinit; compinit -u -D; source <(dedupe completion zsh); unsetopt PROMPT_SP; PROMPT='REA''DY> '`},
	{"zsh with a file in fpath", []string{"zsh", "-f", "-i"},
		`mkdir f; dedupe completion zsh > f/_dedupe; fpath=($PWD/f $fpath); autoload -U compinit; compinit -u -D; unsetopt PROMPT_SP; PROMPT='REA''DY> '`},
	{"fish", []string{"fish", "--no-config", "-i"},
		`dedupe completion fish | source; function fish_prompt; printf 'REA''DY> '; end`},
}

// A person types the beginning of a word and presses Tab, in a real shell on a real
// terminal; the command that comes of it is run.
func TestShellsComplete(t *testing.T) {
	for _, sh := range shells {
		t.Run(sh.name, func(t *testing.T) {
			b := newBench(t)
			if _, err := exec.LookPath(sh.start[0]); err != nil {
				t.Fatalf("this needs %s, which build/test installs", sh.name)
			}
			if err := os.WriteFile(filepath.Join(b.dir, "shop.yaml"), []byte("rule: shop-orders\ntitle: Orders\nkey: key(\"shop\", body.id)\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, code := b.dedupe("rule", "import", filepath.Join(b.dir, "shop.yaml")); code != 0 {
				t.Fatalf("import: exit %d, %s", code, out)
			}
			if out, code := b.dedupe("token", "new", "two words"); code != 0 {
				t.Fatalf("token new: exit %d, %s", code, out)
			}
			cmd := exec.Command(sh.start[0], sh.start[1:]...)
			cmd.Dir = b.dir
			cmd.Env = append(os.Environ(), "TERM=dumb", "HOME="+b.dir, "XDG_CONFIG_HOME="+b.dir, "XDG_DATA_HOME="+b.dir,
				"HISTFILE=", "DEDUPE_DATA="+filepath.Join(b.dir, "data"), "DEDUPE_TEST_CLOCK=", "INPUTRC=/dev/null")
			s := onTerminal(t, cmd)
			s.typing(sh.setUp + "\r")
			s.expect(prompt)
			for _, step := range []struct{ typed, want string }{
				{"dedupe --db see\tcla\tstripe:1 --own\tme\r", `(?m)^claimed\r?$`},           // a file, a command, a flag
				{"dedupe --db=see\tclaim o:1 --ru\tsho\t--json\r", `"rule":"shop-orders"`},   // a name from the file, after =
				{"dedupe --db seen.db rule sh\tsho\t\r", `formula +key\("shop", body\.id\)`}, // a command of a command
				{"dedupe --db seen.db export mak\t--out made --set addr\thttps://x.example --rule sho\t\r", `wrote made/checklist\.md`},
				{"dedupe decide k fin\t--db seen.db --why x --json\r", `"code":"not_found"`}, // a value
				{"dedupe token revoke --db seen.db tw\t\r", `(?m)^revoked two words\r?$`},    // in quotes
				{"dedupe --db seen.db run r:1 -- work\tsay ran-it\r", `(?m)^ran-it\r?$`},     // a program
			} {
				s.typing(step.typed)
				s.expect(step.want)
				s.expect(prompt)
			}
		})
	}
}
