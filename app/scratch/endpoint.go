// Package scratch starts the program's own claim endpoint on a ledger that is thrown away,
// so that the lab and the drills ask what automations ask, over HTTP, without touching a
// key of anybody's.
//
// # What it promises
//
// An [Endpoint] is the real one: its routes, its doors, its ledger on a SQLite file in a
// folder of its own. It listens on 127.0.0.1 at a free port and has one password. [Endpoint.Close]
// removes all of it. Time passes as the computer's does, and as [Endpoint.Pass] adds.
//
// # Errors
//
// A call that is answered by a problem returns a [*Refusal] with its sentence.
//
// # Concurrency
//
// An Endpoint may be used by any number of goroutines at once.
package scratch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/api"
	"dedupedesk/app/body"
	"dedupedesk/app/calls"
	"dedupedesk/app/catch"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/kept"
	"dedupedesk/app/problem"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// Needs are what an endpoint is made of. Open opens a ledger's file.
type Needs struct {
	Open  func(path string) (ledger.Store, error)
	Rules *rules.Engine
}

// An Endpoint is a claim endpoint on a ledger of its own.
type Endpoint struct {
	url, password string
	ledger        *ledger.Ledger
	clock         *clock
	server        *http.Server
	client        *http.Client
	dir           string
}

// Start starts an endpoint. The caller closes it.
func Start(ctx context.Context, n Needs) (_ *Endpoint, err error) {
	e := &Endpoint{clock: &clock{base: ledger.SystemClock()}}
	defer func() {
		if err != nil {
			err = errors.Join(err, e.Close())
		}
	}()
	if e.dir, err = os.MkdirTemp("", "dedupe-scratch-"); err != nil {
		return nil, err
	}
	store, err := n.Open(filepath.Join(e.dir, "ledger.db"))
	if err != nil {
		return nil, err
	}
	e.ledger = ledger.New(store, e.clock, nil)
	if e.password, _, err = e.ledger.NewToken(ctx, "scratch", ledger.ScopeAdmin); err != nil {
		return nil, err
	}
	return e, e.listen(ctx, intake.New(e.ledger, n.Rules))
}

func (e *Endpoint) listen(ctx context.Context, in *intake.Intake) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return errors.Join(err, l.Close())
	}
	book := calls.NewBook(e.clock.now, time.Time{}, func(time.Time) {}, slog.New(slog.DiscardHandler))
	routes := api.Routes(in, e.ledger, catch.NewBook(time.Now), kept.NewBook())
	e.server = &http.Server{Handler: guard.API(guard.Hosts{Port: port}, e.check, routes, book)}
	guard.Harden(e.server)
	e.url, e.client = "http://127.0.0.1:"+port, &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	go func() { _ = e.server.Serve(l) }() // ends with Close, which is what it says then
	return nil
}

func (e *Endpoint) check(ctx context.Context, secret string) (guard.Caller, bool, error) {
	t, ok, err := e.ledger.CheckToken(ctx, secret)
	return guard.Caller{Name: t.Name, Admin: t.Scope == ledger.ScopeAdmin}, ok, err
}

// Close ends the endpoint and removes what it kept.
func (e *Endpoint) Close() (err error) {
	if e.server != nil {
		err = e.server.Close()
		e.client.CloseIdleConnections()
	}
	if e.ledger != nil {
		err = errors.Join(err, e.ledger.Close())
	}
	if e.dir != "" {
		err = errors.Join(err, os.RemoveAll(e.dir))
	}
	return err
}

// Pass lets time pass.
func (e *Endpoint) Pass(d time.Duration) { e.clock.pass(d) }

// PutRule puts a rule to use.
func (e *Endpoint) PutRule(ctx context.Context, file *rules.Rule) error {
	text, err := file.JSON()
	if err != nil {
		return err
	}
	return e.call(ctx, http.MethodPut, "/v1/rules/"+url.PathEscape(file.Rule), jsonBody, text, nil)
}

// A Refusal is an answer that is a problem.
type Refusal struct {
	Status int
	Code   string
	Msg    string
}

// Error returns the sentence.
func (r *Refusal) Error() string { return r.Msg }

// ownHeaders are those that the call itself has, or that would make it another one.
var ownHeaders = []string{
	"host", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect", "accept-encoding",
	"authorization", "x-api-key", "idempotency-key", "origin",
}

// ClaimEvent asks a rule for an event, as a sender's request. Its answers are one for each
// key of the event.
func (e *Endpoint) ClaimEvent(ctx context.Context, rule, owner string, ev rules.Event) ([]body.Claim, error) {
	query := url.Values{"owner": {owner}}
	for name, value := range ev.Query {
		query.Set(name, value)
	}
	headers := map[string]string{"Content-Type": "application/json"}
	for name, value := range ev.Headers {
		if low := strings.ToLower(name); !slices.Contains(ownHeaders, low) && !strings.HasPrefix(low, "sec-") {
			headers[name] = value
		}
	}
	var got struct {
		body.Claim
		Results []body.Claim `json:"results"`
	}
	err := e.call(ctx, http.MethodPost, "/v1/rules/"+url.PathEscape(rule)+"/claim?"+query.Encode(), headers, ev.JSON(), &got)
	if got.Results != nil {
		return got.Results, err
	}
	return []body.Claim{got.Claim}, err
}

// ClaimKey asks for a ready key.
func (e *Endpoint) ClaimKey(ctx context.Context, rule, key, owner string) (body.Claim, error) {
	var got body.Claim
	err := e.post(ctx, "/v1/claim", map[string]string{"rule": rule, "key": key, "owner": owner}, &got)
	return got, err
}

// Done reports the work of a grant as finished.
func (e *Endpoint) Done(ctx context.Context, c body.Claim) error { return e.report(ctx, "/v1/done", c) }

// Release gives the key of a grant back.
func (e *Endpoint) Release(ctx context.Context, c body.Claim) error {
	return e.report(ctx, "/v1/release", c)
}

func (e *Endpoint) report(ctx context.Context, path string, c body.Claim) error {
	return e.post(ctx, path, map[string]string{"rule": c.Rule, "key": c.Key, "token": c.Token}, nil)
}

func (e *Endpoint) post(ctx context.Context, path string, members map[string]string, into any) error {
	text, err := json.Marshal(members)
	if err != nil {
		return err
	}
	return e.call(ctx, http.MethodPost, path, jsonBody, text, into)
}

var jsonBody = map[string]string{"Content-Type": "application/json"}

// maxAnswer bounds what is read of an answer, in bytes.
const maxAnswer = 4 << 20

func (e *Endpoint) call(ctx context.Context, method, path string, headers map[string]string, text []byte, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, e.url+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("Authorization", "Bearer "+e.password)
	answer, err := e.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return err
	}
	if answer.Header.Get("Content-Type") == "application/problem+json" {
		var p problem.Body
		if err := json.Unmarshal(got, &p); err != nil {
			return fmt.Errorf("%s %s: %d: %w", method, path, answer.StatusCode, err)
		}
		return &Refusal{answer.StatusCode, p.Code, p.Detail}
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(got, into)
}
