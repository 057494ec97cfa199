package houserules

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxLines is how long a hand-written file may grow: one noun a file.
const maxLines = 400

// root is the top of the house, seen from this package.
const root = "../.."

// written calls f with every hand-written file of the house whose name ends so.
func written(t *testing.T, f func(path string, data []byte), endings ...string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); path != root && (strings.HasPrefix(n, ".") || n == "node_modules" || n == "testdata" || n == "static" || path == filepath.Join(root, "build", "bin")) {
				return filepath.SkipDir
			}
			return nil
		}
		for _, e := range endings {
			if strings.HasSuffix(path, e) && !strings.HasSuffix(path, "_templ.go") {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				f(path, data)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesAreOneNounLong(t *testing.T) {
	written(t, func(path string, data []byte) {
		if n := bytes.Count(data, []byte("\n")); n > maxLines {
			t.Errorf("%s has %d lines; at most %d", path, n, maxLines)
		}
	}, ".go", ".templ", ".ts", ".mjs", ".css")
}

func TestEveryPackageSaysWhatItPromises(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) == 0 {
			continue // tests only
		}
		want := "Package " + p.Name + " "
		if p.Name == "main" {
			want = "Command "
		}
		if !strings.HasPrefix(p.Doc, want) {
			t.Errorf("%s: its comment begins %q, want %q…", p.ImportPath, p.Doc, want)
		}
	}
}

// stateful matches what makes a package hard to test and to reason about.
var stateful = regexp.MustCompile(`(?m)^func init\(\)`)

func TestNoPackageStartsByItself(t *testing.T) {
	written(t, func(path string, data []byte) {
		if stateful.Match(data) {
			t.Errorf("%s has an init function; New takes what it needs", path)
		}
	}, ".go")
}

func TestNamesSaySomething(t *testing.T) {
	for _, p := range packages(t) {
		last := p.ImportPath[strings.LastIndex(p.ImportPath, "/")+1:]
		switch last {
		case "util", "utils", "common", "helpers", "models", "manager", "misc":
			t.Errorf("%s: the name says nothing", p.ImportPath)
		}
	}
}

// TestTopLevelIsTheUsersDrawing keeps the six folders that the house was drawn with.
func TestTopLevelIsTheUsersDrawing(t *testing.T) {
	want := map[string]bool{
		"README.md": true, "LICENSE": true, "go.mod": true, "go.sum": true, "wails.json": true,
		"app": true, "frontend": true, "ledger": true, "rules": true, "exporters": true, "build": true,
	}
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	for _, file := range strings.Split(string(out), "\x00") {
		n, _, _ := strings.Cut(file, "/")
		if n != "" && !want[n] && !strings.HasPrefix(n, ".") {
			t.Errorf("%s at the top level; the house has its six folders only", n)
		}
	}
}
