package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/body"
	"dedupedesk/app/intake"
	"dedupedesk/app/keeping"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

type ruleCommand struct {
	Test   ruleTest   `cmd:"" help:"Judge rules on their samples: exit 1 where a verdict fails."`
	Show   ruleShow   `cmd:"" help:"Show a rule, or list all."`
	Import ruleImport `cmd:"" help:"Take rules from files, all or none."`
	Export ruleExport `cmd:"" help:"Write a rule as a file."`
	Key    ruleKey    `cmd:"" help:"Work out the keys of deliveries in files (JSON, JSON lines, CSV, .xlsx), without reserving them."`
}

// ruleSuffixes mark an argument as a file even where there is none of that name.
var ruleSuffixes = []string{".yaml", ".yml", ".json"}

// ruleFile returns the rule that a file or a name means.
func (c *call) ruleFile(arg string) (*rules.Rule, error) {
	if isFile(arg) {
		return c.readRule(arg)
	}
	return c.namedRule(arg)
}

func isFile(arg string) bool {
	if arg == "-" || slices.Contains(ruleSuffixes, strings.ToLower(filepath.Ext(arg))) || strings.ContainsAny(arg, `/\`) {
		return true
	}
	info, err := os.Stat(arg)
	return err == nil && !info.IsDir()
}

func (c *call) readRule(path string) (*rules.Rule, error) {
	data, err := c.read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, misuse("There is no file " + path + ".")
	}
	if err != nil {
		return nil, err
	}
	r, err := rules.Parse(data)
	return r, at(path, err)
}

// decodeRule returns the file of a rule that the ledger keeps. It is Invalid for
// default, which has none.
func decodeRule(r ledger.Rule) (*rules.Rule, error) {
	if len(r.Doc) == 0 {
		return nil, misuse("The rule " + r.Name + " has no formula: it takes ready keys. So there is no file of it.")
	}
	file, err := rules.Parse(r.Doc)
	return file, at("rule "+r.Name, err)
}

type ruleImport struct {
	Files []string `arg:"" complete:"file" name:"file" help:"Rule files, YAML or JSON; - is the input."`
	Why   string   `enum:",copies,merged" default:"" placeholder:"REASON" help:"Why a formula changed: copies (copies got through; what ran does not run again) or merged (different events shared a key). Not given: merged if the samples show it, else copies."`
}

// Run checks all files before it keeps the first.
func (r *ruleImport) Run(c *call) error {
	e, err := c.rulesEngine()
	if err != nil {
		return err
	}
	files := make([]*rules.Rule, len(r.Files))
	for i, path := range r.Files {
		if files[i], err = c.readRule(path); err != nil {
			return err
		}
		full := files[i].WithDefaults()
		if _, issues := e.Compile(&full); len(issues) > 0 {
			return at(path, &intake.IssuesError{Rule: full.Rule, Issues: issues})
		}
	}
	k, err := c.keeper()
	if err != nil {
		return err
	}
	bodies := make([]body.Rule, len(files))
	for i, file := range files {
		kept, err := k.putRule(c.ctx, file, ledger.Why(r.Why))
		if err != nil {
			return at(r.Files[i], err)
		}
		bodies[i] = kept
		if !c.flags.JSON {
			if err := c.print("imported %s", kept.Rule); err != nil {
				return err
			}
			if kept.LookBack != "" {
				c.say("Until %s the keys of former formulas of %s are looked for too.", kept.LookBack[:len("2006-01-02")], kept.Rule)
			}
			if kept.LookNote != "" {
				c.say("%s", kept.LookNote)
			}
		}
	}
	if c.flags.JSON {
		return c.printJSON(map[string]any{"imported": bodies})
	}
	return nil
}

type ruleExport struct {
	Name string `arg:"" complete:"rule" help:"The rule's name."`
	Out  string `complete:"file" placeholder:"FILE" help:"Write to this file instead of the output."`
}

// Run writes a rule as YAML, or as JSON under --json, which then also answers where.
func (r *ruleExport) Run(c *call) error {
	k, err := c.keeper()
	if err != nil {
		return err
	}
	kept, err := k.rule(c.ctx, r.Name)
	if err != nil {
		return err
	}
	file, err := decodeRule(kept)
	if err != nil {
		return err
	}
	data, err := file.YAML()
	if c.flags.JSON {
		data, err = file.JSON()
		data = append(data, '\n')
	}
	if err != nil {
		return fmt.Errorf("encode rule %q: %w", r.Name, err)
	}
	if r.Out == "" {
		if _, err := c.program.Out.Write(data); err != nil {
			return fmt.Errorf("write the rule: %w", err)
		}
		return nil
	}
	if err := os.WriteFile(r.Out, data, 0o600); err != nil { // samples can hold people's data
		return err
	}
	c.say("Wrote %s.", r.Out)
	if c.flags.JSON {
		return c.printJSON(map[string]any{"rule": kept.Name, "file": r.Out})
	}
	return nil
}

type ruleShow struct {
	Name string `arg:"" optional:"" complete:"rule" help:"The rule's name; all rules if not given."`
}

// Run shows one rule in words, or all in a table.
func (r *ruleShow) Run(c *call) error {
	k, err := c.keeper()
	if err != nil {
		return err
	}
	if r.Name == "" {
		return c.listRules(k)
	}
	kept, err := k.rule(c.ctx, r.Name)
	if err != nil {
		return err
	}
	full := (&rules.Rule{Rule: kept.Name, Title: kept.Title}).WithDefaults()
	if len(kept.Doc) > 0 {
		file, err := decodeRule(kept)
		if err != nil {
			return err
		}
		full = file.WithDefaults()
	}
	advice := keeping.Of(full.Sender, nil) // what checklists were begun, --url does not tell
	if c.flags.URL == "" {
		if advice, err = keeping.OfRule(c.ctx, c.ledger, kept); err != nil {
			return err
		}
	}
	keep := cmp.Or(advice.Warning(time.Duration(full.Keep)), advice.Sentence())
	if c.flags.JSON {
		return c.printJSON(struct {
			body.Rule
			KeepAdvice string `json:"keep_advice,omitempty"`
		}{body.RuleOf(kept), keep})
	}
	return c.table(ruleTable(full, kept, keep, advice.Sources()))
}

func (c *call) listRules(k keeper) error {
	list, err := k.rules(c.ctx)
	if err != nil {
		return err
	}
	bodies := make([]body.Rule, len(list))
	rows := [][]string{{"NAME", "TITLE", "VERSION", "CHANGED"}}
	for i, r := range list {
		bodies[i] = body.RuleOf(r)
		rows = append(rows, []string{r.Name, r.Title, fmt.Sprint(r.Version), clock(r.ChangedAt)})
	}
	if c.flags.JSON {
		return c.printJSON(map[string]any{"rules": bodies})
	}
	return c.table(rows)
}

func ruleTable(r rules.Rule, kept ledger.Rule, keep string, sources []string) [][]string {
	expiry := "the next copy may run"
	if r.OnExpiry == string(ledger.Ask) {
		expiry = "a person decides"
	}
	rows := [][]string{
		{"name", r.Rule}, {"title", r.Title}, {"sender", r.Sender},
		{"formula", r.Key}, {"one key for each of", r.Each}, {"only when", r.When},
		{"time allowed", span(time.Duration(r.Lease))}, {"when the time is up", expiry},
		{"forget after", span(time.Duration(r.Keep))}, {"", keep}, {"", strings.Join(sources, "; ")},
		{"when a copy arrives", r.Answer},
		{"samples", fmt.Sprint(len(r.Samples))}, {"version", fmt.Sprint(kept.Version)}, {"changed", clock(kept.ChangedAt)},
	}
	return slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "" })
}

// span writes a duration as rule files do.
func span(d time.Duration) string { return rules.Duration(d).String() }
