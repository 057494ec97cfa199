package cli

import (
	"strings"
	"time"

	"dedupedesk/app/deliveries"
	"dedupedesk/app/reconcile"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

type reconcileCommand struct {
	File   string   `arg:"" complete:"file" help:"The destination's rows: CSV, a spreadsheet (.xlsx), JSON lines or a JSON list. - is the input."`
	Rule   string   `complete:"rule" default:"default" placeholder:"NAME" help:"The rule whose keys they should have."`
	Column string   `placeholder:"NAME" help:"The column that holds the whole key. Not given: the one that holds keys of the rule, else what the rule's formula makes of each row."`
	Prefix string   `placeholder:"TEXT" help:"A fixed text before the values of --part."`
	Part   []string `placeholder:"NAME" help:"A column that is a part of the key; give it once for each part, in order."`
	Sheet  string   `placeholder:"NAME" help:"The sheet of a spreadsheet. Not given: the first with a row."`
	Since  string   `placeholder:"DURATION" help:"Tell only finished keys without a row that were finished within this time: 30d. Not given: all."`
}

// Run compares the rows with the keys. The answer is no where there is something to look
// at.
func (x *reconcileCommand) Run(c *call) error {
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	since, err := x.since(l.Now())
	if err != nil {
		return err
	}
	file, program := &rules.Rule{Rule: x.Rule}, (*rules.Program)(nil)
	if x.Rule != ledger.DefaultRule {
		if file, err = c.namedRule(x.Rule); err != nil {
			return err
		}
		if program, err = c.compile(file); err != nil {
			return err
		}
	}
	how, err := x.how(c, l, program)
	if err != nil {
		return err
	}
	open, err := c.deliveries(x.File, deliveries.Options{Column: "-", Sheet: x.Sheet})
	if err != nil {
		return err
	}
	rows, err := reconcile.Read(c.ctx, open, file, program, how)
	if err != nil {
		return misuse(x.File + ": " + err.Error())
	}
	found, err := reconcile.Compare(c.ctx, l, x.Rule, rows, since)
	if err != nil {
		return err
	}
	if err := c.printFound(found, how); err != nil {
		return err
	}
	if !found.Clean() {
		return errNo
	}
	return nil
}

func (x *reconcileCommand) since(now time.Time) (time.Time, error) {
	if x.Since == "" {
		return time.Time{}, nil
	}
	d, err := rules.ParseDuration(x.Since)
	if err != nil || d <= 0 {
		return time.Time{}, misuse("--since is a time such as 24h or 30d.")
	}
	return now.Add(-time.Duration(d)), nil
}

// how tells how a row's key is made, and guesses where nothing was said.
func (x *reconcileCommand) how(c *call, l *ledger.Ledger, program *rules.Program) (reconcile.How, error) {
	how := reconcile.How{Column: x.Column, Prefix: x.Prefix, Columns: x.Part}
	switch {
	case x.Column != "" && len(x.Part) > 0:
		return how, misuse("Give one of --column and --part.")
	case x.Prefix != "" && len(x.Part) == 0:
		return how, misuse("--prefix goes before the values of --part. Give at least one.")
	case x.Column != "" || len(x.Part) > 0:
		return how, nil
	}
	if x.File != "-" {
		open, err := c.deliveries(x.File, deliveries.Options{Column: "-", Sheet: x.Sheet})
		if err != nil {
			return how, err
		}
		if how.Column, _, _, err = reconcile.Guess(c.ctx, l, x.Rule, open); err != nil {
			return how, err
		}
	}
	if how.Column == "" && program == nil {
		return how, misuse("No column holds keys that are known here. Say with --column or --part what the key of a row is.")
	}
	return how, nil
}

// printFound prints the lists, or them as JSON.
func (c *call) printFound(f *reconcile.Found, how reconcile.How) error {
	if c.flags.JSON {
		return c.printJSON(foundBody(f, how))
	}
	made := "the rule's formula"
	switch {
	case how.Column != "":
		made = "the column " + how.Column
	case len(how.Columns) > 0:
		made = "the columns " + strings.Join(how.Columns, ", ")
	}
	table := [][]string{{"KEY", "FOUND", "WHERE"}}
	add := func(key, found string, where ...string) {
		table = append(table, []string{key, found, strings.Join(where, ", ")})
	}
	for _, m := range f.Missing {
		switch {
		case m.State != "":
			add(m.Key, "a row, but here "+m.State, m.Places...)
		case m.Near != "":
			add(m.Key, "a row, and here "+m.Near, m.Places...)
		default:
			add(m.Key, "a row, unknown here", m.Places...)
		}
	}
	for _, e := range f.Extra {
		add(e.Key, "finished, no row", e.DoneAt.Format(time.RFC3339))
	}
	for _, d := range f.Doubles {
		add(d.Key, "several rows", d.Places...)
	}
	for _, r := range f.Rows.Refused {
		add("", "no key: "+r.Why, r.Places...)
	}
	if len(table) > 1 {
		if err := c.table(table); err != nil {
			return err
		}
	}
	return c.print("%d rows by %s: %d keys finished here, %d not; finished without a row: %d, with several: %d.",
		f.Rows.Count, made, f.Matched, len(f.Missing), len(f.Extra), len(f.Doubles))
}

func foundBody(f *reconcile.Found, how reconcile.How) map[string]any {
	missing, extra, doubles, refused := []map[string]any{}, []map[string]any{}, []map[string]any{}, []map[string]any{}
	for _, m := range f.Missing {
		missing = append(missing, map[string]any{"key": m.Key, "rows": m.Count, "places": m.Places, "state": m.State, "near": m.Near})
	}
	for _, e := range f.Extra {
		extra = append(extra, map[string]any{"key": e.Key, "done_at": e.DoneAt})
	}
	for _, d := range f.Doubles {
		doubles = append(doubles, map[string]any{"key": d.Key, "rows": d.Count, "places": d.Places})
	}
	for _, r := range f.Rows.Refused {
		refused = append(refused, map[string]any{"reason": r.Why, "rows": r.Count, "places": r.Places})
	}
	return map[string]any{
		"rows": f.Rows.Count, "matched": f.Matched, "column": how.Column, "parts": how.Columns,
		"missing": missing, "extra": extra, "doubles": doubles, "refused": refused,
	}
}
