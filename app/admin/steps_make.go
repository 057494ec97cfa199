package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"dedupedesk/app/setup"
	"dedupedesk/exporters"
	"dedupedesk/exporters/powerautomate"
	"dedupedesk/frontend/page"
)

// makeCondition shows the builder of trigger conditions, filled with the first sample
// of a rule where the address names one.
func (d stepsDesk) makeCondition(w http.ResponseWriter, r *http.Request) error {
	m := making{rule: r.URL.Query().Get("rule")}
	if m.rule != "" {
		rule, err := d.Intake.Rule(r.Context(), m.rule)
		if err != nil {
			return brokenRule(err, "is no sample to make a condition with")
		}
		m.title = titleOf(rule.Rule)
		if samples := setup.Of(r.Context(), rule).Samples; len(samples) > 0 {
			m.outputs = outputsText(samples[0])
		}
	}
	v := d.making(m)
	return d.show(w, r, http.StatusOK, place{Title: "Make a trigger condition", Active: "steps"}, page.OneSetting(page.OneConditionMake, page.ConditionMake(v)))
}

// outputsText writes a sample as a trigger's outputs.
func outputsText(s exporters.Sample) string {
	headers := s.Headers
	if headers == nil {
		headers = map[string]string{}
	}
	raw, err := json.Marshal(map[string]any{"headers": headers, "body": s.Body})
	if err != nil {
		return "" // a sample that cannot be written is left for the person to paste
	}
	var text bytes.Buffer
	if json.Indent(&text, raw, "", "  ") != nil {
		return string(raw)
	}
	return text.String()
}

// A making is what a person chose and typed so far.
type making struct {
	rule, title string
	outputs     string
	pick        powerautomate.Pick
	typed       string // a path beside those to click
	pressed     bool   // the line was asked for, so what is missing is said
}

// madeCondition answers each choice with the builder as it then stands. It keeps
// nothing.
func (d stepsDesk) madeCondition(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	get := r.PostFormValue
	m := making{rule: get("rule"), title: get("title"), outputs: get("outputs"), typed: strings.TrimSpace(get("typed")), pressed: get("make") != ""}
	m.pick = powerautomate.Pick{Trigger: get("trigger"), Recipe: get("recipe"), Field: get("field"), Value: get("value"), Classic: get("classic") != ""}
	return d.fragment(w, r, http.StatusOK, page.ConditionMake(d.making(m)))
}

func (d stepsDesk) making(m making) page.ConditionMakeView {
	v := page.ConditionMakeView{Rule: m.rule, RuleTitle: m.title, Outputs: m.outputs, Typed: m.typed}
	if m.rule != "" {
		v.Back = stepsAddress(m.rule, powerAutomate)
	}
	outputs := m.detect(&v)
	v.Classic = m.pick.Classic
	for _, t := range powerautomate.Triggers() {
		v.Triggers = append(v.Triggers, page.OptionView{Value: t.Name, Text: t.Title, Chosen: t.Name == m.pick.Trigger})
	}
	t, known := powerautomate.FindTrigger(m.pick.Trigger)
	if !known {
		return v
	}
	v.About = triggerAbout(t)
	chosen := m.chooseRecipe(&v)
	if chosen == nil {
		return v
	}
	m.askFor(&v, *chosen)
	if v.OutputsFault != "" {
		v.Waits = "Mend the event above, or empty its box."
		return v
	}
	d.tryLine(&v, m, *chosen, outputs)
	return v
}

const powerAutomate = "power-automate"

// detect reads what was pasted: the fields to click, and what the paste itself tells of
// the trigger.
func (m *making) detect(v *page.ConditionMakeView) []byte {
	if strings.TrimSpace(m.outputs) == "" {
		return nil
	}
	found, err := powerautomate.Detect([]byte(m.outputs))
	if err != nil {
		v.OutputsFault = "We could not read this: " + strings.TrimPrefix(err.Error(), "trigger outputs: ") + ". Paste all of the raw outputs."
		return nil
	}
	v.Notes = found.Notes
	seen, known := powerautomate.FindTrigger(found.Trigger)
	switch {
	case m.pick.Trigger == "" && known:
		m.pick.Trigger = seen.Name
		v.Notes = append(v.Notes, "This looks like the trigger "+seen.Title+".")
	case known && m.pick.Trigger != seen.Name:
		v.Notes = append(v.Notes, "What you pasted looks like another trigger: "+seen.Title+".")
	}
	if found.Generation == "classic" {
		m.pick.Classic = true
	}
	for _, f := range found.Fields {
		v.Fields = append(v.Fields, page.PickFieldView{Path: f.Path, Name: f.Name, Kind: f.Kind, Value: f.Value, Hint: f.Hint, Chosen: m.typed == "" && f.Path == m.pick.Field})
	}
	return found.Outputs
}

func triggerAbout(t powerautomate.Trigger) []string {
	var list []string
	for _, text := range []string{t.Starts, t.Splits, t.Sees, t.Blind} {
		if text != "" {
			list = append(list, text)
		}
	}
	for _, k := range t.Keys {
		list = append(list, k.Sentence())
	}
	return list
}

// chooseRecipe offers the recipes of the trigger, and returns the chosen one, nil where
// none of them is.
func (m *making) chooseRecipe(v *page.ConditionMakeView) *powerautomate.Recipe {
	all := powerautomate.Recipes(m.pick.Trigger)
	i := slices.IndexFunc(all, func(r powerautomate.Recipe) bool { return r.Name == m.pick.Recipe })
	for n, r := range all {
		v.Recipes = append(v.Recipes, page.ConditionRecipeView{Name: r.Name, Title: r.Title, About: r.About, Chosen: n == i})
	}
	if i < 0 {
		return nil
	}
	return &all[i]
}

// askFor shows what the recipe needs to know.
func (m *making) askFor(v *page.ConditionMakeView, r powerautomate.Recipe) {
	v.Warning, v.NeedsField, v.UsualField = r.Warning, !r.NoField, r.Field
	if r.Value.Name == "" {
		return
	}
	v.Value = &page.FieldView{ID: "make-value", Name: "value", Label: r.Value.Label, Help: r.Value.Help, Value: m.pick.Value, Optional: !r.Value.Required}
	if r.Value.Example != "" {
		v.Value.Help = strings.TrimSpace(v.Value.Help + " For example: " + r.Value.Example)
	}
	if len(r.Value.Choices) > 0 {
		v.Value.Kind, v.Value.Options = "select", nil
		for _, c := range r.Value.Choices {
			v.Value.Options = append(v.Value.Options, page.OptionView{Value: c.Value, Text: c.Text, Chosen: c.Value == m.pick.Value})
		}
	}
}

// tryLine writes the line and works it out, or puts what is wrong at its place. What is
// still empty is said once the line was asked for.
func (d stepsDesk) tryLine(v *page.ConditionMakeView, m making, r powerautomate.Recipe, outputs []byte) {
	if m.typed != "" {
		m.pick.Field = m.typed
	}
	trial, err := m.pick.Try(outputs, d.Clock.Now())
	if wrong, ok := errors.AsType[*exporters.InputError](err); ok {
		switch {
		case wrong.Field == "value" && v.Value != nil:
			if m.pressed || m.pick.Value != "" {
				v.Value.Fault = wrong.Msg
			}
		case m.pressed || m.pick.Field != "" || !v.NeedsField:
			v.FieldFault = wrong.Msg
		}
		v.Waits = waitsFor(v, r)
		return
	}
	if err != nil {
		v.OutputsFault = "We could not read this: " + err.Error() + "."
		return
	}
	v.Made = madeView(trial)
}

func waitsFor(v *page.ConditionMakeView, r powerautomate.Recipe) string {
	if v.NeedsField && r.Field == "" && v.Typed == "" && !slices.ContainsFunc(v.Fields, func(f page.PickFieldView) bool { return f.Chosen }) {
		return "Click the field that it is about, or type its path."
	}
	if v.Value != nil && v.Value.Value == "" {
		return "Fill in: " + v.Value.Label + "."
	}
	return ""
}

func madeView(t powerautomate.Trial) *page.ConditionMadeView {
	v := &page.ConditionMadeView{Nested: t.Line.Nested, Slashed: t.Line.Slashed, Words: t.Line.Words, OK: t.OK(), Advice: t.Advice}
	if t.Sample != nil {
		one := conditionLine(1, *t.Sample)
		v.Sample = &one
	}
	for _, made := range t.Variants {
		one := page.VariantView{Name: made.Name, Outcome: string(made.Result.Outcome), Want: string(made.Want), OK: made.OK(), Reason: made.Result.Reason, Note: made.Note, Outputs: string(made.Outputs)}
		var text bytes.Buffer
		if json.Indent(&text, made.Outputs, "", "  ") == nil {
			one.Outputs = text.String()
		}
		v.Variants = append(v.Variants, one)
	}
	return v
}
