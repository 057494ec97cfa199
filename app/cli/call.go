package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"dedupedesk/app/body"
	"dedupedesk/app/intake"
	"dedupedesk/ledger"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// A call is one command under way.
type call struct {
	ctx     context.Context // one call is one command; nothing outlives it
	program Program
	flags   *flags
	command string

	ledger *ledger.Ledger // nil until it is needed
	engine *rules.Engine  // nil until it is needed
}

// A keeper answers for keys and rules: the key file here, or an engine elsewhere.
// Both answer alike, and an [*ledger.Error] is an error of either.
type keeper interface {
	claim(context.Context, ledger.ClaimRequest) (decision, error)
	done(context.Context, ledger.DoneRequest) (ledger.Answer, error)
	release(context.Context, ledger.ReleaseRequest) (ledger.Answer, error)
	renew(context.Context, ledger.RenewRequest) (ledger.Answer, error)
	keys(context.Context, ledger.KeyQuery) (ledger.KeyPage, error)
	key(ctx context.Context, rule, key string) (ledger.Life, error)
	rules(context.Context) ([]ledger.Rule, error)
	rule(ctx context.Context, name string) (ledger.Rule, error)
	putRule(context.Context, *rules.Rule, ledger.Why) (body.Rule, error)
}

// A decision is the answer to a claim, and the time that was allowed.
type decision struct {
	ledger.Answer
	lease time.Duration
}

// keeper returns who answers, as the flags say.
func (c *call) keeper() (keeper, error) {
	if c.flags.URL != "" {
		password, err := c.flags.password()
		if err != nil {
			return nil, err
		}
		return newRemote(c.flags.URL, password)
	}
	l, err := c.openLedger()
	if err != nil {
		return nil, err
	}
	e, err := c.rulesEngine()
	if err != nil {
		return nil, err
	}
	return local{l, intake.New(l, e), c.program.Person}, nil
}

// openLedger returns the ledger here. It is Invalid under --url.
func (c *call) openLedger() (*ledger.Ledger, error) {
	if c.flags.URL != "" {
		name, _, _ := strings.Cut(c.command, " <")
		return nil, misuse("dedupe " + name + " works on the key file itself, not through --url. Run it on the computer where the engine runs.")
	}
	if c.ledger == nil {
		l, err := c.program.OpenLedger(c.ctx, c.target())
		if err != nil && c.flags.DB != "" {
			return nil, at(c.flags.DB, err)
		}
		if err != nil {
			return nil, err
		}
		c.ledger = l
	}
	return c.ledger, nil
}

func (c *call) target() Target {
	return Target{Data: c.flags.Data, DB: c.flags.DB, DatabaseURL: c.flags.database}
}

func (c *call) rulesEngine() (*rules.Engine, error) {
	if c.engine == nil {
		e, err := rules.New(c.ruleOptions()...)
		if err != nil {
			return nil, fmt.Errorf("start the formula engine: %w", err)
		}
		c.engine = e
	}
	return c.engine, nil
}

// ruleOptions hand over the key of secret(x), which is where the keys are. With --url
// that is elsewhere: the formula is checked here, and worked out there.
func (c *call) ruleOptions() []rules.Option {
	senders := rules.WithSenders(presets.Known)
	if c.flags.URL != "" {
		return []rules.Option{senders}
	}
	return []rules.Option{senders, rules.WithSecret(func() ([]byte, error) {
		l, err := c.openLedger()
		if err != nil {
			return nil, err
		}
		return intake.Secret(c.ctx, l)
	})}
}

func (c *call) close() error {
	if c.ledger == nil {
		return nil
	}
	return c.ledger.Close()
}

// print writes a line for scripts.
func (c *call) print(format string, args ...any) error {
	if _, err := fmt.Fprintf(c.program.Out, format+"\n", args...); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// answer prints body under --json, else the line.
func (c *call) answer(body any, format string, args ...any) error {
	if c.flags.JSON {
		return c.printJSON(body)
	}
	return c.print(format, args...)
}

func (c *call) printJSON(body any) error {
	e := json.NewEncoder(c.program.Out)
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}

// table prints rows in columns that line up. Cells are cleaned.
func (c *call) table(rows [][]string) error {
	var lines bytes.Buffer
	w := tabwriter.NewWriter(&lines, 0, 4, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = printable(cell)
		}
		_, _ = io.WriteString(w, strings.Join(cells, "\t")+"\n")
	}
	_ = w.Flush() // a buffer takes all
	for line := range strings.Lines(lines.String()) {
		if err := c.print("%s", strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// maxFile bounds what is read of one file, in bytes.
const maxFile = 64 << 20

// read returns a file's content; "-" is the input.
func (c *call) read(path string) ([]byte, error) { return c.readUpTo(path, maxFile) }

// readUpTo refuses a file of more than most bytes.
func (c *call) readUpTo(path string, most int64) ([]byte, error) {
	in, name := c.program.In, "the input"
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }()
		in, name = f, path
	}
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, misuse(fmt.Sprintf("%s is larger than %d MB. Split it.", name, most>>20))
	}
	return data, err
}

// ruleName returns the rule that is meant where none was named.
func ruleName(given string) string {
	if given == "" {
		return ledger.DefaultRule
	}
	return given
}

// clock returns a time as a person reads it, "" for none.
func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}
