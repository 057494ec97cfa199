package main_test

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// scriptLoop is the article's script in a loop that leaves no pause: it claims and
// finishes new keys. Asked by a line, it says at once how many it has done.
const scriptLoop = `
import sys, threading
sys.path.insert(0, sys.argv[2])
import dedupe
con = dedupe.connect(sys.argv[1])
stop = threading.Event()
n = 0
def answer():
    for line in sys.stdin:
        print(n, flush=True)
    stop.set()
print("ready", flush=True)
threading.Thread(target=answer, daemon=True).start()
while not stop.is_set():
    key = "script-%d" % n
    if not dedupe.claim(con, key):
        raise SystemExit("somebody else has " + key)
    dedupe.done(con, key)
    n += 1
`

// A looper is the script in its loop.
type looper struct {
	t   *testing.T
	in  io.WriteCloser
	out *bufio.Scanner
	end func()
}

func (h *house) loopScript() *looper {
	h.t.Helper()
	folder, err := filepath.Abs("../ledger/sqlite/testdata")
	if err != nil {
		h.t.Fatal(err)
	}
	cmd := exec.Command("python3", "-B", "-c", scriptLoop, filepath.Join(h.dir, "ledger.db"), folder)
	var said strings.Builder
	cmd.Stderr = &said
	in, err := cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		h.t.Fatalf("python3, which build/test installs: %v", err)
	}
	l := &looper{t: h.t, in: in, out: bufio.NewScanner(out)}
	l.end = sync.OnceFunc(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			h.t.Errorf("the script failed, as busy or otherwise: %v\n%s", err, said.String())
		}
	})
	h.t.Cleanup(l.end)
	if !l.out.Scan() || l.out.Text() != "ready" {
		h.t.Fatalf("the script did not start: %q", l.out.Text())
	}
	return l
}

// count returns how many keys the script has finished.
func (l *looper) count() int {
	l.t.Helper()
	if _, err := fmt.Fprintln(l.in, "?"); err != nil {
		l.t.Fatalf("ask the script: %v", err)
	}
	if !l.out.Scan() {
		l.t.Fatal("the script ended")
	}
	n, err := strconv.Atoi(l.out.Text())
	if err != nil {
		l.t.Fatal(err)
	}
	return n
}

// TestScriptAndEngineBothGoOn: the script loops on the file while sixteen callers use the
// engine. Time after time both get on, and no call of either fails as busy.
func TestScriptAndEngineBothGoOn(t *testing.T) {
	h := newHouse(t)
	script := h.loopScript()
	c := newCrowd(h, "fair", 1, 16)
	lastScript := 0
	for second := range 6 {
		startScript, startEngine := script.count(), c.answered()
		time.Sleep(time.Second)
		h.await("the script's and the engine's next key", func() bool {
			lastScript = script.count()
			return lastScript > startScript && c.answered() > startEngine
		})
		t.Logf("second %d: the script finished %d keys, the engine granted %d", second, lastScript-startScript, c.answered()-startEngine)
	}
	script.end()
	c.end()
	if c.busy > 0 {
		t.Errorf("%d calls of the engine failed as busy", c.busy)
	}
	c.checkOnce()
	rows := h.rows()
	c.checkKept(rows)
	for i := range lastScript {
		if row := rows[fmt.Sprintf("default/script-%d", i)]; row.State != "done" {
			t.Fatalf("script-%d is %q", i, row.State)
		}
	}
	h.sound()
}

// firstStarts is how often eight programs meet a file that is not there yet.
const firstStarts = 20

// TestEightFirstClaimsAtOnce: eight commands make one new file, and all get what they
// ask for. Seven of them wait for the one that is first.
func TestEightFirstClaimsAtOnce(t *testing.T) {
	h := prepareHouse(t, "")
	for round := range firstStarts {
		path := filepath.Join(t.TempDir(), "new.db")
		h.eightAtOnce(round, func(i int) []string {
			return []string{"claim", fmt.Sprint("key-", i), "--db", path}
		})
		out, err := h.command("keys", "--db", path, "--json").Output()
		if n := strings.Count(string(out), `"state":"claimed"`); err != nil || n != 8 {
			t.Errorf("round %d: %d keys, %v\n%s", round, n, err, out)
		}
	}
}

// TestEightFirstClaimsAndAnEngineAtOnce: the engine is one of those who make the file.
func TestEightFirstClaimsAndAnEngineAtOnce(t *testing.T) {
	for round := range firstStarts / 2 {
		h := prepareHouse(t, "")
		var wg sync.WaitGroup
		wg.Go(func() {
			h.eightAtOnce(round, func(i int) []string { return []string{"claim", fmt.Sprint("key-", i), "--data", h.dir} })
		})
		h.start()
		wg.Wait()
		if rows := h.rows(); len(rows) != 8 {
			t.Errorf("round %d: %d keys", round, len(rows))
		}
		h.stop()
	}
}

// eightAtOnce runs eight commands at once, all of which have to be granted.
func (h *house) eightAtOnce(round int, args func(i int) []string) {
	h.t.Helper()
	var wg sync.WaitGroup
	for i := range 8 {
		cmd := h.command(args(i)...)
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil || string(out) != "claimed\n" {
				h.t.Errorf("round %d, program %d: %v %q", round, i, err, out)
			}
		})
	}
	wg.Wait()
}
