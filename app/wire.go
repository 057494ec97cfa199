package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"time"

	"gopkg.in/natefinch/lumberjack.v2"

	"dedupedesk/app/admin"
	"dedupedesk/app/alerts"
	"dedupedesk/app/api"
	"dedupedesk/app/calls"
	"dedupedesk/app/catch"
	"dedupedesk/app/cli"
	"dedupedesk/app/datafolder"
	"dedupedesk/app/describe/openapi"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/kept"
	labs "dedupedesk/app/lab"
	"dedupedesk/app/launch"
	"dedupedesk/app/metrics"
	"dedupedesk/app/serve"
	"dedupedesk/app/session"
	"dedupedesk/app/triage"
	"dedupedesk/exporters/catalog"
	"dedupedesk/ledger"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// logEnv set to "debug" makes the log tell each page that was shown.
const logEnv = "DEDUPE_LOG"

// clock returns the ledger's clock, and what the pages must say of it.
func clock() (c ledger.Clock, warnings func() []string) {
	path := os.Getenv(ledger.TestClockEnv)
	if path == "" {
		return ledger.SystemClock(), func() []string { return nil }
	}
	test := ledger.TestClock(path, ledger.SystemClock())
	return test, func() []string {
		shift, err := test.Shift()
		switch {
		case err != nil:
			return []string{"A test clock is set (" + ledger.TestClockEnv + "), but its file cannot be used: " + err.Error()}
		case shift == "":
			return []string{"A test clock is set (" + ledger.TestClockEnv + "). It shifts nothing now."}
		}
		return []string{"A test clock is set: ledger time is shifted by " + shift + ". Do not use this engine for real work."}
	}
}

// openLedger opens the ledger that a command names.
func openLedger(ctx context.Context, t cli.Target) (*ledger.Ledger, error) {
	store, err := openStore(ctx, t)
	if err != nil {
		return nil, err
	}
	c, _ := clock()
	return ledger.New(store, c, rand.Reader), nil
}

// An engine is everything that runs between start and stop.
type engine struct {
	folder    *datafolder.Folder
	ledger    *ledger.Ledger
	triage    *triage.Book
	alerts    *alerts.Book
	lab       *labs.Book
	metrics   *metrics.Metrics
	listeners *serve.Listeners
	log       *slog.Logger
	clock     ledger.Clock
	warnings  func() []string // what the pages must say of the clock
	secret    string
}

// collectAt is how much an engine's heap grows, in percent, before it is collected. The
// heap is some ten MB, so that at Go's own 100 it would be collected many times a
// second under load; see the decision on speed. GOGC in the environment goes before.
const collectAt = 200

// runEngine runs an engine in the foreground until ctx ends, or until it is
// asked to stop.
func runEngine(ctx context.Context, o cli.ServeOptions) (err error) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	folder, err := datafolder.Open(o.Data)
	if err != nil {
		return err
	}
	lock, err := folder.Lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()

	file := &lumberjack.Logger{Filename: folder.Log(), MaxSize: 5 /* MB */, MaxBackups: 3}
	lines := logLines(file, o.Log)
	defer func() { lines.Close(); err = errors.Join(err, file.Close()) }()
	e := &engine{folder: folder, secret: rand.Text(), log: newLog(lines)}
	e.clock, e.warnings = clock()

	store, err := openStore(ctx, o.Target)
	if err != nil {
		return err
	}
	timed := metrics.Timed(store)
	l := ledger.New(timed, e.clock, rand.Reader)
	if err := keepIn(folder, o.Target); err != nil {
		return errors.Join(err, l.Close())
	}
	if unused := unusedFile(folder, o.Target); unused != "" {
		e.log.Warn(unused)
	}
	e.ledger, e.metrics = l, metrics.New(version, l, timed)
	e.triage, e.alerts = triage.NewBook(l), alerts.NewBook(l, e.log)
	e.lab = labs.NewBook(runLab)
	defer func() { err = errors.Join(err, l.Close()) }()

	if e.listeners, err = serve.Listen(orDefault(o.API, serve.DefaultAPI), orDefault(o.Admin, serve.DefaultAdmin)); err != nil {
		return err
	}
	return e.run(ctx, o)
}

// logLines returns where the engine's log is written to: the rotated file, and where
// the engine runs in somebody's sight, there too.
func logLines(file io.Writer, seen io.Writer) *calls.Lines {
	if seen == nil {
		return calls.NewLines(file)
	}
	return calls.NewLines(io.MultiWriter(file, seen))
}

func newLog(w io.Writer) *slog.Logger {
	level := slog.LevelInfo
	if os.Getenv(logEnv) == "debug" {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

func (e *engine) run(ctx context.Context, o cli.ServeOptions) (err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	apiHandler, adminHandler, err := e.handlers(ctx, o, stop)
	if err != nil {
		return errors.Join(err, e.listeners.Close())
	}
	defer func() { err = errors.Join(err, e.folder.Withdraw()) }()
	err = e.folder.Announce(datafolder.Engine{
		PID: os.Getpid(), Version: version, API: e.listeners.API(), Admin: e.listeners.Admin(),
		StartedAt: time.Now().UTC().Truncate(time.Millisecond), Secret: e.secret,
	})
	if err != nil {
		return errors.Join(err, e.listeners.Close())
	}
	for _, w := range e.folder.Warnings() {
		e.log.Warn(w)
	}
	e.log.Info("protecting", "api", e.listeners.API(), "admin", e.listeners.Admin(), "data", e.folder.Path(), "version", version)
	end := e.tend(ctx)
	defer end()
	defer e.triage.Close()
	defer e.lab.Close()
	err = e.listeners.Run(ctx, apiHandler, adminHandler, e.log)
	e.log.Info("stopped", "cause", err)
	return err
}

// lastCallSetting is where the time of the last call is written down.
const lastCallSetting = "calls/last"

// handlers makes everything that answers, and hands each what it needs.
func (e *engine) handlers(ctx context.Context, o cli.ServeOptions, stop func()) (apiHandler, adminHandler http.Handler, err error) {
	keyFile := orDefault(o.DB, e.folder.Ledger())
	if o.DatabaseURL != "" {
		keyFile = ""
	}
	ruleEngine, err := rules.New(rules.WithSenders(presets.Known), rules.WithSecret(func() ([]byte, error) { return intake.Secret(ctx, e.ledger) }))
	if err != nil {
		return nil, nil, fmt.Errorf("make the rules' engine: %w", err)
	}
	in := intake.New(e.ledger, ruleEngine)
	book, err := e.callBook(ctx)
	if err != nil {
		return nil, nil, err
	}
	book.Observe(e.metrics.Call)
	sessions := session.NewBook(time.Now)
	caught, keep := catch.NewBook(time.Now), kept.NewBook()
	routes := append(api.Routes(in, e.ledger, caught, keep), api.Metrics(e.metrics.Handler()))
	docs, err := openapi.New(openapi.About{Version: version, URL: e.listeners.API(), Public: o.PublicHosts}, routes)
	if err != nil {
		return nil, nil, err
	}
	routes = append(routes, docs.Routes()...)
	apiHandler = guard.API(
		guard.Hosts{Port: e.listeners.APIPort(), Public: o.PublicHosts},
		e.checkToken, routes, book,
	)
	desk := admin.Desk{
		Ledger: e.ledger, Intake: in, Rules: ruleEngine, Exporters: catalog.All(), Calls: book, Caught: caught, Kept: keep, Sessions: sessions, Triage: e.triage, Lab: e.lab, Drill: runDrills, Alerts: e.alerts,
		Clock: e.ledger, Log: e.log, Endpoint: routes, APIURL: e.listeners.API(), AdminURL: e.listeners.Admin(), Browse: launch.Browser, AdminPort: e.listeners.AdminPort(), KeyFile: keyFile, Open: command(e.folder, "open"),
		Warnings: func() []string { return slices.Concat(e.warnings(), e.folder.Warnings()) }, Stop: stop,
	}
	adminHandler = guard.Pages{
		Hosts: guard.Hosts{Port: e.listeners.AdminPort()}, Secret: e.secret, Owner: person(), Book: sessions,
		Routes: admin.Routes(desk), Refuse: desk.Refuse,
	}.Handler()
	return apiHandler, adminHandler, nil
}

// callBook returns the book of calls, which knows when the last one came before
// this start.
func (e *engine) callBook(ctx context.Context) (*calls.Book, error) {
	var last time.Time
	text, ok, err := e.ledger.Setting(ctx, lastCallSetting)
	if err != nil {
		return nil, err
	}
	if ok {
		// An unreadable time only means that the pages say "no calls yet" once more.
		last, _ = time.Parse(time.RFC3339Nano, text)
	}
	return calls.NewBook(e.ledger.Now, last, func(at time.Time) {
		// A caller waits for this, so it may not take long; the next minute tries again.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 200*time.Millisecond)
		defer cancel()
		if err := e.ledger.PutSetting(ctx, lastCallSetting, at.Format(time.RFC3339Nano)); err != nil {
			e.log.Warn("the time of the last call was not written down", "cause", err)
		}
	}, e.log), nil
}

func (e *engine) checkToken(ctx context.Context, secret string) (guard.Caller, bool, error) {
	t, ok, err := e.ledger.CheckToken(ctx, secret)
	return guard.Caller{Name: t.Name, Admin: t.Scope == ledger.ScopeAdmin}, ok, err
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
