package powerautomate

import (
	"fmt"
	"strings"
	"time"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// A condition is the line of a checklist in the making.
type condition struct {
	trigger Trigger
	recipe  recipe
	clause  clause
	line    Line
	base    []byte // what made events are made from
	lack    string // what the person has to type or choose first; "" where the line is made
}

// readCondition reads what the person typed. What is missing or does not fit together
// is a lack; what can never be right is an *exporters.InputError.
func readCondition(s exporters.Setup) (condition, error) {
	var c condition
	answers := map[string]string{}
	for _, f := range []exporters.Field{conditionTriggerField(), recipeField(), generationField} {
		v, err := s.Detail(f)
		if err != nil {
			return c, err
		}
		answers[f.Name] = v
	}
	c.trigger, _ = FindTrigger(answers[triggerName])
	c.recipe, _ = findRecipe(c.trigger.Name, answers[recipeName])
	c.clause.classic = answers[generationField.Name] == classic
	if !offers(c.trigger, c.recipe.Name) {
		c.lack = "That purpose does not fit " + c.trigger.Title + ". These do: " + titles(c.trigger.Name) + "."
	}
	if err := c.readField(s); err != nil {
		return c, err
	}
	if err := c.readValue(s.Details[c.recipe.detail]); err != nil {
		return c, err
	}
	if c.lack == "" {
		var err error
		if c.line, err = c.clause.line(c.recipe); err != nil {
			c.lack = err.(*exporters.InputError).Msg //nolint:errorlint // line returns no other
		}
	}
	return c, nil
}

// need keeps the first lack.
func (c *condition) need(lack string) {
	if c.lack == "" {
		c.lack = lack
	}
}

// readField reads the path, and the kind of what stands there in the first sample
// that has it. Made events are made from that sample, else from the trigger's example.
func (c *condition) readField(s exporters.Setup) error {
	c.base = c.trigger.Example
	if c.recipe.NoField {
		return nil
	}
	typed := s.Details[fieldName]
	if strings.TrimSpace(typed) == "" {
		typed = c.recipe.Field
	}
	if typed == "" {
		c.need("Type the path of the field first.")
		return nil
	}
	var err error
	if c.clause.path, err = readPath(fieldName, typed); err != nil {
		return err
	}
	for _, sample := range s.Samples {
		outputs, err := outputsOf(sample)
		if err != nil {
			continue // its own check says so
		}
		if c.clause.kind, c.clause.sample = kindAt(outputs, c.clause.path); c.clause.kind != "" {
			c.base = outputs
			return nil
		}
	}
	return nil
}

func (c *condition) readValue(typed string) error {
	if c.recipe.check == nil {
		return nil
	}
	value, bad := c.recipe.check(typed)
	switch {
	case bad != "" && strings.TrimSpace(typed) == "":
		c.need(bad)
	case bad != "":
		return wrong(c.recipe.detail, bad)
	}
	c.clause.value = value
	return nil
}

// titles lists the recipes of a trigger for a sentence.
func titles(trigger string) string {
	var list []string
	for _, r := range Recipes(trigger) {
		list = append(list, r.Title)
	}
	return strings.Join(list, "; ")
}

// details names what the line is made of.
func (c condition) details() []string {
	list := []string{triggerName, recipeName, generationField.Name}
	if !c.recipe.NoField {
		list = append(list, fieldName)
	}
	if c.recipe.check != nil {
		list = append(list, c.recipe.detail)
	}
	return list
}

// step offers the line, with what it does on samples and on made events.
func (c condition) step(samples []exporters.Sample) exporters.Step {
	s := exporters.Step{
		ID:         "line",
		Title:      "Add this line",
		Where:      "Trigger conditions > Add > paste the line into the empty box. One line per box; all boxes must be true.",
		ValueLabel: "Trigger condition",
		Why:        "In words: " + c.about(),
		NotFixed:   "It does not stop copies of an event, or a second flow that starts at the same things.",
		Sources:    []exporters.Source{triggersPage, functionsPage},
		Tried:      "Worked out here by our own evaluator on the events named here. Not tried in Power Automate.",
		Details:    c.details(),
	}
	if c.recipe.Name == OwnEdits {
		s.NotFixed = "It does not stop copies of an event, a second flow on the same list, or edits that a person makes with the flow's account."
	} else {
		s.Warning = c.recipe.Warning
	}
	if c.lack != "" {
		s.Blocked = c.lack
		return s
	}
	s.Value = c.line.Nested
	s.Checks = append(s.Checks, c.form())
	variants, checks := c.onVariants()
	s.Checks = append(s.Checks, checks...)
	s.Checks = append(s.Checks, c.onSamples(samples)...)
	s.Checks = append(s.Checks, c.spelling(variants)...)
	s.BlockByChecks()
	return s
}

// about says in words what the line does, and what follows.
func (c condition) about() string {
	said := c.line.Words
	if said == "" {
		said = c.recipe.About
	}
	return strings.ToLower(said[:1]) + said[1:] + " " + c.recipe.then
}

// form checks how the line is written, on an event without anything in it.
func (c condition) form() exporters.Check {
	r, err := c.clause.try(c.line.Nested, []byte("{}"), time.Unix(0, 0))
	switch {
	case err != nil:
		return exporters.Check{Result: exporters.Fail, Text: "The line could not be looked at: " + err.Error() + "."}
	case r.Outcome != wdl.Run && r.Outcome != wdl.Skip:
		return exporters.Check{Result: exporters.Fail, Text: r.Reason}
	}
	return exporters.Check{Result: exporters.OK, Text: "Starts with @, is one expression to its end, and gives true or false."}
}

// onVariants leaves out the forms that no line can bear: they hold for every line.
func (c condition) onVariants() ([]Variant, []exporters.Check) {
	var variants []Variant
	var checks []exporters.Check
	for _, m := range c.recipe.made(c.clause) {
		v, err := c.clause.variant(c.line.Nested, c.base, m, time.Unix(0, 0))
		if err != nil {
			checks = append(checks, exporters.Check{Result: exporters.Fail, Text: "A made event could not be worked out: " + err.Error() + "."})
			continue
		}
		variants = append(variants, v)
		if v.Want != fails || !v.OK() {
			checks = append(checks, v.check())
		}
	}
	return variants, checks
}

func (v Variant) check() exporters.Check {
	if !v.OK() {
		return exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("Made event, %s: %s That is not what the line is for.", v.Name, v.Result.Reason)}
	}
	return exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("Made event, %s: the flow %s.", v.Name, does(v.Result.Outcome))}
}

func does(o wdl.Outcome) string {
	if o == wdl.Run {
		return "starts"
	}
	return "does not start"
}

// onSamples tells what the line does on each sample, and how to find the real path
// where no sample has it.
func (c condition) onSamples(samples []exporters.Sample) []exporters.Check {
	var checks []exporters.Check
	found := c.recipe.NoField
	for i, s := range samples {
		check, has := c.onSample(s.Label(i), s)
		found = found || has
		if check.Text != "" {
			checks = append(checks, check)
		}
	}
	if !found {
		checks = append(checks, exporters.Check{Result: exporters.Warn, Text: "None of your samples has " + c.clause.name() +
			". To read the real path, open a past run, click the trigger and press Show raw outputs; then paste them as a sample."})
	}
	return checks
}

// onSample reports whether the sample has the field, and what follows.
func (c condition) onSample(name string, s exporters.Sample) (exporters.Check, bool) {
	outputs, err := outputsOf(s)
	if err != nil {
		return exporters.Check{Result: exporters.Warn, Text: name + " could not be read: " + err.Error() + "."}, false
	}
	at := exporters.Check{}
	field := wdl.Evaluated{OK: true}
	if !c.recipe.NoField {
		if field, err = wdl.Evaluate(outputs, wdl.Read(c.clause.path), wdl.Options{}); err != nil {
			return exporters.Check{Result: exporters.Warn, Text: name + " could not be read: " + err.Error() + "."}, false
		}
	}
	switch {
	case !field.OK:
		return exporters.Check{Result: exporters.Fail, Text: name + ": " + field.Reason}, true
	case field.Kind == "null":
		return at, false
	}
	r, err := c.clause.try(c.line.Nested, outputs, time.Unix(0, 0))
	switch {
	case err != nil:
		return exporters.Check{Result: exporters.Warn, Text: name + " could not be read: " + err.Error() + "."}, true
	case r.Outcome != wdl.Run && r.Outcome != wdl.Skip:
		return exporters.Check{Result: exporters.Fail, Text: name + ": " + r.Reason}, true
	case c.recipe.NoField:
		return at, true // what it does hangs on the clock, not on the sample
	}
	return exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("%s, where %s is %s: the flow %s.", name, c.clause.name(), shown(field.Text), does(r.Outcome))}, true
}

// shown cuts a value for a sentence.
func shown(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	if s == "" {
		return "empty text"
	}
	return s
}

// spelling compares the line with the designer's own way to write it.
func (c condition) spelling(variants []Variant) []exporters.Check {
	differs := c.clause.spelling(c.line, variants)
	switch {
	case c.recipe.NoField:
		return nil
	case c.clause.classic:
		return []exporters.Check{{Result: exporters.Warn, Text: "A classic trigger takes a path with slashes as one name, so keep to the line above."}}
	case len(differs) > 0 || c.line.Slashed == "":
		return []exporters.Check{{Result: exporters.Warn, Text: "The designer's own spelling of this path did not come to the same here, so keep to the line above."}}
	}
	return []exporters.Check{{Result: exporters.OK, Text: "The designer itself would write " + c.line.Slashed + " ; it came to the same on all made events."}}
}
