package guard

import (
	"context"
	"mime"
	"net/http"
	"strings"

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

// API returns the handler of the claim endpoint's listener.
func API(hosts Hosts, check CheckToken, routes []Route) http.Handler {
	cop := http.NewCrossOriginProtection()
	refuse := func(w http.ResponseWriter, _ *http.Request, p *problem.Problem) { problem.Write(w, p) }
	mux := newMux(routes, func(rt Route) http.Handler { return apiRoute(hosts, check, rt) }, refuse)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if local, published := hosts.kind(r); !local && !published {
			problem.Write(w, wrongHost(r))
			return
		}
		if cop.Check(r) != nil || r.Header.Get("Origin") != "" {
			problem.Write(w, crossOrigin())
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func apiRoute(hosts Hosts, check CheckToken, rt Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, published := hosts.kind(r); published && !rt.Published {
			problem.Write(w, problem.New(http.StatusNotFound, "no_such_address", "This address is not served under a public name."))
			return
		}
		if p := authorize(r, check, rt.Access); p != nil {
			problem.Write(w, p)
			return
		}
		if p := checkBody(w, r, rt); p != nil {
			problem.Write(w, p)
			return
		}
		rt.Handler.ServeHTTP(w, r)
	})
}

// authorize returns nil where r carries a token that rt's access asks for.
func authorize(r *http.Request, check CheckToken, need Access) *problem.Problem {
	if need == Open {
		return nil
	}
	secret := tokenOf(r)
	if secret == "" {
		return problem.New(http.StatusUnauthorized, "no_token",
			"The password is missing. Send it as the header Authorization: Bearer dd_… or as X-Api-Key.")
	}
	caller, ok, err := check(r.Context(), secret)
	if err != nil {
		return &problem.Problem{Status: http.StatusServiceUnavailable, Code: "busy", RetryAfter: retryBusy,
			Detail: "The password could not be checked just now. Nothing was granted; try again.", Cause: err}
	}
	if !ok {
		return problem.New(http.StatusUnauthorized, "wrong_token",
			"This password is not known, or it was replaced. Put the current one into the step that called.")
	}
	if need == Admin && !caller.Admin {
		return problem.New(http.StatusForbidden, "not_allowed",
			"This password may reserve and finish keys only. Make one of scope admin for this call.")
	}
	return nil
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

// formTypes are the body types that a claim route reads. A raw event may also
// be multipart, which its handler bounds.
var formTypes = map[string]bool{
	"application/json": true, "application/x-www-form-urlencoded": true, "multipart/form-data": true, "application/yaml": true,
}

// checkBody bounds the body and refuses types that no route reads. A text body,
// which another site's page could post without asking, is one of them.
func checkBody(w http.ResponseWriter, r *http.Request, rt Route) *problem.Problem {
	limit := rt.MaxBody
	if limit == 0 {
		limit = MaxClaimBody
	}
	if r.ContentLength > limit {
		return TooLarge(limit)
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
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
