package main_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/datafolder"
	"dedupedesk/app/guard"
	"dedupedesk/app/launch"
	"dedupedesk/ledger/postgres/pgtest"
)

// program is the built binary, made once for all tests of this package.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "dedupe-test")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "dedupe")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	out, err := exec.Command("go", "build", "-o", bin, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return bin, nil
})

func TestMain(m *testing.M) {
	switch os.Getenv("DEDUPE_TEST_WORKER") {
	case "race":
		os.Exit(raceWorker(os.Stdin, os.Stdout))
	case "rough":
		os.Exit(roughWorker(os.Stdin, os.Stdout))
	}
	code := pgtest.Main(m)
	if bin, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(bin))
	}
	os.Exit(code)
}

// A house is an engine on a data folder of its own, with a password.
type house struct {
	t      *testing.T
	bin    string
	dir    string
	engine datafolder.Engine
	token  string
	admin  string // a password of scope admin
	clock  string // file of the test clock
	api    string // where the claim endpoint listens; "" = where it is free
	url    string // of the database that holds the keys; "" = the data folder does
	cmd    *exec.Cmd
	said   *bytes.Buffer
}

// eachBackend runs a test on a house whose keys are in a file, and on one whose keys
// are in a database.
func eachBackend(t *testing.T, f func(t *testing.T, h *house)) {
	t.Run("SQLite", func(t *testing.T) { f(t, newHouse(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { f(t, newHouseOn(t, pgtest.New(t))) })
}

// newHouse starts an engine as a person would, on free ports and a new key file.
func newHouse(t *testing.T) *house {
	t.Helper()
	return newHouseOn(t, "")
}

// newHouseOn starts an engine on the database at url, "" meaning a new key file.
func newHouseOn(t *testing.T, url string) *house {
	t.Helper()
	h := prepareHouse(t, url)
	h.start()
	h.token = strings.TrimSpace(h.must("token", "new", "tests"))
	h.admin = strings.TrimSpace(h.must("token", "new", "operator", "--scope", "admin"))
	t.Cleanup(h.stop)
	return h
}

// prepareHouse makes a house whose engine does not run yet and that has no passwords.
func prepareHouse(t *testing.T, url string) *house {
	t.Helper()
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, bin: bin, url: url, dir: filepath.Join(t.TempDir(), "data"), said: &bytes.Buffer{}}
	h.clock = filepath.Join(t.TempDir(), "clock")
	return h
}

// command returns a call of the program on this house.
func (h *house) command(args ...string) *exec.Cmd {
	cmd := exec.Command(h.bin, args...)
	cmd.Env = append(os.Environ(), "DEDUPE_TEST_CLOCK="+h.clock)
	if h.url != "" {
		cmd.Env = append(cmd.Env, "DEDUPE_DATABASE_URL="+h.url)
	}
	return cmd
}

func (h *house) start() {
	h.t.Helper()
	h.cmd = h.command("serve", "--data", h.dir, "--api", cmp.Or(h.api, "127.0.0.1:0"), "--admin", "127.0.0.1:0")
	h.cmd.Stdout, h.cmd.Stderr = h.said, h.said
	if err := h.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	folder, err := datafolder.Open(h.dir)
	if err != nil {
		h.t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		e, ok, err := folder.Running()
		if err == nil && ok && e.PID == h.cmd.Process.Pid && launch.Answers(h.t.Context(), e) {
			h.engine = e
			return
		}
	}
	h.t.Fatalf("the engine did not start:\n%s", h.said)
}

// stop ends the engine as Ctrl+C does, and wants exit code 0.
func (h *house) stop() {
	if h.cmd == nil {
		return
	}
	_ = h.cmd.Process.Signal(os.Interrupt)
	if err := h.cmd.Wait(); err != nil {
		h.t.Errorf("the engine ended with %v:\n%s", err, h.said)
	}
	h.cmd = nil
}

// kill ends the engine as a power cut does.
func (h *house) kill() {
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
	h.cmd = nil
}

// run calls the command line on this house's data folder.
func (h *house) run(args ...string) (out, errs string, code int) {
	h.t.Helper()
	cmd := h.command(append(args, "--data", h.dir)...)
	var o, e bytes.Buffer
	cmd.Stdout, cmd.Stderr = &o, &e
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		h.t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

func (h *house) must(args ...string) string {
	h.t.Helper()
	out, errs, code := h.run(args...)
	if code != 0 {
		h.t.Fatalf("dedupe %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return out
}

// An answer is an HTTP answer with its JSON body.
type answer struct {
	Code   int
	Header http.Header
	Body   map[string]any
	Raw    string
}

func (a answer) text(name string) string {
	s, _ := a.Body[name].(string)
	return s
}

// call sends a request to the claim endpoint with the house's password.
func (h *house) call(method, path, contentType, body string, header ...string) answer {
	h.t.Helper()
	req, err := http.NewRequest(method, h.engine.API+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+h.token)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
			continue
		}
		if header[i+1] == "" {
			req.Header.Del(header[i])
			continue
		}
		req.Header.Set(header[i], header[i+1])
	}
	return h.send(req)
}

func (h *house) send(req *http.Request) answer {
	h.t.Helper()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	a := answer{Code: resp.StatusCode, Header: resp.Header, Raw: string(raw)}
	if strings.Contains(resp.Header.Get("Content-Type"), "json") {
		if err := json.Unmarshal(raw, &a.Body); err != nil {
			h.t.Fatalf("%s %s: %v in %q", req.Method, req.URL, err, raw)
		}
	}
	return a
}

// post sends members as JSON.
func (h *house) post(path string, members map[string]any) answer {
	h.t.Helper()
	data, err := json.Marshal(members)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.call(http.MethodPost, path, "application/json", string(data))
}

// page sends a request to the pages as this user's own window does.
func (h *house) page(method, path string, form url.Values) answer {
	h.t.Helper()
	req, err := http.NewRequest(method, h.engine.Admin+path, strings.NewReader(form.Encode()))
	if err != nil {
		h.t.Fatal(err)
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	req.Header.Set(guard.WindowHeader, h.engine.Secret)
	req.Header.Set("Accept", "text/html")
	return h.send(req)
}

// shift moves the ledger's time.
func (h *house) shift(by string) {
	h.t.Helper()
	if err := os.WriteFile(h.clock, []byte(by), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// keys returns how many keys the house holds of a rule, through the API.
func (h *house) keys(rule string) int {
	h.t.Helper()
	a := h.call(http.MethodGet, "/v1/keys?limit=200&rule="+url.QueryEscape(rule), "", "", "Authorization", "Bearer "+h.admin)
	list, ok := a.Body["keys"].([]any)
	if !ok {
		h.t.Fatalf("keys: %d %s", a.Code, a.Raw)
	}
	return len(list)
}
