package guard_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"dedupedesk/app/guard"
	"dedupedesk/app/session"
)

const asWindow = guard.WindowHeader + ": " + windowSecret

// sit opens a session and returns the header lines of its requests.
func (h *house) sit(t *testing.T, name string, role session.Role) (cookie, header string) {
	t.Helper()
	id, secret, ok := h.book.Open(h.book.NewCode(session.Session{Name: name, Role: role}))
	if !ok {
		t.Fatal("the session did not open")
	}
	return "Cookie: " + guard.CookieName(h.port) + "=" + id, guard.SessionHeader + ": " + secret
}

// TestRoles: each role may do what the ones before it may, and nothing more; the
// window's secret opens all, and it alone what is meant for the window.
func TestRoles(t *testing.T) {
	h := newPages(t)
	type who struct {
		name  string
		lines []string
	}
	people := []who{{"nobody", nil}, {"window", []string{asWindow}}}
	for _, role := range []session.Role{session.Look, session.Decide, session.Change} {
		cookie, header := h.sit(t, "Ana", role)
		people = append(people, who{string(role), []string{cookie, header}})
	}
	routes := map[string]map[string]int{ // route, person, status
		"GET /open":    {"nobody": 200, "look": 200, "decide": 200, "change": 200, "window": 200},
		"POST /open":   {"nobody": 200, "look": 200, "decide": 200, "change": 200, "window": 200},
		"GET /look":    {"nobody": 401, "look": 200, "decide": 200, "change": 200, "window": 200},
		"POST /look":   {"nobody": 401, "look": 200, "decide": 200, "change": 200, "window": 200},
		"POST /decide": {"nobody": 401, "look": 403, "decide": 200, "change": 200, "window": 200},
		"GET /change":  {"nobody": 401, "look": 403, "decide": 403, "change": 200, "window": 200},
		"POST /change": {"nobody": 401, "look": 403, "decide": 403, "change": 200, "window": 200},
		"POST /window": {"nobody": 401, "look": 401, "decide": 401, "change": 401, "window": 200},
	}
	says := map[int]string{401: "locked", 403: "not_allowed"}
	var rows []row
	for route, codes := range routes {
		for _, p := range people {
			rows = append(rows, row{name: p.name + " " + route, lines: append([]string{route}, p.lines...), code: codes[p.name], says: says[codes[p.name]]})
		}
	}
	drive(t, h, rows)
}

// TestVisitorsAreNamed: decisions are signed with it.
func TestVisitorsAreNamed(t *testing.T) {
	h := newPages(t)
	cookie, _ := h.sit(t, "Ana Lopez", session.Look)
	for _, tt := range []struct{ line, visitor, window string }{{cookie, "Ana Lopez/look", ""}, {asWindow, "Ana/change", "yes"}} {
		resp := h.send(t, []string{"GET /look", tt.line}, "")
		if got := resp.Header.Get("X-Visitor"); got != tt.visitor || resp.Header.Get("X-Window") != tt.window {
			t.Errorf("%s is %q, window %q", tt.line, got, resp.Header.Get("X-Window"))
		}
	}
}

// TestSessionsNeedBothHalves: cookies of 127.0.0.1 reach every port of this
// computer, so a change asks for the page's half too.
func TestSessionsNeedBothHalves(t *testing.T) {
	h := newPages(t)
	cookie, header := h.sit(t, "Ana", session.Change)
	_, other := h.sit(t, "Ben", session.Change)
	id := strings.TrimPrefix(cookie, "Cookie: "+guard.CookieName(h.port)+"=")
	drive(t, h, []row{
		{name: "both", lines: []string{"POST /change", cookie, header}, code: 200},
		{name: "cookie alone looks", lines: []string{"GET /look", cookie}, code: 200},
		{name: "cookie alone changes", lines: []string{"POST /change", cookie}, code: 401, says: "locked"},
		{name: "another session's header", lines: []string{"POST /change", cookie, other}, code: 401, says: "locked"},
		{name: "header alone", lines: []string{"POST /change", header}, code: 401, says: "locked"},
		{name: "a cookie of another port", lines: []string{"GET /look", "Cookie: " + guard.CookieName("1") + "=" + id}, code: 401, says: "locked"},
		{name: "a cookie that is none", lines: []string{"GET /look", "Cookie: " + guard.CookieName(h.port) + "=x"}, code: 401, says: "locked"},
		{name: "the id in the address", lines: []string{"GET /look?" + guard.CookieName(h.port) + "=" + id}, code: 401, says: "locked"},
	})
}

func TestWindowSecret(t *testing.T) {
	h := newPages(t)
	window := func(value string) []string { return []string{"POST /window", guard.WindowHeader + ": " + value} }
	drive(t, h, []row{
		{name: "right", lines: window(windowSecret), code: 200},
		{name: "wrong", lines: window("WINDOX"), code: 401, says: "locked"},
		{name: "empty", lines: window(""), code: 401, says: "locked"},
		{name: "longer", lines: window(windowSecret + "W"), code: 401, says: "locked"},
		{name: "its beginning", lines: window(windowSecret[:3]), code: 401, says: "locked"},
		{name: "in the address", lines: []string{"POST /window?" + guard.WindowHeader + "=" + windowSecret}, code: 401, says: "locked"},
		{name: "as a password of the API", lines: []string{"POST /window", "Authorization: Bearer " + windowSecret}, code: 401, says: "locked"},
	})
}

// TestNoSecretOpensNothing: an engine without a secret is not open to a request
// without one.
func TestNoSecretOpensNothing(t *testing.T) {
	h := &house{book: session.NewBook(nowForever)}
	h.serve(t, func(port string) http.Handler {
		return guard.Pages{Hosts: guard.Hosts{Port: port}, Book: h.book,
			Routes: []guard.Route{{Pattern: "GET /look", Access: guard.Look, Handler: http.HandlerFunc(h.reach)}}}.Handler()
	})
	drive(t, h, []row{{name: "empty", lines: []string{"GET /look", guard.WindowHeader + ":"}, code: 401, says: "locked"}})
}

// TestPagesStayOnThisComputer: the admin listener answers under no other name and
// to nothing that a proxy handed on, whatever proof comes with it.
func TestPagesStayOnThisComputer(t *testing.T) {
	h := newPages(t)
	var rows []row
	for _, line := range []string{
		"Host: api.example.com", "Host: evil.example:$PORT", "Host: 127.0.0.1:1", "Host: 127.0.0.1", "Host: 192.168.1.7:$PORT", "Host:",
		"X-Forwarded-For: 203.0.113.9", "X-Forwarded-Host: x.ngrok.app", "Forwarded: for=203.0.113.9", "Via: 1.1 proxy",
		"CF-Connecting-IP: 203.0.113.9", "X-Real-IP: 203.0.113.9", "Tailscale-User-Login: a",
	} {
		for _, route := range []string{"GET /open", "GET /look", "POST /window", "GET /nowhere"} {
			rows = append(rows, row{name: route + " " + line, lines: []string{route, asWindow, line}, code: 421, says: "wrong_host"})
		}
	}
	drive(t, h, append(rows,
		row{name: "localhost", lines: []string{"GET /look", asWindow, "Host: localhost:$PORT"}, code: 200},
		row{name: "::1", lines: []string{"GET /look", asWindow, "Host: [::1]:$PORT"}, code: 200}))
}

// TestPagesTakeTheirOwnFormsOnly: no other site's, and no files.
func TestPagesTakeTheirOwnFormsOnly(t *testing.T) {
	h := newPages(t)
	cookie, header := h.sit(t, "Ana", session.Change)
	change := func(more ...string) []string { return append([]string{"POST /change", cookie, header}, more...) }
	drive(t, h, []row{
		{name: "its own", lines: change(asForm, "Origin: http://127.0.0.1:$PORT", "Sec-Fetch-Site: same-origin"), body: "a=b", code: 200},
		{name: "another site's", lines: change(asForm, "Origin: https://evil.example", "Sec-Fetch-Site: cross-site"), body: "a=b", code: 403, says: "cross_origin"},
		{name: "another port's", lines: change(asForm, "Origin: http://127.0.0.1:1", "Sec-Fetch-Site: same-site"), body: "a=b", code: 403, says: "cross_origin"},
		{name: "another site's, to an open route", lines: []string{"POST /open", asForm, "Origin: https://evil.example"}, body: "a=b", code: 403, says: "cross_origin"},
		{name: "with the window's secret all the same", lines: []string{"POST /window", asWindow, asForm, "Sec-Fetch-Site: cross-site"}, body: "a=b", code: 403, says: "cross_origin"},
		{name: "null origin", lines: change(asForm, "Origin: null"), body: "a=b", code: 403, says: "cross_origin"},
		{name: "multipart", lines: change("Content-Type: multipart/form-data; boundary=x"), body: "--x--", code: 415, says: "wrong_type"},
		{name: "JSON", lines: change(asJSON), body: "{}", code: 415, says: "wrong_type"},
		{name: "text", lines: change("Content-Type: text/plain"), body: "a=b", code: 415, says: "wrong_type"},
		{name: "no type", lines: change(), body: "a=b", code: 415, says: "wrong_type"},
		{name: "limit", lines: change(asForm), body: strings.Repeat("a", guard.MaxClaimBody), code: 200},
		{name: "limit+1", lines: change(asForm), body: strings.Repeat("a", guard.MaxClaimBody+1), code: 413, says: "too_large"},
		{name: "wrong method", lines: []string{"PUT /look", asWindow}, code: 405, says: "wrong_method"},
	})
}

// TestPagesMayUseTheirOwnOnly: the policy that keeps what a sender wrote from
// running or calling home, on answers and refusals alike.
func TestPagesMayUseTheirOwnOnly(t *testing.T) {
	h := newPages(t)
	for _, lines := range [][]string{{"GET /open"}, {"GET /look"}, {"GET /nowhere", asWindow}, {"GET /open", "Host: evil.example"}} {
		resp := h.send(t, lines, "")
		policy := resp.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%v: the policy lacks %s: %s", lines, want, policy)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || strings.Contains(policy, "*") {
			t.Errorf("%v: the policy is too wide: %s", lines, policy)
		}
		if resp.Header.Get("Referrer-Policy") != "no-referrer" || resp.Header.Get("Cross-Origin-Opener-Policy") != "same-origin" {
			t.Errorf("%v: headers %v", lines, resp.Header)
		}
	}
}

// TestRefusalsOfPagesAreDrawn for a person who asked for a page; a program and a
// change get problem details.
func TestRefusalsOfPagesAreDrawn(t *testing.T) {
	h := &house{book: session.NewBook(nowForever)}
	h.serve(t, func(port string) http.Handler {
		return guard.Pages{Hosts: guard.Hosts{Port: port}, Secret: windowSecret, Book: h.book, Refuse: drawn,
			Routes: []guard.Route{
				{Pattern: "GET /look", Access: guard.Look, Handler: http.HandlerFunc(h.reach)},
				{Pattern: "POST /change", Access: guard.Change, Handler: http.HandlerFunc(h.reach)},
			}}.Handler()
	})
	const html = "Accept: text/html,application/xhtml+xml"
	for _, tt := range []struct {
		lines []string
		want  string
	}{
		{[]string{"GET /look", html}, "drawn locked"},
		{[]string{"GET /nowhere", html}, "drawn no_such_address"},
		{[]string{"PUT /look", html}, `"wrong_method"`},
		{[]string{"GET /look"}, `"locked"`},
		{[]string{"POST /change", html}, `"locked"`},
	} {
		resp := h.send(t, tt.lines, "")
		raw, err := io.ReadAll(resp.Body)
		if err != nil || !strings.Contains(string(raw), tt.want) {
			t.Errorf("%v: %v %s, want %s", tt.lines, err, raw, tt.want)
		}
	}
}
