package postgres_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/postgres"
	"dedupedesk/ledger/postgres/pgtest"
)

// The tests of several processes start this test binary again, as the child that the
// variable names, on the database that the other one names.
const (
	childVar = "LEDGER_POSTGRES_CHILD"
	urlVar   = "LEDGER_POSTGRES_URL"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(childVar); name != "" {
		if err := children[name](os.Getenv(urlVar), os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, name+":", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(pgtest.Main(m))
}

var children = map[string]func(url string, args []string) error{
	"race":     childRace,
	"loop":     childLoop,
	"firstRun": childFirstRun,
}

func child(t *testing.T, url, name string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), childVar+"="+name, urlVar+"="+url)
	cmd.Stderr = &bytes.Buffer{}
	return cmd
}

// childRace claims the key of each line and prints the answer's status.
func childRace(url string, _ []string) error {
	s, err := postgres.Open(context.Background(), url)
	if err != nil {
		return err
	}
	l := ledger.New(s, ledger.SystemClock(), nil)
	defer l.Close()
	fmt.Println("ready")
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		a, err := l.Claim(context.Background(), ledger.ClaimRequest{Key: in.Text()})
		if err != nil {
			return err
		}
		fmt.Println(a.Status)
	}
	return in.Err()
}

// childLoop claims new keys and reports every second one finished, for ever, and
// prints each only once the ledger has answered.
func childLoop(url string, args []string) error {
	s, err := postgres.Open(context.Background(), url)
	if err != nil {
		return err
	}
	l := ledger.New(s, ledger.SystemClock(), nil)
	for i := 0; ; i++ {
		key := fmt.Sprintf("%s-%d", args[0], i)
		a, err := l.Claim(context.Background(), ledger.ClaimRequest{Key: key})
		if err != nil {
			return err
		}
		fmt.Println("claimed", key)
		if i%2 == 0 {
			continue
		}
		id := ledger.Identity{Key: key, Token: a.Token}
		if _, err := l.Done(context.Background(), ledger.DoneRequest{Identity: id}); err != nil {
			return err
		}
		fmt.Println("done", key)
	}
}

// childFirstRun waits for the time in its first argument, then opens the database.
func childFirstRun(url string, args []string) error {
	at, err := strconv.ParseInt(args[0], 10, 64)
	if err != nil {
		return err
	}
	time.Sleep(time.Until(time.UnixMilli(at)))
	s, err := postgres.Open(context.Background(), url)
	if err != nil {
		return err
	}
	l := ledger.New(s, ledger.SystemClock(), nil)
	if _, err := l.Claim(context.Background(), ledger.ClaimRequest{Key: "k-" + args[1]}); err != nil {
		return err
	}
	return l.Close()
}
