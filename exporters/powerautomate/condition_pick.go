package powerautomate

import (
	"strings"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// Names of the fields that an [exporters.InputError] of this builder is about.
const (
	triggerName = "trigger"
	recipeName  = "recipe"
	fieldName   = "field"
	valueName   = "value"
)

// A Pick is what a person chose to make a condition of.
type Pick struct {
	Trigger string // Trigger.Name
	Recipe  string // Recipe.Name, one of Trigger.Recipes
	Field   string // a path as typed, or PickField.Path as clicked; "" for Recipe.Field
	Value   string // what was typed for Recipe.Value
	Classic bool   // the trigger is of the older kind; see wdl.Options
}

// A Line is a condition in both ways in which Power Automate spells paths.
type Line struct {
	Nested  string // for either kind of trigger; this is the one to paste
	Slashed string // as the designer writes it; "" where it cannot, and in triggers of the older kind
	Words   string // what it says, in a sentence
	Kind    string // the kind that the field was taken for: text, number, …
}

// Line writes the condition. outputs, the trigger outputs of a past run, tell of
// which kind the field is; with none it is taken for what the recipe is about. The
// error is an *exporters.InputError of the field trigger, recipe, field or value.
func (p Pick) Line(outputs []byte) (Line, error) {
	r, c, err := p.read(outputs)
	if err != nil {
		return Line{}, err
	}
	return c.line(r)
}

// read checks the pick and returns what its line is made of.
func (p Pick) read(outputs []byte) (recipe, clause, error) {
	t, ok := FindTrigger(p.Trigger)
	if !ok {
		return recipe{}, clause{}, wrong(triggerName, "Choose how the flow starts.")
	}
	r, ok := findRecipe(t.Name, p.Recipe)
	if !ok || !offers(t, r.Name) {
		return recipe{}, clause{}, wrong(recipeName, "Choose what the condition is for.")
	}
	c := clause{classic: p.Classic}
	if !r.NoField {
		typed := p.Field
		if strings.TrimSpace(typed) == "" {
			typed = r.Field
		}
		if typed == "" {
			return recipe{}, clause{}, wrong(fieldName, "Click the field in the outputs, or type its path.")
		}
		path, err := readPath(fieldName, typed)
		if err != nil {
			return recipe{}, clause{}, err
		}
		c.path = path
		c.kind, c.sample = kindAt(outputs, path)
	}
	if r.check != nil {
		var bad string
		if c.value, bad = r.check(p.Value); bad != "" {
			return recipe{}, clause{}, wrong(valueName, bad)
		}
	}
	return r, c, nil
}

func offers(t Trigger, recipe string) bool {
	for _, name := range t.Recipes {
		if name == recipe {
			return true
		}
	}
	return false
}

func wrong(field, msg string) error { return &exporters.InputError{Field: field, Msg: msg} }

// kindAt tells the kind of what stands at path, "" where nothing does.
func kindAt(outputs []byte, path []string) (kind, text string) {
	if len(outputs) == 0 {
		return "", ""
	}
	v, err := wdl.Evaluate(outputs, wdl.Read(path), wdl.Options{})
	if err != nil || !v.OK || v.Kind == "null" {
		return "", ""
	}
	return v.Kind, v.Text
}

// readPath takes a path as typed for the detail field: Editor/Email, with or
// without body before it, or an expression in either spelling. What it returns
// begins below the outputs: body, Editor, Email.
func readPath(field, typed string) ([]string, error) {
	s := strings.TrimSpace(typed)
	if strings.Contains(s, "trigger") && strings.Contains(s, "(") {
		path, ok := wdl.ParsePath(s)
		if !ok || len(path) < 2 {
			return nil, wrong(field, "This expression is more than a path. It looks like triggerBody()?['Editor']?['Email'].")
		}
		return path, checkPath(field, path)
	}
	path := strings.Split(s, "/")
	if len(path) == 1 || !isRoot(path[0]) {
		path = append([]string{"body"}, path...)
	}
	return path, checkPath(field, path)
}

func isRoot(name string) bool { return name == "body" || name == "headers" || name == "queries" }

func checkPath(field string, path []string) error {
	for _, name := range path {
		if name == "" || strings.ContainsFunc(name, isControl) {
			return wrong(field, "A path is names with slashes between them, such as "+defaultEditor+".")
		}
	}
	if len(path) > maxPath {
		return wrong(field, "A path has one to eight names, such as "+defaultEditor+".")
	}
	return nil
}

// maxPath bounds a path: body and eight names.
const maxPath = 9
