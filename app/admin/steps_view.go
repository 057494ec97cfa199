package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/guard"
	"dedupedesk/exporters"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// stepsAddress is the page of a checklist.
func stepsAddress(rule, tool string) string {
	q := url.Values{"tool": {tool}}
	if rule != "" {
		q.Set("rule", rule)
	}
	return "/steps?" + q.Encode()
}

// checklist turns a sheet into its page.
func (d stepsDesk) checklist(r *http.Request, s sheet) (page.ChecklistView, error) {
	window, now, list := guard.InWindow(r), d.Clock.Now(), s.offered()
	v := page.ChecklistView{
		Tool: s.tool.Name(), ToolTitle: s.tool.Title(), Title: list.Title, About: list.About, Window: window, May: mayChange(r),
		Notes: d.stepsNotes(s), Progress: s.progress(), Fields: s.fields(s.kept.Details), Covers: coverViews(list.Covers),
	}
	if s.tool.Name() == powerAutomate {
		v.Condition = "/steps?one=" + page.OneConditionMake + "&rule=" + url.QueryEscape(s.ruleName())
	}
	v.Wants = s.wantViews(v.May)
	v.Questions, v.Advice, v.Arrival = s.questionViews(), s.adviceView(), d.arrival(r, s)
	v.Settled, v.Another = s.settled(), s.another()
	if len(list.Steps) > 0 {
		v.Text = list.Text()
		if v.NotStopped = list.Unstopped(); v.NotStopped != "" {
			v.Elsewhere = d.elsewhere(s)
		}
	}
	if s.rule != nil {
		v.Rule, v.RuleTitle = s.rule.Name, titleOf(s.rule.Rule)
	}
	if !s.kept.SavedAt.IsZero() {
		v.Saved = page.At(s.kept.SavedAt, now)
	}
	if s.fault != nil && !s.asksFirst(s.fault.Field) {
		v.Fault = setFault(v.Fields, *s.fault)
	}
	for i, step := range list.Steps {
		one := s.stepView(i+1, step, now, window)
		one.May = v.May
		v.Steps = append(v.Steps, one)
	}
	for _, x := range d.Exporters {
		v.Tools = append(v.Tools, page.TabView{Href: stepsAddress(v.Rule, x.Name()), Text: x.Title(), Active: x.Name() == v.Tool})
	}
	rules, err := d.Ledger.Rules(r.Context())
	v.Rules = rulePicks(rules, v.Rule)
	return v, err
}

// rulePicks are the rules to go to, behind the setting without one.
func rulePicks(list []ledger.Rule, chosen string) []page.OptionView {
	picks := []page.OptionView{{Text: "No rule, just this setting", Chosen: chosen == ""}}
	for _, rule := range list {
		if rule.Name != ledger.DefaultRule || chosen == ledger.DefaultRule {
			picks = append(picks, page.OptionView{Value: rule.Name, Text: titleOf(rule), Chosen: rule.Name == chosen})
		}
	}
	return picks
}

// stepsNotes says what holds for all steps: whether there are keys at all, and who can
// reach whom.
func (d stepsDesk) stepsNotes(s sheet) []page.NoticeView {
	var notes []page.NoticeView
	if samples := s.told.Samples; len(samples) > 0 && !slices.ContainsFunc(samples, func(one exporters.Sample) bool { return one.Key != "" }) {
		notes = append(notes, page.NoticeView{Tone: "warn", Title: "No sample gets a key", Text: exporters.NoSampleKeyed})
	}
	if s.tool.Cloud() {
		if s.list.Route == exporters.RouteLedger {
			notes = append(notes, page.NoticeView{Tone: "warn", Title: s.tool.Title() + " cannot reach this computer", Text: "It runs in the cloud, and the address " + d.APIURL +
				" exists on this computer alone. These steps work only once the address is published under a name of its own, by a tunnel, a gateway or a small server, and never while that computer sleeps. Without one, take a unique column or the tool's own store."})
		} else {
			notes = append(notes, page.NoticeView{Tone: "info", Title: "These steps need no connection to this computer",
				Text: "They are settings of the tool itself, in the cloud, and go on working while this computer is off."})
		}
	}
	return notes
}

// fields are the details to ask for, filled in with what was typed.
func (s sheet) fields(typed map[string]string) []page.FieldView {
	var list []page.FieldView
	for _, f := range s.details() {
		v := page.FieldView{
			ID: "detail-" + f.Name, Name: detailPrefix + f.Name, Label: f.Label, Help: f.Help, Value: typed[f.Name], Optional: !f.Required && len(f.Choices) == 0,
		}
		if f.Example != "" {
			v.Help = strings.TrimSpace(v.Help + " For example: " + f.Example)
		}
		if len(f.Choices) > 0 {
			v.Kind = "select"
			for i, c := range f.Choices {
				v.Options = append(v.Options, page.OptionView{Value: c.Value, Text: c.Text, Chosen: c.Value == typed[f.Name] || (typed[f.Name] == "" && i == 0)})
			}
		}
		list = append(list, v)
	}
	return list
}

// setFault puts a fault at its field and returns the sentence if there is no such
// field on the page.
func setFault(fields []page.FieldView, fault exporters.InputError) string {
	for i := range fields {
		if fields[i].Name == detailPrefix+fault.Field {
			fields[i].Fault = fault.Msg
			return ""
		}
	}
	return fault.Msg
}

// stepView is a step of [sheet.offered]. Its tick is about the step of the list.
func (s sheet) stepView(number int, step exporters.Step, now time.Time, window bool) page.StepView {
	v := page.StepView{
		Tool: s.tool.Name(), ID: step.ID, Number: number, Title: step.Title, Where: phrases(step.Where), State: s.state(s.list.Steps[number-1]),
		Value: step.Value, ValueLabel: step.ValueLabel, Blocked: step.Blocked, Warning: step.Warning,
		Why: step.Why, NotFixed: step.NotFixed, Tried: step.Tried, Prove: step.Prove, Window: window,
	}
	if s.rule != nil {
		v.Rule = s.rule.Name
	}
	if v.State != stepOpen {
		mark := s.kept.Ticks[step.ID]
		v.At, v.By = page.At(mark.At, now), mark.By
	}
	if step.Blocked != "" {
		v.Value = ""
	}
	v.File = fileView(s.list.FileOf(step))
	v.Gate = step.Warning != "" && v.Value != ""
	if s.understands(step) {
		mark := s.kept.Understood[step.ID]
		v.Understood, v.UnderstoodAt, v.UnderstoodBy = true, page.At(mark.At, now), mark.By
	}
	for _, c := range step.Checks {
		if c.Text != step.Blocked {
			v.Checks = append(v.Checks, page.StepCheckView{Result: c.Result, Text: c.Text})
		}
	}
	for _, p := range step.Sources {
		v.Sources = append(v.Sources, page.SourceView{Page: p.Page, URL: p.URL, Read: dayWords(p.Read)})
	}
	return v
}

// dayWords writes 2026-10-31 as 31 Oct 2026.
func dayWords(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format("2 Jan 2006")
}

func coverViews(covers []exporters.Cover) []page.CoverView {
	var list []page.CoverView
	for _, c := range covers {
		list = append(list, page.CoverView{Label: c.Label, State: c.State, By: c.By})
	}
	return list
}

// fileView is the file of a step, nil where it hands over none or waits.
func fileView(f *exporters.File) *page.StepsFileView {
	if f == nil {
		return nil
	}
	return &page.StepsFileView{Name: f.Name, About: f.About, Text: string(f.Data)}
}

// elsewhere are the other tools whose steps stop a copy that the sender repeats, with
// the answers that hold for every tool.
func (d stepsDesk) elsewhere(s sheet) []page.StepsToolView {
	told := s.told
	told.Details = s.answers
	var list []page.StepsToolView
	for _, x := range d.Exporters {
		c, err := x.Build(told)
		if err == nil && x.Name() != s.tool.Name() && c.StopsRepeats() {
			list = append(list, page.StepsToolView{Href: stepsAddress(s.ruleName(), x.Name()), Title: x.Title(), About: x.About()})
		}
	}
	return list
}
