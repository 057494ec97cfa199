package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"dedupedesk/ledger"
)

// crowd is how many callers the aims speak of.
const crowd = 64

// newKey returns a key that no file has: random, as the ids of most senders are, so
// that it lands anywhere in an index.
func newKey() string {
	var b [12]byte
	rand.Read(b[:]) // never fails
	return "stripe:evt_" + hex.EncodeToString(b[:])
}

// claimNew claims a new key and wants it granted.
func claimNew(ctx context.Context, l *ledger.Ledger) (ledger.Answer, error) {
	a, err := l.Claim(ctx, ledger.ClaimRequest{Key: newKey()})
	if err == nil && !a.Run {
		err = fmt.Errorf("a new key was answered %s", a.Status)
	}
	return a, err
}

// claimOnly claims a new key.
func claimOnly(l *ledger.Ledger) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := claimNew(ctx, l)
		return err
	}
}

// wholeKey claims a new key and reports it finished.
func wholeKey(l *ledger.Ledger) func(context.Context) error {
	return func(ctx context.Context) error {
		a, err := claimNew(ctx, l)
		if err != nil {
			return err
		}
		d, err := l.Done(ctx, ledger.DoneRequest{Identity: ledger.Identity{Key: a.Key, Token: a.Token}})
		if err == nil && d.Status != ledger.StatusDone {
			err = fmt.Errorf("a done was answered %s", d.Status)
		}
		return err
	}
}

func (b *bench) claims(ctx context.Context) error {
	laid, err := newSyncer(b.dir, "sync-laid", true)
	if err != nil {
		return err
	}
	defer laid.file.Close()
	growing, err := newSyncer(b.dir, "sync-growing", false)
	if err != nil {
		return err
	}
	defer growing.file.Close()
	l, err := open(filepath.Join(b.dir, "claims.db"))
	if err != nil {
		return err
	}
	defer l.Close()
	lone, many := burst{callers: 1, lasts: b.burst}, burst{callers: crowd, lasts: b.burst}
	s, err := inTurn(ctx, b.rounds, lone.side(laid.once), lone.side(growing.once),
		lone.side(claimOnly(l)), many.side(claimOnly(l)), lone.side(wholeKey(l)), many.side(wholeKey(l)))
	if err != nil {
		return err
	}
	b.reportClaims(s[0], s[1], s[2], s[3], s[4], s[5])
	return b.written(ctx, l)
}

func (b *bench) reportClaims(laid, growing, lone, many, loneWhole, manyWhole series) {
	r := b.report
	sync := laid.figure("one "+syncName+", 16 KB over bytes laid out before", "ms")
	sync.Note = "what a write-ahead log does once it has wrapped: the ratio below is to this one"
	if sync.Value < 0.02 {
		sync.Note = "this folder seems to lie in memory: give a folder on a disk with -dir"
	}
	r.add(sync)
	r.add(growing.figure("one "+syncName+", 16 KB at the end of a growing file", "ms"))
	r.add(lone.figure("claim, lone caller", "ms"))
	r.aimed(lone.over(laid).figure("claim, lone caller : one "+syncName, "x"), atMost(1.5))
	r.add(lone.over(growing).figure("claim, lone caller : one "+syncName+" of a growing file", "x"))
	r.add(lone.each(perSecond).figure("claims, lone caller", "a second"))
	r.add(many.each(perSecond).figure("claims, 64 callers", "a second"))
	ratio := lone.over(many).figure("64 callers : lone caller", "x")
	ratio.Note = "hoped for: 10 x"
	r.aimed(ratio, atLeast(5))
	r.add(loneWhole.each(perSecond).figure("keys claimed and done, lone caller", "a second"))
	r.add(manyWhole.each(perSecond).figure("keys claimed and done, 64 callers", "a second"))
}

// written adds how much one claim writes, where the system tells.
func (b *bench) written(ctx context.Context, l *ledger.Ledger) error {
	const claims = 200
	before, ok := bytesWritten()
	if !ok {
		return nil
	}
	for range claims {
		if _, err := claimNew(ctx, l); err != nil {
			return err
		}
	}
	after, _ := bytesWritten()
	kb := float64(after-before) / claims / 1024
	b.report.add(figure{Name: "written by a claim of a lone caller", Value: kb, Least: kb, Most: kb, Unit: "KB", Note: "log and checkpoints"})
	return nil
}
