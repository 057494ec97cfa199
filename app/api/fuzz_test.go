package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/api"
	"dedupedesk/app/calls"
	"dedupedesk/app/catch"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/kept"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
)

// These targets send whatever bytes can come as a form, a query, JSON or a header to
// the endpoint behind its guard, without a network between. Nothing panics, each answer
// keeps the promises of all answers, and what is granted has the key that was sent.
// build/test runs each for ten seconds.

// A slot takes requests as bytes.
type slot struct {
	handler  http.Handler
	password string
}

// newSlot opens the endpoint on a key file of its own, with a rule named orders.
func newSlot(f *testing.F) slot {
	f.Helper()
	store, err := sqlite.Open(filepath.Join(f.TempDir(), "ledger.db"))
	if err != nil {
		f.Fatal(err)
	}
	clock := ledgertest.NewClockAt(noon)
	led := ledger.New(store, clock, nil)
	f.Cleanup(func() {
		if err := led.Close(); err != nil {
			f.Error(err)
		}
	})
	secret, _, err := led.NewToken(f.Context(), "flow", ledger.ScopeAdmin)
	if err != nil {
		f.Fatal(err)
	}
	engine, err := ruleEngine()
	if err != nil {
		f.Fatal(err)
	}
	h := &house{ledger: led}
	book := calls.NewBook(clock.Now, time.Time{}, func(time.Time) {}, slog.New(slog.DiscardHandler))
	s := slot{guard.API(guard.Hosts{Port: "1"}, h.check, api.Routes(intake.New(led, engine), led, catch.NewBook(clock.Now), kept.NewBook()), book), secret}
	rule := `{"rule":"orders","key":"key(body.id)"}`
	req := httptest.NewRequestWithContext(f.Context(), http.MethodPut, "http://127.0.0.1:1/v1/rules/orders", strings.NewReader(rule))
	req.Header.Set("X-Api-Key", secret)
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	if s.handler.ServeHTTP(rec, req); rec.Code != http.StatusOK {
		f.Fatalf("keep the rule: %d %s", rec.Code, rec.Body)
	}
	return s
}

// post sends a request with more header lines. ok is false where the server would not
// have taken it for one.
func (s slot) post(t *testing.T, target, header, body string) (a answer, ok bool) {
	t.Helper()
	text := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: 127.0.0.1:1\r\nX-Api-Key: %s\r\nContent-Length: %d\r\n%s\r\n%s", target, s.password, len(body), header, body)
	req, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
	if err != nil {
		return a, false
	}
	rec := httptest.NewRecorder()
	s.handler.ServeHTTP(rec, req.WithContext(t.Context()))
	a = answer{code: rec.Code, header: rec.Header(), raw: rec.Body.String()}
	if err := json.Unmarshal(rec.Body.Bytes(), &a.members); err != nil {
		t.Fatalf("%d %q is no object: %v", a.code, a.raw, err)
	}
	checkPromises(t, a)
	if a.code >= http.StatusInternalServerError {
		t.Errorf("%d %s", a.code, a.raw)
	}
	return a, true
}

// grants wants a grant to have the key that was sent, where one was: want is its text.
func (a answer) grants(t *testing.T, want string, sent bool) {
	t.Helper()
	if a.members["run"] == true && sent && a.text("key") != want {
		t.Errorf("granted %q where %q was sent", a.text("key"), want)
	}
}

func FuzzForm(f *testing.F) {
	for _, text := range []string{"key=a&owner=o", "key=x+y%21&key=a", "part.1=a&part.2=b&rule=orders", "part=a&part[]=b", "id=7&a=%zz", "key=%ff&lease=1e9;b=1"} {
		f.Add(text)
	}
	s := newSlot(f)
	f.Fuzz(func(t *testing.T, text string) {
		sent, err := url.ParseQuery(text)
		for _, target := range []string{"/v1/claim", "/v1/rules/orders/claim"} {
			a, ok := s.post(t, target, "Content-Type: "+form+"\r\n", text)
			if ok && err != nil && a.members["run"] == true {
				t.Errorf("granted by a form that cannot be read: %s", a.raw)
			}
			if target == "/v1/claim" {
				a.grants(t, sent.Get("key"), sent.Has("key"))
			}
		}
	})
}

func FuzzQuery(f *testing.F) {
	for _, text := range []string{"key=a&owner=o", "key=a&key=b", "answer=strict&key=%00", "part.1=a&part.3=b", "lease=-1&key=k", "id=1&answer=&owner=%"} {
		f.Add(text)
	}
	s := newSlot(f)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsRune(text, '#') {
			return // no query goes on after it
		}
		sent, err := url.ParseQuery(text)
		for _, target := range []string{"/v1/claim?", "/v1/rules/orders/claim?"} {
			a, ok := s.post(t, target+text, "Content-Type: application/json\r\n", map[bool]string{true: `{"id":"x"}`}[target != "/v1/claim?"])
			if ok && err != nil && a.members["run"] == true {
				t.Errorf("granted by a query that cannot be read: %s", a.raw)
			}
			if target == "/v1/claim?" {
				a.grants(t, sent.Get("key"), sent.Has("key"))
			}
		}
	})
}

func FuzzJSON(f *testing.F) {
	for _, text := range []string{`{"key":"a","owner":"o"}`, `{"key":1.50}`, `{"part":["a",1,null]}`, `{"id":18446744073709551616}`, `{"key":"\ud800"}`, `{"key":"a","key":"b"}`, `[{"id":1}]`, `{"op":"claim","items":[{"key":"b1"},{}]}`} {
		f.Add(text)
	}
	s := newSlot(f)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := rules.DecodeJSON([]byte(text))
		for _, target := range []string{"/v1/claim", "/v1/rules/orders/claim", "/v1/batch"} {
			a, ok := s.post(t, target, "Content-Type: application/json\r\n", text)
			if ok && err != nil && a.members["run"] == true {
				t.Errorf("granted by JSON that cannot be read: %s", a.raw)
			}
			if target == "/v1/claim" {
				members, _ := v.(map[string]any)
				key, isText := members["key"].(string)
				a.grants(t, key, isText)
			}
		}
	})
}

func FuzzHeader(f *testing.F) {
	for _, text := range []string{
		"Idempotency-Key: \"a\"", "Idempotency-Key: a", "Content-Type: application/json; charset=\xff", "Content-Type: multipart/form-data; boundary=x",
		"X-Api-Key: dd_other", "Authorization: Basic eDp5", "Origin: https://example.com", "Content-Encoding: gzip", "Transfer-Encoding: chunked",
	} {
		f.Add(text, `{"id":"a"}`)
	}
	s := newSlot(f)
	f.Fuzz(func(t *testing.T, lines, body string) {
		if lines != "" {
			lines = strings.TrimRight(lines, "\r\n") + "\r\n"
		}
		for _, target := range []string{"/v1/claim?owner=o", "/v1/rules/orders/claim"} {
			if a, ok := s.post(t, target, lines, body); ok && a.members["run"] == true && a.text("token") == "" {
				t.Errorf("granted without a token: %s", a.raw)
			}
		}
	})
}
