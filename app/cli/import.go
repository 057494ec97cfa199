package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"dedupedesk/app/transfer"
	"dedupedesk/ledger"
)

type importCommand struct {
	File   string `arg:"" complete:"file" help:"The file to read, named .jsonl or .csv; - is the input, with --format."`
	Format string `enum:",jsonl,csv,lines" default:"" placeholder:"FORMAT" help:"jsonl, csv or lines (one finished key a line), where the file's name does not tell."`
	Rule   string `complete:"rule" placeholder:"NAME" help:"The rule that the keys belong to, where the file does not say; default if not given."`
	DryRun bool   `help:"Only check the file and count."`
	Name   string `placeholder:"NAME" help:"Who imports; your user name if not given."`
}

// Run checks a file of keys as a whole, then adds those that are not there yet.
func (m *importCommand) Run(c *call) error {
	format, err := formatOf(m.File, m.Format, "")
	if err != nil {
		return err
	}
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	in, drop, err := c.seekable(m.File)
	if err != nil {
		return err
	}
	defer drop()
	i := keyImport{
		call: c, ledger: l, file: in, format: format, name: m.File, by: m.Name, dry: m.DryRun,
		terms: transfer.Terms{Rule: m.Rule, Now: l.Now(), Find: liveRules(l)},
	}
	if i.by == "" {
		i.by = c.program.Person
	}
	if err := i.check(); err != nil {
		return err
	}
	return i.run()
}

// seekable opens a file that can be read twice. What comes once, such as the input, is
// written to a file that only its owner can read; drop removes it.
func (c *call) seekable(path string) (f *os.File, drop func(), err error) {
	from := c.program.In
	if path != "-" {
		f, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil, misuse("There is no file " + path + ".")
		}
		if err != nil {
			return nil, nil, err
		}
		info, err := f.Stat()
		if err == nil && info.IsDir() {
			err = misuse(path + " is a folder.")
		}
		if err != nil {
			_ = f.Close()
			return nil, nil, err
		}
		if info.Mode().IsRegular() {
			return f, func() { _ = f.Close() }, nil
		}
		defer func() { _ = f.Close() }()
		from = f
	}
	if f, err = os.CreateTemp("", "dedupe-import-*"); err != nil {
		return nil, nil, fmt.Errorf("keep the input: %w", err)
	}
	drop = func() { _ = f.Close(); _ = os.Remove(f.Name()) }
	if _, err := io.Copy(f, from); err != nil {
		drop()
		return nil, nil, fmt.Errorf("keep the input: %w", err)
	}
	return f, drop, nil
}

// liveRules looks each rule up once.
func liveRules(l *ledger.Ledger) func(context.Context, string) (fold, ok bool, err error) {
	type found struct{ fold, ok bool }
	known := map[string]found{}
	return func(ctx context.Context, name string) (bool, bool, error) {
		if f, asked := known[name]; asked {
			return f.fold, f.ok, nil
		}
		var f found
		r, err := l.Rule(ctx, name)
		switch {
		case ledger.CodeOf(err) == ledger.UnknownRule:
		case err != nil:
			return false, false, err
		case len(r.Doc) == 0: // the default rule has no file
			f.ok = true
		default:
			file, err := decodeRule(r)
			if err != nil {
				return false, false, err
			}
			f = found{file.FoldCase, true}
		}
		known[name] = f
		return f.fold, f.ok, nil
	}
}

// A keyImport is one import under way.
type keyImport struct {
	call   *call
	ledger *ledger.Ledger
	file   *os.File
	format transfer.Format
	name   string
	by     string
	dry    bool
	terms  transfer.Terms
	repeat map[int]bool // lines whose key came before
	total  int

	added, present, open int
}

// check refuses the file where one line of it is at fault, and tells all of them.
func (i *keyImport) check() error {
	c := i.call
	r, err := i.reader()
	if err != nil {
		return err
	}
	p := c.progress("checked", "keys", 0)
	s, err := transfer.Check(c.ctx, r, i.terms, func(n int) { p.at(int64(n)) })
	p.end(int64(s.Keys + s.Refused))
	if err != nil {
		return at(i.name, err)
	}
	for _, f := range s.Faults {
		c.say("%s: %s", i.name, f)
	}
	if s.Refused > 0 {
		return misuse(fmt.Sprintf("%s of %s cannot be imported, so nothing was imported.", plural(int64(s.Refused), "line", "lines"), i.name))
	}
	i.total, i.repeat = s.Keys, s.Repeats
	return nil
}

func (i *keyImport) reader() (*transfer.Reader, error) {
	if _, err := i.file.Seek(0, io.SeekStart); err != nil {
		return nil, at(i.name, err)
	}
	return transfer.NewReader(i.file, i.format), nil
}

// importBatch is how many keys are added in one transaction: few enough that claims
// do not wait long.
const importBatch = 500

// run adds the keys and tells how many.
func (i *keyImport) run() error {
	c := i.call
	r, err := i.reader()
	if err != nil {
		return err
	}
	p := c.progress("imported", "keys", int64(i.total))
	for more := true; more && err == nil; p.at(int64(i.added + i.present)) {
		more, err = i.batch(r)
	}
	p.end(int64(i.added + i.present))
	if err != nil {
		return told(fmt.Sprintf("The import was stopped after %s were added. It can be started again: what is there is left alone. ",
			plural(int64(i.added), "key", "keys")), at(i.name, err))
	}
	if i.open > maxOpen {
		c.say("There are %d more such keys.", i.open-maxOpen)
	}
	word := "imported"
	if i.dry {
		word = "would import"
	}
	body := map[string]any{"imported": i.added, "already_there": i.present, "not_finished_here": i.open, "dry_run": i.dry}
	return c.answer(body, "%s %d, already there %d", word, i.added, i.present)
}

// batch adds the next keys and reports whether there are more.
func (i *keyImport) batch(r *transfer.Reader) (more bool, err error) {
	keys := make([]ledger.Key, 0, importBatch)
	for more = true; len(keys) < importBatch; {
		k, line, err := r.Next()
		if err == io.EOF {
			more = false
			break
		}
		if err != nil {
			return false, err
		}
		if i.repeat[line] {
			i.present++
			continue
		}
		if err := i.terms.Place(i.call.ctx, &k, line); err != nil {
			return false, err
		}
		keys = append(keys, k)
	}
	res, err := i.ledger.Import(i.call.ctx, ledger.ImportRequest{Keys: keys, By: i.by, DryRun: i.dry})
	if err != nil {
		return false, err
	}
	i.added += res.Added
	i.present += res.Present
	for _, n := range res.Open {
		i.tellOpen(keys[n])
	}
	return more, nil
}

// maxOpen is how many open keys are told one by one.
const maxOpen = 20

// tellOpen warns of a key of which another copy may run.
func (i *keyImport) tellOpen(k ledger.Key) {
	if i.open++; i.open <= maxOpen {
		i.call.say("The key %s of the rule %s is finished in the file and not here. It was left as it is; decide on it yourself: dedupe decide", k.Key, k.Rule)
	}
}
