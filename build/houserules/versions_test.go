package houserules

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// versions returns the versions that a module file requires.
func versions(t *testing.T, modfile string) map[string]string {
	t.Helper()
	cmd := exec.Command("go", "mod", "edit", "-json", modfile)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go mod edit %s: %v", modfile, err)
	}
	var m struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(out, &m); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, r := range m.Require {
		all[r.Path] = r.Version
	}
	return all
}

func TestTemplToolAndRuntimeAreOneVersion(t *testing.T) {
	const templ = "github.com/a-h/templ"
	tool, runtime := versions(t, "build/tools.mod")[templ], versions(t, "go.mod")[templ]
	if tool == "" || tool != runtime {
		t.Errorf("templ: tool %q, runtime %q", tool, runtime)
	}
}

// TestCELStaysWhereItsNameIs: v0.32.0 declares another module path, so "latest"
// of this one does not build.
func TestCELStaysWhereItsNameIs(t *testing.T) {
	if got := versions(t, "go.mod")["github.com/google/cel-go"]; got != "v0.31.0" {
		t.Errorf("cel-go is %s, want v0.31.0", got)
	}
}

// TestLibcMatchesSQLite: modernc.org/libc does not follow semantic versioning and
// must be the version that modernc.org/sqlite names.
func TestLibcMatchesSQLite(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "modernc.org/sqlite").Output()
	if err != nil {
		t.Fatalf("find sqlite: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(out)), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, line := range strings.Split(string(data), "\n") {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == "modernc.org/libc" {
			want = f[1]
		}
	}
	if got := versions(t, "go.mod")["modernc.org/libc"]; want == "" || got != want {
		t.Errorf("libc is %s, sqlite asks for %s", got, want)
	}
}

// TestPinsAreExact keeps ranges out of the front end's packages.
func TestPinsAreExact(t *testing.T) {
	for _, file := range []string{"frontend/src/package.json", "frontend/browser/package.json"} {
		data, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Dependencies, DevDependencies map[string]string
		}
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		for _, deps := range []map[string]string{m.Dependencies, m.DevDependencies} {
			for name, v := range deps {
				if strings.ContainsAny(v, "^~*x><") {
					t.Errorf("%s: %s is %q, not one version", file, name, v)
				}
			}
		}
	}
}
