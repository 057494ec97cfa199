package admin

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dedupedesk/app/guard"
	"dedupedesk/app/session"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing")

// TestEveryRouteIsListedWithItsAccess: whoever adds a route, or opens one to more
// people, has to say so in the golden file.
func TestEveryRouteIsListedWithItsAccess(t *testing.T) {
	var lines []string
	known := map[guard.Access]bool{guard.Open: true, guard.Look: true, guard.Decide: true, guard.Change: true, guard.Window: true}
	for _, rt := range Routes(newDesk(t)) {
		limit := int64(guard.MaxClaimBody)
		if rt.MaxBody != 0 {
			limit = rt.MaxBody
		}
		if !known[rt.Access] || rt.Handler == nil || rt.Published {
			t.Errorf("%s has the access %q, published %v", rt.Pattern, rt.Access, rt.Published)
		}
		method, at, _ := strings.Cut(rt.Pattern, " ")
		lines = append(lines, fmt.Sprintf("%-23s %-4s %-6s %4d KB\n", at, method, rt.Access, limit>>10))
	}
	slices.Sort(lines)
	all := strings.Join(lines, "")
	path := filepath.Join("testdata", "routes.txt")
	if *update {
		if err := os.WriteFile(path, []byte(all), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if all != string(want) {
		t.Errorf("the routes are\n%s\nwant, from %s,\n%s", all, path, want)
	}
}

// TestSessionCookie: what a one-time code opens stays in this browser, is read by
// no script and sent from no other site.
func TestSessionCookie(t *testing.T) {
	d := newDesk(t)
	pages := guard.Pages{Hosts: guard.Hosts{Port: d.AdminPort}, Secret: "window-secret", Book: d.Sessions, Routes: Routes(d), Refuse: d.Refuse}.Handler()
	open := func(code string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodPost, "/session", strings.NewReader(url.Values{"code": {code}}.Encode()))
		r.Host = "127.0.0.1:" + d.AdminPort
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		return w
	}
	code := d.Sessions.NewCode(session.Session{Name: "Ana", Role: session.Decide})
	w := open(code)
	cookies := w.Result().Cookies()
	if w.Code != http.StatusOK || len(cookies) != 1 {
		t.Fatalf("%d with the cookies %v", w.Code, cookies)
	}
	c := cookies[0]
	if c.Name != "dd_"+d.AdminPort || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" || c.MaxAge != 0 || !c.Expires.IsZero() {
		t.Errorf("the cookie is %s", c)
	}
	if strings.Contains(w.Body.String(), c.Value) {
		t.Error("a script can read the cookie's half in the answer")
	}
	if s, ok := d.Sessions.Find(c.Value); !ok || s.Name != "Ana" || s.Role != session.Decide {
		t.Errorf("the session is %+v, %v", s, ok)
	}
	for name, code := range map[string]string{"used": code, "unknown": "x", "none": ""} {
		if w := open(code); w.Code != http.StatusUnauthorized || len(w.Result().Cookies()) != 0 {
			t.Errorf("a code that is %s: %d with the cookies %v", name, w.Code, w.Result().Cookies())
		}
	}
}
