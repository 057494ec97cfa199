package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"regexp"
	"strings"
	"time"
)

const (
	startAim  = 300 // ms, from the start of the process to the first answer
	memoryAim = 120 // MB, at most, under load
)

// engine measures the program as a process, on a file of many keys.
func (b *bench) engine(ctx context.Context) error {
	bin, err := b.binary(ctx)
	if err != nil {
		return err
	}
	dir, err := b.largeFolder(ctx)
	if err != nil {
		return err
	}
	secret, err := output(ctx, bin, "token", "new", "bench", "--scope", "admin", "--data", dir)
	if err != nil {
		return err
	}
	password := strings.TrimSpace(secret)
	starts, err := b.started(ctx, bin, dir, password)
	if err != nil {
		return err
	}
	b.report.aimed(starts.figure("start to the first claim granted, "+keysName(b.many)+" keys", "ms"), atMost(startAim))
	p, _, err := startEngine(ctx, bin, dir, password)
	if err != nil {
		return err
	}
	if err := errors.Join(b.loaded(ctx, p, password), p.stop()); err != nil {
		return err
	}
	open, err := inProgress(ctx, ledgerIn(dir))
	if err != nil {
		return err
	}
	// A start after a break looks at every key in progress.
	if starts, err = b.started(ctx, bin, dir, password); err != nil {
		return err
	}
	b.report.add(starts.figure(fmt.Sprintf("start to the first claim granted, %d keys in progress", open), "ms"))
	return nil
}

// started starts the engine several times and stops it again.
func (b *bench) started(ctx context.Context, bin, dir, password string) (series, error) {
	var s series
	for range b.starts {
		p, took, err := startEngine(ctx, bin, dir, password)
		if err != nil {
			return nil, err
		}
		s = append(s, millis(took))
		if err := p.stop(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// inProgress returns how many keys of a file are in progress.
func inProgress(ctx context.Context, path string) (n int64, err error) {
	l, err := open(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	c, err := l.Counts(ctx)
	return c.InProgress, err
}

// loaded measures a running engine: its pages, its rate, and at the end the most memory
// that it ever held.
func (b *bench) loaded(ctx context.Context, p *process, password string) error {
	if err := b.pages(ctx, p); err != nil {
		return err
	}
	all, err := newCrew(ctx, p.host, passwordLine(password), crowd)
	if err != nil {
		return err
	}
	defer all.close()
	perKey, err := all.side(b.load, (*caller).whole)(ctx)
	if err != nil {
		return err
	}
	rate := perSecond(millis(perKey))
	b.report.add(figure{Name: "keys claimed, copied and done over HTTP, 64 connections", Value: rate, Least: rate, Most: rate, Unit: "a second",
		Note: fmt.Sprintf("for %v, three calls a key", b.load)})
	// Once more, so that what the pages need is part of the most memory too.
	if err := timePages(ctx, p, b.rounds, func(string, series) {}); err != nil {
		return err
	}
	if bytes, ok := peakMemory(p.cmd.Process.Pid); ok {
		mb := float64(bytes) / (1 << 20)
		b.report.aimed(figure{Name: "most memory of the engine, " + keysName(b.many) + " keys, under load", Value: mb, Least: mb, Most: mb, Unit: "MB"}, atMost(memoryAim))
	}
	return nil
}

// pages times what people look at, through the program.
func (b *bench) pages(ctx context.Context, p *process) error {
	return timePages(ctx, p, b.rounds, func(name string, s series) {
		b.report.aimed(s.figure(name+", "+keysName(b.many)+" keys", "ms"), atMost(viewerAim))
	})
}

// A viewed is a page that people look at.
type viewed struct{ name, path string }

// viewedPages are the pages of the viewer, each filter by itself, on keys as a filled
// ledger has them.
func viewedPages() []viewed {
	const keys = "page Keys"
	return []viewed{
		{"page Home", "/"},
		{keys, "/keys"},
		{keys + ", the last one", "/keys?back=1"},
		{keys + ", in progress", "/keys?view=in_progress"},
		{keys + ", waiting for another try", "/keys?view=waiting"},
		{keys + ", those that need a decision", "/keys?view=stuck"},
		{keys + ", finished ones of one rule", "/keys?view=finished&rule=" + ordersRule},
		{keys + ", of the last 24 hours", "/keys?since=24h"},
		{keys + ", a prefix", "/keys?q=stripe:evt_a7"},
		{keys + ", a prefix, the last page", "/keys?q=stripe:evt_&back=1"},
		{keys + ", exactly", "/keys?match=exact&q=stripe:evt_a7"},
		{keys + ", a text within 2,000 keys", "/keys?match=inside&q=nobody"},
	}
}

// timePages asks for each page, and for the page of one key that the list shows, several times
// and hands on the times.
func timePages(ctx context.Context, p *process, rounds int, each func(name string, s series)) error {
	c, err := newCaller(ctx, p.admin, "X-Dedupe-Window: "+p.secret+"\r\n")
	if err != nil {
		return err
	}
	defer c.conn.Close()
	first, err := c.call("GET", "/keys", nil)
	if err != nil {
		return err
	}
	one := regexp.MustCompile(`href="(/keys/one[^"]*)"`).FindSubmatch(first)
	if one == nil {
		return errors.New("the page Keys shows no key")
	}
	for _, page := range append(viewedPages(), viewed{"page of one key", html.UnescapeString(string(one[1]))}) {
		var s series
		for range 3 * rounds {
			start := time.Now()
			if _, err := c.call("GET", page.path, nil); err != nil {
				return fmt.Errorf("%s: %w", page.name, err)
			}
			s = append(s, millis(time.Since(start)))
		}
		each(page.name, s)
	}
	return nil
}
