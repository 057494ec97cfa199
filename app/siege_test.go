package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/guard"
	"dedupedesk/ledger"
)

// A siege is a house whose ledger cannot be written to for a while. It has keys from
// before, and wishes: one call of each route, command and page that writes.
type siege struct {
	*house
	name   string
	held   map[string]string // the tokens of grants from before, by key
	before map[string]ledger.Row
	client *http.Client
}

// A wish is one call that writes.
type wish struct {
	name string
	// keys are claimed before by the owner that the wish names.
	keys []string
	path string // of the endpoint, asked by POST; or of a page where form is set
	body string
	form url.Values
	args []string // of a command
	want string   // what it is answered where all is well
}

// wishes are all calls that write. A $ stands for the siege's name.
var wishes = []wish{
	{name: "claim", path: "/v1/claim", body: `{"key":"$-new","owner":"o"}`, want: `"status":"claimed"`},
	{name: "claim, strict", path: "/v1/claim?answer=strict", body: `{"key":"$-strict","owner":"o"}`, want: `"status":"claimed"`},
	{name: "claim of a copy", keys: []string{"$-copy"}, path: "/v1/claim", body: `{"key":"$-copy","owner":"other"}`, want: `"status":"in_progress"`},
	{name: "claim of an event", path: "/v1/rules/siege/claim?owner=o", body: `{"id":"$-event"}`, want: `"status":"claimed"`},
	{name: "claim of lines", path: "/v1/rules/siege-lines/claim?owner=o", body: `{"lines":["$-l1","$-l2"]}`, want: `"status":"claimed"`},
	{name: "done", keys: []string{"$-done"}, path: "/v1/done", body: `{"key":"$-done","owner":"o","result":{"id":7}}`, want: `"status":"done"`},
	{name: "release", keys: []string{"$-release"}, path: "/v1/release", body: `{"key":"$-release","owner":"o"}`, want: `"status":"released"`},
	{name: "renew", keys: []string{"$-renew"}, path: "/v1/renew", body: `{"key":"$-renew","owner":"o"}`, want: `"status":"claimed"`},
	{name: "batch of claims", path: "/v1/batch", body: `{"op":"claim","items":[{"key":"$-b1","owner":"o"},{"key":"$-b2","owner":"o"}]}`, want: `"status":"claimed"`},
	{name: "batch of dones", keys: []string{"$-b3", "$-b4"}, path: "/v1/batch", body: `{"op":"done","items":[{"key":"$-b3","owner":"o"},{"key":"$-b4","owner":"o"}]}`, want: `"status":"done"`},
	{name: "batch of releases", keys: []string{"$-b5"}, path: "/v1/batch", body: `{"op":"release","items":[{"key":"$-b5","owner":"o"}]}`, want: `"status":"released"`},
	{name: "PUT of a rule", path: "PUT /v1/rules/$", body: `{"rule":"$","key":"key(body.id)"}`, want: `"rule":"$"`},
	{name: "page: decide", keys: []string{"$-decide"}, path: "/keys/decide", want: "$-decide",
		form: url.Values{"rule": {"default"}, "key": {"$-decide"}, "decision": {"finished"}, "why": {"it ran"}, "fence": {"1"}, "state": {"claimed"}}},
	{name: "page: password", path: "/connect/token", form: url.Values{"act": {"new"}, "name": {"$-page"}}, want: "dd_"},
	{name: "command: claim", args: []string{"claim", "$-cli", "--owner", "o"}, want: "claimed"},
	{name: "command: done", keys: []string{"$-cli-done"}, args: []string{"done", "$-cli-done", "--owner", "o"}, want: "done $-cli-done"},
	{name: "command: release", keys: []string{"$-cli-release"}, args: []string{"release", "$-cli-release", "--owner", "o"}, want: "release $-cli-release"},
	{name: "command: decide", keys: []string{"$-cli-decide"}, args: []string{"decide", "$-cli-decide", "finished", "--why", "it ran"}, want: "$-cli-decide"},
	{name: "command: token", args: []string{"token", "new", "$-cli"}, want: "dd_"},
}

// besiege prepares a house: the keys that the wishes speak of are claimed.
func (h *house) besiege(name string) *siege {
	h.t.Helper()
	s := &siege{house: h, name: name, held: map[string]string{}, client: &http.Client{Timeout: time.Minute}}
	for _, rule := range []string{`{"rule":"siege","key":"key(body.id)"}`, `{"rule":"siege-lines","key":"key(item)","each":"body.lines"}`} {
		var file struct{ Rule string }
		if err := json.Unmarshal([]byte(rule), &file); err != nil {
			h.t.Fatal(err)
		}
		if a := h.call(http.MethodPut, "/v1/rules/"+file.Rule, "application/json", rule, "Authorization", "Bearer "+h.admin); a.Code != http.StatusOK {
			h.t.Fatalf("keep a rule: %d %s", a.Code, a.Raw)
		}
	}
	for _, w := range wishes {
		for _, key := range w.keys {
			key = s.fill(key)
			a := h.post("/v1/claim", map[string]any{"key": key, "owner": "o"})
			if a.text("status") != "claimed" {
				h.t.Fatalf("before: %s", a.Raw)
			}
			s.held[key] = a.text("token")
		}
	}
	a := h.post("/v1/claim", map[string]any{"key": s.name + "-old"})
	if d := h.post("/v1/done", map[string]any{"key": s.name + "-old", "token": a.text("token")}); d.Code != http.StatusOK {
		h.t.Fatalf("before: %s", d.Raw)
	}
	s.before = h.rows()
	return s
}

func (s *siege) fill(text string) string { return strings.ReplaceAll(text, "$", s.name) }

// A reply is what a wish was answered, by HTTP or by a command.
type reply struct {
	code  int // HTTP status, or exit code
	text  string
	retry string // the header Retry-After
	err   error
}

// all sends every wish at once.
func (s *siege) all() map[string]reply {
	var mu sync.Mutex
	var wg sync.WaitGroup
	replies := map[string]reply{}
	for _, w := range wishes {
		wg.Go(func() {
			r := s.send(w)
			mu.Lock()
			defer mu.Unlock()
			replies[w.name] = r
		})
	}
	wg.Wait()
	return replies
}

func (s *siege) send(w wish) reply {
	if w.args != nil {
		args := strings.Split(s.fill(strings.Join(w.args, "\n")), "\n")
		out, err := s.command(append(args, "--data", s.dir)...).CombinedOutput()
		r := reply{text: string(out)}
		if exit, ok := err.(*exec.ExitError); ok {
			r.code = exit.ExitCode()
		} else {
			r.err = err
		}
		return r
	}
	method, path, found := strings.Cut(w.path, " ")
	if !found {
		method, path = http.MethodPost, w.path
	}
	base, body, header := s.engine.API, w.body, map[string]string{"Authorization": "Bearer " + s.admin, "Content-Type": "application/json"}
	if w.form != nil {
		base, body = s.engine.Admin, w.form.Encode()
		header = map[string]string{guard.WindowHeader: s.engine.Secret, "Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
	}
	body = s.fill(strings.ReplaceAll(body, "%24", "$"))
	req, err := http.NewRequest(method, base+s.fill(path), bytes.NewReader([]byte(body)))
	if err != nil {
		return reply{err: err}
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	return reply{code: resp.StatusCode, text: string(raw), retry: resp.Header.Get("Retry-After"), err: err}
}

// refused wants every wish to be refused with a sentence that holds one of words, to
// be told when to try again, and never to run; and the engine to tell of its state.
func (s *siege) refused(words ...string) {
	s.t.Helper()
	var wg sync.WaitGroup
	wg.Go(func() {
		// There is a finished key to forget; untouched looks whether it is there.
		if out, errs, code := s.run("prune", "0"); code != 2 {
			s.t.Errorf("command: prune: exit %d, %q %q", code, out, errs)
		}
	})
	for name, r := range s.all() {
		if problem := r.refusal(words); problem != "" {
			s.t.Errorf("%s: %s: %d %q %v", name, problem, r.code, clip(r.text), r.err)
		}
	}
	wg.Wait()
	// That it could answer is remembered for some seconds, until a call fails.
	r := s.send(wish{path: "GET /readyz"})
	if problem := r.refusal(words); problem != "" {
		s.t.Errorf("/readyz: %s: %d %q %v", problem, r.code, r.text, r.err)
	}
	// The process itself is well, and starting it anew would mend nothing.
	if r := s.send(wish{path: "GET /healthz"}); r.err != nil || r.code != http.StatusOK {
		s.t.Errorf("/healthz: %d %s %v", r.code, r.text, r.err)
	}
}

// notChecked is what a caller is told whose password was not used for a second: it is in
// the database too.
const notChecked = "password could not be checked"

// refusal returns what is wrong with r as a refusal, or "".
func (r reply) refusal(words []string) string {
	lower := strings.ToLower(r.text)
	said := false
	for _, w := range words {
		said = said || strings.Contains(lower, w)
	}
	switch {
	case r.err != nil:
		return "no answer"
	case strings.Contains(r.text, `"run":true`) || strings.Contains(r.text, `"token":"`) || strings.Contains(r.text, "dd_"):
		return "something was granted"
	case r.code != http.StatusServiceUnavailable && r.code != 2:
		return "not refused"
	case r.code == http.StatusServiceUnavailable && r.retry == "":
		return "no Retry-After"
	case !said:
		return fmt.Sprintf("the sentence has none of %q", words)
	case strings.Contains(lower, "sqlite_") || strings.Contains(lower, "goroutine"):
		return "the sentence is not for people"
	}
	return ""
}

// untouched wants the ledger to be as it was before: nothing lost, nothing granted.
func (s *siege) untouched() {
	s.t.Helper()
	after := s.rows()
	for key, row := range s.before {
		if after[key] != row {
			s.t.Errorf("%s is %+v, and was %+v", key, after[key], row)
		}
	}
	for key, row := range after {
		if _, known := s.before[key]; !known {
			s.t.Errorf("%s was granted: %+v", key, row)
		}
	}
}

// granted wants every wish to come true, now that the trouble is over, and the grants
// from before to be accepted by their tokens.
func (s *siege) granted() {
	s.t.Helper()
	s.await("an engine that is ready", func() bool { return s.call(http.MethodGet, "/readyz", "", "").Code == http.StatusOK })
	for name, r := range s.all() {
		w := wishNamed(name)
		if ok := r.code == http.StatusOK || r.code == http.StatusCreated || (w.args != nil && r.code == 0); r.err != nil || !ok || !strings.Contains(r.text, s.fill(w.want)) {
			s.t.Errorf("afterwards: %s: %d %q %v, want %s", name, r.code, clip(r.text), r.err, s.fill(w.want))
		}
	}
	closed := map[string]bool{s.name + "-release": true, s.name + "-b5": true, s.name + "-cli-release": true, s.name + "-decide": true, s.name + "-cli-decide": true}
	for key, token := range s.held {
		a := s.post("/v1/done", map[string]any{"key": key, "token": token})
		if a.Code != http.StatusOK && !closed[key] {
			s.t.Errorf("the grant of %s from before is not accepted: %d %s", key, a.Code, a.Raw)
		}
	}
	s.before = maps.Clone(s.rows())
}

func wishNamed(name string) wish {
	for _, w := range wishes {
		if w.name == name {
			return w
		}
	}
	return wish{}
}

// clip cuts a text to what a failed test should show.
func clip(s string) string {
	if i := strings.Index(s, `class="notice`); i > 0 {
		s = s[i:]
	}
	return s[:min(len(s), 400)]
}

// TestWishesComeTrue proves the wishes themselves, where there is no trouble.
func TestWishesComeTrue(t *testing.T) {
	eachBackend(t, func(t *testing.T, h *house) {
		s := h.besiege("calm")
		s.granted()
		h.sound()
	})
}
