package cli

import (
	"fmt"

	"dedupedesk/exporters"
	"dedupedesk/exporters/catalog"
)

type checkCommand struct {
	File string `arg:"" complete:"file" help:"The file; - is the input."`
}

type findingBody struct {
	Result string `json:"result"`
	Where  string `json:"where,omitempty"`
	Text   string `json:"text"`
}

// Run says what is wrong with an automation's file. The answer is no where the platform
// would not take it or not do what it says; a file that is none of the known ones is an
// error.
func (x *checkCommand) Run(c *call) error {
	data, err := c.read(x.File)
	if err != nil {
		return at(x.File, err)
	}
	kind, findings := catalog.Validate(data)
	if kind == "" {
		return misuse(x.File + ": " + findings[0].Text)
	}
	fails, list := 0, []findingBody{}
	for _, f := range findings {
		if f.Result == exporters.Fail {
			fails++
		}
		list = append(list, findingBody{f.Result, f.Where, f.Text})
	}
	if c.flags.JSON {
		err = c.printJSON(map[string]any{"kind": kind, "title": catalog.KindTitle(kind), "faults": fails, "findings": list})
	} else {
		err = c.printFindings(catalog.KindTitle(kind), list)
	}
	if err == nil && fails > 0 {
		return errNo
	}
	return err
}

// printFindings prints what the file is, then each finding with its place.
func (c *call) printFindings(title string, list []findingBody) error {
	said := "nothing wrong with it"
	if len(list) > 0 {
		said = fmt.Sprintf("%d to look at", len(list))
	}
	if err := c.print("%s, %s", title, said); err != nil {
		return err
	}
	for _, f := range list {
		as, word := yellow, "look"
		if f.Result == exporters.Fail {
			as, word = red, "fault"
		}
		line := printable(f.Text)
		if f.Where != "" {
			line += " (" + printable(f.Where) + ")"
		}
		if err := c.print("%s  %s", painted(c.program.Out, as, fmt.Sprintf("%-5s", word)), line); err != nil {
			return err
		}
	}
	return nil
}
