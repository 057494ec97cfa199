package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// pythonLoop claims new keys by the script's own functions for argv[3] seconds, and
// prints the seconds for one.
const pythonLoop = `
import sys, time
sys.path.insert(0, sys.argv[1])
import dedupe
con = dedupe.connect(sys.argv[2])
n, start = 0, time.monotonic()
while time.monotonic() - start < float(sys.argv[3]):
    if not dedupe.claim(con, "stripe:evt_%d_%d" % (time.time_ns(), n)):
        sys.exit("a new key was not granted")
    n += 1
print((time.monotonic() - start) / n)
`

// script compares this program with the script of the article that started it: one
// process for a claim, and the functions of both within one process.
func (b *bench) script(ctx context.Context) error {
	python, err := exec.LookPath("python3")
	if err != nil {
		return errors.New("python3 is needed, which build/test installs")
	}
	bin, err := b.binary(ctx)
	if err != nil {
		return err
	}
	folder := filepath.Join(b.root, "ledger", "sqlite", "testdata")
	dedupe := filepath.Join(folder, "dedupe.py")
	l, err := open(filepath.Join(b.dir, "ours.db"))
	if err != nil {
		return err
	}
	defer l.Close()
	seen := func(name string) string { return filepath.Join(b.dir, name) }
	inPython := func(ctx context.Context) (time.Duration, error) {
		out, err := output(ctx, python, "-B", "-c", pythonLoop, folder, seen("seen-loop.db"), fmt.Sprint(b.burst.Seconds()))
		if err != nil {
			return 0, err
		}
		s, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
		return time.Duration(s * float64(time.Second)), err
	}
	s, err := inTurn(ctx, b.rounds, inPython, burst{callers: 1, lasts: b.burst}.side(claimOnly(l)),
		b.processes(python, dedupe, "--db", seen("seen.db"), "claim"),
		b.processes(bin, "--db", seen("own.db"), "claim"))
	if err != nil {
		return err
	}
	r := b.report
	r.add(s[0].each(perSecond).figure("claims by dedupe.py's functions, one process", "a second"))
	r.add(s[1].each(perSecond).figure("claims by the ledger, one process, lone caller", "a second"))
	r.add(s[0].over(s[1]).figure("the ledger : dedupe.py's functions", "x"))
	r.add(s[2].figure("one process of dedupe.py for a claim", "ms"))
	r.add(s[3].figure("one process of dedupe for a claim", "ms"))
	r.add(s[2].over(s[3]).figure("dedupe : dedupe.py, one process for a claim", "x"))
	return nil
}

// processes claims new keys, each in a process of its own, one after the other.
func (b *bench) processes(args ...string) side {
	return func(ctx context.Context) (time.Duration, error) {
		start := time.Now()
		for range b.starts {
			out, err := output(ctx, args[0], append(args[1:], newKey())...)
			if err != nil {
				return 0, err
			}
			if strings.TrimSpace(out) != "claimed" {
				return 0, fmt.Errorf("%s: a new key was answered %q", args[0], out)
			}
		}
		return time.Since(start) / time.Duration(b.starts), nil
	}
}

// output runs a program and returns what it prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, errs.String())
	}
	return string(out), nil
}
