package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"dedupedesk/app/intake"
	"dedupedesk/app/problem"
	"dedupedesk/app/setup"
	"dedupedesk/exporters"
	"dedupedesk/frontend/page"
)

// ofRule tells whether f is a question about the rule and this computer, which has one
// answer whatever the tool. Who tries again, and a tool's plan, is another matter in
// each.
func ofRule(f exporters.Field) bool {
	switch f.Name {
	case exporters.EffectQuestion().Name, exporters.TargetQuestion().Name, exporters.ComputerQuestion().Name:
		return f.Question
	}
	return false
}

// ruleAnswers returns the answers that hold for every tool of a rule, none for nil.
func (d Desk) ruleAnswers(ctx context.Context, rule *intake.Rule) (map[string]string, error) {
	if rule == nil {
		return nil, nil
	}
	name := setup.AnswersName(rule.ID)
	text, ok, err := d.Ledger.Setting(ctx, name)
	if err != nil || !ok {
		return nil, err
	}
	var answers map[string]string
	if err := json.Unmarshal([]byte(text), &answers); err != nil {
		return nil, fmt.Errorf("setting %s: %w", name, err)
	}
	return answers, nil
}

func (d stepsDesk) keepAnswers(ctx context.Context, s sheet) error {
	if s.rule == nil || len(s.answers) == 0 {
		return nil
	}
	name := setup.AnswersName(s.rule.ID)
	text, err := json.Marshal(s.answers)
	if err != nil {
		return fmt.Errorf("setting %s: %w", name, err)
	}
	return d.Ledger.PutSetting(ctx, name, string(text))
}

// take puts what a form says of fields into the sheet, which keeps its old maps.
func (s *sheet) take(form url.Values, fields []exporters.Field) {
	details, answers := map[string]string{}, map[string]string{}
	maps.Copy(details, s.kept.Details)
	maps.Copy(answers, s.answers)
	for _, f := range fields {
		if !form.Has(detailPrefix + f.Name) {
			continue
		}
		into := details
		if ofRule(f) && s.rule != nil {
			into = answers
		}
		delete(details, f.Name)
		if value := form.Get(detailPrefix + f.Name); value != "" {
			into[f.Name] = value
		}
	}
	s.kept.Details, s.answers = details, answers
}

// routeField is the choice of a way, which no exporter asks for by itself.
func routeField() exporters.Field { return exporters.Field{Name: exporters.RouteDetail} }

// questions are the first questions among what the tool asks for.
func (s sheet) questions() []exporters.Field {
	var list []exporters.Field
	for _, f := range s.asked() {
		if f.Question {
			list = append(list, f)
		}
	}
	return list
}

// typedIn returns the details as a form has them, or as they are kept where it has none.
func (s sheet) typedIn(form url.Values) map[string]string {
	typed := map[string]string{}
	maps.Copy(typed, s.kept.Details)
	for _, f := range s.details() {
		if form.Has(detailPrefix + f.Name) {
			typed[f.Name] = form.Get(detailPrefix + f.Name)
		}
	}
	return typed
}

// asksFirst tells whether a field of that name stands among the first questions and
// the ways.
func (s sheet) asksFirst(name string) bool {
	return slices.ContainsFunc(append(s.questions(), routeField()), func(f exporters.Field) bool { return f.Name == name })
}

// details are what the tool asks for beside the first questions.
func (s sheet) details() []exporters.Field {
	var list []exporters.Field
	for _, f := range s.asked() {
		if !f.Question {
			list = append(list, f)
		}
	}
	return list
}

// saveAnswers keeps the answers to the first questions and the way that was taken, and
// answers with the steps that follow. What is typed into the details stays there
// without being kept.
func (d stepsDesk) saveAnswers(w http.ResponseWriter, r *http.Request) error {
	d.turn.Lock()
	defer d.turn.Unlock()
	old, err := d.posted(r)
	if err != nil {
		return err
	}
	s, status := old, http.StatusOK
	fields := old.questions()
	if old.takesWay(r.PostForm.Get(detailPrefix + exporters.RouteDetail)) {
		fields = append(fields, routeField())
	}
	s.take(r.PostForm, fields)
	if err := s.build(r.Context(), d.APIURL); err != nil {
		return err
	}
	if refused := s.answerFault(old); refused != nil {
		s, status = old, http.StatusUnprocessableEntity
		s.fault = refused
	} else if err := d.keep(r.Context(), s); err != nil {
		return err
	}
	v, err := d.checklist(r, s)
	if err != nil {
		return err
	}
	v.Fields = s.fields(s.typedIn(r.PostForm))
	words := againWords(old, s)
	if status != http.StatusOK || words == "" {
		return d.fragment(w, r, status, page.Checklist(v))
	}
	return d.fragment(w, r, status, templ.Join(page.Checklist(v), page.ToastPartial(page.ToastView{Tone: "ok", About: "steps", Text: words})))
}

// takesWay reports whether a form that names this way says that the person took it. A
// page sends the way that it shows along with every answer, and as long as nobody took
// one the answers decide.
func (s sheet) takesWay(route string) bool {
	if s.kept.Details[exporters.RouteDetail] != "" {
		return true
	}
	shown, err := exporters.Chosen(s.tool, s.told)
	return err != nil || shown.Route != route
}

// answerFault returns what is wrong with an answer that was just given. A way taken
// before that an answer shuts is no fault of the answer: the way is given up.
func (s *sheet) answerFault(old sheet) *exporters.InputError {
	if s.fault == nil {
		return nil
	}
	if s.fault.Field == exporters.RouteDetail && s.kept.Details[exporters.RouteDetail] == old.kept.Details[exporters.RouteDetail] {
		delete(s.kept.Details, exporters.RouteDetail)
		s.fault, s.wrong = nil, nil
		return nil
	}
	if s.asksFirst(s.fault.Field) {
		return s.fault
	}
	return nil // of a detail, which says so itself
}

// questionViews are the first questions with the answers that hold now.
func (s sheet) questionViews() []page.FirstQuestionView {
	var list []page.FirstQuestionView
	for _, f := range s.questions() {
		now, answered := s.told.Answered(f), s.told.Details[f.Name] != ""
		q := page.FirstQuestionView{ID: "detail-" + f.Name, Name: detailPrefix + f.Name, Label: f.Label, Help: f.Help}
		if s.fault != nil && s.fault.Field == f.Name {
			q.Fault = s.fault.Msg
		}
		for _, c := range f.Choices {
			q.Options = append(q.Options, page.OptionView{Value: c.Value, Text: c.Text, Chosen: answered && c.Value == now})
			if !answered && c.Value == now {
				q.Assumed = c.Text
			}
		}
		list = append(list, q)
	}
	return list
}

// adviceView is the advised way with its reason and price, and the other ways. It is
// nil for a tool that has one way alone and nothing to ask.
func (s sheet) adviceView() *page.AdviceView {
	ways := s.tool.Ways(s.told)
	advised, ok := exporters.Advised(ways)
	if !ok || s.rule == nil || (len(ways) < 2 && len(s.questions()) == 0) {
		return nil
	}
	chosen, err := exporters.Chosen(s.tool, s.told)
	v := &page.AdviceView{Advised: s.wayView(advised, chosen, err == nil)}
	if s.fault != nil && s.fault.Field == exporters.RouteDetail {
		v.Fault = s.fault.Msg
	}
	seen := map[string]bool{}
	for _, way := range ways {
		if way.Platform == "" && seen[way.Route] {
			continue // one answer cannot mean two ways; the first one is built
		}
		seen[way.Route] = seen[way.Route] || way.Platform == ""
		v.Ways = append(v.Ways, s.wayView(way, chosen, err == nil))
	}
	return v
}

func (s sheet) wayView(w, chosen exporters.Way, built bool) page.RouteView {
	v := page.RouteView{
		Route: w.Route, Title: w.Title, Reason: w.Reason, Cost: w.Cost, Blocked: w.Blocked,
		Taken: built && w.Platform == "" && w.Route == chosen.Route,
	}
	if w.Platform != "" {
		v.Href = stepsAddress(s.ruleName(), w.Platform) + "&" + url.Values{"from": {s.tool.Name()}, "way": {w.Route}}.Encode()
	}
	if v.Result = wayResult(w); v.Result != "" && w.Platform == "" {
		v.Title = ""
	}
	return v
}

// wayResult is a way that needs nothing of this program, as the result that it is.
func wayResult(w exporters.Way) string {
	switch {
	case w.Blocked != "":
		return ""
	case w.Route == exporters.RouteDestination && w.Platform != "":
		return "A unique column is enough"
	case w.NoKey:
		return w.Title
	}
	return ""
}

// settled says what the steps are still good for where the result is that no key is
// needed; "" where they stop a copy, or another way was taken.
func (s sheet) settled() string {
	way, err := exporters.Chosen(s.tool, s.told)
	if err != nil || wayResult(way) == "" {
		return ""
	}
	return "Still useful: " + strings.TrimPrefix(s.list.Title, s.tool.Title()+": ")
}

// another is the way that the steps go where it is not the advised one, else "".
func (s sheet) another() string {
	advised, ok := exporters.Advised(s.tool.Ways(s.told))
	way, err := exporters.Chosen(s.tool, s.told)
	if !ok || err != nil || s.rule == nil || (advised.Platform == "" && advised.Route == way.Route) {
		return ""
	}
	return "This is another way: " + way.Title
}

func (s sheet) ruleName() string {
	if s.rule == nil {
		return ""
	}
	return s.rule.Name
}

// arrival says why another tool sent the person here, and offers to take the way that
// it meant. It is nil where none did.
func (d stepsDesk) arrival(r *http.Request, s sheet) *page.ArrivalView {
	for _, x := range d.Exporters {
		if x.Name() != r.URL.Query().Get("from") || s.rule == nil {
			continue
		}
		told := s.told
		told.Details = maps.Clone(s.answers)
		for _, w := range x.Ways(told) {
			if w.Platform != s.tool.Name() || w.Route != r.URL.Query().Get("way") || w.Blocked != "" {
				continue
			}
			v := &page.ArrivalView{Rule: s.rule.Name, Tool: s.tool.Name(), Title: "You come from " + x.Title() + ": " + w.Title, Text: w.Reason + " " + w.Cost, May: mayChange(r)}
			if chosen, err := exporters.Chosen(s.tool, s.told); err == nil && chosen.Route != w.Route {
				v.Route = w.Route
			}
			return v
		}
	}
	return nil
}

// brokenRule turns a formula with faults into a refusal that says what it keeps from
// being made.
func brokenRule(err error, what string) error {
	if broken, ok := errors.AsType[*intake.IssuesError](err); ok {
		return problem.New(http.StatusConflict, "rule_broken", "The formula of the rule has a fault, so there "+what+": "+broken.Error())
	}
	return err
}
