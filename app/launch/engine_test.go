package launch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/datafolder"
	"dedupedesk/app/launch"
)

// fakeMark before a kind of engine and a folder, as arguments, makes a copy of this
// test program such an engine on that folder.
const fakeMark = "fake-engine"

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == fakeMark {
		if err := fake(os.Args[2], os.Args[3]); err != nil {
			fmt.Println("starting up")
			fmt.Println("dedupe: " + err.Error())
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fake is a tiny engine: it takes the folder, announces itself and answers, until
// somebody posts to /stop.
func fake(kind, dir string) error {
	mark := func(what string) error {
		return os.WriteFile(filepath.Join(dir, what+"-"+strconv.Itoa(os.Getpid())), nil, 0o600)
	}
	if err := mark("began"); err != nil {
		return err
	}
	switch kind {
	case "mute":
		os.Exit(3)
	case "faulty":
		return errors.New("another program already uses the address 127.0.0.1:47821")
	case "idle":
		if err := mark("idle"); err != nil {
			return err
		}
		_, err := waitFor(context.Background(), filepath.Join(dir, "go"))
		return err
	}
	f, err := datafolder.Open(dir)
	if err != nil {
		return err
	}
	lock, err := f.Lock(context.Background())
	if err != nil {
		return errors.Join(err, mark("lost"))
	}
	if err := mark("won"); err != nil {
		return err
	}
	if kind == "slow" {
		if _, err := waitFor(context.Background(), filepath.Join(dir, "go")); err != nil {
			return err
		}
	}
	return errors.Join(serveUntilStopped(f), f.Withdraw(), lock.Unlock())
}

func serveUntilStopped(f *datafolder.Folder) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	stopped := make(chan struct{})
	var once sync.Once
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	mux.HandleFunc("POST /stop", func(http.ResponseWriter, *http.Request) { once.Do(func() { close(stopped) }) })
	s := &http.Server{Handler: mux}
	go func() { _ = s.Serve(l) }()
	at := "http://" + l.Addr().String()
	if err := f.Announce(datafolder.Engine{PID: os.Getpid(), API: at, Admin: at, Secret: "s"}); err != nil {
		return err
	}
	select {
	case <-stopped:
	case <-time.After(2 * time.Minute): // nobody is left to stop it
	}
	return s.Shutdown(context.Background())
}

// waitFor waits for a file of that pattern.
func waitFor(ctx context.Context, pattern string) (path string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute) // ends only what has failed
	defer cancel()
	for ctx.Err() == nil {
		if found, err := filepath.Glob(pattern); err != nil || len(found) > 0 {
			return strings.Join(found, " "), err
		}
		time.Sleep(5 * time.Millisecond) // between two looks
	}
	return "", fmt.Errorf("wait for %s: %w", pattern, ctx.Err())
}

func mustWait(t *testing.T, pattern string) string {
	t.Helper()
	path, err := waitFor(t.Context(), pattern)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func count(t *testing.T, pattern string) int {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

// folder returns a data folder. What was started on it is gone after the test.
func folder(t *testing.T) *datafolder.Folder {
	t.Helper()
	t.Parallel() // the lock's own 2 s add up
	f, err := datafolder.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop := func() {
			if e, ok, err := f.Running(); err == nil && ok {
				_, _ = launch.Ask(context.Background(), e, "X-Secret", "/stop", nil)
			}
		}
		stop()
		// Once one is stopped, the next that still tries may get the folder.
		lock, err := f.Lock(context.Background())
		for ; errors.Is(err, datafolder.ErrRunning); lock, err = f.Lock(context.Background()) {
			stop()
		}
		if err != nil {
			t.Error(err)
			return
		}
		began, err := filepath.Glob(filepath.Join(f.Path(), "began-*"))
		if err != nil {
			t.Error(err)
		}
		for _, mark := range began {
			waitGone(t, pidOf(t, mark))
		}
		_ = lock.Unlock()
	})
	return f
}

// start is launch.Engine with a fake engine of that kind.
func start(ctx context.Context, f *datafolder.Folder, kind string) (datafolder.Engine, error) {
	return launch.Engine(ctx, f, os.Args[0], nil, fakeMark, kind, f.Path())
}

func mustStart(t *testing.T, f *datafolder.Folder) datafolder.Engine {
	t.Helper()
	e, err := start(t.Context(), f, "engine")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEngineIsStartedOnceAndFoundAfterwards(t *testing.T) {
	f := folder(t)
	e := mustStart(t, f)
	if e.PID == os.Getpid() || !launch.Answers(t.Context(), e) {
		t.Errorf("the engine is %+v", e)
	}
	again, err := launch.Engine(t.Context(), f, filepath.Join(f.Path(), "no such program"), nil)
	if err != nil || again.PID != e.PID {
		t.Errorf("a second start finds %+v, %v, want %d without starting anything", again, err, e.PID)
	}
	if n := count(t, filepath.Join(f.Path(), "start-*.log")); n != 0 {
		t.Errorf("%d logs of starts are left", n)
	}
}

// TestTwoStartsEndWithOneEngine: both are told the same one.
func TestTwoStartsEndWithOneEngine(t *testing.T) {
	f := folder(t)
	type found struct {
		e   datafolder.Engine
		err error
	}
	all := make(chan found, 4)
	for range cap(all) {
		go func() {
			e, err := start(t.Context(), f, "engine")
			all <- found{e, err}
		}()
	}
	pids := map[int]int{}
	for range cap(all) {
		got := <-all
		if got.err != nil {
			t.Error(got.err)
		}
		pids[got.e.PID]++
	}
	if len(pids) != 1 {
		t.Errorf("the starts found the engines %v, want one", pids)
	}
	began, err := filepath.Glob(filepath.Join(f.Path(), "began-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range began {
		if pid := pidOf(t, mark); pids[pid] == 0 {
			waitGone(t, pid)
		}
	}
	if n := count(t, filepath.Join(f.Path(), "won-*")); n != 1 {
		t.Errorf("%d engines had the folder", n)
	}
}

// TestALoserWaitsForTheOneThatStarts: the other one has the folder and takes its
// time, as on a cold disk.
func TestALoserWaitsForTheOneThatStarts(t *testing.T) {
	f := folder(t)
	type found struct {
		e   datafolder.Engine
		err error
	}
	all := make(chan found, 2)
	begin := func() {
		e, err := start(t.Context(), f, "slow")
		all <- found{e, err}
	}
	go begin()
	winner := mustWait(t, filepath.Join(f.Path(), "won-*"))
	go begin()
	loser := mustWait(t, filepath.Join(f.Path(), "lost-*"))
	waitGone(t, pidOf(t, loser))
	if err := os.WriteFile(filepath.Join(f.Path(), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range cap(all) {
		if got := <-all; got.err != nil || got.e.PID != pidOf(t, winner) {
			t.Errorf("found %+v, %v, want process %d", got.e, got.err, pidOf(t, winner))
		}
	}
}

func pidOf(t *testing.T, mark string) int {
	t.Helper()
	_, text, _ := strings.Cut(filepath.Base(mark), "-")
	pid, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

func TestAnEngineThatDiesGivesItsLastWords(t *testing.T) {
	for kind, want := range map[string]string{
		"faulty": "ended at once: another program already uses the address 127.0.0.1:47821",
		"mute":   "ended at once: it said nothing; see engine.log",
	} {
		t.Run(kind, func(t *testing.T) {
			f := folder(t)
			_, err := start(t.Context(), f, kind)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "starting up") {
				t.Errorf("%v, want its last line: %s", err, want)
			}
			if n := count(t, filepath.Join(f.Path(), "start-*.log")); n != 0 {
				t.Errorf("%d logs of starts are left", n)
			}
		})
	}
}

func TestAProgramThatIsNotThere(t *testing.T) {
	f := folder(t)
	if _, err := launch.Engine(t.Context(), f, filepath.Join(f.Path(), "none"), nil); err == nil || !strings.Contains(err.Error(), "start the engine") {
		t.Errorf("%v", err)
	}
}

// TestAnImpatientCallerIsLetGo while nothing answers.
func TestAnImpatientCallerIsLetGo(t *testing.T) {
	f := folder(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := start(ctx, f, "idle")
		ended <- err
	}()
	idle := mustWait(t, filepath.Join(f.Path(), "idle-*"))
	cancel()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "did not answer in time") {
		t.Errorf("%v", err)
	}
	if err := os.WriteFile(filepath.Join(f.Path(), "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	waitGone(t, pidOf(t, idle))
}

// TestAnAddressThatIsLeftIsNotBelieved: the engine that wrote it was killed.
func TestAnAddressThatIsLeftIsNotBelieved(t *testing.T) {
	f := folder(t)
	foreign := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "ok") }))
	defer foreign.Close()
	if err := f.Announce(datafolder.Engine{PID: 1, API: foreign.URL, Admin: foreign.URL, Secret: "s"}); err != nil {
		t.Fatal(err)
	}
	e, err := start(t.Context(), f, "engine")
	if err != nil || e.API == foreign.URL || e.PID == 1 {
		t.Errorf("found %+v, %v, want an engine of its own", e, err)
	}
}

func TestAnswers(t *testing.T) {
	code := http.StatusOK
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		w.WriteHeader(code)
	}))
	e := datafolder.Engine{API: s.URL}
	if !launch.Answers(t.Context(), e) {
		t.Error("200 is no answer")
	}
	if code = http.StatusServiceUnavailable; launch.Answers(t.Context(), e) {
		t.Error("503 is an answer")
	}
	s.Close()
	if launch.Answers(t.Context(), e) || launch.Answers(t.Context(), datafolder.Engine{API: "http://[::1"}) {
		t.Error("nobody is an answer")
	}
}

func TestAsk(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.Header.Get("X-Secret") != "s" || r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" {
			t.Errorf("%s with %v", r.Method, r.Header)
		}
		if r.URL.RawQuery != "" {
			t.Errorf("something is in the address: %s", r.URL)
		}
		if r.URL.Path == "/refuse" {
			http.Error(w, "not you", http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, "name is "+r.PostFormValue("name"))
	}))
	defer s.Close()
	e := datafolder.Engine{Admin: s.URL, Secret: "s"}
	if got, err := launch.Ask(t.Context(), e, "X-Secret", "/ask", url.Values{"name": {"Ana & Ben"}}); err != nil || string(got) != "name is Ana & Ben" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := launch.Ask(t.Context(), e, "X-Secret", "/refuse", nil); err == nil || !strings.Contains(err.Error(), "401") || !strings.Contains(err.Error(), "not you") {
		t.Errorf("a refusal: %v", err)
	}
	if _, err := launch.Ask(t.Context(), datafolder.Engine{Admin: "http://127.0.0.1:1"}, "X-Secret", "/", nil); err == nil {
		t.Error("nobody answered and no error")
	}
}
