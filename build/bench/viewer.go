package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dedupedesk/ledger"
)

// viewerAim is how long a page of the viewer may take.
const viewerAim = 50 // ms

// A look is one thing that people ask of the viewer.
type look struct {
	name string
	do   func(context.Context, *ledger.Ledger) error
}

// pageOf asks for a page and wants at least some keys.
func pageOf(q ledger.KeyQuery, some int) func(context.Context, *ledger.Ledger) error {
	return func(ctx context.Context, l *ledger.Ledger) error {
		p, err := l.Keys(ctx, q)
		if err == nil && len(p.Keys) < some {
			err = fmt.Errorf("%d keys on a page of %+v", len(p.Keys), q)
		}
		return err
	}
}

// looks are asked of a file of which a place deep in it and a key are known.
func looks(deep, known string) []look {
	return []look{
		{"first page", pageOf(ledger.KeyQuery{}, 50)},
		{"page 100 of all keys", pageOf(ledger.KeyQuery{Cursor: deep}, 50)},
		{"finished keys of one rule", pageOf(ledger.KeyQuery{Rule: ordersRule, View: ledger.ViewFinished}, 50)},
		{"keys that need a decision", pageOf(ledger.KeyQuery{View: ledger.ViewStuck}, 10)},
		{"keys in progress of one rule", pageOf(ledger.KeyQuery{Rule: ordersRule, View: ledger.ViewInProgress}, 0)},
		{"keys of one rule since a day", pageOf(ledger.KeyQuery{Rule: ordersRule, Since: time.Now().Add(-24 * time.Hour)}, 50)},
		{"prefix that all keys have", pageOf(ledger.KeyQuery{Prefix: "stripe:evt_"}, 50)},
		{"prefix that few keys have", pageOf(ledger.KeyQuery{Prefix: known[:len(known)-8]}, 1)},
		{"prefix that no key has", pageOf(ledger.KeyQuery{Prefix: "nobody:"}, 0)},
		{"prefix of finished keys of one rule", pageOf(ledger.KeyQuery{Rule: ordersRule, View: ledger.ViewFinished, Prefix: "stripe:evt_a"}, 50)},
		{"one key with its history", func(ctx context.Context, l *ledger.Ledger) error {
			_, err := l.Key(ctx, ordersRule, known)
			return err
		}},
		{"figures of Home", func(ctx context.Context, l *ledger.Ledger) error {
			_, err := l.Counts(ctx)
			return err
		}},
	}
}

// viewer times what the viewer asks of a file with many keys.
func (b *bench) viewer(ctx context.Context) (err error) {
	dir, err := b.largeFolder(ctx)
	if err != nil {
		return err
	}
	l, err := open(ledgerIn(dir))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	deep, known, err := places(ctx, l)
	if err != nil {
		return err
	}
	for _, k := range looks(deep, known) {
		var s series
		for range 10 * b.rounds {
			start := time.Now()
			if err := k.do(ctx, l); err != nil {
				return fmt.Errorf("%s: %w", k.name, err)
			}
			s = append(s, millis(time.Since(start)))
		}
		b.report.aimed(s.figure(k.name+", "+keysName(b.many)+" keys", "ms"), atMost(viewerAim))
	}
	return nil
}

// places returns the cursor of page 100 and one of the newest finished keys of rule
// orders.
func places(ctx context.Context, l *ledger.Ledger) (deep, known string, err error) {
	for range 99 {
		p, err := l.Keys(ctx, ledger.KeyQuery{Cursor: deep})
		if err != nil {
			return "", "", err
		}
		deep = p.Next
	}
	p, err := l.Keys(ctx, ledger.KeyQuery{Rule: ordersRule, View: ledger.ViewFinished})
	if err == nil && (deep == "" || p.Next == "") {
		err = errors.New("the file holds too few keys")
	}
	if err != nil {
		return "", "", err
	}
	return deep, p.Keys[len(p.Keys)-1].Key, nil // the first ones are the models
}
