package admin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"dedupedesk/app/keeping"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// settings keeps the name, the time allowed and the rest, as they are typed.
func (p *designer) settings(t *turn) error {
	p.takeSettings(t)
	return nil
}

// takeSettings moves those of the form's values that it has into the draft. A value
// that no rule may have is refused with its sentence and changes nothing.
func (p *designer) takeSettings(t *turn) {
	r := t.draft.Rule
	takeNames(t, &r)
	for name, into := range map[string]*rules.Duration{"lease": &r.Lease, "keep": &r.Keep} {
		if !t.form.Has(name) {
			continue
		}
		d, err := rules.ParseDuration(t.form.Get(name))
		if err != nil || d == 0 {
			t.said.useFault = "Choose one of the times in the lists."
			continue
		}
		*into = d
	}
	for name, into := range map[string]*string{"on_expiry": &r.OnExpiry, "answer": &r.Answer, "if_unreachable": &r.IfUnreachable} {
		if choice := t.form.Get(name); choice != "" {
			*into = choice
		}
	}
	if t.form.Has("each") {
		r.Each = t.form.Get("each")
	}
	takeAttempts(t, &r)
	takeCost(t, &r)
	takeCame(t, &r)
	takeKeys(t, &r)
	p.takePrints(t, &r)
	if why := ledger.Why(t.form.Get("why")); why == ledger.Copies || why == ledger.Merged {
		t.draft.Why = why
	}
	t.said.refused = t.said.titleFault+t.said.nameFault+t.said.useFault != "" || len(t.said.faults) > 0
	if !t.said.refused {
		t.draft.Rule = r
	}
}

func takeNames(t *turn, r *rules.Rule) {
	if t.form.Has("title") {
		r.Title = strings.TrimSpace(t.form.Get("title"))
	}
	if utf8.RuneCountInString(r.Title) > rules.MaxTitle {
		t.said.titleFault = fmt.Sprintf("Use at most %d characters.", rules.MaxTitle)
	}
	if t.draft.Of == "" && t.form.Has("name") {
		r.Rule = strings.TrimSpace(t.form.Get("name"))
		if r.Rule != "" && !ledger.ValidRuleName(r.Rule) {
			t.said.nameFault = "Use 1 to 64 of the characters a to z, 0 to 9, dot, hyphen and underscore, and start with a letter or digit."
		}
	}
}

// wrong refuses what was typed into a setting and keeps it on the page.
func (t *turn) wrong(name, text string) {
	if t.said.faults == nil {
		t.said.faults, t.said.typed = map[string]string{}, map[string]string{}
	}
	t.said.faults[name], t.said.typed[name] = text, t.form.Get(name)
}

func takeAttempts(t *turn, r *rules.Rule) {
	if !t.form.Has("max_attempts") {
		return
	}
	n, err := strconv.Atoi(t.form.Get("max_attempts"))
	if err != nil || n < 0 {
		t.wrong("max_attempts", "Choose one of the numbers in the list.")
		return
	}
	r.MaxAttempts = n
}

func takeCost(t *turn, r *rules.Rule) {
	if !t.form.Has("cost") {
		return
	}
	cost := strings.TrimSpace(t.form.Get("cost"))
	if cost != "" && !money.MatchString(cost) {
		t.wrong("cost", "Write an amount, such as 12.50 EUR.")
		return
	}
	r.CostPerDouble = cost
}

func takeCame(t *turn, r *rules.Rule) {
	if !t.form.Has("keep_samples") {
		return
	}
	n, err := strconv.Atoi(t.form.Get("keep_samples"))
	if err != nil || n < 0 || n > rules.MaxKeptSamples {
		t.wrong("keep_samples", "Choose one of the numbers in the list.")
		return
	}
	r.KeepSamples = n
}

// takeKeys reads the two ticks of unusual keys. A tick that is off is not sent, so
// the form says that it has them.
func takeKeys(t *turn, r *rules.Rule) {
	if !t.form.Has("keys") {
		return
	}
	r.FoldCase, r.LongKeys = t.form.Has("fold_case"), ""
	if t.form.Has("long_keys") {
		r.LongKeys = "sha256"
	}
}

// takePrints adds a field to those that copies must have alike, or takes one out.
func (p *designer) takePrints(t *turn, r *rules.Rule) {
	if t.form.Has("print_add") {
		field, fault := p.named(t.draft, t.form.Get("print_add"))
		path := inItem(r.Each, field.Text)
		switch {
		case fault != "":
		case field.Has(rules.BadgeChanges):
			fault = "This field changes on each try, so every copy would be listed."
		case !slices.Contains(r.Fingerprint, path):
			r.Fingerprint = append(slices.Clone(r.Fingerprint), path)
		}
		if fault != "" {
			t.wrong("print_add", fault)
		}
	}
	if out := t.form.Get("print_out"); out != "" {
		r.Fingerprint = slices.DeleteFunc(slices.Clone(r.Fingerprint), func(f string) bool { return f == out })
	}
}

// named finds the field that a person means: by its path, or without the body before
// it.
func (p *designer) named(d *draft, name string) (f rules.Field, fault string) {
	tree := p.trees.of(d.seen())
	name = strings.TrimSpace(name)
	for _, text := range []string{name, "body." + name, "body" + name} {
		if f, ok := tree.Find(text); ok && f.Kind != "object" && f.Kind != "list" {
			return f, ""
		}
	}
	if name == "" {
		return f, "Write the name of a field of your samples."
	}
	return f, "No sample has a field of this name. Write it as it stands in the list of fields."
}

// onlyWhen adds a comparison that was put together from lists to the rule's
// condition.
func (p *designer) onlyWhen(t *turn) error {
	field, fault := p.named(t.draft, t.form.Get("path"))
	if fault != "" {
		t.wrong("path", fault)
	}
	value := strings.TrimSpace(t.form.Get("value"))
	if value == "" {
		t.wrong("value", "Write the value that the field must have.")
	}
	if len(t.said.faults) > 0 {
		t.said.refused = true
		t.said.typed["path"], t.said.typed["value"] = t.form.Get("path"), value
		return nil
	}
	one := comparison(t.form.Get("how"), inItem(t.draft.Rule.Each, field.Text), literal(field.Kind, value))
	if one == "" {
		return errMoved
	}
	if when := strings.TrimSpace(t.draft.Rule.When); strings.Contains(when, one) {
		return nil // pressed twice
	} else if when != "" {
		if strings.Contains(when, "||") || strings.Contains(when, "?") {
			when = "(" + when + ")"
		}
		one = when + " && " + one
	}
	t.draft.Rule.When = one
	return nil
}

// comparison is a condition on one field, "" for a comparison that there is not.
func comparison(how, path, value string) string {
	switch how {
	case "is":
		return path + " == " + value
	case "not":
		return path + " != " + value
	case "more":
		return path + " > " + value
	case "less":
		return path + " < " + value
	case "has":
		return path + ".contains(" + value + ")"
	}
	return ""
}

// literal writes a value as a formula needs it to compare with a field of that kind.
func literal(kind, value string) string {
	plain := json.Valid([]byte(value))
	if kind == "number" && plain && strings.Trim(value, "0123456789.-") == "" || kind == "bool" && (value == "true" || value == "false") {
		return value
	}
	return rules.Part{Literal: value}.Text()
}

// inItem writes the path of a field in a list that the rule goes through as the
// formula of one item sees it.
func inItem(each, path string) string {
	rest, ok := strings.CutPrefix(path, strings.TrimSpace(each)+"[")
	if strings.TrimSpace(each) == "" || !ok {
		return path
	}
	_, below, ok := strings.Cut(rest, "]")
	if !ok {
		return path
	}
	return "item" + below
}

// outOfItem is the other way round: the path in the list's first item.
func outOfItem(each, path string) string {
	rest, ok := strings.CutPrefix(path, "item")
	if strings.TrimSpace(each) == "" || !ok || rest != "" && !strings.ContainsAny(rest[:1], ".[") {
		return path
	}
	return strings.TrimSpace(each) + "[0]" + rest
}

// settingsView is how the rule behaves, in words.
func (p *designer) settingsView(d *draft, begun []string, issues []rules.Issue, s said) page.SettingsView {
	full := d.Rule.WithDefaults()
	advice, warns := keepAdvice(full, begun)
	tree := p.trees.of(d.seen())
	words := wordsAddress(d, tree)
	v := page.SettingsView{
		Lease: durations(full.Lease, leases[:]), Keep: durations(full.Keep, keeps[:]), KeepAdvice: advice, KeepWarns: warns,
		Attempts: attempts(full.MaxAttempts), Ask: full.OnExpiry == string(ledger.Ask), Answer: full.Answer,
		GoOn: full.IfUnreachable == "go_on", Fold: full.FoldCase, Long: full.LongKeys != "",
		Came: came(full.KeepSamples), CameNow: strings.ToLower(cameText(full.KeepSamples)),
		Cost: full.CostPerDouble, CostFault: s.faults["cost"],
		Only:  page.OnlyView{Path: s.typed["path"], PathFault: s.faults["path"], Value: s.typed["value"], ValueFault: s.faults["value"]},
		Print: s.typed["print_add"], PrintFault: s.faults["print_add"], Samples: len(d.Rule.Samples) > 0, Words: words,
		When: formulaView(words, "when", d.Rule.When, issues), Each: formulaView(words, "each", d.Rule.Each, issues),
	}
	if v.CostFault != "" {
		v.Cost = s.typed["cost"]
	}
	v.When.Name, v.When.Like = "Formula of the condition", `body.status == "paid"`
	v.Each.Name, v.Each.Like = "Formula of the list", "body.line_items"
	v.Lists = lists(d.Rule.Each, tree.Fields())
	for _, text := range d.Rule.Fingerprint {
		v.Prints = append(v.Prints, page.PrintView{Formula: text, Name: printName(text)})
	}
	return v
}

// printName is a formula of the fingerprint as people read it.
func printName(formula string) string {
	if parts, ok := rules.Parts("key(" + formula + ")"); ok && len(parts) == 1 && parts[0].Name() != "" {
		return parts[0].Name()
	}
	return formula
}

// maxLists bounds the lists to choose from; another is typed as a formula.
const maxLists = 40

// lists are the lists that a rule may go through, item by item.
func lists(now string, fields []rules.Field) []page.OptionView {
	now = strings.TrimSpace(now)
	out := []page.OptionView{{Value: "", Text: "No: one event is one key", Chosen: now == ""}}
	found := now == ""
	for _, f := range fields {
		if f.Kind == "list" && !f.Has(rules.BadgeListPosition) && len(out) < maxLists {
			out = append(out, page.OptionView{Value: f.Text, Text: "Yes, one for each item of " + strings.TrimPrefix(f.Text, "body."), Chosen: f.Text == now})
			found = found || f.Text == now
		}
	}
	if !found {
		out = append(out, page.OptionView{Value: now, Text: "Yes, by a formula", Chosen: true})
	}
	return out
}

// attempts are the numbers of tries to choose from, with the present one among them.
func attempts(now int) []page.OptionView {
	return numbers(now, []int{0, 1, 2, 3, 5, 10}, func(n int) string {
		switch n {
		case 0:
			return "As often as it comes"
		case 1:
			return "Once only"
		}
		return page.Counted(n, "time")
	})
}

// came are the choices of how many events are kept.
func came(now int) []page.OptionView { return numbers(now, []int{0, 20, 100, 1000}, cameText) }

func cameText(n int) string {
	switch n {
	case 0:
		return "Nothing"
	case 1:
		return "The newest event"
	}
	return "The newest " + page.Counted(n, "event")
}

// numbers are choices, and now among them.
func numbers(now int, choices []int, text func(int) string) []page.OptionView {
	if !slices.Contains(choices, now) {
		choices = append(choices, now)
		slices.Sort(choices)
	}
	var out []page.OptionView
	for _, n := range choices {
		out = append(out, page.OptionView{Value: strconv.Itoa(n), Text: text(n), Chosen: n == now})
	}
	return out
}

// keepAdvice says why finished keys should not be forgotten sooner, and whether the
// rule forgets them too soon.
func keepAdvice(full rules.Rule, begun []string) (advice string, warns bool) {
	of := keeping.Of(full.Sender, begun)
	if warning := of.Warning(time.Duration(full.Keep)); warning != "" {
		return warning, true
	}
	return of.Sentence(), false
}

// The times to choose from.
var (
	leases = [...]rules.Duration{
		rules.Duration(time.Minute), rules.Duration(5 * time.Minute), rules.Duration(15 * time.Minute), rules.Duration(time.Hour),
		rules.Duration(4 * time.Hour), rules.Duration(24 * time.Hour), rules.Duration(7 * 24 * time.Hour),
	}
	keeps = [...]rules.Duration{
		rules.Duration(7 * 24 * time.Hour), rules.Duration(14 * 24 * time.Hour), rules.Duration(35 * 24 * time.Hour),
		rules.Duration(90 * 24 * time.Hour), rules.Duration(400 * 24 * time.Hour),
	}
)

// durations are the choices, with the present value among them.
func durations(now rules.Duration, choices []rules.Duration) []page.OptionView {
	choices = slices.Clone(choices)
	if !slices.Contains(choices, now) {
		choices = append(choices, now)
		slices.Sort(choices)
	}
	var out []page.OptionView
	for _, d := range choices {
		out = append(out, page.OptionView{Value: d.String(), Text: inWords(d), Chosen: d == now})
	}
	return out
}

// inWords writes a span in its largest whole unit: 15 minutes.
func inWords(d rules.Duration) string {
	for _, u := range []struct {
		word string
		span time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		if span := time.Duration(d); span >= u.span && span%u.span == 0 {
			return page.Counted(int(span/u.span), u.word)
		}
	}
	return d.String()
}
