package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dedupedesk/app/cli"
)

// What answers at --url need not be an engine: a proxy's page, a sign-in form, a
// cut answer. None of them may be taken for a grant.
func TestRemoteTakesNoOtherAnswerForAGrant(t *testing.T) {
	granted := `{"status":"claimed","run":true,"rule":"default","key":"k","token":"1.x"}`
	for _, tt := range []struct {
		name, kind, body string
		status, want     int
	}{
		{"a grant", "application/json", granted, 200, 0},
		{"a copy", "application/json", `{"status":"done","run":false,"rule":"default","key":"k"}`, 200, 1},
		{"a grant of another key", "application/json", strings.Replace(granted, `"k"`, `"j"`, 1), 200, 2},
		{"a grant of another rule", "application/json", strings.Replace(granted, "default", "other", 1), 200, 2},
		{"a copy of no key", "application/json", `{"status":"done","run":false}`, 200, 2},
		{"a page", "text/html", granted, 200, 2},
		{"a server error", "application/json", granted, 500, 2},
		{"a redirect", "application/json", granted, 307, 2},
		{"a cut answer", "application/json", granted[:40], 200, 2},
		{"an empty object", "application/json", `{}`, 200, 2},
		{"run without claimed", "application/json", `{"status":"done","run":true,"token":"1.x"}`, 200, 2},
		{"claimed without run", "application/json", `{"status":"claimed","run":false,"token":"1.x"}`, 200, 2},
		{"claimed without a token", "application/json", `{"status":"claimed","run":true}`, 200, 2},
		{"an unknown status", "application/json", `{"status":"maybe","run":false}`, 200, 2},
		{"a problem", "application/problem+json", `{"code":"stale","detail":"No.","run":false}`, 409, 2},
		{"a problem that is none", "application/problem+json", granted, 200, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			calls := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls++
				w.Header().Set("Content-Type", tt.kind)
				w.Header().Set("Location", "http://127.0.0.1:1/")
				w.WriteHeader(tt.status)
				_, _ = fmt.Fprint(w, tt.body)
			}))
			defer server.Close()
			var out, errs bytes.Buffer
			p := program()
			p.Out, p.Err = &out, &errs
			code := cli.Run(context.Background(), []string{"claim", "k", "--url", server.URL, "--token", "dd_secret", "--json"}, p)
			if code != tt.want {
				t.Errorf("exit %d, want %d; %s%s", code, tt.want, &out, &errs)
			}
			if said := out.String() + errs.String(); strings.Contains(said, "dd_secret") {
				t.Errorf("the password is shown: %s", said)
			}
			if calls != 1 {
				t.Errorf("asked %d times, want once: without an owner a claim must not be repeated", calls)
			}
		})
	}
}

// Whatever answers to everything with the same JSON is no engine: no command may say
// that something was done there, or that there is nothing.
func TestRemoteTakesNoOtherServerForAnEngine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rule.yaml")
	if err := os.WriteFile(file, []byte("rule: orders\nkey: key(\"shop\", body.id)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	commands := []string{
		"claim k", "claim k --owner x", "done k --owner x", "release k --owner x", "renew k --owner x",
		"keys", "key k", "rule show", "rule show orders", "rule export orders", "rule test orders", "rule import " + file,
	}
	for _, answer := range []string{
		`{"status":"ok"}`, `{}`, `null`, `{"status":"done"}`, `{"status":"claimed"}`, `{"status":"released","rule":"other","key":"k"}`,
		`{"status":"in_progress","run":false,"rule":"default","key":"k"}`, `{"rule":"other","title":"x","version":1}`,
		`{"rule":"default","key":"k"}`, `{"keys":[{}],"rules":[{}]}`, `{"keys":[{"key":"k"}],"rules":null}`,
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(w, answer)
		}))
		for _, command := range commands {
			var out, errs bytes.Buffer
			p := program()
			p.Out, p.Err = &out, &errs
			args := append(strings.Fields(command), "--url", server.URL, "--token", "dd_x")
			code := cli.Run(context.Background(), args, p)
			if strings.HasPrefix(answer, `{"status":"in_progress"`) && strings.HasPrefix(command, "claim") {
				if code != 1 {
					t.Errorf("%s: exit %d for what an engine answers, want 1; %s", command, code, &errs)
				}
				continue
			}
			if code != 2 || out.Len() > 0 || !strings.Contains(errs.String(), "check --url") {
				t.Errorf("%s: exit %d after %s, said %q and %q", command, code, answer, &out, &errs)
			}
		}
		server.Close()
	}
}

// With an owner, a claim whose answer was lost is asked again.
func TestRemoteAsksAgainAfterALostAnswer(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls++; calls == 1 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, `{"status":"claimed","run":true,"rule":"default","key":"k","token":"1.x","repeated":true}`)
	}))
	defer server.Close()
	var out, errs bytes.Buffer
	p := program()
	p.Out, p.Err = &out, &errs
	code := cli.Run(context.Background(), []string{"claim", "k", "--owner", "a", "--url", server.URL, "--token", "dd_x"}, p)
	if code != 0 || calls != 2 {
		t.Errorf("exit %d after %d calls, want 0 after 2; %s", code, calls, &errs)
	}
}
