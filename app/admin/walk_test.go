package admin

import (
	"html"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"

	"dedupedesk/app/guard"
	"dedupedesk/app/session"
	"dedupedesk/ledger"
)

// lived returns a desk with a rule of each kind, a draft, and keys in every
// state. Some keys are what a sender could use to break a page.
func lived(t *testing.T) Desk {
	t.Helper()
	d := newDesk(t)
	putRule(t, d, listRule)
	putRule(t, d, paidRule)
	putRule(t, d, "rule: lines\nkey: key(body.id, item.sku)\neach: body.lines\non_expiry: ask\nmax_attempts: 1\nfold_case: true\n")
	startRule(t, d, url.Values{"title": {"<b>Draft</b>"}, "text": {`{"id":"evt_1","html":"<img src=x onerror=alert(1)>","url":"https://evil.example/x.js"}`}})
	claim := func(rule, key, owner, print string) ledger.Answer {
		a, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Rule: rule, Key: key, Owner: owner, Fingerprint: print})
		if err != nil {
			t.Fatalf("claim %s: %v", key, err)
		}
		return a
	}
	claim("lines", "held:1", "", "")
	stuckKey(t, d, "expired:1", `run "1" <script>alert(1)</script>`)
	claim("lines", "held:1", "", "") // its time ran out and the rule asks
	for _, key := range []string{`<img src=x onerror=alert(1)>`, `=HYPERLINK("https://evil.example")`, `javascript:alert(1)`, "https://evil.example/a?b=c&d=e"} {
		finishKey(t, d, key, grantKey(t, d, key, "").Token)
		askFor(t, d, key, "copy")
	}
	giveBack(t, d, "released:1", grantKey(t, d, "released:1", "run 2").Token, `500 <a href="https://evil.example">from the shop</a>`)
	claim("paid-invoices", "mismatch:1", "run 3", "10")
	claim("paid-invoices", "mismatch:1", "run 4", "11")
	grantKey(t, d, "live:1", "run 5")
	for i := range 120 { // more than a page
		grantKey(t, d, "many:"+string(rune('a'+i%26))+strings.Repeat("x", i/26), "")
	}
	for name, scope := range map[string]ledger.Scope{"Make <flow>": ledger.ScopeClaim, "operator": ledger.ScopeAdmin} {
		if _, _, err := d.Ledger.NewToken(t.Context(), name, scope); err != nil {
			t.Fatal(err)
		}
	}
	form := url.Values{"rule": {"paid-invoices"}, "tool": {"make"}, "detail.computer": {"always"}, "detail.address": {"https://dedupe.example.com"}}
	wantStatus(t, sit(t, d, "Ana", session.Change).post("/steps/answer", form), http.StatusOK)
	wantStatus(t, sit(t, d, "Ana", session.Change).post("/steps/details", form), http.StatusOK)
	return d
}

// A walker goes through the pages, as the native window does with the engine's
// secret and no cookie, or as a browser does with a session.
type walker struct {
	t       *testing.T
	window  bool
	seat    seat
	seen    map[string]bool
	checked map[string]bool // pieces of pages
	left    []string
}

func newWalker(t *testing.T, d Desk, window bool, role session.Role) *walker {
	return &walker{t: t, window: window, seat: sit(t, d, "Ana", role), seen: map[string]bool{}, checked: map[string]bool{}}
}

func (w *walker) ask(method, address string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, address, nil)
	// A browser asks so; an answer of 304 hangs the web view on Windows.
	r.Header.Set("If-None-Match", "*")
	r.Header.Set("If-Modified-Since", "Fri, 01 Jan 2038 00:00:00 GMT")
	if !w.window {
		return w.seat.send(r)
	}
	r.Host = "127.0.0.1:47820"
	r.Header.Set(guard.WindowHeader, "window-secret")
	r.Header.Set("Accept", "text/html")
	got := httptest.NewRecorder()
	w.seat.pages.ServeHTTP(got, r)
	return got
}

// maxPages bounds the walk: the pages link to one another without end.
const maxPages = 400

// TestEveryPageSuitsTheWindow walks all GET routes, follows every link, and holds
// each answer to what a Wails window can stand: no redirect, no cookie, no 304, no
// inline script or style, no file in a form, nothing from elsewhere.
func TestEveryPageSuitsTheWindow(t *testing.T) {
	d := lived(t)
	for name, w := range map[string]*walker{"window": newWalker(t, d, true, session.Change), "browser": newWalker(t, d, false, session.Change)} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			walked := w.walk(d)
			for _, rt := range Routes(d) {
				// The window saves no files, so it is offered none.
				saved := rt.Pattern == "GET /steps/file" || rt.Pattern == "GET /steps/sheet" || rt.Pattern == "GET /keys/export"
				if strings.HasPrefix(rt.Pattern, "GET ") && !walked[rt.Pattern] && !(w.window && saved) {
					t.Errorf("nothing leads to %s: name an address of it in this test", rt.Pattern)
				}
			}
			t.Logf("walked %d addresses", len(w.seen))
		})
	}
}

// walk returns the routes that it came by.
func (w *walker) walk(d Desk) map[string]bool {
	w.left = []string{
		"/", "/status", "/design", "/design/senders?draft=new-00112233aabbccdd", "/design/share?draft=rule.paid-invoices", "/design?rule=list-edits", "/design/rule?rule=lines", "/design/rule?rule=paid-invoices&saved=1", "/design/words?draft=rule.list-edits", "/design/versions?rule=lines",
		"/steps", "/steps?rule=list-edits", "/steps?one=1", "/steps?one=condition", "/steps?one=test&example=1", "/steps?one=file", "/steps?one=condition&rule=list-edits",
		"/keys?view=all", "/keys?view=stuck", "/keys?state=held", "/keys?prefix=many", "/keys/one?rule=lines&key=held:1", "/keys/one?rule=default&key=released:1", "/keys/recent", "/keys/news?at=1", "/keys/bulk/none", "/keys/bulk/job?id=gone", "/lab/event?method=look+first&event=1", "/lab/picture",
		"/connect", "/connect?rule=paid-invoices&tool=make", "/connect/api", "/static/app.css", "/static/core.js", "/static/formula.js",
	}
	for _, x := range d.Exporters {
		for _, rule := range []string{"list-edits", "paid-invoices", "lines"} {
			w.left = append(w.left, "/steps?rule="+rule+"&tool="+x.Name())
		}
	}
	named := len(w.left)
	walked := map[string]bool{}
	for n := 0; len(w.left) > 0 && len(w.seen) < maxPages; n++ {
		address := w.left[0]
		w.left = w.left[1:]
		if w.seen[address] {
			continue
		}
		w.seen[address] = true
		got := w.ask(http.MethodGet, address)
		// What is named here may be refused in words; what a page links to is there.
		if got.Code != http.StatusOK && (n >= named || got.Code >= 500) {
			w.t.Errorf("%s: %d %.300s", address, got.Code, got.Body)
		}
		walked[routeOf(d, address)] = true
		w.check(address, got)
	}
	return walked
}

// TestEveryChangeSuitsTheWindow: the same of what the forms answer, even to a form
// that is empty.
func TestEveryChangeSuitsTheWindow(t *testing.T) {
	d := lived(t)
	w := newWalker(t, d, true, session.Change)
	for _, rt := range Routes(d) {
		if address, ok := strings.CutPrefix(rt.Pattern, "POST "); ok {
			got := w.ask(http.MethodPost, address)
			if got.Code >= 500 {
				t.Errorf("%s: %d %.300s", address, got.Code, got.Body)
			}
			w.check("POST "+address, got)
		}
	}
}

// TestPagesOfALookerSuitTheWindowToo: other roles see other pages.
func TestPagesOfALookerSuitTheWindowToo(t *testing.T) {
	d := lived(t)
	w := newWalker(t, d, false, session.Look)
	for _, address := range []string{"/", "/design", "/design/rule?rule=list-edits", "/steps?rule=list-edits", "/keys", "/keys/one?rule=lines&key=held:1", "/connect", "/connect/api", "/nowhere"} {
		w.check(address, w.ask(http.MethodGet, address))
	}
	w.seat.cookie = ""
	if got := w.ask(http.MethodGet, "/"); got.Code != http.StatusUnauthorized {
		t.Errorf("without a session: %d", got.Code)
	} else {
		w.check("the locked page", got)
	}
}

// routeOf returns the pattern that an address is served by.
func routeOf(d Desk, address string) string {
	at, _, _ := strings.Cut(address, "?")
	for _, rt := range Routes(d) {
		pattern, ok := strings.CutPrefix(rt.Pattern, "GET ")
		if !ok {
			continue
		}
		if pattern = strings.TrimSuffix(pattern, "{$}"); pattern == at || path.Dir(pattern)+"/" == path.Dir(at)+"/" && strings.Contains(pattern, "{") {
			return rt.Pattern
		}
	}
	return ""
}

var (
	tag       = regexp.MustCompile(`<([a-zA-Z][\w-]*)((?:\s+[^\s=>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?)*)\s*/?>`)
	attribute = regexp.MustCompile(`([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?`)
	script    = regexp.MustCompile(`(?s)<script\b[^>]*>(.*?)</script`)
)

// follows are the attributes that a browser or htmx loads or goes to.
var follows = map[string]bool{
	"href": true, "src": true, "srcset": true, "action": true, "formaction": true, "poster": true, "data": true, "ping": true, "background": true,
	"hx-get": true, "hx-post": true, "hx-put": true, "hx-patch": true, "hx-delete": true, "hx-action": true, "xlink:href": true,
}

// check holds one answer to the rules and adds the links of a page to the walk.
func (w *walker) check(address string, got *httptest.ResponseRecorder) {
	for _, what := range w.faults(got) {
		w.t.Errorf("%s has %s", address, what)
	}
}

func (w *walker) faults(got *httptest.ResponseRecorder) (all []string) {
	fail := func(what string) { all = append(all, what) }
	resp := got.Result()
	if got.Code >= 300 && got.Code < 400 || resp.Header.Get("Location") != "" {
		fail("a redirect or 304: " + resp.Status + " " + resp.Header.Get("Location"))
	}
	if resp.Header.Get("Set-Cookie") != "" {
		fail("a cookie")
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, name := range []string{"HX-Redirect", "HX-Location", "HX-Push-Url", "HX-Replace-Url"} {
		if to := resp.Header.Get(name); to != "" && (!strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//")) {
			fail(name + " to " + to)
		}
	}
	kind := resp.Header.Get("Content-Type")
	if strings.HasPrefix(kind, "text/css") && regexp.MustCompile(`(?i)@import|url\(\s*["']?(https?:)?//`).Match(body) {
		fail("a style that loads something from elsewhere")
	}
	if !strings.HasPrefix(kind, "text/html") {
		return all
	}
	for _, m := range script.FindAllSubmatch(body, -1) {
		if strings.TrimSpace(string(m[1])) != "" {
			fail("an inline script: " + string(m[0]))
		}
	}
	for piece := range pieces(string(body)) {
		if w.checked[piece] {
			continue // on another page too, as most are
		}
		w.checked[piece] = true
		for _, m := range tag.FindAllStringSubmatch(piece, -1) {
			w.checkTag(strings.ToLower(m[1]), m[2], func(what string) { fail(what + " in " + m[0]) })
		}
	}
	return all
}

// pieces cuts HTML before its tags. One that holds no end of a tag goes on with the next.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var open string
		for i, piece := range strings.Split(text, "<") {
			if i > 0 {
				piece = "<" + piece
			}
			if open += piece; strings.Contains(open, ">") || i == 0 {
				if !yield(open) {
					return
				}
				open = ""
			}
		}
		yield(open)
	}
}

// TestWalkerSeesFaults: what these tests look for would be found.
func TestWalkerSeesFaults(t *testing.T) {
	w := &walker{t: t, seen: map[string]bool{}, checked: map[string]bool{}}
	for _, bad := range []string{
		`<script>alert(1)</script>`, `<script src="/a.js">alert(1)</script>`, `<script></script>`, `<style>a{}</style>`, `<p style="color:red">`, `<p style=color:red>`,
		`<button onclick="x()">`, `<button hx-on:click="x()">`, `<div hx-on::after-request='x()'>`, `<form enctype="multipart/form-data">`, `<form hx-encoding='multipart/form-data'>`,
		`<input type="file" name="f">`, `<img src="https://evil.example/a.png">`, `<img src=//evil.example/a.png>`, `<a href="http://learn.microsoft.com/">`,
		`<a href="https://learn.microsoft.com/">`, `<a href="https://learn.microsoft.com/" target="_blank">`, `<a target="_blank" rel="noopener" href="https://learn.microsoft.com/">`,
		`<a href="javascript:alert(1)">`, `<a href="data:text/html,x">`, `<form action="https://evil.example">`, `<div hx-get="https://evil.example">`, `<iframe src="/">`,
		`<base href="/">`, `<meta http-equiv="refresh" content="0">`, `<div hx-vals="js:x()">`, `<link rel="stylesheet" href="https://evil.example/a.css">`,
		"<a\n  class=\"x\"\n  onclick=\"x()\"\n>",
	} {
		got := httptest.NewRecorder()
		got.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = got.WriteString("<main>" + bad + "</main>")
		if len(w.faults(got)) == 0 {
			t.Errorf("nothing is said of %s", bad)
		}
	}
	for _, good := range []string{`<a href="/keys" class="x">`, `<a href="#top">`, `<script src="/static/core.js" defer></script>`,
		`<a href="https://learn.microsoft.com/x?a=b" target="_blank" rel="noopener noreferrer">`, `<code>&lt;img src=x onerror=alert(1)&gt;</code>`, `<input type="text" value="https://a.example">`} {
		got := httptest.NewRecorder()
		got.Header().Set("Content-Type", "text/html")
		_, _ = got.WriteString(good)
		if all := w.faults(got); len(all) != 0 {
			t.Errorf("%s is said to have %v", good, all)
		}
	}
	moved := httptest.NewRecorder()
	http.SetCookie(moved, &http.Cookie{Name: "a", Value: "b"})
	moved.WriteHeader(http.StatusNotModified)
	if all := w.faults(moved); len(all) != 2 {
		t.Errorf("a 304 with a cookie is said to have %v", all)
	}
}

func (w *walker) checkTag(name, rest string, fail func(string)) {
	attrs := map[string]string{}
	for _, a := range attribute.FindAllStringSubmatch(rest, -1) {
		attrs[strings.ToLower(a[1])] = html.UnescapeString(a[2] + a[3] + a[4])
	}
	switch name {
	case "style", "iframe", "frame", "object", "embed", "base", "applet":
		fail("a <" + name + ">")
	case "script":
		if attrs["src"] == "" {
			fail("a script without src")
		}
	case "meta":
		if attrs["http-equiv"] != "" {
			fail("http-equiv")
		}
	}
	for attr, value := range attrs {
		lower := strings.ToLower(value)
		switch {
		case attr == "style", strings.HasPrefix(attr, "on"), strings.HasPrefix(attr, "hx-on"), strings.HasPrefix(attr, "data-hx-on"):
			fail("the attribute " + attr)
		case (attr == "enctype" || attr == "formenctype" || attr == "hx-encoding") && strings.Contains(lower, "multipart"):
			fail("a multipart form")
		case name == "input" && attr == "type" && lower == "file" && attrs["name"] != "":
			fail("a file that would be sent")
		case (attr == "hx-vals" || attr == "hx-headers" || attr == "hx-trigger") && (strings.Contains(lower, "js:") || strings.Contains(lower, "javascript:")):
			fail("a script in " + attr)
		case follows[attr]:
			w.checkAddress(name, attr, value, attrs, fail)
		}
	}
}

// checkAddress wants an address of this program, or the help of a vendor, which
// opens elsewhere and is not told where the person came from.
func (w *walker) checkAddress(name, attr, value string, attrs map[string]string, fail func(string)) {
	switch {
	case strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//"):
		if (attr == "href" || attr == "hx-get") && !strings.Contains(value, "{") {
			at, _, _ := strings.Cut(value, "#")
			w.left = append(w.left, at)
		}
	case value == "", strings.HasPrefix(value, "#"), strings.HasPrefix(value, "?"):
	case name == "img" && attr == "src" && strings.HasPrefix(value, "data:image/"):
	case strings.HasPrefix(value, "https://") && !w.window:
		if u, err := url.Parse(value); err != nil || name != "a" || attr != "href" || attrs["target"] != "_blank" || !strings.Contains(attrs["rel"], "noreferrer") || u.Host == "evil.example" {
			fail("an address elsewhere")
		}
	default:
		fail("the address " + value)
	}
}
