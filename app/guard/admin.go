package guard

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"mime"
	"net/http"
	"strings"

	"dedupedesk/app/problem"
	"dedupedesk/app/session"
)

// WindowHeader carries the engine's secret from this user's own window and
// commands. SessionHeader carries a page's half of its session.
const (
	WindowHeader  = "X-Dedupe-Window"
	SessionHeader = "X-Dedupe-Session"
)

// Pages is what the admin listener's guard needs.
type Pages struct {
	Hosts  Hosts
	Secret string // of engine.json
	Owner  string // signs what comes with the secret: this computer's user
	Book   *session.Book
	Routes []Route
	// Refuse draws a refusal of a page for a person. Refusals of changes are
	// problem details.
	Refuse func(http.ResponseWriter, *http.Request, *problem.Problem)
}

// policy lets a page use what the program itself serves, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// CookieName returns the session cookie's name. The port is in it because
// cookies of one host are shared by all its ports.
func CookieName(port string) string { return "dd_" + port }

// Handler returns the handler of the admin listener.
func (p Pages) Handler() http.Handler {
	cop := http.NewCrossOriginProtection()
	mux := newMux(p.Routes, p.wrap, p.refuse)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if local, published := p.Hosts.kind(r); !local || published {
			problem.Write(w, problem.New(http.StatusMisdirectedRequest, "wrong_host",
				"The pages are not served under the name "+quoteShort(r.Host)+". Open them from Dedupe Desk, or run: dedupe open"))
			return
		}
		if err := cop.Check(r); err != nil {
			problem.Write(w, crossOrigin())
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// Visitor returns who sent r. ok is false for a request that came through no
// guarded route.
func Visitor(r *http.Request) (s session.Session, ok bool) {
	v, ok := r.Context().Value(visitorKey{}).(visitor)
	return v.Session, ok
}

// InWindow tells whether r came from the native window.
func InWindow(r *http.Request) bool {
	v, _ := r.Context().Value(visitorKey{}).(visitor)
	return v.window
}

type visitorKey struct{}

type visitor struct {
	session.Session
	window bool
}

func (p Pages) wrap(rt Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, refusal := p.admit(r, rt)
		if refusal != nil {
			p.refuse(w, r, refusal)
			return
		}
		if refusal := checkForm(w, r, rt); refusal != nil {
			p.refuse(w, r, refusal)
			return
		}
		rt.Handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), visitorKey{}, v)))
	})
}

// admit returns who sent r, or why rt is closed to them.
func (p Pages) admit(r *http.Request, rt Route) (visitor, *problem.Problem) {
	if p.secretOf(r) {
		return visitor{session.Session{Name: p.Owner, Role: session.Change}, true}, nil
	}
	if rt.Access == Open {
		return visitor{}, nil
	}
	locked := problem.New(http.StatusUnauthorized, "locked",
		"This page is not open here. Open it from Dedupe Desk, or run: dedupe open")
	cookie, err := r.Cookie(CookieName(p.Hosts.Port))
	if err != nil || rt.Access == Window {
		return visitor{}, locked
	}
	var s session.Session
	var ok bool
	if changes(r) {
		s, ok = p.Book.FindForChange(cookie.Value, r.Header.Get(SessionHeader))
	} else {
		s, ok = p.Book.Find(cookie.Value)
	}
	if !ok {
		return visitor{}, locked
	}
	if !s.Role.Covers(session.Role(rt.Access)) {
		return visitor{}, problem.New(http.StatusForbidden, "not_allowed",
			"Your address lets you "+string(s.Role)+" only. Ask the person who gave it to you for one that lets you "+string(rt.Access)+".")
	}
	return visitor{s, false}, nil
}

func (p Pages) secretOf(r *http.Request) bool {
	got := r.Header.Get(WindowHeader)
	if got == "" || p.Secret == "" {
		return false
	}
	a, b := sha256.Sum256([]byte(got)), sha256.Sum256([]byte(p.Secret))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

func (p Pages) refuse(w http.ResponseWriter, r *http.Request, refusal *problem.Problem) {
	if p.Refuse != nil && !changes(r) && strings.Contains(r.Header.Get("Accept"), "text/html") {
		p.Refuse(w, r, refusal)
		return
	}
	problem.Write(w, refusal)
}

func changes(r *http.Request) bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }

// checkForm bounds the body and takes forms only: files are read by the page and
// arrive as text, since a file in a body kills the native window.
func checkForm(w http.ResponseWriter, r *http.Request, rt Route) *problem.Problem {
	if refusal := boundBody(w, r, rt); refusal != nil {
		return refusal
	}
	if !changes(r) || r.ContentLength == 0 {
		return nil
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/x-www-form-urlencoded" {
		return problem.New(http.StatusUnsupportedMediaType, "wrong_type", "Pages send forms (application/x-www-form-urlencoded).")
	}
	return nil
}
