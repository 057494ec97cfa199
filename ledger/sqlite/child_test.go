package sqlite_test

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
	"dedupedesk/ledger/sqlite"
)

// The tests of several processes start this test binary again, as the child that
// the variable names.
const childVar = "LEDGER_SQLITE_CHILD"

func TestMain(m *testing.M) {
	if name := os.Getenv(childVar); name != "" {
		if err := children[name](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, name+":", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var children = map[string]func(args []string) error{
	"race":     childRace,
	"loop":     childLoop,
	"firstRun": childFirstRun,
	"write":    childWrite,
	"backup":   childBackup,
}

func child(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), childVar+"="+name)
	return cmd
}

// childRace claims key 0, key 1, … as each line of stdin says go, and prints the
// answer's status.
func childRace(args []string) error {
	s, err := sqlite.Open(args[0])
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
func childLoop(args []string) error {
	s, err := sqlite.Open(args[0])
	if err != nil {
		return err
	}
	l := ledger.New(s, ledger.SystemClock(), nil)
	for i := 0; ; i++ {
		key := fmt.Sprintf("%s-%d", args[1], i)
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

// childFirstRun waits for the time in its second argument, then opens the file.
func childFirstRun(args []string) error {
	at, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return err
	}
	time.Sleep(time.Until(time.UnixMilli(at)))
	s, err := sqlite.Open(args[0])
	if err != nil {
		return err
	}
	l := ledger.New(s, ledger.SystemClock(), nil)
	if _, err := l.Claim(context.Background(), ledger.ClaimRequest{Key: "k-" + args[2]}); err != nil {
		return err
	}
	return l.Close()
}

// childWrite gives up the rights of root, opens the file, claims a key and prints what
// came of it.
func childWrite(args []string) error {
	if err := dropRights(); err != nil {
		return err
	}
	s, err := sqlite.Open(args[0])
	if err != nil {
		fmt.Println("open", ledger.CodeOf(err))
		fmt.Fprintln(os.Stderr, ledger.MessageOf(err))
		return nil
	}
	l := ledger.New(s, ledger.SystemClock(), nil)
	defer l.Close()
	a, err := l.Claim(context.Background(), ledger.ClaimRequest{Key: "new"})
	fmt.Println("claim", ledger.CodeOf(err), a.Run)
	return nil
}

// lines splits what a child printed, without a last line that a kill cut short.
func lines(out []byte) []string {
	var all []string
	for _, line := range bytes.SplitAfter(out, []byte("\n")) {
		if whole, ok := bytes.CutSuffix(line, []byte("\n")); ok {
			all = append(all, string(whole))
		}
	}
	return all
}
