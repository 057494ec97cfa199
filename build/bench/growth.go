package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"dedupedesk/ledger"
)

// growth compares the rate of claims on a small file with that on large ones.
func (b *bench) growth(ctx context.Context) error {
	small := filepath.Join(b.dir, "small.db")
	if err := b.fill(ctx, small, b.few); err != nil {
		return err
	}
	dir, err := b.largeFolder(ctx)
	if err != nil {
		return err
	}
	if err := b.grown(ctx, small, ledgerIn(dir), b.many, true); err != nil {
		return err
	}
	if b.most == 0 {
		return nil
	}
	path := filepath.Join(b.dir, "largest.db")
	if err := b.fill(ctx, path, b.most); err != nil {
		return err
	}
	return errors.Join(b.grown(ctx, small, path, b.most, false), os.Remove(path))
}

// grown compares the file small with one of n keys.
func (b *bench) grown(ctx context.Context, small, path string, n int, aimed bool) (err error) {
	l, err := open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	large := func(callers int) side {
		return func(ctx context.Context) (time.Duration, error) { return b.afterWarming(ctx, l, callers) }
	}
	s, err := inTurn(ctx, b.rounds, b.onACopy(small, 1), large(1), b.onACopy(small, crowd), large(crowd))
	if err != nil {
		return err
	}
	name := keysName(n)
	for i, who := range []string{"lone caller", "64 callers"} {
		few, many := s[2*i], s[2*i+1]
		b.report.add(few.each(perSecond).figure("claims with "+keysName(b.few)+" keys, "+who, "a second"))
		b.report.add(many.each(perSecond).figure("claims with "+name+" keys, "+who, "a second"))
		// Times, so the small file's by the large one's is the large one's rate by the small one's.
		f := few.over(many).each(func(v float64) float64 { return 100 * v }).figure(name+" : "+keysName(b.few)+" keys, "+who, "%")
		if aimed {
			b.report.aimed(f, atLeast(70))
		} else {
			b.report.add(f)
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	mb := float64(info.Size()) / (1 << 20)
	b.report.add(figure{Name: "file of " + name + " keys", Value: mb, Least: mb, Most: mb, Unit: "MB"})
	return nil
}

// onACopy claims on a copy of a file, so that it holds in each round what it held in
// the first.
func (b *bench) onACopy(path string, callers int) side {
	return func(ctx context.Context) (took time.Duration, err error) {
		dir, err := os.MkdirTemp(b.dir, "copy-")
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		to := filepath.Join(dir, "ledger.db")
		if err := copyFile(path, to); err != nil {
			return 0, err
		}
		l, err := open(to)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, l.Close()) }()
		return b.afterWarming(ctx, l, callers)
	}
}

// afterWarming claims until the log has wrapped and the connection's memory is in
// use, and then measures. The number is bounded, so that a small file stays small.
func (b *bench) afterWarming(ctx context.Context, l *ledger.Ledger, callers int) (time.Duration, error) {
	most := int64(b.few / 4)
	warm := burst{callers: crowd, lasts: b.burst, most: most}
	if _, err := warm.run(ctx, claimOnly(l)); err != nil {
		return 0, err
	}
	return burst{callers: callers, lasts: b.burst, most: most}.run(ctx, claimOnly(l))
}

// copyFile copies a file that nobody has open.
func copyFile(from, to string) (err error) {
	r, err := os.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return errors.Join(err, w.Close(), settle(to))
}

// keysName writes a number of keys for people.
func keysName(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return fmt.Sprintf("%d million", n/1_000_000)
	case n >= 1000 && n%1000 == 0:
		return fmt.Sprintf("%d thousand", n/1000)
	}
	return fmt.Sprint(n)
}
