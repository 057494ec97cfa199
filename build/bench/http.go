package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// connections are how many callers there are at once. The aim speaks of crowd.
var connections = [...]int{1, crowd, 512}

// overHTTP compares claims over HTTP with calls that are only decoded and answered: by
// the same server, with its guards and its log, and by a bare one.
func (b *bench) overHTTP(ctx context.Context) error {
	bin, err := b.binary(ctx)
	if err != nil {
		return err
	}
	dir := filepath.Join(b.dir, "http")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	secret, err := output(ctx, bin, "token", "new", "bench", "--data", dir)
	if err != nil {
		return err
	}
	password := strings.TrimSpace(secret)
	p, _, err := startEngine(ctx, bin, dir, password)
	if err != nil {
		return err
	}
	bare, stop, err := startBare(ctx)
	if err != nil {
		return errors.Join(err, p.stop())
	}
	for _, n := range connections {
		if err = b.beside(ctx, p, bare, passwordLine(password), n); err != nil {
			break
		}
	}
	return errors.Join(err, stop(), p.stop())
}

// beside compares the two servers under n connections to each.
func (b *bench) beside(ctx context.Context, p *process, bareHost, password string, n int) error {
	all, err := newCrew(ctx, p.host, password, n)
	if err != nil {
		return err
	}
	defer all.close()
	bare, err := newCrew(ctx, bareHost, "", n)
	if err != nil {
		return err
	}
	defer bare.close()
	claim := func(c *caller) error { _, err := c.claim(); return err }
	spent := func() (time.Duration, bool) { return processorTimeOf(p.cmd.Process.Pid) }
	var byClaim, byRefusal series
	s, err := inTurn(ctx, b.rounds, workedBy(spent, all.side(b.burst, claim), &byClaim),
		workedBy(spent, all.side(b.burst, (*caller).refused), &byRefusal), bare.side(b.burst, claim))
	if err != nil {
		return err
	}
	at := fmt.Sprintf("%d connections: ", n)
	if n == 1 {
		at = "1 connection: "
	}
	b.report.add(s[0].each(perSecond).figure(at+"claims", "a second"))
	b.report.add(s[1].each(perSecond).figure(at+"calls that the same server decodes and refuses", "a second"))
	b.report.add(s[2].each(perSecond).figure(at+"answers of net/http with a handler that keeps nothing", "a second"))
	b.report.add(s[2].over(s[0]).figure(at+"claims : that handler", "x"))
	if len(byClaim) > 0 {
		b.report.add(byClaim[1:].figure(at+"processor time of the engine for a claim", "µs"))
		b.report.add(byRefusal[1:].figure(at+"the same for one decoded and refused", "µs"))
	}
	f := s[1].over(s[0]).figure(at+"claims : decoded and refused in the same server", "x")
	if n != crowd {
		b.report.add(f)
		return nil
	}
	f.Note = "hoped for: 0.5 x"
	b.report.aimed(f, atLeast(0.4))
	return nil
}
