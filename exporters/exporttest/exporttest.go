// Package exporttest holds the tests that every exporter has to pass: golden
// files, and the promises of a checklist.
//
// A golden is a txtar archive: the file setup.json goes in; checklist.md and the
// files of the checklist, under files/, must come out as they stand there. With
// the flag -update the archives are written anew. An archive whose setup must be
// refused holds the file error.txt instead.
//
// The package is for tests alone and reports faults to the test that calls it.
package exporttest

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"dedupedesk/exporters"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Golden runs the archives that match pattern through x.
func Golden(t *testing.T, x exporters.Exporter, pattern string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files %s: %v", pattern, err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { golden(t, x, path) })
	}
}

func golden(t *testing.T, x exporters.Exporter, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(archive.Files) == 0 || archive.Files[0].Name != "setup.json" {
		t.Fatalf("%s does not begin with setup.json", path)
	}
	setup, err := ReadSetup(archive.Files[0].Data)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	got := &txtar.Archive{Comment: archive.Comment, Files: append(archive.Files[:1:1], produce(t, x, setup)...)}
	if *update {
		if err := os.WriteFile(path, txtar.Format(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(txtar.Format(archive)), string(txtar.Format(got))); diff != "" {
		t.Errorf("%s (-want +got); run with -update if it is meant:\n%s", path, diff)
	}
}

// produce builds the checklist, checks its promises and returns what came out.
func produce(t *testing.T, x exporters.Exporter, setup exporters.Setup) []txtar.File {
	t.Helper()
	c, err := x.Build(setup)
	var input *exporters.InputError
	switch {
	case errors.As(err, &input):
		return []txtar.File{{Name: "error.txt", Data: []byte(input.Error() + "\n")}}
	case err != nil:
		t.Fatal(err)
	}
	Check(t, c)
	files := []txtar.File{{Name: "checklist.md", Data: []byte(c.Text())}}
	for _, f := range c.Files {
		files = append(files, txtar.File{Name: "files/" + f.Name, Data: f.Data})
	}
	return files
}

// setupFile is a Setup as goldens write it.
type setupFile struct {
	Rule, Title                     string
	Parts                           []exporters.Part
	Expressible, FoldCase, Splits   bool
	Each                            []string
	Outside                         [][]string
	When                            string
	Here                            string
	Lease                           string
	OnExpiry, Answer, IfUnreachable string
	Details                         map[string]string
	Samples                         []exporters.Sample
}

// ReadSetup reads a setup from JSON. The lease is text such as 15m, and numbers
// of a sample keep their digits. An unknown member is an error.
func ReadSetup(data []byte) (exporters.Setup, error) {
	var f setupFile
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return exporters.Setup{}, fmt.Errorf("setup: %w", err)
	}
	s := exporters.Setup{
		Rule: f.Rule, Title: f.Title, Parts: f.Parts, Expressible: f.Expressible, FoldCase: f.FoldCase, Each: f.Each, Splits: f.Splits || len(f.Each) > 0, Outside: f.Outside, When: f.When, Here: f.Here,
		OnExpiry: f.OnExpiry, Answer: f.Answer, IfUnreachable: f.IfUnreachable, Details: f.Details, Samples: f.Samples,
	}
	if f.Lease != "" {
		lease, err := time.ParseDuration(f.Lease)
		if err != nil {
			return exporters.Setup{}, fmt.Errorf("setup: %w", err)
		}
		s.Lease = lease
	}
	return s, nil
}
