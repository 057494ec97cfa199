package cli

import (
	"fmt"
	"time"

	"dedupedesk/exporters/powerautomate"
	"dedupedesk/exporters/wdl"
)

type conditionCommand struct {
	Test conditionTest `cmd:"" help:"Work out trigger conditions on a run's outputs: exit 0 run, 1 skip, 2 anything else."`
	Make conditionMake `cmd:"" help:"Write a trigger condition for a purpose, and try it on made events: exit 1 where one goes wrong."`
}

type conditionTest struct {
	Lines   []string `arg:"" name:"line" help:"The lines of Trigger conditions, each beginning with @."`
	Outputs string   `required:"" complete:"file" placeholder:"FILE" help:"The trigger's outputs, copied from a past run; - is the input."`
	Classic bool     `help:"The trigger is of the older kind, which takes a path with slashes as one name."`
	Why     bool     `help:"Show what each part of a line comes to."`
}

type lineBody struct {
	Line     string     `json:"line"`
	Outcome  string     `json:"outcome"`
	Reason   string     `json:"reason"`
	Offset   *int       `json:"offset,omitempty"` // of the fault, in characters from 0
	Warnings []string   `json:"warnings,omitempty"`
	Parts    []partBody `json:"parts,omitempty"`
}

type partBody struct {
	Text  string `json:"text"`
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func bodyOfLine(l wdl.LineResult) lineBody {
	b := lineBody{Line: l.Line, Outcome: string(l.Outcome), Reason: l.Reason, Warnings: l.Warnings}
	if l.Offset >= 0 {
		b.Offset = &l.Offset
	}
	for _, s := range l.Steps {
		b.Parts = append(b.Parts, partBody{s.Text, s.Kind, s.Value})
	}
	return b
}

// Run works the lines out as Power Automate does.
func (t *conditionTest) Run(c *call) error {
	data, err := c.read(t.Outputs)
	if err != nil {
		return err
	}
	res, err := powerautomate.Test(data, t.Lines, wdl.Options{Now: time.Now(), Classic: t.Classic})
	if err != nil {
		return at(t.Outputs, err)
	}
	if c.flags.JSON {
		lines := make([]lineBody, len(res.Lines))
		for i, l := range res.Lines {
			lines[i] = bodyOfLine(l)
		}
		err = c.printJSON(map[string]any{"outcome": string(res.Outcome), "lines": lines, "warnings": res.Warnings})
	} else {
		err = c.printConditions(res, t.Why)
	}
	if err != nil {
		return err
	}
	switch res.Outcome {
	case wdl.Run:
		return nil
	case wdl.Skip:
		return errNo
	}
	return &exitError{fault}
}

// printConditions prints each line's outcome first, and why below it.
func (c *call) printConditions(res wdl.Result, why bool) error {
	for _, l := range res.Lines {
		if err := c.printCondition(l, why); err != nil {
			return err
		}
	}
	for _, w := range res.Warnings {
		c.say("%s", w)
	}
	return nil
}

func (c *call) printCondition(l wdl.LineResult, why bool) error {
	if err := c.print("%s  %s", c.outcome(l.Outcome), printable(l.Line)); err != nil {
		return err
	}
	notes := []string{l.Reason}
	if l.Offset >= 0 {
		notes[0] = fmt.Sprintf("Character %d: %s", l.Offset+1, l.Reason)
	}
	notes = append(notes, l.Warnings...)
	if why {
		for _, s := range l.Steps {
			notes = append(notes, fmt.Sprintf("%s is %s", s.Text, s.Value))
		}
	}
	for _, n := range notes {
		if err := c.print("%-12s  %s", "", printable(n)); err != nil {
			return err
		}
	}
	return nil
}

// outcome is an outcome in its colour, as wide as the longest.
func (c *call) outcome(o wdl.Outcome) string {
	as := red
	switch o {
	case wdl.Run:
		as = green
	case wdl.Skip:
		as = yellow
	}
	return painted(c.program.Out, as, fmt.Sprintf("%-12s", o))
}
