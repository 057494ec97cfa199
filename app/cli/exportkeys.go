package cli

import (
	"io"

	"dedupedesk/app/transfer"
	"dedupedesk/ledger"
)

type exportKeysCommand struct {
	File   string `arg:"" complete:"file" help:"The file to write, named .jsonl or .csv; - is the output."`
	Format string `enum:",jsonl,csv" default:"" placeholder:"FORMAT" help:"jsonl or csv, where the file's name does not tell."`
	Rule   string `complete:"rule" placeholder:"NAME" help:"Only keys of this rule."`
	State  string `placeholder:"STATE" enum:",claimed,done,retryable,held" default:"" help:"Only keys that are claimed, done, retryable or held."`
	Prefix string `placeholder:"TEXT" help:"Only keys that begin so."`
	Force  bool   `help:"Write over a file of that name."`
}

// Run writes keys to a file, in order. Tokens are not among what is written.
func (x *exportKeysCommand) Run(c *call) error {
	format, err := formatOf(x.File, x.Format, transfer.JSONL)
	if err != nil {
		return err
	}
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	q := ledger.KeyQuery{Rule: x.Rule, State: ledger.State(x.State), Prefix: x.Prefix}
	if x.File == "-" {
		_, err := c.writeKeys(l, q, c.program.Out, format)
		return err
	}
	f, err := newOutFile(x.File, x.Force)
	if err != nil {
		return err
	}
	defer f.drop()
	n, err := c.writeKeys(l, q, f, format)
	if err == nil {
		err = f.keep()
	}
	if err != nil {
		return told("Nothing was exported. ", err)
	}
	return c.answer(map[string]any{"exported": n, "file": x.File, "format": string(format)}, "exported %d", n)
}

// formatOf returns the format that was asked for, or that the file's name tells. For -
// it is otherwise, "" meaning that it must be asked for.
func formatOf(file, asked string, otherwise transfer.Format) (transfer.Format, error) {
	if asked != "" {
		return transfer.Format(asked), nil
	}
	if f, ok := transfer.FormatOf(file); ok {
		return f, nil
	}
	if file == "-" && otherwise != "" {
		return otherwise, nil
	}
	return "", misuse("The name of the file does not tell how keys stand in it. Name it .jsonl or .csv, or add --format.")
}

// writeKeys returns how many keys it wrote.
func (c *call) writeKeys(l *ledger.Ledger, q ledger.KeyQuery, to io.Writer, f transfer.Format) (int64, error) {
	var total int64
	if q == (ledger.KeyQuery{}) {
		counts, err := l.Counts(c.ctx)
		if err != nil {
			return 0, err
		}
		total = counts.Total
	}
	w, err := transfer.NewWriter(to, f)
	if err != nil {
		return 0, err
	}
	var n int64
	p := c.progress("exported", "keys", total)
	err = l.Export(c.ctx, q, func(k ledger.Key) error {
		n++
		p.at(n)
		return w.Write(k)
	})
	if err == nil {
		err = w.Flush()
	}
	p.end(n)
	return n, err
}
