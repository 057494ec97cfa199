package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"dedupedesk/app/body"
	"dedupedesk/app/calls"
	"dedupedesk/app/catch"
	"dedupedesk/app/describe"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/kept"
	"dedupedesk/app/problem"
	"dedupedesk/ledger"
)

// desk is what the handlers ask of the rest of the house.
type desk struct {
	intake *intake.Intake
	ledger *ledger.Ledger
	caught *catch.Book
	kept   *kept.Book
}

// answerWithin bounds a call. It is shorter than the listener's write time-out.
const answerWithin = 9 * time.Second

// A handler answers a request, or returns why it cannot.
type handler func(w http.ResponseWriter, r *http.Request) error

// Routes returns the routes of the claim endpoint, each with its access. They
// apply no policy of their own: [guard.API] does.
func Routes(in *intake.Intake, l *ledger.Ledger, caught *catch.Book, keep *kept.Book) []guard.Route {
	d := desk{in, l, caught, keep}
	route := func(pattern string, access guard.Access, published bool, h handler) guard.Route {
		return guard.Route{Pattern: pattern, Access: access, Published: published, Handler: d.answer(h), Operation: described(pattern)}
	}
	withSample := func(rt guard.Route) guard.Route { rt.MaxBody = guard.MaxSampleBody; return rt }
	return []guard.Route{
		route("POST /v1/claim", guard.Claim, true, d.claim),
		route("POST /v1/rules/{rule}/claim", guard.Claim, true, d.claimEvent),
		route("POST /v1/done", guard.Claim, true, d.done),
		route("POST /v1/release", guard.Claim, true, d.release),
		route("POST /v1/renew", guard.Claim, true, d.renew),
		route("POST /v1/batch", guard.Claim, true, d.batch),
		withSample(route("POST /v1/catch", guard.Claim, false, d.catchEvent)),
		route("GET /v1/keys", guard.Admin, false, d.keys),
		route("GET /v1/keys/one", guard.Admin, false, d.key),
		route("GET /v1/rules", guard.Admin, false, d.rules),
		route("GET /v1/rules/{rule}", guard.Admin, false, d.rule),
		withSample(route("PUT /v1/rules/{rule}", guard.Admin, false, d.putRule)),
		route("DELETE /v1/rules/{rule}", guard.Admin, false, d.archiveRule),
		route("GET /healthz", guard.Open, true, healthy),
		route("GET /readyz", guard.Open, false, d.ready),
	}
}

// Metrics returns the route at which h tells its figures. They name rules, so they are
// for the operator.
func Metrics(h http.Handler) guard.Route {
	return guard.Route{Pattern: "GET /metrics", Access: guard.Admin, Quiet: true, Handler: h, Operation: describe.Operation{
		ID: "Metrics", Title: "Figures for Prometheus", Group: groupHealth,
		Text:    "Calls, claims by rule and status, keys by state, and how long answers took.",
		Answers: []describe.Answer{{Status: http.StatusOK, Text: "The figures, as Prometheus reads them.", Type: "text/plain"}},
	}}
}

// answer runs h and turns its error into problem details. What is said of the call
// is logged by the guard, at the edge.
func (d desk) answer(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call := calls.Of(r.Context())
		// What else stands in the address may be a key or a password that got there by
		// mistake, and is not for the log.
		if name := r.PathValue("rule"); ledger.ValidRuleName(name) {
			call.Rule = name
		}
		defer func() {
			if v := recover(); v != nil {
				call.Cause = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
				p := problemOf(call.Cause)
				call.Answer = p.Code
				problem.Write(w, p)
			}
		}()
		// An answer must be out before the listener's time is over, so that a caller is
		// told to try again and not cut off.
		ctx, cancel := context.WithTimeout(r.Context(), answerWithin)
		defer cancel()
		if err := h(w, r.WithContext(ctx)); err != nil {
			p := problemOf(err)
			call.Answer, call.Cause = p.Code, p.Cause
			if p.Code == string(ledger.UnknownRule) {
				call.Rule = ""
			}
			problem.Write(w, p)
		}
	})
}

// note says which rule a call was about, and what came of it.
func note(r *http.Request, rule, answer string) {
	call := calls.Of(r.Context())
	call.Rule, call.Key, call.Answer = rule, "", answer
}

// count says what was decided on one key of a call.
func count(r *http.Request, rule, status string) {
	call := calls.Of(r.Context())
	call.Claims = append(call.Claims, calls.Claim{Rule: rule, Status: status})
}

// reply writes v as JSON with a status.
func reply(w http.ResponseWriter, status int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	// A connection that went away has nobody left to be told, and what was decided
	// is on disk.
	_, _ = w.Write(append(data, '\n'))
	return nil
}

func healthy(w http.ResponseWriter, _ *http.Request) error {
	return reply(w, http.StatusOK, body.Health{Status: "ok"})
}

// ready tells whether the ledger can take a claim now, and grants it.
func (d desk) ready(w http.ResponseWriter, r *http.Request) error {
	if err := d.ledger.Check(r.Context()); err != nil {
		return err
	}
	pause, paused, err := d.ledger.Paused(r.Context())
	switch {
	case err != nil:
		return err
	case paused:
		return pause.Refusal()
	}
	return reply(w, http.StatusOK, body.Health{Status: "ready"})
}
