package cli_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"dedupedesk/app/cli"
	"dedupedesk/app/datafolder"
	"dedupedesk/ledger"
	"dedupedesk/ledger/lab"
	"dedupedesk/ledger/sqlite"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the golden parts of the scripts")

// TestMain makes two commands of this binary: dedupe itself, on real key files,
// and worker, which stands for the command that run runs.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"dedupe": func() {
			ctx, stop := signal.NotifyContext(context.Background(), cli.Stops()...)
			code := cli.Run(ctx, os.Args[1:], program())
			stop()
			os.Exit(code)
		},
		"worker": func() { os.Exit(worker(os.Args[1:])) },
	})
}

func TestScripts(t *testing.T) {
	imports, err := filepath.Abs(filepath.Join("..", "..", "rules", "testdata", "import"))
	if err != nil {
		t.Fatal(err)
	}
	seed, err := filepath.Abs(filepath.Join("..", "..", "ledger", "sqlite", "testdata", "dedupe.py"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("testdata", "script"),
		UpdateScripts:      *update,
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("RULES", imports)
			env.Setenv("SEED", seed)
			env.Setenv("DEDUPE_TEST_CLOCK", filepath.Join(env.WorkDir, "clock"))
			env.Setenv("DEDUPE_DATA", filepath.Join(env.WorkDir, "data"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"race":   race,
			"engine": engine,
			"exits":  exits,
			"field":  field,
		},
	})
}

// program is what main hands in, without listeners: what serve, start, open and
// stop are given is printed.
func program() cli.Program {
	show := func(name string) func(context.Context, cli.ServeOptions) error {
		return func(_ context.Context, o cli.ServeOptions) error {
			o.Log = nil
			_, err := fmt.Printf("%s %+v\n", name, o)
			return err
		}
	}
	return cli.Program{
		Version: "test", In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		OpenLedger: openLedger,
		Serve:      show("serve"),
		Start:      show("start"),
		Open: func(_ context.Context, t cli.Target, name, role string) (string, error) {
			return "http://127.0.0.1:1/#" + t.Data + "," + name + "," + role, nil
		},
		Restore: func(_ context.Context, _ cli.Target, file string) (cli.Restored, error) {
			_, err := os.Stat(file)
			return cli.Restored{Keys: 1, Since: time.Unix(0, 0), Path: "there", Aside: "aside"}, err
		},
		Lab: func(ctx context.Context, c lab.Config, told func(lab.Progress)) (*lab.Result, error) {
			return lab.Run(ctx, c, nil, told) // without an endpoint: the program's own tests have one
		},
		Person: "Ana Tester",
		Browse: func(string) error { return errors.New("no browser in tests") },
		Stop: func(_ context.Context, dir string) error {
			_, err := fmt.Println("stop " + dir)
			return err
		},
	}
}

// openLedger opens a real key file, under the test clock.
func openLedger(_ context.Context, t cli.Target) (*ledger.Ledger, error) {
	path := t.DB
	switch {
	case t.DatabaseURL != "":
		return nil, errors.New("these tests have no database server")
	case path == "":
		folder, err := datafolder.Open(t.Data)
		if err != nil {
			return nil, err
		}
		path = folder.Ledger()
	}
	store, err := sqlite.Open(path)
	if err != nil {
		return nil, err
	}
	clock := ledger.SystemClock()
	if file := os.Getenv("DEDUPE_TEST_CLOCK"); file != "" {
		clock = ledger.TestClock(file, clock)
	}
	return ledger.New(store, clock, nil), nil
}

// worker does what its arguments say, from left to right:
//
//	say TEXT    writes a line
//	read        copies the input to the output
//	exit CODE   ends
//	await FILE  waits until there is such a file
//	trap CODE   says "ready" and ends with CODE at a SIGTERM
func worker(args []string) int {
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		if word == "read" {
			if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
				return 99
			}
			continue
		}
		value := args[0]
		args = args[1:]
		switch word {
		case "say":
			fmt.Println(value)
		case "exit":
			return number(value)
		case "await":
			for !exists(value) {
				time.Sleep(10 * time.Millisecond)
			}
		case "trap":
			got := make(chan os.Signal, 1)
			signal.Notify(got, syscall.SIGTERM)
			fmt.Println("ready")
			<-got
			return number(value)
		}
	}
	return 0
}

func number(s string) int {
	n := 98
	_, _ = fmt.Sscan(s, &n)
	return n
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
