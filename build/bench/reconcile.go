package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"dedupedesk/app/deliveries"
	"dedupedesk/app/reconcile"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

const (
	reconcileAim  = 2000 // ms
	missingRows   = 3    // planted among the others
	extraKeys     = 2
	reconcileFile = "rows.csv"
)

// reconcile times the comparison of a table with as many finished keys, among which rows
// too many, keys without a row and a double were planted, and wants them to be found.
func (b *bench) reconcile(ctx context.Context) (err error) {
	n := min(b.many/10, 100_000)
	l, err := open(filepath.Join(b.dir, "reconcile.db"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	table, err := plantRows(ctx, l, n)
	if err != nil {
		return err
	}
	rule := &rules.Rule{Rule: ledger.DefaultRule}
	var s series
	for range b.rounds {
		start := time.Now()
		file, err := deliveries.Open(reconcileFile, table, deliveries.Options{Column: "-"})
		if err != nil {
			return err
		}
		rows, err := reconcile.Read(ctx, file, rule, nil, reconcile.How{Column: "key"})
		if err != nil {
			return err
		}
		f, err := reconcile.Compare(ctx, l, rule.Rule, rows, time.Time{})
		if err != nil {
			return err
		}
		s = append(s, millis(time.Since(start)))
		if len(f.Missing) != missingRows || len(f.Extra) != extraKeys || len(f.Doubles) != 1 || f.Matched != n {
			return fmt.Errorf("%d missing, %d extra, %d double, %d matched of %d rows", len(f.Missing), len(f.Extra), len(f.Doubles), f.Matched, n)
		}
	}
	b.report.aimed(s.figure(fmt.Sprintf("%s rows compared with as many finished keys", keysName(n)), "ms"), atMost(reconcileAim))
	return nil
}

// plantRows writes n finished keys and more, and returns the table of n rows and more.
func plantRows(ctx context.Context, l *ledger.Ledger, n int) ([]byte, error) {
	var table strings.Builder
	table.WriteString("id,key,amount\n")
	row := func(i int, key string) { fmt.Fprintf(&table, "%d,%s,19.90\n", i, key) }
	var keys []ledger.Key
	for i := range n + extraKeys {
		key := fmt.Sprintf("shop:order-%07d:1", i)
		keys = append(keys, ledger.Key{Key: key})
		if i < n {
			row(i, key)
		}
		if i == n/2 {
			row(i, key)
		}
	}
	for i := range missingRows {
		row(i, fmt.Sprintf("shop:nobody-%d", i))
	}
	for len(keys) > 0 {
		part := keys[:min(len(keys), ledger.MaxImport)]
		keys = keys[len(part):]
		if _, err := l.Import(ctx, ledger.ImportRequest{Keys: part, By: "bench"}); err != nil {
			return nil, err
		}
	}
	return []byte(table.String()), nil
}
