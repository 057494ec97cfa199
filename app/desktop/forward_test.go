package desktop_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"dedupedesk/app/desktop"
)

const secretHeader = "X-Dedupe-Window"

// A window is the window's handler before an engine of the test's own.
type window struct {
	http.Handler
	mu     sync.Mutex
	target desktop.Target
	there  bool
}

func (w *window) find() (desktop.Target, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.target, w.there
}

func (w *window) see(t desktop.Target, there bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.target, w.there = t, there
}

func newWindow(target desktop.Target, there bool) *window {
	w := &window{target: target, there: there}
	gone := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(rw, "gone "+r.Method+" "+r.URL.Path)
	})
	w.Handler = desktop.Forward(w.find, secretHeader, gone, slog.New(slog.DiscardHandler))
	return w
}

// ask sends a request as the web view hands it over: in process.
func (w *window) ask(method, path, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "wails://wails"+path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	got := httptest.NewRecorder()
	w.ServeHTTP(got, r)
	return got
}

// TestEngineSeesTheSecretAndNothingOfTheWindow: the secret is the engine's own,
// whatever the page sent, and what would hang or confuse the window is dropped.
func TestEngineSeesTheSecretAndNothingOfTheWindow(t *testing.T) {
	var seen *http.Request
	var body string
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		seen, body = r.Clone(r.Context()), string(raw)
		w.Header().Set("X-Page", "keys")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = io.WriteString(w, "the page")
	}))
	defer engine.Close()
	w := newWindow(desktop.Target{Admin: engine.URL, Secret: "right"}, true)
	got := w.ask(http.MethodPost, "/keys/decide?rule=a%20b&key=x%3Ay", "why=because",
		secretHeader, "wrong", secretHeader, "worse", "Connection", secretHeader,
		"Origin", "wails://wails", "Referer", "wails://wails/", "Cookie", "dd_1=x",
		"If-None-Match", `"a"`, "If-Modified-Since", "Mon, 30 Nov 2026 12:00:00 GMT",
		"X-Forwarded-For", "203.0.113.9", "Forwarded", "for=203.0.113.9",
		"Content-Type", "application/x-www-form-urlencoded", "HX-Request", "true", "Accept", "text/html")
	if got.Code != http.StatusUnprocessableEntity || got.Body.String() != "the page" || got.Header().Get("X-Page") != "keys" {
		t.Errorf("the window got %d %s %v", got.Code, got.Body, got.Header())
	}
	if seen == nil {
		t.Fatal("the engine saw nothing")
	}
	if seen.Method != http.MethodPost || seen.RequestURI != "/keys/decide?rule=a%20b&key=x%3Ay" || body != "why=because" {
		t.Errorf("the engine saw %s %s %q", seen.Method, seen.RequestURI, body)
	}
	if want := strings.TrimPrefix(engine.URL, "http://"); seen.Host != want {
		t.Errorf("Host is %s, want %s", seen.Host, want)
	}
	if values := seen.Header.Values(secretHeader); len(values) != 1 || values[0] != "right" {
		t.Errorf("the secret is %v", values)
	}
	for _, name := range []string{"Origin", "Referer", "Cookie", "If-None-Match", "If-Modified-Since", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "Via"} {
		if v, there := seen.Header[name]; there {
			t.Errorf("the engine saw %s: %v", name, v)
		}
	}
	for name, want := range map[string]string{"Hx-Request": "true", "Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"} {
		if seen.Header.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, seen.Header.Get(name), want)
		}
	}
}

// TestGoneAnswersWithoutAnEngine: none runs, its address is none, or nobody
// answers there.
func TestGoneAnswersWithoutAnEngine(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for name, w := range map[string]*window{
		"none runs":      newWindow(desktop.Target{}, false),
		"no address":     newWindow(desktop.Target{Admin: "http://[::1"}, true),
		"nobody answers": newWindow(desktop.Target{Admin: closed.URL, Secret: "s"}, true),
	} {
		t.Run(name, func(t *testing.T) {
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				got := w.ask(method, "/keys", "")
				if got.Code != http.StatusServiceUnavailable || got.Body.String() != "gone "+method+" /keys" {
					t.Errorf("%d %s, want the answer of gone", got.Code, got.Body)
				}
			}
		})
	}
}

// TestGoneAnswersWhenTheEngineDiesMidWay: the request is at the engine, and no
// answer comes.
func TestGoneAnswersWhenTheEngineDiesMidWay(t *testing.T) {
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.Close()
	}))
	defer engine.Close()
	w := newWindow(desktop.Target{Admin: engine.URL, Secret: "s"}, true)
	if got := w.ask(http.MethodPost, "/keys/decide", "a=b"); got.Code != http.StatusServiceUnavailable || got.Body.String() != "gone POST /keys/decide" {
		t.Errorf("%d %s, want the answer of gone", got.Code, got.Body)
	}
}

// TestAHalfPageIsNoFault of the window's: the engine died while it wrote.
func TestAHalfPageIsNoFault(t *testing.T) {
	engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_ = conn.Close()
	}))
	defer engine.Close()
	w := newWindow(desktop.Target{Admin: engine.URL, Secret: "s"}, true)
	if got := w.ask(http.MethodGet, "/", ""); got.Code != http.StatusOK || got.Body.String() != "half" {
		t.Errorf("%d %s", got.Code, got.Body)
	}
}

// TestAnEngineThatWasStartedAgainIsFound at the next click, with its new secret.
func TestAnEngineThatWasStartedAgainIsFound(t *testing.T) {
	engine := func(name string) *httptest.Server {
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, name+" "+r.Header.Get(secretHeader))
		}))
	}
	first, second := engine("first"), engine("second")
	defer second.Close()
	w := newWindow(desktop.Target{Admin: first.URL, Secret: "one"}, true)
	if got := w.ask(http.MethodGet, "/", ""); got.Body.String() != "first one" {
		t.Errorf("before: %s", got.Body)
	}
	first.Close()
	if got := w.ask(http.MethodGet, "/", ""); !strings.HasPrefix(got.Body.String(), "gone") {
		t.Errorf("while none runs: %s", got.Body)
	}
	w.see(desktop.Target{Admin: second.URL, Secret: "two"}, true)
	if got := w.ask(http.MethodGet, "/", ""); got.Body.String() != "second two" {
		t.Errorf("after: %s", got.Body)
	}
}
