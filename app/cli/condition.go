package cli

import (
	"fmt"
	"time"

	"dedupedesk/exporters/wdl"
)

type conditionCommand struct {
	Test conditionTest `cmd:"" help:"Work out trigger conditions on a run's outputs: exit 0 run, 1 skip, 2 anything else."`
}

type conditionTest struct {
	Lines   []string `arg:"" name:"line" help:"The lines of Trigger conditions, each beginning with @."`
	Outputs string   `required:"" complete:"file" placeholder:"FILE" help:"The trigger's outputs, copied from a past run; - is the input."`
	Classic bool     `help:"The trigger is of the older kind, which takes a path with slashes as one name."`
}

type lineBody struct {
	Line     string   `json:"line"`
	Outcome  string   `json:"outcome"`
	Reason   string   `json:"reason"`
	Offset   *int     `json:"offset,omitempty"` // of the fault, in characters from 0
	Warnings []string `json:"warnings,omitempty"`
}

// Run works the lines out as Power Automate does.
func (t *conditionTest) Run(c *call) error {
	data, err := c.read(t.Outputs)
	if err != nil {
		return err
	}
	res, err := wdl.Test(data, t.Lines, wdl.Options{Now: time.Now(), Classic: t.Classic})
	if err != nil {
		return at(t.Outputs, err)
	}
	if c.flags.JSON {
		lines := make([]lineBody, len(res.Lines))
		for i, l := range res.Lines {
			lines[i] = lineBody{Line: l.Line, Outcome: string(l.Outcome), Reason: l.Reason, Warnings: l.Warnings}
			if l.Offset >= 0 {
				lines[i].Offset = &l.Offset
			}
		}
		err = c.printJSON(map[string]any{"outcome": string(res.Outcome), "lines": lines, "warnings": res.Warnings})
	} else {
		err = c.printConditions(res)
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
func (c *call) printConditions(res wdl.Result) error {
	for _, l := range res.Lines {
		notes := l.Warnings
		reason := l.Reason
		if l.Offset >= 0 {
			reason = fmt.Sprintf("Character %d: %s", l.Offset+1, reason)
		}
		as := red
		switch l.Outcome {
		case wdl.Run:
			as = green
		case wdl.Skip:
			as = yellow
		}
		word := painted(c.program.Out, as, fmt.Sprintf("%-12s", l.Outcome))
		if err := c.print("%s  %s", word, printable(l.Line)); err != nil {
			return err
		}
		for _, n := range append([]string{reason}, notes...) {
			if err := c.print("%-12s  %s", "", printable(n)); err != nil {
				return err
			}
		}
	}
	for _, w := range res.Warnings {
		c.say("%s", w)
	}
	return nil
}
