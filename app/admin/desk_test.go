package admin

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/alerts"
	"dedupedesk/app/api"
	"dedupedesk/app/calls"
	"dedupedesk/app/catch"
	"dedupedesk/app/drill"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/kept"
	labs "dedupedesk/app/lab"
	"dedupedesk/app/scratch"
	"dedupedesk/app/session"
	"dedupedesk/app/triage"
	"dedupedesk/exporters/catalog"
	"dedupedesk/ledger"
	"dedupedesk/ledger/lab"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// move lets d pass on the desk's clock.
func move(d Desk, by time.Duration) {
	d.Clock.(*ledgertest.Clock).Step(by)
}

// newDesk returns a desk on a real key file of its own. Its clock starts on
// 30 November 2026, 14:05 UTC, and stands still until [move].
func newDesk(t testing.TB) Desk {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ledger.db")
	store, err := sqlite.Open(file)
	if err != nil {
		t.Fatalf("open the key file: %v", err)
	}
	clock := ledgertest.NewClockAt(time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC))
	led := ledger.New(store, clock, nil)
	t.Cleanup(func() {
		if err := led.Close(); err != nil {
			t.Errorf("close the key file: %v", err)
		}
	})
	engine, err := rules.New(rules.WithSenders(presets.Known))
	if err != nil {
		t.Fatalf("make the rule engine: %v", err)
	}
	jobs := triage.NewBook(led)
	t.Cleanup(jobs.Close)
	return Desk{
		Ledger: led, Triage: jobs, Lab: labs.NewBook(experiment), Drill: drills(engine), Alerts: alerts.NewBook(led, slog.New(slog.DiscardHandler)), Intake: intake.New(led, engine), Rules: engine, Exporters: catalog.All(),
		Calls:    calls.NewBook(clock.Now, time.Time{}, func(time.Time) {}, slog.New(slog.DiscardHandler)),
		Caught:   catch.NewBook(clock.Now),
		Kept:     kept.NewBook(),
		Sessions: session.NewBook(time.Now), Clock: clock,
		Log:      slog.New(slog.NewTextHandler(io.Discard, nil)),
		Endpoint: api.Routes(nil, nil, nil, nil),
		APIURL:   "http://127.0.0.1:47821", AdminURL: "http://127.0.0.1:47820", AdminPort: "47820", KeyFile: file,
		Browse:   func(string) error { return errors.New("no browser in this test") },
		Warnings: func() []string { return nil }, Stop: func() {},
	}
}

// A seat is a browser before the desk's pages, behind the real guard.
type seat struct {
	t              testing.TB
	pages          http.Handler
	cookie, header string
}

// sit opens the pages for a person of that name and role.
func sit(t testing.TB, d Desk, name string, role session.Role) seat {
	t.Helper()
	pages := guard.Pages{
		Hosts: guard.Hosts{Port: d.AdminPort}, Secret: "window-secret", Book: d.Sessions,
		Routes: Routes(d), Refuse: d.Refuse,
	}
	id, header, ok := d.Sessions.Open(d.Sessions.NewCode(session.Session{Name: name, Role: role}))
	if !ok {
		t.Fatal("the session did not open")
	}
	return seat{t: t, pages: pages.Handler(), cookie: guard.CookieName(d.AdminPort) + "=" + id, header: header}
}

// get asks for a page.
func (s seat) get(path string) *httptest.ResponseRecorder {
	s.t.Helper()
	return s.send(httptest.NewRequest(http.MethodGet, path, nil))
}

// post sends a form.
func (s seat) post(path string, form url.Values) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.send(r)
}

func (s seat) send(r *http.Request) *httptest.ResponseRecorder {
	r.Host = "127.0.0.1:47820"
	r.Header.Set("Cookie", s.cookie)
	r.Header.Set(guard.SessionHeader, s.header)
	r.Header.Set("Accept", "text/html")
	w := httptest.NewRecorder()
	s.pages.ServeHTTP(w, r)
	return w
}

// experiment makes one without an endpoint: the program's own tests have one.
func experiment(ctx context.Context, c lab.Config, told func(lab.Progress)) (*lab.Result, error) {
	c.Methods = []lab.Method{lab.NoCheck, lab.Look, lab.Mark}
	return lab.Run(ctx, c, nil, told)
}

// drills makes them on key files of their own.
func drills(engine *rules.Engine) func(context.Context, drill.Case) ([]drill.Outcome, error) {
	needs := scratch.Needs{Open: func(path string) (ledger.Store, error) { return sqlite.Open(path) }, Rules: engine}
	return func(ctx context.Context, c drill.Case) ([]drill.Outcome, error) { return drill.Run(ctx, needs, c) }
}
