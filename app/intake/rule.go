package intake

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// freshFor is how long a rule is used without asking the ledger again.
const freshFor = time.Second

// A Rule is a rule as the ledger keeps it, with its file decoded and its formula
// compiled.
type Rule struct {
	ledger.Rule
	File    *rules.Rule    // never nil; has the defaults filled in
	Program *rules.Program // nil for a rule without a formula, such as default

	former      []former  // newest first
	printsAfter time.Time // fingerprints of rows first seen until then were made otherwise
}

// Splits tells whether the rule makes a key for each item of an event.
func (r *Rule) Splits() bool { return r.Program != nil && r.Program.HasEach() }

// An Intake turns keys, parts and events into claims.
type Intake struct {
	ledger *ledger.Ledger
	engine *rules.Engine

	mu    sync.Mutex
	rules map[string]cached
}

type cached struct {
	rule *Rule
	at   time.Time
}

// New returns an intake that builds keys with engine and claims them in l.
func New(l *ledger.Ledger, engine *rules.Engine) *Intake {
	return &Intake{ledger: l, engine: engine, rules: map[string]cached{}}
}

// Rule returns the live rule of that name, "" meaning the default one. It returns
// UnknownRule where there is none.
func (in *Intake) Rule(ctx context.Context, name string) (*Rule, error) {
	name = nameOf(name)
	in.mu.Lock()
	c, ok := in.rules[name]
	in.mu.Unlock()
	if ok && time.Since(c.at) < freshFor {
		return c.rule, nil
	}
	return in.load(ctx, name, c.rule)
}

// FreshRule is [Intake.Rule] as the ledger has it this moment, for a person who has just
// changed it elsewhere.
func (in *Intake) FreshRule(ctx context.Context, name string) (*Rule, error) {
	name = nameOf(name)
	in.mu.Lock()
	known := in.rules[name].rule
	in.mu.Unlock()
	return in.load(ctx, name, known)
}

// nameOf returns the rule that a caller's name means.
func nameOf(name string) string {
	if name == "" {
		return ledger.DefaultRule
	}
	return name
}

// load asks the ledger, and compiles only where the version is new.
func (in *Intake) load(ctx context.Context, name string, known *Rule) (*Rule, error) {
	lr, err := in.ledger.Rule(ctx, name)
	if err != nil {
		in.forget(name)
		return nil, err
	}
	r := known
	if r == nil || r.ID != lr.ID || r.Version != lr.Version || r.Name != lr.Name {
		if r, err = in.compile(lr); err != nil {
			return nil, err
		}
		if err = in.remember(ctx, r); err != nil {
			return nil, err
		}
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.rules) > 1000 {
		clear(in.rules)
	}
	in.rules[name] = cached{r, time.Now()}
	return r, nil
}

func (in *Intake) forget(name string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	delete(in.rules, name)
}

// compile decodes and compiles what the ledger keeps of a rule.
func (in *Intake) compile(lr ledger.Rule) (*Rule, error) {
	file, err := fileOf(lr)
	if err != nil {
		return nil, err
	}
	if file.Key == "" {
		return &Rule{Rule: lr, File: file}, nil
	}
	program, issues := in.engine.Compile(file)
	if len(issues) > 0 {
		return nil, &IssuesError{Rule: lr.Name, Issues: issues}
	}
	return &Rule{Rule: lr, File: file, Program: program}, nil
}

// fileOf decodes what the ledger keeps of a rule, and fills in the defaults. A rule
// without a file has no formula.
func fileOf(lr ledger.Rule) (*rules.Rule, error) {
	file := &rules.Rule{Rule: lr.Name, Title: lr.Title}
	if len(lr.Doc) > 0 {
		var err error
		if file, err = rules.Parse(lr.Doc); err != nil {
			return nil, fmt.Errorf("rule %q as kept in the ledger: %w", lr.Name, err)
		}
	}
	full := file.WithDefaults()
	return &full, nil
}

// An IssuesError is a rule whose formula has faults.
type IssuesError struct {
	Rule   string
	Issues []rules.Issue
}

// Error returns the first fault with its place.
func (e *IssuesError) Error() string {
	first := e.Issues[0]
	if first.Line == 0 {
		return fmt.Sprintf("%s: %s", first.Place, first.Msg)
	}
	return fmt.Sprintf("%s, line %d, column %d: %s", first.Place, first.Line, first.Column, first.Msg)
}

// PutRule is [Intake.ChangeRule] for whoever gives no reason for a changed formula.
func (in *Intake) PutRule(ctx context.Context, name string, file *rules.Rule) (*Rule, error) {
	return in.ChangeRule(ctx, Change{Name: name, File: file})
}

// ArchiveRule ends a rule. Its keys stay.
func (in *Intake) ArchiveRule(ctx context.Context, name string) error {
	in.forget(name)
	return in.ledger.ArchiveRule(ctx, name)
}

// PolicyOf returns what the ledger needs to know of a rule file that has its
// defaults filled in.
func PolicyOf(r *rules.Rule) ledger.Policy {
	p := ledger.DefaultPolicy()
	if r.Lease > 0 {
		p.Lease = time.Duration(r.Lease)
	}
	if r.Keep > 0 {
		p.Keep = time.Duration(r.Keep)
	}
	if r.OnExpiry == string(ledger.Ask) {
		p.OnExpiry = ledger.Ask
	}
	p.MaxAttempts = r.MaxAttempts
	if preset, ok := presets.BySender(r.Sender); ok {
		p.RetryWindow = retryWindow(preset.Facts, p.RetryWindow)
	}
	return p
}

// retryWindow is for how long a key that was given back waits for its sender: as long
// as that tries again by itself, not at all where nobody or only a person does.
func retryWindow(f presets.Facts, unknown time.Duration) time.Duration {
	switch {
	case f.RetriedBy == presets.ByNobody || f.RetriedBy == presets.ByPerson:
		return 0
	case f.RetriedBy == presets.BySenderItself && f.RetryWindow > 0:
		return time.Duration(f.RetryWindow)
	}
	return unknown
}

// asInvalid turns the faults of rules into the ledger's Invalid, so that API and
// command line tell one kind of refusal.
func asInvalid(err error) error {
	var key *rules.KeyError
	if errors.As(err, &key) {
		field := key.Path
		if field == "" && key.Part > 0 {
			field = fmt.Sprintf("part %d", key.Part)
		}
		if field == "" {
			field = "key"
		}
		return &ledger.Error{Code: ledger.Invalid, Field: field, Msg: key.Msg}
	}
	return err
}
