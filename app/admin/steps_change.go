package admin

import (
	"net/http"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/exporters"
	"dedupedesk/frontend/page"
)

// detailPrefix keeps the names of details apart from the form's own.
const detailPrefix = "detail."

// maxDetail bounds what may be typed into one field, in code points.
const maxDetail = 2000

// posted makes the sheet that a form is about.
func (d stepsDesk) posted(r *http.Request) (sheet, error) {
	if err := parseForm(r); err != nil {
		return sheet{}, err
	}
	s, err := d.sheet(r.Context(), r.PostFormValue("rule"), r.PostFormValue("tool"))
	return s, brokenRule(err, "are no steps")
}

// saveDetails keeps what was typed. Where something is wrong with a detail, what was kept
// of that one before stays, and the others are kept.
func (d stepsDesk) saveDetails(w http.ResponseWriter, r *http.Request) error {
	d.turn.Lock()
	defer d.turn.Unlock()
	old, err := d.posted(r)
	if err != nil {
		return err
	}
	typed := old.typedIn(r.PostForm)
	s := old
	s.take(r.PostForm, old.asked())
	s.kept.SavedAt = d.Clock.Now()
	if err := s.build(r.Context(), d.APIURL); err != nil {
		return err
	}
	faults := s.faults()
	if len(faults) > 0 {
		s.putBack(old, faults)
		if err := s.build(r.Context(), d.APIURL); err != nil {
			return err
		}
	}
	if err := d.keep(r.Context(), s); err != nil {
		return err
	}
	if len(faults) > 0 {
		return d.refuseDetails(w, r, s, typed, faults)
	}
	v, err := d.checklist(r, s)
	if err != nil {
		return err
	}
	return d.fragment(w, r, http.StatusOK, templ.Join(page.Checklist(v), page.ToastPartial(page.ToastView{Tone: "ok", About: "steps", Text: "Details saved. " + againWords(old, s)})))
}

// putBack gives the details at fault, and those that were left out because of them, what
// was kept of them before.
func (s *sheet) putBack(old sheet, faults []exporters.InputError) {
	names := slices.Clone(s.wrong)
	for _, f := range faults {
		names = append(names, f.Field)
	}
	for _, name := range names {
		delete(s.kept.Details, name)
		if before, ok := old.kept.Details[name]; ok {
			s.kept.Details[name] = before
		}
		if _, ofRule := s.answers[name]; ofRule {
			s.answers = old.answers
		}
	}
}

// againWords tells which ticks the change called into question.
func againWords(old, s sheet) string {
	switch n := s.progress().Again - old.progress().Again; {
	case n == 1:
		return "1 ticked step changed and is to be checked again."
	case n > 1:
		return page.Count(int64(n)) + " ticked steps changed and are to be checked again."
	}
	return ""
}

// faults are what is wrong with the details of s. A field that is needed but left
// empty counts where a step waits for it. A way that is shut is said at the ways.
func (s sheet) faults() []exporters.InputError {
	var list []exporters.InputError
	_, blocked := s.list.Blocked()
	for _, f := range s.asked() {
		typed := s.kept.Details[f.Name]
		switch {
		case utf8.RuneCountInString(typed) > maxDetail:
			list = append(list, exporters.InputError{Field: f.Name, Msg: f.Label + " is longer than " + page.Count(maxDetail) + " characters."})
		case f.Required && strings.TrimSpace(typed) == "" && blocked:
			list = append(list, exporters.InputError{Field: f.Name, Msg: missingDetail(f)})
		}
	}
	if s.fault != nil && s.fault.Field != exporters.RouteDetail && !slices.ContainsFunc(list, func(e exporters.InputError) bool { return e.Field == s.fault.Field }) {
		list = append(list, *s.fault)
	}
	return list
}

func missingDetail(f exporters.Field) string {
	if f.Example == "" {
		return f.Label + " is missing. The steps below need it."
	}
	return f.Label + " is missing. It looks like " + f.Example + "."
}

// refuseDetails answers with the form as it was typed, and the steps as they stand
// but for those that are made of a detail at fault.
func (d stepsDesk) refuseDetails(w http.ResponseWriter, r *http.Request, s sheet, typed map[string]string, faults []exporters.InputError) error {
	for _, f := range faults {
		s.wrong = append(s.wrong, f.Field)
	}
	v, err := d.checklist(r, s)
	if err != nil {
		return err
	}
	v.Fields = s.fields(typed)
	for _, f := range faults {
		if general := setFault(v.Fields, f); general != "" {
			v.Fault = general
		}
	}
	return d.fragment(w, r, http.StatusUnprocessableEntity, page.Checklist(v))
}

// tick sets or takes away the tick of a step.
func (d stepsDesk) tick(w http.ResponseWriter, r *http.Request) error {
	return d.mark(w, r, func(s *sheet, step exporters.Step, mark stepsMark) string {
		switch r.PostFormValue("done") {
		case "no":
			delete(s.kept.Ticks, step.ID)
		case "yes":
			if step.Blocked != "" {
				return "This step cannot be ticked yet."
			}
			mark.Stamp = s.stamp(step)
			if s.kept.Ticks == nil {
				s.kept.Ticks = map[string]stepsMark{}
			}
			s.kept.Ticks[step.ID] = mark
		default:
			return "The form did not say whether the step is done. Load the page again."
		}
		return ""
	})
}

// understood keeps that somebody read the warning of a step, which opens its Copy.
func (d stepsDesk) understood(w http.ResponseWriter, r *http.Request) error {
	return d.mark(w, r, func(s *sheet, step exporters.Step, mark stepsMark) string {
		if step.Warning == "" {
			return "This step has no warning any more."
		}
		mark.Stamp = warningStamp(step)
		if s.kept.Understood == nil {
			s.kept.Understood = map[string]stepsMark{}
		}
		s.kept.Understood[step.ID] = mark
		return ""
	})
}

// mark lets change put a mark on the posted step, keeps the sheet and answers with
// the step and the counter. Where change returns why it did not, nothing is kept.
func (d stepsDesk) mark(w http.ResponseWriter, r *http.Request, change func(*sheet, exporters.Step, stepsMark) string) error {
	d.turn.Lock()
	defer d.turn.Unlock()
	s, err := d.posted(r)
	if err != nil {
		return err
	}
	step, ok := stepOf(s.offered(), r.PostFormValue("step"))
	if !ok {
		return problem.New(http.StatusNotFound, "no_such_step", "This checklist has no such step any more. Load the page again.")
	}
	visitor, _ := guard.Visitor(r)
	refusal := change(&s, step, stepsMark{At: d.Clock.Now(), By: visitor.Name})
	status := http.StatusOK
	if refusal == "" {
		err = d.keep(r.Context(), s)
	} else {
		status = http.StatusUnprocessableEntity
	}
	if err != nil {
		return err
	}
	v := s.stepView(s.number(step.ID), step, d.Clock.Now(), guard.InWindow(r))
	v.Fault, v.May = refusal, mayChange(r)
	return d.fragment(w, r, status, templ.Join(page.Step(v), page.StepsCountPartial(s.progress())))
}

func (s sheet) number(id string) int {
	for i, step := range s.list.Steps {
		if step.ID == id {
			return i + 1
		}
	}
	return 0
}

// file answers with one file of a checklist, to be saved.
func (d stepsDesk) file(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	s, err := d.sheet(r.Context(), q.Get("rule"), q.Get("tool"))
	if err != nil {
		return brokenRule(err, "is no file")
	}
	list := s.offered()
	for _, step := range list.Steps {
		if f := list.FileOf(step); f != nil && f.Name == q.Get("name") {
			save(w, f.Name, fileType(f.Name), f.Data)
			return nil
		}
	}
	if why, blocked := list.Blocked(); blocked {
		return problem.New(http.StatusConflict, "blocked", "There is no such file yet. "+why)
	}
	return problem.New(http.StatusNotFound, "no_such_file", "This checklist has no file of that name.")
}

func fileType(name string) string {
	if path.Ext(name) == ".json" {
		return "application/json"
	}
	return "text/plain; charset=utf-8"
}
