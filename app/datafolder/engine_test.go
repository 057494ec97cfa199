package datafolder_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/datafolder"
)

// childEnv names the folder that a copy of this test program takes as an engine
// would.
const childEnv = "DEDUPE_TEST_ENGINE"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		if err := child(dir); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child takes the folder, says so, and does what each line of its input says.
func child(dir string) error {
	f, err := datafolder.Open(dir)
	if err != nil {
		return err
	}
	lock, err := f.Lock(context.Background())
	if err != nil {
		return err
	}
	fmt.Println("locked")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		switch lines.Text() {
		case "announce":
			err = f.Announce(datafolder.Engine{PID: os.Getpid(), Version: "test", API: "http://127.0.0.1:1", Admin: "http://127.0.0.1:2", Secret: "s"})
		case "stop":
			return errors.Join(f.Withdraw(), lock.Unlock())
		}
		if err != nil {
			return err
		}
		fmt.Println("ok")
	}
	return lines.Err()
}

// An engine is a child process that has the folder.
type engine struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.Writer
	said *bufio.Scanner
}

func start(t *testing.T, dir string) *engine {
	t.Helper()
	e := &engine{t: t, cmd: exec.Command(os.Args[0])}
	e.cmd.Env = append(os.Environ(), childEnv+"="+dir)
	in, err := e.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	e.in, e.said = in, bufio.NewScanner(out)
	if err := e.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.cmd.Process.Kill() })
	return e
}

func (e *engine) hear(want string) {
	e.t.Helper()
	if !e.said.Scan() || e.said.Text() != want {
		e.t.Fatalf("the other process says %q, want %q", e.said.Text(), want)
	}
}

func (e *engine) tell(line string) {
	e.t.Helper()
	if _, err := io.WriteString(e.in, line+"\n"); err != nil {
		e.t.Fatal(err)
	}
}

// stands checks what this process sees of the folder.
func stands(t *testing.T, f *datafolder.Folder, owned, running bool) datafolder.Engine {
	t.Helper()
	if got, err := f.Owned(); err != nil || got != owned {
		t.Errorf("Owned = %v, %v, want %v", got, err, owned)
	}
	e, ok, err := f.Running()
	if err != nil || ok != running {
		t.Errorf("Running = %v, %v, want %v", ok, err, running)
	}
	return e
}

// TestLockOfAnotherProcess: the lock is the proof, engine.json only the address.
func TestLockOfAnotherProcess(t *testing.T) {
	t.Parallel() // a refusal takes the lock's own 2 s
	f := open(t, t.TempDir())
	stands(t, f, false, false)
	other := start(t, f.Path())
	other.hear("locked")
	stands(t, f, true, false) // it has the folder and cannot be reached yet
	if _, err := f.Lock(t.Context()); !errors.Is(err, datafolder.ErrRunning) {
		t.Errorf("a second engine: %v, want ErrRunning", err)
	}
	other.tell("announce")
	other.hear("ok")
	if e := stands(t, f, true, true); e.PID != other.cmd.Process.Pid || e.API != "http://127.0.0.1:1" {
		t.Errorf("it runs as %+v", e)
	}
	other.tell("stop")
	if err := other.cmd.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
	stands(t, f, false, false)
}

// TestLockEndsWithItsProcess, however that ends, and what it left is not believed.
func TestLockEndsWithItsProcess(t *testing.T) {
	f := open(t, t.TempDir())
	other := start(t, f.Path())
	other.hear("locked")
	other.tell("announce")
	other.hear("ok")
	if err := other.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := other.cmd.Wait(); err == nil {
		t.Fatal("it was not killed")
	}
	if _, err := os.Stat(filepath.Join(f.Path(), "engine.json")); err != nil {
		t.Fatalf("engine.json is gone, so the test shows nothing: %v", err)
	}
	stands(t, f, false, false)
	lock, err := f.Lock(t.Context())
	if err != nil {
		t.Fatalf("the folder is not free after a kill: %v", err)
	}
	if err := lock.Unlock(); err != nil {
		t.Error(err)
	}
}

// TestOneOfManyGetsTheFolder: eight processes start at once.
func TestOneOfManyGetsTheFolder(t *testing.T) {
	t.Parallel() // a refusal takes the lock's own 2 s
	dir := t.TempDir()
	var all []*engine
	for range 8 {
		all = append(all, start(t, dir))
	}
	said := make(chan string, len(all))
	for _, e := range all {
		go func() {
			e.said.Scan()
			said <- e.said.Text()
		}()
	}
	count := map[string]int{}
	for range all {
		count[<-said]++
	}
	if count["locked"] != 1 || count[datafolder.ErrRunning.Error()] != 7 {
		t.Errorf("they said %v", count)
	}
	for _, e := range all {
		_ = e.cmd.Process.Kill()
		_ = e.cmd.Wait()
	}
}

// TestTheAddressOfAKilledEngineIsNotBelieved, from the moment another one has the folder.
func TestTheAddressOfAKilledEngineIsNotBelieved(t *testing.T) {
	f := open(t, t.TempDir())
	if err := f.Announce(datafolder.Engine{PID: 1, API: "http://127.0.0.1:1"}); err != nil {
		t.Fatal(err)
	}
	lock, err := f.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	if e, ok, err := f.Running(); ok || err != nil {
		t.Errorf("found %+v, %v", e, err)
	}
}

func TestLockWithinOneProcess(t *testing.T) {
	t.Parallel() // a refusal takes the lock's own 2 s
	f := open(t, t.TempDir())
	lock, err := f.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, f.Path()).Lock(t.Context()); !errors.Is(err, datafolder.ErrRunning) {
		t.Errorf("a second lock: %v, want ErrRunning", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Lock(ended); err == nil {
		t.Error("a lock was given although its caller is gone")
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := f.Lock(t.Context())
	if err != nil {
		t.Fatalf("after Unlock: %v", err)
	}
	if err := again.Unlock(); err != nil {
		t.Error(err)
	}
}

// TestLookingNeverTakesTheFolder: people look at it all the time, also while an
// engine starts.
func TestLookingNeverTakesTheFolder(t *testing.T) {
	f := open(t, t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	var looking sync.WaitGroup
	looking.Go(func() {
		for ctx.Err() == nil {
			if _, _, err := f.Running(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 5 {
		lock, err := f.Lock(t.Context())
		if err != nil {
			t.Errorf("the lock was refused: %v", err)
			break
		}
		if err := lock.Unlock(); err != nil {
			t.Error(err)
		}
	}
	stop()
	looking.Wait()
}

// TestEngineFileIsWholeOrNotThere while it is written over and over.
func TestEngineFileIsWholeOrNotThere(t *testing.T) {
	f := open(t, t.TempDir())
	lock, err := f.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	if err := f.Announce(datafolder.Engine{PID: 1}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var reading sync.WaitGroup
	reading.Go(func() {
		for ctx.Err() == nil {
			if e, ok, err := f.Running(); err != nil || !ok || e.PID == 0 {
				t.Errorf("half of it was read: %+v, %v, %v", e, ok, err)
				return
			}
		}
	})
	for i := range 300 {
		if err := f.Announce(datafolder.Engine{PID: i + 1, Secret: "secret", Version: "v"}); err != nil {
			t.Error(err)
		}
	}
	stop()
	reading.Wait()
	left, err := filepath.Glob(filepath.Join(f.Path(), "*.new"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestEngineFileHasItsMembers: other programs read it.
func TestEngineFileHasItsMembers(t *testing.T) {
	f := open(t, t.TempDir())
	want := map[string]any{"pid": 7.0, "version": "1.2", "api": "http://127.0.0.1:47821", "admin": "http://127.0.0.1:47820", "started_at": "2026-11-30T12:00:00Z", "secret": "s"}
	err := f.Announce(datafolder.Engine{PID: 7, Version: "1.2", API: "http://127.0.0.1:47821", Admin: "http://127.0.0.1:47820",
		StartedAt: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Secret: "s"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(f.Path(), "engine.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v %v, want %v", err, got, want)
	}
	for range 2 { // an engine's end may come twice
		if err := f.Withdraw(); err != nil {
			t.Error(err)
		}
	}
}

// TestABrokenEngineFileIsSaid and not taken for no engine: a second one would
// start.
func TestABrokenEngineFileIsSaid(t *testing.T) {
	f := open(t, t.TempDir())
	lock, err := f.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Unlock() }()
	if err := os.WriteFile(filepath.Join(f.Path(), "engine.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := f.Running(); ok || err == nil {
		t.Errorf("Running = %v, %v, want an error", ok, err)
	}
}
