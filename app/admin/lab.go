package admin

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"dedupedesk/app/guard"
	labs "dedupedesk/app/lab"
	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger/lab"
)

func labRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "GET /lab", Access: guard.Look, Handler: d.handle(d.showLab)},
		{Pattern: "GET /lab/now", Access: guard.Look, Handler: d.handle(d.labNow)},
		{Pattern: "GET /lab/event", Access: guard.Look, Handler: d.handle(d.labEvent)},
		{Pattern: "GET /lab/picture", Access: guard.Look, Handler: d.handle(d.labPicture)},
		{Pattern: "POST /lab/run", Access: guard.Look, Handler: d.handle(d.runLab)},
		{Pattern: "POST /lab/cancel", Access: guard.Look, Handler: d.handle(d.cancelLab)},
		{Pattern: "POST /lab/table", Access: guard.Look, Handler: d.handle(d.saveLab)},
	}
}

// The scenarios of the page.
const scenarioOrders = "orders"

func (d Desk) showLab(w http.ResponseWriter, r *http.Request) error {
	c := lab.Default()
	scenario := r.URL.Query().Get("scenario")
	if scenario == scenarioOrders {
		c = lab.Resent()
	} else {
		scenario = ""
	}
	drills, err := d.drillsView(r, r.URL.Query().Get("rule"))
	if err != nil {
		return err
	}
	v := page.LabView{Form: labForm(scenario, c), Now: page.LabNow(d.labNowView(r)), Drills: drills}
	return d.show(w, r, http.StatusOK, place{Title: "Try it", Active: "lab"}, page.Lab(v))
}

func labForm(scenario string, c lab.Config) page.LabFormView {
	n := strconv.Itoa
	return page.LabFormView{
		Scenario: scenario, Events: n(c.Events), Twice: n(c.Twice), Thrice: n(c.Thrice), Workers: n(c.Workers), Work: n(int(c.Pause.Milliseconds())),
		Fail: n(c.Fail), Crash: n(c.Crash), Scattered: c.Scattered, Serial: c.Serial,
	}
}

// labConfig reads the form. What is no number is a [lab.Fault] of its field.
func labConfig(form url.Values) (lab.Config, error) {
	c := lab.Default()
	if form.Get("scenario") == scenarioOrders {
		c = lab.Resent()
	}
	ms := int(c.Pause.Milliseconds())
	var fault error
	for _, f := range []struct {
		name string
		into *int
	}{{"events", &c.Events}, {"twice", &c.Twice}, {"thrice", &c.Thrice}, {"workers", &c.Workers}, {"pause", &ms}, {"fail", &c.Fail}, {"crash", &c.Crash}} {
		if !form.Has(f.name) {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(form.Get(f.name)))
		if err != nil && fault == nil {
			fault = &lab.Fault{Field: f.name, Msg: "Write a number."}
		}
		*f.into = n
	}
	c.Pause = time.Duration(ms) * time.Millisecond
	c.Scattered, c.Serial = form.Has("scattered"), form.Has("serial")
	if fault != nil {
		return c, fault
	}
	return c, c.Check()
}

// runLab begins a run. The form comes back, and what goes on asks for itself.
func (d Desk) runLab(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	c, err := labConfig(r.PostForm)
	v := labForm(r.PostForm.Get("scenario"), c)
	if err == nil {
		err = d.Lab.Start(c)
	}
	f, ofField := errors.AsType[*lab.Fault](err)
	switch {
	case err == nil:
		w.Header().Set("HX-Trigger", "lab")
		return d.fragment(w, r, http.StatusOK, page.LabForm(v))
	case errors.Is(err, labs.ErrRunning):
		v.Said = "A run goes on. Wait for its end, or cancel it."
	case ofField:
		v.Field, v.Fault = f.Field, f.Msg
		for name, into := range map[string]*string{"events": &v.Events, "twice": &v.Twice, "thrice": &v.Thrice, "workers": &v.Workers, "pause": &v.Work, "fail": &v.Fail, "crash": &v.Crash} {
			if r.PostForm.Has(name) {
				*into = r.PostForm.Get(name)
			}
		}
	default:
		return err
	}
	return d.fragment(w, r, http.StatusUnprocessableEntity, page.LabForm(v))
}

func (d Desk) labNow(w http.ResponseWriter, r *http.Request) error {
	return d.fragment(w, r, http.StatusOK, page.LabNow(d.labNowView(r)))
}

func (d Desk) cancelLab(w http.ResponseWriter, r *http.Request) error {
	d.Lab.Cancel()
	return d.labNow(w, r)
}

func (d Desk) labNowView(r *http.Request) page.LabNowView {
	s := d.Lab.State()
	v := page.LabNowView{Running: s.Running, Window: guard.InWindow(r)}
	if s.Running {
		p := s.Progress
		methods := len(lab.Methods())
		if s.Config.Serial {
			methods *= 2
		}
		v.Of = max(1, methods*max(p.Of, 1))
		v.Done = len(p.Ended)*p.Of + p.Done
		v.Doing = "It begins."
		if p.Of > 0 {
			v.Doing = fmt.Sprintf("%s, %s: %s of %s deliveries, %s rows too many so far.", labWord(p.Method), s.Config.Mode(p.Serial), page.Count(int64(p.Done)), page.Count(int64(p.Of)), page.Count(int64(p.Extra)))
		}
		return v
	}
	if s.Fault != nil {
		d.Log.Error("lab", "cause", s.Fault)
		v.Fault = "The experiment could not be made on this computer: " + s.Fault.Error() + "."
	}
	if s.Result != nil {
		result := labResult(s.Result, s.Before)
		v.Result = &result
	}
	return v
}

// labEvent answers with the picture of one event.
func (d Desk) labEvent(w http.ResponseWriter, r *http.Request) error {
	s := d.Lab.State()
	if s.Result == nil {
		return problem.New(http.StatusNotFound, "not_found", "There is no result any more. Run it again.")
	}
	q := r.URL.Query()
	o, ok := labOutcome(s.Result, q.Get("method"))
	if !ok {
		return problem.New(http.StatusNotFound, "not_found", "That way was not tried in this run.")
	}
	numbers := q["event"]
	event := 0
	if len(numbers) > 0 { // a button comes after the field
		event, _ = strconv.Atoi(strings.TrimSpace(numbers[len(numbers)-1]))
	}
	return d.fragment(w, r, http.StatusOK, page.LabEvent(labEventView(s.Result, o, event), labMethods(s.Result, o)))
}

// labOutcome finds an outcome by the word in an address: "look first" or "look first,
// one at a time".
func labOutcome(r *lab.Result, word string) (lab.Outcome, bool) {
	name, serial := strings.CutSuffix(word, serialSuffix)
	return r.Of(lab.Method(name), serial)
}

const serialSuffix = ", one at a time"

func labID(o lab.Outcome) string {
	if o.Serial {
		return string(o.Method) + serialSuffix
	}
	return string(o.Method)
}

func (d Desk) saveLab(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	s := d.Lab.State()
	if s.Result == nil {
		return problem.New(http.StatusNotFound, "not_found", "There is no result any more. Run it again.")
	}
	columns := []string{"method", "mode", "extra_rows", "lost_events", "need_decision", "sent_again", "whole"}
	return d.answerTable(w, r, "lab", columns, func(yield func([]any) bool) {
		for _, o := range s.Result.Methods {
			if !yield([]any{string(o.Method), s.Result.Config.Mode(o.Serial), o.Extra, o.Lost, o.Held, o.Again, !o.Partial}) {
				return
			}
		}
	})
}
