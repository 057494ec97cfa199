//go:build n8n

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger/postgres/pgtest"
)

// n8nProgram returns the program of the n8n that build/long installs.
func n8nProgram(t *testing.T) string {
	t.Helper()
	program := os.Getenv("DEDUPE_N8N")
	if program == "" {
		t.Fatal("DEDUPE_N8N names no n8n; build/long n8n does that")
	}
	return program
}

// An n8n is a new one of its own: a folder, a database, and a port to listen at.
type n8n struct {
	t       *testing.T
	program string
	dir     string
	env     []string
	address string // of its pages and webhooks, once it is started
	client  *http.Client
	said    bytes.Buffer
}

func newN8N(t *testing.T, program string) *n8n {
	t.Helper()
	at, err := url.Parse(pgtest.New(t))
	if err != nil {
		t.Fatal(err)
	}
	password, _ := at.User.Password()
	dir := t.TempDir()
	port := freePort(t)
	n := &n8n{t: t, program: program, dir: dir, address: "http://127.0.0.1:" + port}
	n.env = append(os.Environ(), "HOME="+dir, "N8N_USER_FOLDER="+dir, "DB_TYPE=postgresdb",
		"DB_POSTGRESDB_HOST="+at.Hostname(), "DB_POSTGRESDB_PORT="+at.Port(), "DB_POSTGRESDB_DATABASE="+strings.Trim(at.Path, "/"),
		"DB_POSTGRESDB_USER="+at.User.Username(), "DB_POSTGRESDB_PASSWORD="+password,
		"N8N_DIAGNOSTICS_ENABLED=false", "N8N_VERSION_NOTIFICATIONS_ENABLED=false", "N8N_RUNNERS_ENABLED=false", "N8N_TEMPLATES_ENABLED=false",
		"N8N_PORT="+port, "N8N_LISTEN_ADDRESS=127.0.0.1", "N8N_SECURE_COOKIE=false", "N8N_RUNNERS_BROKER_PORT="+freePort(t))
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	n.client = &http.Client{Jar: jar, Timeout: 2 * time.Minute}
	return n
}

// freePort returns a port that nobody listened at a moment ago.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// file writes a file into n's folder and returns its path.
func (n *n8n) file(name string, data []byte) string {
	n.t.Helper()
	path := filepath.Join(n.dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		n.t.Fatal(err)
	}
	return path
}

func (n *n8n) command(args ...string) *exec.Cmd {
	cmd := exec.Command("node", append([]string{n.program}, args...)...)
	cmd.Env = n.env
	return cmd
}

// must runs one of n8n's commands and returns what it printed.
func (n *n8n) must(args ...string) []byte {
	n.t.Helper()
	cmd := n.command(args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		n.t.Fatalf("n8n %s: %v\n%s\n%s", args[0], err, out, &errs)
	}
	return out
}

// start runs n8n until the test ends, and waits until its webhooks answer.
func (n *n8n) start(hooks ...string) {
	n.t.Helper()
	cmd := n.command("start")
	cmd.Stdout, cmd.Stderr = &n.said, &n.said
	if err := cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		if n.t.Failed() {
			n.t.Log(n.said.String())
		}
	})
	deadline := time.Now().Add(3 * time.Minute)
	for _, hook := range hooks {
		for !n.listens(hook) {
			if time.Now().After(deadline) {
				n.t.Fatalf("n8n does not listen at %s", hook)
			}
			time.Sleep(200 * time.Millisecond)
		}
	}
}

// listens tells whether n8n takes POST at a webhook: to GET it says so, and runs nothing.
func (n *n8n) listens(hook string) bool {
	resp, err := n.client.Get(n.address + hook)
	if err != nil {
		return false
	}
	defer func() { _ = resp.Body.Close() }()
	told, _ := io.ReadAll(resp.Body)
	return bytes.Contains(told, []byte("make a POST request"))
}

// post sends JSON to n and returns the status code and the answer.
func (n *n8n) post(path string, body any, header ...string) (int, string) {
	data, err := json.Marshal(body)
	if err != nil {
		return 0, err.Error()
	}
	req, err := http.NewRequest(http.MethodPost, n.address+path, bytes.NewReader(data))
	if err != nil {
		return 0, err.Error()
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	return n.send(req)
}

func (n *n8n) send(req *http.Request) (int, string) {
	resp, err := n.client.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(raw)
}

// logIn makes the first user, as a person does at the first start.
func (n *n8n) logIn() {
	n.t.Helper()
	code, told := n.post("/rest/owner/setup", map[string]string{"email": "owner@example.com", "firstName": "O", "lastName": "W", "password": "Dedupe-desk-1"})
	if code != http.StatusOK {
		n.t.Fatalf("the owner was not set up: %d %s", code, told)
	}
}

// failed returns the ids of the executions of a workflow that failed, newest first.
func (n *n8n) failed(workflow string) []string {
	n.t.Helper()
	filter := url.QueryEscape(fmt.Sprintf(`{"workflowId":%q,"status":["error"]}`, workflow))
	req, err := http.NewRequest(http.MethodGet, n.address+"/rest/executions?limit=20&filter="+filter, nil)
	if err != nil {
		n.t.Fatal(err)
	}
	code, told := n.send(req)
	var list struct {
		Data struct{ Results []struct{ ID string } }
	}
	if err := json.Unmarshal([]byte(told), &list); err != nil || code != http.StatusOK {
		n.t.Fatalf("executions: %d %s", code, told)
	}
	var ids []string
	for _, e := range list.Data.Results {
		ids = append(ids, e.ID)
	}
	return ids
}
