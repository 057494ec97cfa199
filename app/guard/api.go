package guard

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/calls"
	"dedupedesk/app/describe"
	"dedupedesk/app/problem"
)

// A Caller is who a token belongs to.
type Caller struct {
	Name  string
	Admin bool
}

// CheckToken tells whose a token is. ok is false for an unknown, expired or
// revoked one; err means that it could not be looked up.
type CheckToken func(ctx context.Context, secret string) (c Caller, ok bool, err error)

// API returns the handler of the claim endpoint's listener. Each call is noted in book,
// once, whatever came of it.
func API(hosts Hosts, check CheckToken, routes []Route, book *calls.Book) http.Handler {
	return door{hosts, check, newRates(time.Now)}.handler(routes, book)
}

// StatusGone is what is noted of a call whose caller hung up before it was answered:
// what went wrong then is no fault of the house. It is never sent.
const StatusGone = 499

// A door is what each request to the claim endpoint has to pass.
type door struct {
	hosts Hosts
	check CheckToken
	rates *rates
}

func (d door) handler(routes []Route, book *calls.Book) http.Handler {
	cop := http.NewCrossOriginProtection()
	mux := newMux(routes, d.route, refuseCall)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		call := &calls.Call{Began: time.Now()}
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		r = r.WithContext(calls.With(r.Context(), call))
		rec.Header().Set("X-Content-Type-Options", "nosniff")
		var local bool
		local, rec.published = d.hosts.kind(r)
		switch {
		case !local && !rec.published:
			refuseCall(rec, r, wrongHost(r))
		case cop.Check(r) != nil || r.Header.Get("Origin") != "":
			refuseCall(rec, r, crossOrigin())
		default:
			mux.ServeHTTP(rec, r)
		}
		call.Status, call.Route = rec.status, r.Pattern
		if call.Status >= http.StatusInternalServerError && r.Context().Err() != nil && errors.Is(call.Cause, context.Canceled) {
			call.Status, call.Answer, call.Cause = StatusGone, "caller_gone", nil
		}
		call.Quiet = rec.quiet && call.Status < http.StatusInternalServerError
		book.Note(context.WithoutCancel(r.Context()), *call)
	})
}

// refuseCall answers with p and says so of the call.
func refuseCall(w http.ResponseWriter, r *http.Request, p *problem.Problem) {
	call := calls.Of(r.Context())
	call.Answer, call.Cause = p.Code, p.Cause
	problem.Write(w, p)
}

// A recorder keeps what is known of a request, and the status of its answer.
type recorder struct {
	http.ResponseWriter
	published bool
	status    int
	quiet     bool // of no interest to a person, unless it is a fault of the house
}

// WriteHeader keeps the status.
func (rec *recorder) WriteHeader(status int) {
	rec.status = status
	rec.ResponseWriter.WriteHeader(status)
}

// Unwrap lets the server's own controls reach the connection.
func (rec *recorder) Unwrap() http.ResponseWriter { return rec.ResponseWriter }

func (d door) route(rt Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec, _ := w.(*recorder)
		rec.quiet = rt.Quiet || rt.Access == Open
		inner := rec.ResponseWriter // which closes the connection of a body that is too large
		if rec.published && !rt.Published {
			refuseCall(w, r, problem.New(http.StatusNotFound, "no_such_address", "This address is not served under a public name."))
			return
		}
		if rt.Access != Open {
			if p, quiet := d.admit(r, rt.Access, rec.published); p != nil {
				rec.quiet = quiet
				refuseCall(w, r, p)
				return
			}
		}
		refusal := checkBody(inner, r, rt)
		if refusal == nil {
			refusal = checkQuery(r, rt)
		}
		if refusal != nil {
			refuseCall(w, r, refusal)
			return
		}
		calls.Of(r.Context()).LetIn = true
		rt.Handler.ServeHTTP(w, r)
	})
}

// admit returns nil where r carries a token that a route asks for, and not too many
// came. A refusal that is quiet was written down for another request already.
func (d door) admit(r *http.Request, need Access, published bool) (refusal *problem.Problem, quiet bool) {
	secret := tokenOf(r)
	if published {
		if refusal, tell := d.rates.count(r, secret); refusal != nil {
			return refusal, !tell
		}
	}
	if secret == "" {
		return problem.New(http.StatusUnauthorized, "no_token",
			"The password is missing. Send it as the header Authorization: Bearer dd_… or as X-Api-Key."), false
	}
	caller, ok, err := d.check(r.Context(), secret)
	if err != nil {
		return &problem.Problem{Status: http.StatusServiceUnavailable, Code: "busy", RetryAfter: problem.RetryBusy,
			Detail: "The password could not be checked just now. Nothing was granted; try again.", Cause: err}, false
	}
	if published {
		d.rates.learn(secret, ok)
	}
	if !ok {
		return problem.New(http.StatusUnauthorized, "wrong_token",
			"This password is not known, or it was replaced. Put the current one into the step that called."), false
	}
	if need == Admin && !caller.Admin {
		return problem.New(http.StatusForbidden, "not_allowed",
			"This password may reserve and finish keys only. Make one of scope admin for this call."), false
	}
	calls.Of(r.Context()).From = caller.Name
	return nil, false
}

func tokenOf(r *http.Request) string {
	if auth := r.Header.Get("Authorization"); auth != "" {
		scheme, secret, _ := strings.Cut(auth, " ")
		if strings.EqualFold(scheme, "bearer") {
			return strings.TrimSpace(secret)
		}
		return "?" // another scheme is a wrong password, not a missing one
	}
	return strings.TrimSpace(r.Header.Get("X-Api-Key"))
}

// checkQuery refuses a name in the address that the route does not describe, so that a
// misspelt one is not silently ignored. In the address of a POST stand members of the
// call or of the event, which the handler knows.
func checkQuery(r *http.Request, rt Route) *problem.Problem {
	if !queryIsWhole(rt) {
		return nil
	}
	known := describe.Names(rt.Operation.Query)
	for name := range r.URL.Query() {
		if slices.Contains(known, name) {
			continue
		}
		takes := "This address takes none."
		if len(known) > 0 {
			takes = "Known are: " + strings.Join(known, ", ") + "."
		}
		p := problem.New(http.StatusBadRequest, "invalid", "There is no field "+quoteShort(name)+" here. "+takes)
		p.Field = short(name)
		return p
	}
	return nil
}

// queryIsWhole tells whether the route describes all that may stand in its address.
func queryIsWhole(rt Route) bool {
	return rt.Operation.ID != "" && !strings.HasPrefix(rt.Pattern, http.MethodPost+" ")
}

// formTypes are the body types that a claim route reads. A raw event may also
// be multipart, which its handler bounds.
var formTypes = map[string]bool{
	"application/json": true, "application/x-www-form-urlencoded": true, "multipart/form-data": true, "application/yaml": true,
}

// checkBody bounds the body and refuses types that no route reads. A text body,
// which another site's page could post without asking, is one of them.
func checkBody(w http.ResponseWriter, r *http.Request, rt Route) *problem.Problem {
	if refusal := boundBody(w, r, rt); refusal != nil {
		return refusal
	}
	r.Body = wholeBody{r.Body}
	if r.Method == http.MethodGet || r.ContentLength == 0 {
		return nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !(formTypes[kind] || strings.HasSuffix(kind, "+json")) {
		return problem.New(http.StatusUnsupportedMediaType, "wrong_type",
			"Send the body as application/json or as a form (application/x-www-form-urlencoded), not as "+quoteShort(r.Header.Get("Content-Type"))+".")
	}
	return nil
}
