package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"dedupedesk/app/api"
	"dedupedesk/app/calls"
	"dedupedesk/app/cli"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/kept"
	"dedupedesk/ledger"
	"dedupedesk/rules"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits runs a command and checks its exit code, which testscript's own exec
// does not tell: exits CODE COMMAND ARGS…
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%s: %v", args[1], err)
	}
	if strconv.Itoa(code) != args[0] {
		ts.Fatalf("%v ended with %d, want %s", args[1:], code, args[0])
	}
}

// field puts a member of the last command's JSON output into the environment:
// field MEMBER VARIABLE
func field(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: field MEMBER VARIABLE")
	}
	var members map[string]any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &members); err != nil {
		ts.Fatalf("field: %v", err)
	}
	value, ok := members[args[0]]
	if !ok {
		ts.Fatalf("field: there is no member %s", args[0])
	}
	ts.Setenv(args[1], fmt.Sprint(value))
}

// race runs a command in several processes at once and wants one yes and
// otherwise no: race PROCESSES COMMAND ARGS…
func race(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: race PROCESSES COMMAND ARGS...")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	codes := make([]int, n)
	said := make([]string, n)
	var all sync.WaitGroup
	for i := range n {
		cmd := exec.Command(path, args[2:]...)
		cmd.Dir = ts.Getenv("WORK")
		cmd.Env = append(os.Environ(), "DEDUPE_DATA="+ts.Getenv("DEDUPE_DATA"))
		all.Go(func() {
			out, err := cmd.CombinedOutput()
			said[i] = string(out)
			var exit *exec.ExitError
			switch {
			case errors.As(err, &exit):
				codes[i] = exit.ExitCode()
			case err != nil:
				codes[i] = -1
			}
		})
	}
	all.Wait()
	count := map[int]int{}
	for _, c := range codes {
		count[c]++
	}
	if count[0] != 1 || count[1] != n-1 {
		ts.Fatalf("exit codes %v, want one 0 and %d times 1; said: %q", codes, n-1, said)
	}
}

// engine serves the claim endpoint on a key file until the script ends, and sets
// URL, CLAIM and ADMIN, the last two being passwords: engine FILE
func engine(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: engine FILE")
	}
	ctx := context.Background()
	l, err := openLedger(ctx, cli.Target{DB: ts.MkAbs(args[0])})
	ts.Check(err)
	e, err := rules.New()
	ts.Check(err)
	for variable, scope := range map[string]ledger.Scope{"CLAIM": ledger.ScopeClaim, "ADMIN": ledger.ScopeAdmin} {
		secret, _, err := l.NewToken(ctx, "test-"+string(scope), scope)
		ts.Check(err)
		ts.Setenv(variable, secret)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	ts.Check(err)
	book := calls.NewBook(time.Now, time.Time{}, func(time.Time) {}, slog.New(slog.DiscardHandler))
	check := func(ctx context.Context, secret string) (guard.Caller, bool, error) {
		t, ok, err := l.CheckToken(ctx, secret)
		return guard.Caller{Name: t.Name, Admin: t.Scope == ledger.ScopeAdmin}, ok, err
	}
	server := &http.Server{Handler: guard.API(guard.Hosts{Port: port}, check,
		api.Routes(intake.New(l, e), l, nil, kept.NewBook()), book)}
	guard.Harden(server)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	ts.Setenv("URL", "http://127.0.0.1:"+port)
	ts.Defer(func() {
		ts.Check(server.Shutdown(ctx))
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			ts.Fatalf("serve: %v", err)
		}
		ts.Check(l.Close())
	})
}
