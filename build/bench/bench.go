package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

// sizes says how much is measured.
type sizes struct {
	short   bool
	rounds  int           // of things measured in turn
	burst   time.Duration // of one thing in one round
	few     int           // keys in the small file
	many    int           // keys in the large one
	most    int           // keys in the largest; 0 = not measured
	load    time.Duration // on the engine
	idle    time.Duration // claims a second with nothing beside, to compare with
	starts  int           // of the engine, and of one process for a claim
	payload int           // of a rule's test
}

func sizesFor(short, long bool) sizes {
	s := sizes{
		rounds: 9, burst: 600 * time.Millisecond, few: 10_000, many: 1_000_000,
		load: 15 * time.Second, idle: 5 * time.Second, starts: 15, payload: 10_000,
	}
	if short {
		s = sizes{
			short: true, rounds: 2, burst: 60 * time.Millisecond, few: 1_000, many: 10_000,
			load: 500 * time.Millisecond, idle: 300 * time.Millisecond, starts: 2, payload: 500,
		}
	}
	if long {
		s.most = 10_000_000
	}
	return s
}

// A bench is one run of the command.
type bench struct {
	sizes
	root     string // of the house's sources
	dir      string // everything made lies in it
	report   *report
	progress io.Writer
	program  string // the built binary; "" = not built yet
	large    string // the data folder with many keys; "" = not filled yet
}

// newBench makes the folder, which the caller removes.
func newBench(ctx context.Context, dir string, s sizes, progress io.Writer) (*bench, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return nil, fmt.Errorf("find the sources: %w", err)
	}
	mod := strings.TrimSpace(string(out))
	if filepath.Base(mod) != "go.mod" {
		return nil, errors.New("run it in the folder of the sources: go run ./build/bench")
	}
	b := &bench{sizes: s, root: filepath.Dir(mod), report: newReport(s.short), progress: progress}
	if dir == "" {
		dir = filepath.Join(b.root, "build", "bin")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if b.dir, err = os.MkdirTemp(dir, "bench-"); err != nil {
		return nil, err
	}
	if b.dir, err = filepath.Abs(b.dir); err != nil {
		return nil, err
	}
	return b, nil
}

// A measure is one part of the run.
type measure struct {
	name, title string
	run         func(*bench, context.Context) error
}

// measures in the order in which they run: prune empties the large file.
func measures() []measure {
	return []measure{
		{"claims", "Claims in one process, on disk, history kept", (*bench).claims},
		{"script", "Beside dedupe.py of the article", (*bench).script},
		{"viewer", "Viewer", (*bench).viewer},
		{"engine", "Engine", (*bench).engine},
		{"http", "Claims over HTTP", (*bench).overHTTP},
		{"growth", "Growth of the file", (*bench).growth},
		{"prune", "Prune under 50 claims a second", (*bench).prune},
		{"rules", "Rules", (*bench).rules},
		{"reconcile", "A destination compared", (*bench).reconcile},
		{"postgres", "PostgreSQL", (*bench).postgres},
	}
}

// measure runs the named parts, all where there is no name. A part that fails does
// not keep the others from running.
func (b *bench) measure(ctx context.Context, names []string) error {
	all := measures()
	for _, n := range names {
		if !slices.ContainsFunc(all, func(m measure) bool { return m.name == n }) {
			return fmt.Errorf("there is nothing to measure named %q", n)
		}
	}
	var errs []error
	for _, m := range all {
		if len(names) > 0 && !slices.Contains(names, m.name) {
			continue
		}
		b.report.section(m.name, m.title)
		b.say("%s …", m.title)
		if err := m.run(b, ctx); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", m.name, err))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(errs...)
}

func (b *bench) say(format string, args ...any) {
	fmt.Fprintf(b.progress, format+"\n", args...)
}

// open opens a ledger on the file at path as the program does.
func open(path string) (*ledger.Ledger, error) {
	s, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	return ledger.New(s, ledger.SystemClock(), nil), nil
}

// binary returns the built program.
func (b *bench) binary(ctx context.Context) (string, error) {
	if b.program != "" {
		return b.program, nil
	}
	b.say("  building the program")
	bin := filepath.Join(b.dir, "dedupe.exe")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", bin, "./app")
	cmd.Dir = b.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	b.program = bin
	return bin, nil
}

// largeFolder returns a data folder whose ledger.db has many keys.
func (b *bench) largeFolder(ctx context.Context) (string, error) {
	if b.large != "" {
		return b.large, nil
	}
	dir := filepath.Join(b.dir, "large")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	if err := b.fill(ctx, ledgerIn(dir), b.many); err != nil {
		return "", err
	}
	b.large = dir
	return dir, nil
}

// ledgerIn is the name of the key file in a data folder.
func ledgerIn(dir string) string { return filepath.Join(dir, "ledger.db") }
