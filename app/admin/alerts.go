package admin

import (
	"errors"
	"net/http"
	"strings"

	"dedupedesk/app/alerts"
	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

func alertRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "GET /keys/alerts", Access: guard.Look, Handler: d.handle(d.showAlerts)},
		{Pattern: "POST /keys/alerts", Access: guard.Change, Handler: d.handle(d.setAlert)},
		{Pattern: "POST /keys/alerts/test", Access: guard.Change, Handler: d.handle(d.testAlert)},
	}
}

func (d Desk) showAlerts(w http.ResponseWriter, r *http.Request) error {
	list, err := d.Ledger.Rules(r.Context())
	if err != nil {
		return err
	}
	var v page.AlertsView
	for _, rule := range list {
		one, err := d.alertView(r, rule)
		if err != nil {
			return err
		}
		v.Rules = append(v.Rules, one)
	}
	return d.show(w, r, http.StatusOK, place{Title: "Alerts", Active: "keys"}, page.Alerts(v))
}

func (d Desk) alertView(r *http.Request, rule ledger.Rule) (page.AlertView, error) {
	v := page.AlertView{Rule: rule.Name, Title: titleOf(rule), May: mayChange(r)}
	t, ok, err := d.Alerts.Target(r.Context(), rule.ID)
	if err != nil || !ok {
		return v, err
	}
	v.Kept, v.Kind, v.Masked, v.Keys, v.By = true, t.Kind, t.Masked(), t.Keys, t.By
	s, err := d.Alerts.State(r.Context(), rule.ID)
	if err != nil {
		return v, err
	}
	now := d.Clock.Now()
	if !s.SentAt.IsZero() {
		v.SentAt = page.At(s.SentAt, now)
	}
	if v.Failure = s.Failure; v.Failure != "" {
		v.NextAt = page.At(s.NextAt, now)
	}
	return v, nil
}

// alertOf reads the form. An address that is left empty is the one that is kept: a page
// never shows it again.
func (d Desk) alertOf(r *http.Request) (ledger.Rule, alerts.Target, error) {
	rule, err := d.Ledger.Rule(r.Context(), r.PostFormValue("rule"))
	if err != nil {
		return rule, alerts.Target{}, err
	}
	visitor, _ := guard.Visitor(r)
	t := alerts.Target{Kind: r.PostFormValue("kind"), URL: strings.TrimSpace(r.PostFormValue("url")), Keys: r.PostFormValue("keys") != "", By: visitor.Name}
	if t.Kind == alerts.Desktop {
		t.URL = "" // what the form still holds of another kind
		return rule, t, nil
	}
	if t.URL == "" {
		kept, _, err := d.Alerts.Target(r.Context(), rule.ID)
		if err != nil {
			return rule, t, err
		}
		t.URL = kept.URL
	}
	return rule, t, nil
}

func (d Desk) setAlert(w http.ResponseWriter, r *http.Request) error {
	rule, t, err := d.alertOf(r)
	if err != nil {
		return err
	}
	if t.Kind == "" {
		err = d.Alerts.DropTarget(r.Context(), rule.ID)
	} else {
		err = d.Alerts.SetTarget(r.Context(), rule.ID, t)
	}
	return d.answerAlert(w, r, rule, t, err, "Saved.")
}

// testAlert sends a message to what the form says, kept or not.
func (d Desk) testAlert(w http.ResponseWriter, r *http.Request) error {
	rule, t, err := d.alertOf(r)
	if err != nil {
		return err
	}
	err = d.Alerts.Send(r.Context(), t, alerts.Message{Test: true, Rule: rule.Name, Title: titleOf(rule)})
	return d.answerAlert(w, r, rule, t, err, "It was taken. Look whether it arrived.")
}

// answerAlert draws a rule's alert again with what came of the act. What was typed stays
// where it was refused, and where it was only tried.
func (d Desk) answerAlert(w http.ResponseWriter, r *http.Request, rule ledger.Rule, t alerts.Target, acted error, done string) error {
	v, err := d.alertView(r, rule)
	if err != nil {
		return err
	}
	status := http.StatusOK
	_, refused := errors.AsType[*alerts.Refusal](acted)
	_, unreached := errors.AsType[*alerts.Unreached](acted)
	switch {
	case acted == nil:
		v.Said = &page.NoticeView{Tone: "ok", Text: done}
		d.Log.Info("alerts of a rule", "rule", rule.Name, "kind", t.Kind, "route", r.Pattern)
	case ledger.CodeOf(acted) == ledger.Invalid:
		v.Fault, status = ledger.MessageOf(acted), http.StatusUnprocessableEntity
	case refused || unreached:
		v.Said, status = &page.NoticeView{Tone: "error", Title: "The message was not taken", Text: acted.Error()}, http.StatusUnprocessableEntity
	default:
		return acted
	}
	if acted != nil || strings.HasSuffix(r.Pattern, "/test") {
		v.Kind, v.Typed, v.Keys = t.Kind, strings.TrimSpace(r.PostFormValue("url")), t.Keys
	}
	return d.fragment(w, r, status, page.Alert(v))
}
