package admin

import (
	"bytes"
	"net/http"
	"time"

	"github.com/a-h/templ"

	"dedupedesk/app/body"
	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/app/session"
	"dedupedesk/frontend/page"
	"dedupedesk/frontend/static"
	"dedupedesk/ledger"
)

// A handler answers a request, or returns why it cannot.
type handler func(w http.ResponseWriter, r *http.Request) error

// handle turns h's error into problem details and logs it, once.
func (d Desk) handle(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := h(w, r)
		if err == nil {
			d.Log.Debug("page", "route", r.Pattern, "window", guard.InWindow(r))
			return
		}
		p := body.ProblemOf(err)
		if p.Status >= http.StatusInternalServerError {
			d.Log.Error("page not answered", "route", r.Pattern, "code", p.Code, "cause", err)
		}
		if r.Method == http.MethodGet {
			d.sorry(w, r, p)
			return
		}
		problem.Write(w, p)
	})
}

// A place is where a page stands in the rail.
type place struct {
	Title  string
	Active string // id of the rail's entry
	Search string // what the search box holds
}

// show answers with a whole page. It is drawn before anything is sent, so that a
// fault gives an error page and not half a page.
func (d Desk) show(w http.ResponseWriter, r *http.Request, status int, at place, content templ.Component) error {
	return d.fragment(w, r, status, page.Shell(d.shell(r, at), content))
}

// fragment answers with a part of a page.
func (d Desk) fragment(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	var buf bytes.Buffer
	if err := c.Render(r.Context(), &buf); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A connection that went away has nobody left to be told.
	_, _ = buf.WriteTo(w)
	return nil
}

func (d Desk) shell(r *http.Request, at place) page.ShellView {
	visitor, _ := guard.Visitor(r)
	status := d.status(r)
	var standing []page.AcceptView
	if status.State != "not_protecting" { // else the bar says what is wrong, and nothing more can be asked
		standing = d.standing(r.Context(), visitor.Role == session.Change)
	}
	return page.ShellView{
		Title: at.Title, Active: at.Active, Search: at.Search,
		Window: guard.InWindow(r), Now: d.Clock.Now().Format(time.RFC3339Nano),
		Role: string(visitor.Role), Command: d.Open, Banner: d.Warnings(), NeedDecision: status.NeedDecision, Status: status,
		Standing: standing,
	}
}

// status returns the bar at the foot. It never fails: a ledger that cannot be
// read is what the bar then says.
func (d Desk) status(r *http.Request) page.StatusView {
	ctx := r.Context()
	v := page.StatusView{State: "protecting", APIAddress: d.APIURL, ComputerOnly: true, NoCallsYet: d.Calls.Last().IsZero()}
	if err := d.Ledger.Check(ctx); err != nil {
		v.State, v.Detail = "not_protecting", ledger.MessageOf(err)
		return v
	}
	counts, err := d.Ledger.Counts(ctx)
	if err != nil {
		v.State, v.Detail = "not_protecting", ledger.MessageOf(err)
		return v
	}
	v.Keys, v.NeedDecision = page.Count(counts.Total), int(counts.Stuck)
	if tokens, err := d.Ledger.Tokens(ctx); err == nil {
		v.PasswordTail = newestTail(tokens, d.Clock.Now())
	}
	pause, paused, err := d.Ledger.Paused(ctx)
	switch {
	case err != nil:
		v.State, v.Detail = "not_protecting", ledger.MessageOf(err)
		return v
	case paused:
		v.State, v.PausedBy = "paused", pause.By
	}
	visitor, _ := guard.Visitor(r)
	v.MayPause = visitor.Role.Covers(session.Decide)
	return v
}

// newestTail returns the last four characters of the newest password that opens
// the endpoint, "" where there is none.
func newestTail(tokens []ledger.Token, now time.Time) string {
	var newest ledger.Token
	for _, t := range tokens {
		if t.InForce(now) && !t.CreatedAt.Before(newest.CreatedAt) {
			newest = t
		}
	}
	return newest.Last4
}

// sorry answers a page that could not be shown.
func (d Desk) sorry(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	title := "This page cannot be shown"
	if p.Status == http.StatusNotFound {
		title = "There is nothing here"
	}
	content := page.Sorry(page.SorryView{Title: title, Text: p.Detail})
	if err := d.show(w, r, p.Status, place{Title: title}, content); err != nil {
		problem.Write(w, p)
	}
}

// Refuse draws a page's refusal: the way in for a browser without a session, and
// a plain sentence for everything else.
func (d Desk) Refuse(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	if p.Status != http.StatusUnauthorized {
		d.sorry(w, r, p)
		return
	}
	if err := d.fragment(w, r, p.Status, page.Locked(page.LockedView{Command: d.Open})); err != nil {
		problem.Write(w, p)
	}
}

func assetRoutes() []guard.Route {
	return []guard.Route{{Pattern: "GET /static/{file}", Access: guard.Open, Handler: static.Handler()}}
}
