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
	l, err := open(filepath.Join(b.dir, "claims.db"))
	if err != nil {
		return err
	}
	defer l.Close()
	wrote, err := written(ctx, l)
	if err != nil {
		return err
	}
	var sides []side
	lone, many := burst{callers: 1, lasts: b.burst}, burst{callers: crowd, lasts: b.burst}
	for _, f := range []struct {
		name     string
		n, bytes int
		laid     bool
	}{
		{"sync-laid", 1, syncBytes, true},
		{"sync-growing", 1, syncBytes, false},
		{"sync-claim", wrote / pageBytes, pageBytes, true},
	} {
		s, err := newSyncer(b.dir, f.name, f.n, f.bytes, f.laid)
		if err != nil {
			return err
		}
		defer s.file.Close()
		sides = append(sides, lone.side(s.once))
	}
	var byOne, byMany series
	sides = append(sides, worked(lone.side(claimOnly(l)), &byOne), worked(many.side(claimOnly(l)), &byMany), lone.side(wholeKey(l)), many.side(wholeKey(l)))
	s, err := inTurn(ctx, b.rounds, sides...)
	if err != nil {
		return err
	}
	b.reportSyncs(s[0], s[1], s[2], s[3], wrote)
	b.reportClaims(s[3], s[4], s[5], s[6])
	if len(byOne) > 0 {
		b.report.add(byOne[1:].figure("processor time of a claim, lone caller", "µs"))
		b.report.add(byMany[1:].figure("processor time of a claim, 64 callers", "µs"))
	}
	return nil
}

func (b *bench) reportSyncs(laid, growing, same, lone series, wrote int) {
	r := b.report
	sync := laid.figure("one "+syncName+", 16 KB over bytes laid out before", "ms")
	sync.Note = "what a log does once it has wrapped: the aim speaks of this one"
	if sync.Value < 0.02 {
		sync.Note = "this folder seems to lie in memory: give a folder on a disk with -dir"
	}
	r.add(sync)
	r.add(growing.figure("one "+syncName+", 16 KB at the end of a growing file", "ms"))
	f := same.figure(fmt.Sprintf("one %s, %d KB in pages laid out before", syncName, wrote>>10), "ms")
	f.Note = "as much as a claim of a lone caller writes, checkpoints included"
	r.add(f)
	r.add(lone.figure("claim, lone caller", "ms"))
	r.aimed(lone.over(laid).figure("claim, lone caller : one "+syncName, "x"), atMost(1.5))
	r.add(lone.over(growing).figure("claim, lone caller : one of a growing file", "x"))
	r.add(lone.over(same).figure("claim, lone caller : one of as many bytes", "x"))
}

func (b *bench) reportClaims(lone, many, loneWhole, manyWhole series) {
	r := b.report
	r.add(lone.each(perSecond).figure("claims, lone caller", "a second"))
	r.add(many.each(perSecond).figure("claims, 64 callers", "a second"))
	f := lone.over(many).figure("64 callers : lone caller", "x")
	f.Note = "hoped for: 10 x"
	r.aimed(f, atLeast(5))
	r.add(loneWhole.each(perSecond).figure("keys claimed and done, lone caller", "a second"))
	r.add(manyWhole.each(perSecond).figure("keys claimed and done, 64 callers", "a second"))
}

// written claims some keys and returns how many bytes were written for each, in whole
// pages; 40 KB where the system does not tell.
func written(ctx context.Context, l *ledger.Ledger) (int, error) {
	const claims = 500
	before, _ := bytesWritten()
	for range claims {
		if _, err := claimNew(ctx, l); err != nil {
			return 0, err
		}
	}
	after, ok := bytesWritten()
	if !ok {
		return 10 * pageBytes, nil
	}
	return max(1, int(after-before)/claims/pageBytes) * pageBytes, nil
}
