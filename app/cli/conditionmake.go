package cli

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"dedupedesk/exporters"
	"dedupedesk/exporters/powerautomate"
	"dedupedesk/exporters/wdl"
	"dedupedesk/ledger"
)

type conditionMake struct {
	Trigger string `arg:"" optional:"" help:"What starts the flow. Not given: all are listed."`
	Purpose string `arg:"" optional:"" help:"What the condition is for. Not given: those that fit the trigger are listed."`
	Field   string `placeholder:"PATH" help:"The field it looks at, such as Status/Value. Not given: the usual one of the purpose."`
	Value   string `placeholder:"TEXT" help:"What the field is compared with: an account, a status, a limit."`
	Outputs string `complete:"file" placeholder:"FILE" help:"The trigger's outputs, copied from a past run; - is the input. The made events are made from it."`
	Classic bool   `help:"The trigger is of the older kind, which takes a path with slashes as one name."`
}

type madeBody struct {
	Line     string        `json:"line"`
	Slashed  string        `json:"with_slashes,omitempty"` // as the designer writes it
	Words    string        `json:"words"`
	OK       bool          `json:"ok"` // right on all made events
	Sample   *lineBody     `json:"sample,omitempty"`
	Variants []variantBody `json:"made_events"`
	Advice   []string      `json:"advice,omitempty"`
}

type variantBody struct {
	Name    string          `json:"name"`
	Outcome string          `json:"outcome"`
	Wanted  string          `json:"wanted"`
	Reason  string          `json:"reason"`
	Outputs json.RawMessage `json:"outputs"`
}

// Run writes the condition, or lists what can be chosen.
func (m *conditionMake) Run(c *call) error {
	t, known := powerautomate.FindTrigger(m.Trigger)
	switch {
	case m.Trigger == "":
		return c.listTriggers()
	case !known:
		return misuse("There is no trigger " + m.Trigger + ". Known are " + strings.Join(names(powerautomate.Triggers()), ", ") + ".")
	case m.Purpose == "":
		return c.listPurposes(t)
	}
	pick := powerautomate.Pick{Trigger: t.Name, Recipe: m.Purpose, Field: m.Field, Value: m.Value, Classic: m.Classic}
	outputs, err := m.outputs(c, &pick)
	if err != nil {
		return at(m.Outputs, err)
	}
	trial, err := pick.Try(outputs, time.Now())
	var input *exporters.InputError
	switch {
	case errors.As(err, &input) && input.Field == "recipe":
		return misuse("The purposes that fit " + t.Name + " are " + strings.Join(t.Recipes, ", ") + ".")
	case errors.As(err, &input):
		return &ledger.Error{Code: ledger.Invalid, Field: input.Field, Msg: "--" + input.Field + ": " + input.Msg}
	case err != nil:
		return at(m.Outputs, err)
	}
	if err := c.printTrial(trial); err != nil {
		return err
	}
	if !trial.OK() {
		return errNo
	}
	return nil
}

// outputs reads the file of a past run. What else it tells is said, or put into pick.
func (m *conditionMake) outputs(c *call, pick *powerautomate.Pick) ([]byte, error) {
	if m.Outputs == "" {
		return nil, nil
	}
	data, err := c.read(m.Outputs)
	if err != nil {
		return nil, err
	}
	found, err := powerautomate.Detect(data)
	if err != nil {
		return nil, err
	}
	for _, note := range found.Notes {
		c.say("%s", note)
	}
	if seen, ok := powerautomate.FindTrigger(found.Trigger); ok && seen.Name != pick.Trigger {
		c.say("This looks like another trigger: %s (%s).", seen.Name, seen.Title)
	}
	pick.Classic = pick.Classic || found.Generation == "classic"
	return found.Outputs, nil
}

func names(triggers []powerautomate.Trigger) []string {
	var list []string
	for _, t := range triggers {
		list = append(list, t.Name)
	}
	return list
}

type choiceBody struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	About   string   `json:"about,omitempty"`
	Choices []string `json:"purposes,omitempty"`
	Field   string   `json:"field,omitempty"`
	Value   string   `json:"value,omitempty"`
}

// list prints choices as a table of names and titles.
func (c *call) list(choices []choiceBody) error {
	if c.flags.JSON {
		return c.printJSON(choices)
	}
	var rows [][]string
	for _, b := range choices {
		rows = append(rows, []string{b.Name, b.Title, b.Value})
	}
	return c.table(rows)
}

func (c *call) listTriggers() error {
	var list []choiceBody
	for _, t := range powerautomate.Triggers() {
		list = append(list, choiceBody{Name: t.Name, Title: t.Title, About: t.Sees, Choices: t.Recipes})
	}
	return c.list(list)
}

func (c *call) listPurposes(t powerautomate.Trigger) error {
	var list []choiceBody
	for _, r := range powerautomate.Recipes(t.Name) {
		b := choiceBody{Name: r.Name, Title: r.Title, About: r.About, Field: r.Field}
		if r.Value.Name != "" {
			b.Value = "--value: " + r.Value.Label
		}
		list = append(list, b)
	}
	return c.list(list)
}

func (c *call) printTrial(t powerautomate.Trial) error {
	if c.flags.JSON {
		return c.printJSON(bodyOfTrial(t))
	}
	lines := []string{t.Nested, t.Words}
	if t.Slashed != "" {
		lines = append(lines, "As the designer writes it: "+t.Slashed)
	}
	for _, l := range append(lines, "") {
		if err := c.print("%s", printable(l)); err != nil {
			return err
		}
	}
	if t.Sample != nil {
		if err := c.printEvent(t.Sample.Outcome, "your event", t.Sample.Reason); err != nil {
			return err
		}
	}
	for _, v := range t.Variants {
		said := ""
		switch {
		case !v.OK():
			said = "NOT RIGHT, wanted is " + string(v.Want) + ". " + v.Result.Reason
		case v.Want == wdl.EvalError:
			said = "No line can bear this form."
		}
		if err := c.printEvent(v.Result.Outcome, v.Name, said); err != nil {
			return err
		}
	}
	for _, a := range t.Advice {
		c.say("%s", a)
	}
	return nil
}

func (c *call) printEvent(o wdl.Outcome, name, said string) error {
	line := c.outcome(o) + "  " + printable(name)
	if said != "" {
		line += ". " + printable(said)
	}
	return c.print("%s", line)
}

func bodyOfTrial(t powerautomate.Trial) madeBody {
	b := madeBody{Line: t.Nested, Slashed: t.Slashed, Words: t.Words, OK: t.OK(), Advice: t.Advice}
	if t.Sample != nil {
		l := bodyOfLine(*t.Sample)
		b.Sample = &l
	}
	for _, v := range t.Variants {
		b.Variants = append(b.Variants, variantBody{v.Name, string(v.Result.Outcome), string(v.Want), v.Result.Reason, v.Outputs})
	}
	return b
}
