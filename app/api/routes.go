package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"

	"dedupedesk/app/calls"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/problem"
	"dedupedesk/ledger"
)

// desk is what the handlers ask of the rest of the house.
type desk struct {
	intake *intake.Intake
	ledger *ledger.Ledger
	calls  *calls.Book
	log    *slog.Logger
}

// A handler answers a request, or returns why it cannot.
type handler func(w http.ResponseWriter, r *http.Request) error

// Routes returns the routes of the claim endpoint, each with its access. They
// apply no policy of their own: [guard.API] does.
func Routes(in *intake.Intake, l *ledger.Ledger, book *calls.Book, log *slog.Logger) []guard.Route {
	d := desk{in, l, book, log}
	route := func(pattern string, access guard.Access, published bool, h handler) guard.Route {
		return guard.Route{Pattern: pattern, Access: access, Published: published, Handler: d.answer(h)}
	}
	withSample := func(rt guard.Route) guard.Route { rt.MaxBody = guard.MaxSampleBody; return rt }
	return []guard.Route{
		route("POST /v1/claim", guard.Claim, true, d.claim),
		route("POST /v1/rules/{rule}/claim", guard.Claim, true, d.claimEvent),
		route("POST /v1/done", guard.Claim, true, d.done),
		route("POST /v1/release", guard.Claim, true, d.release),
		route("POST /v1/renew", guard.Claim, true, d.renew),
		route("POST /v1/batch", guard.Claim, true, d.batch),
		route("GET /v1/keys", guard.Admin, false, d.keys),
		route("GET /v1/keys/one", guard.Admin, false, d.key),
		route("GET /v1/rules", guard.Admin, false, d.rules),
		route("GET /v1/rules/{rule}", guard.Admin, false, d.rule),
		withSample(route("PUT /v1/rules/{rule}", guard.Admin, false, d.putRule)),
		route("DELETE /v1/rules/{rule}", guard.Admin, false, d.archiveRule),
		{Pattern: "GET /healthz", Access: guard.Open, Published: true, Handler: d.quiet(healthy)},
		{Pattern: "GET /readyz", Access: guard.Open, Handler: d.quiet(d.ready)},
	}
}

// answer runs h, turns its error into problem details, and notes and logs the
// call, once.
func (d desk) answer(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &recorder{ResponseWriter: w, call: calls.Call{Route: r.Pattern, Rule: r.PathValue("rule")}}
		d.run(rec, r, h)
		d.calls.Note(rec.call)
	})
}

// quiet runs h without a note: machines ask these routes all day.
func (d desk) quiet(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.run(&recorder{ResponseWriter: w}, r, h)
	})
}

func (d desk) run(rec *recorder, r *http.Request, h handler) {
	defer func() {
		if v := recover(); v != nil {
			d.log.Error("call ended in a panic", "route", r.Pattern, "panic", v)
			problem.Write(rec, problemOf(errors.New("panic")))
		}
	}()
	err := h(rec, r)
	if err == nil {
		return
	}
	p := problemOf(err)
	level := slog.LevelInfo
	if p.Status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	d.log.Log(context.WithoutCancel(r.Context()), level, "call refused", "route", r.Pattern, "status", p.Status, "code", p.Code, "field", p.Field, "cause", p.Cause)
	rec.call.Answer = p.Code
	problem.Write(rec, p)
}

// A recorder keeps what the log of calls tells of an answer.
type recorder struct {
	http.ResponseWriter
	call calls.Call
}

// WriteHeader keeps the status.
func (rec *recorder) WriteHeader(status int) {
	rec.call.Status = status
	rec.ResponseWriter.WriteHeader(status)
}

// note keeps the rule and the decision of an answer for the log of calls.
func note(w http.ResponseWriter, rule, answer string) {
	if rec, ok := w.(*recorder); ok {
		rec.call.Rule, rec.call.Answer = rule, answer
	}
}

// reply writes v as JSON with a status.
func reply(w http.ResponseWriter, status int, v any) error {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	return dropBroken(json.NewEncoder(w).Encode(v))
}

// dropBroken drops the error of a connection that went away: nobody is left to
// be told, and what was decided is on disk.
func dropBroken(error) error { return nil }

func healthy(w http.ResponseWriter, _ *http.Request) error {
	return reply(w, http.StatusOK, map[string]string{"status": "ok"})
}

// ready tells whether the ledger can take a claim now.
func (d desk) ready(w http.ResponseWriter, r *http.Request) error {
	if err := d.ledger.Check(r.Context()); err != nil {
		return err
	}
	return reply(w, http.StatusOK, map[string]string{"status": "ready"})
}
