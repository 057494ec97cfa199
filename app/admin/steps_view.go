package admin

import (
	"net/http"
	"net/url"
	"strconv"
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
	window, now := guard.InWindow(r), d.Clock.Now()
	v := page.ChecklistView{
		Tool: s.tool.Name(), ToolTitle: s.tool.Title(), Title: s.list.Title, About: s.list.About, Window: window,
		Notes: d.stepsNotes(s), Progress: s.progress(), Fields: s.fields(s.kept.Details), Covers: coverViews(s.list.Covers), Files: fileViews(s.list),
	}
	if len(s.list.Steps) > 0 {
		v.Text = s.list.Text()
	}
	if s.rule != nil {
		v.Rule, v.RuleTitle = s.rule.Name, titleOf(s.rule.Rule)
	}
	if !s.kept.SavedAt.IsZero() {
		v.Saved = page.At(s.kept.SavedAt, now)
	}
	if s.fault != nil {
		v.Fault = setFault(v.Fields, *s.fault)
	}
	for i, step := range s.list.Steps {
		v.Steps = append(v.Steps, s.stepView(i+1, step, now, window))
	}
	for _, x := range d.Exporters {
		v.Tools = append(v.Tools, page.TabView{Href: stepsAddress(v.Rule, x.Name()), Text: x.Title(), Active: x.Name() == v.Tool})
	}
	list, err := d.Ledger.Rules(r.Context())
	v.Rules = rulePicks(list, v.Rule)
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

// stepsNotes says what holds for all steps: who can reach whom, and what of the rule
// the tool does not know.
func (d stepsDesk) stepsNotes(s sheet) []page.NoticeView {
	var notes []page.NoticeView
	if s.tool.Cloud() {
		title := s.tool.Title() + " cannot reach this computer"
		if s.list.Route == exporters.RouteLedger {
			notes = append(notes, page.NoticeView{Tone: "warn", Title: title, Text: "It runs in the cloud, and the address " + d.APIURL +
				" exists on this computer alone. These steps work only once the address is published under a name of its own, by a tunnel, a gateway or a small server, and never while that computer sleeps. Without one, take a unique column or the tool's own store."})
		} else {
			notes = append(notes, page.NoticeView{Tone: "info", Title: title, Text: "It runs in the cloud. These steps do not need it to: they are settings of the tool itself, and go on working while this computer is off."})
		}
	}
	if s.rule != nil && s.rule.File.When != "" {
		notes = append(notes, page.NoticeView{Tone: "warn", Title: "The rule ignores some events, these steps do not",
			Text: "The condition of the rule (" + s.rule.File.When + ") is not part of what " + s.tool.Title() + " does. Filter these events there as well."})
	}
	if s.rule != nil && s.rule.File.Each != "" {
		notes = append(notes, page.NoticeView{Tone: "warn", Title: "The rule makes a key for each item of a list",
			Text: "These steps make one key for each event. Use them only if the tool starts one run for each item."})
	}
	return notes
}

// fields are the details to ask for, filled in with what was typed.
func (s sheet) fields(typed map[string]string) []page.FieldView {
	var list []page.FieldView
	for _, f := range s.asked() {
		v := page.FieldView{
			ID: "detail-" + f.Name, Name: detailPrefix + f.Name, Label: f.Label, Help: f.Help, Value: typed[f.Name], Optional: !f.Required,
		}
		if f.Example != "" {
			v.Help = strings.TrimSpace(v.Help + " For example: " + f.Example)
		}
		if len(f.Choices) > 0 {
			v.Kind = "select"
			for i, c := range f.Choices {
				v.Options = append(v.Options, page.OptionView{Value: c, Text: c, Chosen: c == typed[f.Name] || (typed[f.Name] == "" && i == 0)})
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

func (s sheet) stepView(number int, step exporters.Step, now time.Time, window bool) page.StepView {
	v := page.StepView{
		Tool: s.tool.Name(), ID: step.ID, Number: number, Title: step.Title, Where: phrases(step.Where), State: s.state(step),
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

func fileViews(c exporters.Checklist) []page.StepsFileView {
	var list []page.StepsFileView
	why, _ := c.Blocked()
	for i, f := range c.Files {
		list = append(list, page.StepsFileView{ID: "file-" + strconv.Itoa(i+1), Name: f.Name, About: f.About, Text: string(f.Data), Blocked: why})
	}
	return list
}
