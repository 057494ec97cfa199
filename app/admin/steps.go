package admin

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/exporters"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// A stepsDesk serves the page Settings steps.
type stepsDesk struct {
	Desk
	// turn lets one change at a time read, change and write back what is kept of a
	// checklist: two quick ticks must both stay.
	turn *sync.Mutex
}

func stepsRoutes(d Desk) []guard.Route {
	s := stepsDesk{d, &sync.Mutex{}}
	return []guard.Route{
		{Pattern: "GET /steps", Access: guard.Look, Handler: d.handle(s.steps)},
		{Pattern: "GET /steps/file", Access: guard.Look, Handler: d.handle(s.file)},
		{Pattern: "GET /steps/sheet", Access: guard.Look, Handler: d.handle(s.handout)},
		{Pattern: "POST /steps/browser", Access: guard.Window, Handler: d.handle(s.inBrowser)},
		{Pattern: "POST /steps/details", Access: guard.Change, Handler: d.handle(s.saveDetails)},
		{Pattern: "POST /steps/answer", Access: guard.Change, Handler: d.handle(s.saveAnswers)},
		{Pattern: "POST /steps/want", Access: guard.Change, Handler: d.handle(s.changeRule)},
		{Pattern: "POST /steps/tick", Access: guard.Change, Handler: d.handle(s.tick)},
		{Pattern: "POST /steps/understood", Access: guard.Change, Handler: d.handle(s.understood)},
		{Pattern: "POST /steps/condition/make", Access: guard.Look, MaxBody: guard.MaxSampleBody, Handler: d.handle(s.madeCondition)},
		{Pattern: "POST /steps/check", Access: guard.Look, MaxBody: guard.MaxSampleBody, Handler: d.handle(s.checkFile)},
		{Pattern: "POST /steps/condition", Access: guard.Look, MaxBody: guard.MaxSampleBody, Handler: d.handle(s.testCondition)},
	}
}

// steps shows the checklist that the address names, or asks for what it leaves out.
func (d stepsDesk) steps(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	at := place{Title: "Settings steps", Active: "steps"}
	switch rule, tool := q.Get("rule"), q.Get("tool"); {
	case q.Get("one") != "":
		return d.oneSetting(w, r)
	case tool != "":
		s, err := d.sheet(r.Context(), rule, tool)
		if broken, ok := errors.AsType[*intake.IssuesError](err); ok {
			return d.show(w, r, http.StatusOK, at, page.StepsBroken(page.StepsBrokenView{Rule: rule, Title: rule, Fault: broken.Error()}))
		}
		if err != nil {
			return err
		}
		v, err := d.checklist(r, s)
		if err != nil {
			return err
		}
		at.Title = s.list.Title
		return d.show(w, r, http.StatusOK, at, page.Checklist(v))
	default:
		v, err := d.choice(r.Context(), rule)
		if err != nil {
			return err
		}
		return d.show(w, r, http.StatusOK, at, page.StepsChoose(v))
	}
}

// oneSetting shows what needs no rule.
func (d stepsDesk) oneSetting(w http.ResponseWriter, r *http.Request) error {
	at := place{Title: "Just one setting", Active: "steps"}
	switch which := r.URL.Query().Get("one"); which {
	case page.OneConditionMake:
		return d.makeCondition(w, r)
	case page.OneConditionTest:
		at.Title = "Test a trigger condition"
		var v page.ConditionView
		if r.URL.Query().Get("example") != "" {
			v = exampleCondition()
		}
		return d.show(w, r, http.StatusOK, at, page.OneSetting(which, page.ConditionCard(v)))
	case page.OneFile:
		at.Title = "Check a file of yours"
		return d.show(w, r, http.StatusOK, at, page.OneSetting(which, page.FileCheck(page.FileCheckView{})))
	}
	return d.show(w, r, http.StatusOK, at, page.OneSetting(page.OneChoice, page.SingleSettings(d.singleSettings())))
}

// choice asks for a rule or, where one is given, for a tool.
func (d stepsDesk) choice(ctx context.Context, name string) (page.StepsChooseView, error) {
	var v page.StepsChooseView
	if name == "" {
		list, err := d.Ledger.Rules(ctx)
		if err != nil {
			return v, err
		}
		for _, rule := range list {
			if rule.Name == ledger.DefaultRule {
				continue
			}
			begun, err := d.stepsBegun(ctx, rule)
			if err != nil {
				return v, err
			}
			v.Rules = append(v.Rules, page.StepsRuleView{Name: rule.Name, Title: titleOf(rule), Tools: begun})
		}
		return v, nil
	}
	rule, err := d.Ledger.Rule(ctx, name)
	if err != nil {
		return v, err
	}
	begun, err := d.stepsBegun(ctx, rule)
	if err != nil {
		return v, err
	}
	v.Rule = titleOf(rule)
	for _, x := range d.Exporters {
		t := page.StepsToolView{Href: stepsAddress(name, x.Name()), Title: x.Title(), About: x.About()}
		for _, p := range begun {
			if p.Tool == x.Name() {
				t.Progress = p
			}
		}
		v.Tools = append(v.Tools, t)
	}
	return v, nil
}

// singleSettings are the checklists that make sense without a rule.
func (d stepsDesk) singleSettings() []page.StepsToolView {
	var list []page.StepsToolView
	for _, x := range d.Exporters {
		c, err := x.Build(exporters.Setup{})
		if err != nil {
			continue // a platform that asks for something first is reached by its rule
		}
		address := stepsAddress("", x.Name())
		list = append(list, page.StepsToolView{Href: address, Title: c.Title, About: c.About})
		if s, ok := stepOf(c, "concurrency"); ok {
			list = append(list, page.StepsToolView{Href: address + "#step-concurrency", Title: x.Title() + ": one run at a time", About: s.Why})
		}
	}
	return list
}

func stepOf(c exporters.Checklist, id string) (exporters.Step, bool) {
	for _, s := range c.Steps {
		if s.ID == id {
			return s, true
		}
	}
	return exporters.Step{}, false
}
