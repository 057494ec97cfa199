package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/intake"
	"dedupedesk/app/setup"
	"dedupedesk/exporters"
	"dedupedesk/exporters/catalog"
	"dedupedesk/ledger"
)

type exportCommand struct {
	Platform string   `arg:"" complete:"platform" help:"power-automate, make, sharepoint, …; a wrong one lists all."`
	Rule     string   `complete:"rulefile" placeholder:"NAME" help:"The rule, by name or as a file."`
	Out      string   `required:"" complete:"dir" placeholder:"DIR" help:"The folder to write to; made if need be."`
	Set      []string `sep:"none" complete:"detail" placeholder:"NAME=VALUE" help:"An answer or a detail that the platform's steps need, or route=… for another way. May be given again."`
}

// checklistFile is the name of the checklist among an export's files, without its
// ending: it is written as Markdown, which is plain text too, and as a page to print.
const checklistFile = "checklist"

// Run writes the checklist and the files. The answer is no where the rule does
// not fit the platform, so that a value must not be copied. A value that only
// lacks an optional detail is left out with a note.
func (x *exportCommand) Run(c *call) error {
	e, ok := catalog.ByName(x.Platform)
	if !ok {
		return misuse(fmt.Sprintf("There is no platform %q. Known are: %s.", x.Platform, strings.Join(platforms(), ", ")))
	}
	rule, err := x.rule(c)
	if err != nil {
		return err
	}
	var told exporters.Setup
	if rule != nil {
		told = setup.Of(c.ctx, rule)
	}
	told.Here = c.program.Endpoint
	if told.Details, err = x.details(e); err != nil {
		return err
	}
	if err := x.answers(c, e, rule, told.Details); err != nil {
		return err
	}
	if err := x.missing(e, told); err != nil {
		return err
	}
	list, err := e.Build(told)
	if err != nil {
		return withFlag(err)
	}
	handout := exporters.Handout{Checklist: list, Made: time.Now().UTC().Format(time.DateOnly)}
	if rule != nil {
		handout.Rule = told.Title + " (" + rule.Name + ")"
	}
	written, err := writeAll(x.Out, handout)
	if err != nil {
		return err
	}
	x.sayUnused(c, e, told)
	blocked, isBlocked := list.Blocked()
	body := map[string]any{
		"platform": list.Platform, "title": list.Title, "route": list.Route, "written": written, "blocked": blocked,
		"ways": waysOf(e, told), "steps": stepsOf(list),
	}
	if err := c.answer(body, "wrote %s", strings.Join(written, "\nwrote ")); err != nil || !isBlocked {
		return err
	}
	full, untyped := x.withExamples(e, told)
	if mended, err := e.Build(full); err == nil {
		if reason, still := mended.Blocked(); still {
			c.say("One step must not be copied: %s", reason)
			return errNo
		}
	}
	c.say("One step is left out: %s Its details are %s.", blocked, strings.Join(untyped, ", "))
	return nil
}

// withExamples fills in what was not typed by its example, and names it.
func (x *exportCommand) withExamples(e exporters.Exporter, s exporters.Setup) (full exporters.Setup, untyped []string) {
	s.Details = maps.Clone(s.Details)
	for _, f := range exporters.Asked(e, s) {
		if s.Details[f.Name] == "" && len(f.Choices) == 0 && f.Example != "" {
			s.Details[f.Name] = f.Example
			untyped = append(untyped, "--set "+f.Name+"=…")
		}
	}
	return s, untyped
}

func platforms() []string {
	var names []string
	for _, e := range catalog.All() {
		names = append(names, e.Name())
	}
	return names
}

// details reads --set, and refuses names that the platform does not ask for.
func (x *exportCommand) details(e exporters.Exporter) (map[string]string, error) {
	names := []string{exporters.RouteDetail}
	for _, f := range e.Fields() {
		names = append(names, f.Name)
	}
	out := map[string]string{}
	for _, set := range x.Set {
		name, value, ok := strings.Cut(set, "=")
		if !ok {
			return nil, misuse("--set takes NAME=VALUE, not " + set + ".")
		}
		if !slices.Contains(names, name) {
			return nil, misuse(fmt.Sprintf("%s has no detail %q. Known are: %s.", e.Name(), name, strings.Join(names, ", ")))
		}
		if _, twice := out[name]; twice {
			return nil, misuse("--set " + name + " is given twice.")
		}
		out[name] = value
	}
	return out, nil
}

// answers adds the answers that the page Settings steps keeps of a rule by name, where
// --set does not say otherwise. Over --url they are out of reach, and it says so.
func (x *exportCommand) answers(c *call, e exporters.Exporter, rule *intake.Rule, details map[string]string) error {
	if rule == nil || isFile(x.Rule) {
		return nil
	}
	if c.flags.URL != "" {
		c.say("Over --url the answers kept on the page Settings steps are not read. Those of --set alone count.")
		return nil
	}
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	kept, err := l.Rule(c.ctx, x.Rule)
	if err != nil {
		return err
	}
	text, ok, err := l.Setting(c.ctx, setup.AnswersName(kept.ID))
	if err != nil || !ok {
		return err
	}
	var answers map[string]string
	if err := json.Unmarshal([]byte(text), &answers); err != nil {
		return fmt.Errorf("setting %s: %w", setup.AnswersName(kept.ID), err)
	}
	var taken []string
	for _, f := range exporters.Asked(e, exporters.Setup{Rule: x.Rule}) {
		if _, set := details[f.Name]; !set && answers[f.Name] != "" {
			details[f.Name] = answers[f.Name]
			taken = append(taken, f.Name+"="+answers[f.Name])
		}
	}
	if len(taken) > 0 {
		c.say("From the page Settings steps: %s. Give --set to say otherwise.", strings.Join(taken, ", "))
	}
	return nil
}

// missing refuses the absence of a detail that the chosen way needs.
func (x *exportCommand) missing(e exporters.Exporter, s exporters.Setup) error {
	var missing []string
	for _, f := range exporters.Asked(e, s) {
		if f.Required && strings.TrimSpace(s.Details[f.Name]) == "" {
			missing = append(missing, fmt.Sprintf("--set %s=… (%s)", f.Name, example(f)))
		}
	}
	if len(missing) > 0 {
		return misuse(e.Name() + " also needs " + strings.Join(missing, " and ") + ".")
	}
	return nil
}

func example(f exporters.Field) string {
	if f.Example == "" {
		return f.Label
	}
	return f.Label + ", such as " + f.Example
}

// rule returns the rule to export, nil for a setting that needs none.
func (x *exportCommand) rule(c *call) (*intake.Rule, error) {
	if x.Rule == "" {
		return nil, nil
	}
	file, err := c.ruleFile(x.Rule)
	if err != nil {
		return nil, err
	}
	program, err := c.compile(file)
	if err != nil {
		return nil, err
	}
	full := file.WithDefaults()
	kept := ledger.Rule{Name: full.Rule, Title: full.Title, Policy: intake.PolicyOf(&full)}
	return &intake.Rule{Rule: kept, File: &full, Program: program}, nil
}

// withFlag tells which flag a refused detail came from.
func withFlag(err error) error {
	var input *exporters.InputError
	if errors.As(err, &input) && input.Field != "" {
		return &ledger.Error{Code: ledger.Invalid, Field: input.Field, Msg: "--set " + input.Field + ": " + input.Msg}
	}
	return err
}

// writeAll writes the checklist and its files into dir and returns their paths.
func writeAll(dir string, h exporters.Handout) ([]string, error) {
	page, err := h.HTML()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	files := []exporters.File{{Name: checklistFile + ".md", Data: h.Markdown()}, {Name: checklistFile + ".html", Data: page}}
	for _, step := range h.Steps {
		if f := h.FileOf(step); f != nil {
			files = append(files, *f)
		}
	}
	var written []string
	for _, f := range files {
		if !filepath.IsLocal(f.Name) || f.Name != filepath.Base(f.Name) {
			return nil, fmt.Errorf("write %q: not a plain file name", f.Name)
		}
		path := filepath.Join(dir, f.Name)
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			return nil, err
		}
		written = append(written, path)
	}
	return written, nil
}
