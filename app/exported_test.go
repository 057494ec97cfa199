package main_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"dedupedesk/exporters"
	"dedupedesk/exporters/scripts"
)

// An exportedScript is a file of the platform scripts that a person finished: its
// work adds the event's file to a list, unless a file called fail is there.
type exportedScript struct {
	t       *testing.T
	h       *house
	program string
	file    string
	dir     string
}

// scriptLanguages are those that can run here, with what stands in for the work and for
// the pauses between two tries.
var scriptLanguages = []struct {
	name, program, end, work, put, item, pauses, none string
	failed                                            int
}{
	{"shell", "sh", ".sh", "  echo \"Put your work into the function work of this file.\" >&2\n  return 70",
		"  [ ! -e fail ] || return 7\n  sleep 0.05\n  echo \"$(cat \"$1\")\" >>done\n  printf 'rec \"7\"' >\"$3\"", "", "1 3 6 0", "0 0 0 0", 7},
	{"python", "python3", ".py", `    raise NotImplementedError("Put your work into the function work of this file.")`,
		"    if os.path.exists('fail'): raise ValueError('fail')\n    time.sleep(0.05)\n    print(json.dumps(event, separators=(',', ':')), file=open('done', 'a'))\n    return 'rec \"7\"'",
		"    if os.path.exists('fail-' + item['sku']): raise ValueError('fail')\n    print(item['sku'], file=open('done', 'a'))", "(1, 3, 6, None)", "(0, 0, 0, None)", 1},
	{"node", "node", ".mjs", `  throw new Error("Put your work into the function work of this file.");`,
		"  const fs = await import('node:fs');\n  if (fs.existsSync('fail')) throw new Error('fail');\n  await new Promise((wake) => setTimeout(wake, 50));\n  fs.appendFileSync('done', JSON.stringify(event) + '\\n');\n  return 'rec \"7\"';",
		"  const fs = await import('node:fs');\n  if (fs.existsSync('fail-' + item.sku)) throw new Error('fail');\n  fs.appendFileSync('done', item.sku + '\\n');", "[1, 3, 6, 0]", "[0, 0, 0, 0]", 1},
}

// exportScript makes the file of a rule for a language and puts put in place of the work.
func exportScript(t *testing.T, h *house, s exporters.Setup, language int, put, address string) exportedScript {
	t.Helper()
	l := scriptLanguages[language]
	s.Details = map[string]string{"language": l.name, "address": address}
	list, err := scripts.New().Build(s)
	if err != nil || len(list.Files) != 1 {
		t.Fatalf("%s: %v, %d files", l.name, err, len(list.Files))
	}
	dir := t.TempDir()
	x := exportedScript{t: t, h: h, program: l.program, file: filepath.Join(dir, list.Files[0].Name), dir: dir}
	text := string(list.Files[0].Data)
	for from, to := range map[string]string{l.work: put, l.pauses: l.none} {
		if !strings.Contains(text, from) {
			t.Fatalf("%s: there is no %q in it", l.name, from)
		}
		text = strings.Replace(text, from, to, 1)
	}
	if err := os.WriteFile(x.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return x
}

// run hands an event over and returns the exit code.
func (x exportedScript) run(event string, env ...string) int {
	x.t.Helper()
	cmd := exec.Command(x.program, x.file, "-", filepath.Join(x.dir, "headers.json"))
	cmd.Dir, cmd.Stdin = x.dir, strings.NewReader(event)
	cmd.Env = append(append(os.Environ(), "DEDUPE_TOKEN="+x.h.token, "NO_PROXY=127.0.0.1"), env...)
	out, err := cmd.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		x.t.Errorf("%s, which build/test installs: %v", x.program, err)
	}
	if len(out) > 0 {
		x.t.Logf("%s %s: %s", x.program, event, out)
	}
	return cmd.ProcessState.ExitCode()
}

func (x exportedScript) wantCode(event string, want int, env ...string) {
	x.t.Helper()
	if got := x.run(event, env...); got != want {
		x.t.Errorf("%s ended with %d, want %d", event, got, want)
	}
}

// write puts a file beside the script; remove takes it away.
func (x exportedScript) write(name, text string) {
	x.t.Helper()
	if err := os.WriteFile(filepath.Join(x.dir, name), []byte(text), 0o600); err != nil {
		x.t.Fatal(err)
	}
}

func (x exportedScript) remove(name string) { _ = os.Remove(filepath.Join(x.dir, name)) }

// did returns how often the work wrote a line.
func (x exportedScript) did(line string) int {
	data, _ := os.ReadFile(filepath.Join(x.dir, "done"))
	n := 0
	for _, got := range strings.Split(string(data), "\n") {
		if got == line {
			n++
		}
	}
	return n
}

func (x exportedScript) wantDone(line string, want int) {
	x.t.Helper()
	if got := x.did(line); got != want {
		x.t.Errorf("the work of %s was done %d times, want %d", line, got, want)
	}
}

// wantKey wants the state of a key, and its result where there is one.
func (h *house) wantKey(t *testing.T, rule, key, state string, result any) {
	t.Helper()
	a := h.call(http.MethodGet, "/v1/keys/one?rule="+rule+"&key="+strings.ReplaceAll(key, "%", "%25"), "", "", "Authorization", "Bearer "+h.admin)
	if a.text("state") != state || a.Body["result"] != result {
		t.Errorf("%s is %v with %v, want %s with %v: %s", key, a.Body["state"], a.Body["result"], state, result, a.Raw)
	}
}

// TestExportedScripts runs the files of the platform scripts against a live engine: copies
// side by side, work that fails, no key, a wrong password, lines, no engine.
func TestExportedScripts(t *testing.T) {
	h := newHouse(t)
	dir := t.TempDir()
	args := []string{"rule", "import"}
	for _, l := range scriptLanguages {
		for name, text := range map[string]string{
			"orders-": "key: key(\"it's\", body.id, header(\"X-Shop\"))\nlease: 5s\n",
			"lines-":  "key: key(body.id, item.sku)\neach: body.order.lines\n",
			"rather-": "key: key(body.id)\nif_unreachable: go_on\n",
		} {
			file := filepath.Join(dir, name+l.name+".yaml")
			if err := os.WriteFile(file, []byte("rule: "+name+l.name+"\n"+text), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
		}
	}
	h.must(args...)
	for i, l := range scriptLanguages {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			at := *h
			at.t = t
			x := exportScript(t, &at, exporters.Setup{Rule: "orders-" + l.name, Lease: 5 * time.Second}, i, l.put, h.engine.API)
			x.write("headers.json", `{"X-Shop":"e\"u"}`)
			driveScript(t, x, "orders-"+l.name, l.failed)
			if l.item != "" {
				lines := exporters.Setup{Rule: "lines-" + l.name, Each: []string{"body", "order", "lines"}, Expressible: true, Parts: []exporters.Part{{Path: []string{"item", "sku"}}}}
				driveLines(t, exportScript(t, &at, lines, i, l.item, h.engine.API), lines.Rule)
			}
			driveUnreachable(t, &at, i)
		})
	}
}

func driveScript(t *testing.T, x exportedScript, rule string, failed int) {
	t.Helper()
	const big = `{"id":820982911946154508}` // whose digits a double does not hold
	var side sync.WaitGroup
	for range 4 {
		side.Go(func() {
			if got := x.run(big); got != 0 && got != 75 {
				t.Errorf("a copy side by side ended with %d, want 0, or 75 while the other is at work", got)
			}
		})
	}
	side.Wait()
	x.wantCode(big, 0)
	data, _ := os.ReadFile(filepath.Join(x.dir, "done"))
	if got := strings.Count(string(data), "\n"); got != 1 {
		t.Errorf("the work was done %d times, want once: %s", got, data)
	}
	x.h.wantKey(t, rule, `it's:820982911946154508:e"u`, "done", `rec "7"`)

	const other = `{"id":"a%b:c"}`
	x.write("fail", "")
	x.wantCode(other, failed)
	x.h.wantKey(t, rule, `it's:a%25b%3Ac:e"u`, "retryable", nil)
	x.remove("fail")
	x.wantCode(other, 0)
	x.wantDone(other, 1)

	x.wantCode(`{"id":" "}`, 2)
	x.wantCode(`{"id":`, 2)
	x.wantCode(`{"id":"w"}`, 2, "DEDUPE_TOKEN=dd_wrong")
	x.wantCode(`{"id":"w"}`, 2, "DEDUPE_TOKEN=")
	x.wantDone(`{"id":"w"}`, 0)

	// A finished key whose result looks like a grant.
	x.h.post("/v1/claim", map[string]any{"rule": rule, "part": []string{"it's", "r", `e"u`}, "owner": "o"})
	x.h.post("/v1/done", map[string]any{"rule": rule, "part": []string{"it's", "r", `e"u`}, "owner": "o", "result": map[string]any{"status": "claimed", "key": "x"}})
	x.wantCode(`{"id":"r"}`, 0)
	x.wantDone(`{"id":"r"}`, 0)
}

func driveLines(t *testing.T, x exportedScript, rule string) {
	t.Helper()
	x.write("headers.json", "{}")
	const order = `{"id":"l1","order":{"lines":[{"sku":"A"},{"sku":"B"},{"sku":"A"},{"sku":"C"}]}}`
	x.write("fail-B", "")
	x.wantCode(order, 1)
	x.h.wantKey(t, rule, "l1:B", "retryable", nil)
	x.remove("fail-B")
	x.wantCode(order, 0)
	x.wantCode(order, 0)
	for _, sku := range []string{"A", "B", "C"} {
		x.wantDone(sku, 1)
	}
	x.wantCode(`{"id":"l2","order":{"lines":[{"sku":"D"},{"sku":""}]}}`, 2)
	x.wantDone("D", 1)
	x.wantCode(`{"id":"l3","order":{"lines":[]}}`, 2)
}

// TestAnEndedScriptGivesAllItsKeysBack, those of items whose turn did not come too.
func TestAnEndedScriptGivesAllItsKeysBack(t *testing.T) {
	h := newHouse(t)
	h.flowRule("rule: ended\nkey: key(body.id, item.sku)\neach: body.lines\n")
	s := exporters.Setup{Rule: "ended", Each: []string{"body", "lines"}, Expressible: true, Parts: []exporters.Part{{Path: []string{"item", "sku"}}}}
	for i, put := range map[int]string{
		1: "    open('begun', 'w').close(); time.sleep(60)",
		2: "  (await import('node:fs')).writeFileSync('begun', '');\n  await new Promise((wake) => setTimeout(wake, 60000));",
	} {
		x := exportScript(t, h, s, i, put, h.engine.API)
		id := scriptLanguages[i].name
		cmd := exec.Command(x.program, x.file, "-")
		cmd.Dir, cmd.Stdin = x.dir, strings.NewReader(`{"id":"`+id+`","lines":[{"sku":"A"},{"sku":"B"}]}`)
		cmd.Env = append(os.Environ(), "DEDUPE_TOKEN="+h.token, "NO_PROXY=127.0.0.1")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		h.await("the work begins", func() bool { _, err := os.Stat(filepath.Join(x.dir, "begun")); return err == nil })
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 143 {
			t.Errorf("%s ended with %v, want 143", id, err)
		}
		h.wantKey(t, "ended", id+":A", "retryable", nil)
		h.wantKey(t, "ended", id+":B", "retryable", nil)
	}
}

// TestAKilledScriptAsksForNoMoreTime, and who tries again at once hears that a run is at it.
func TestAKilledScriptAsksForNoMoreTime(t *testing.T) {
	h := newHouse(t)
	h.flowRule("rule: killed\nkey: key(body.id)\n")
	x := exportScript(t, h, exporters.Setup{Rule: "killed"}, 0, "  : >begun\n  exec sleep 0.5", h.engine.API)
	text, err := os.ReadFile(x.file)
	if err != nil {
		t.Fatal(err)
	}
	x.write(filepath.Base(x.file), regexp.MustCompile(`(?m)^BEAT=\d+$`).ReplaceAllString(string(text), "BEAT=0.1"))
	cmd := exec.Command(x.program, x.file, "-")
	cmd.Dir, cmd.Stdin = x.dir, strings.NewReader(`{"id":"k"}`)
	cmd.Env = append(os.Environ(), "DEDUPE_TOKEN="+h.token, "NO_PROXY=127.0.0.1")
	said, held, err := os.Pipe() // its children hold the other end
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = held
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = held.Close()
	h.await("the work begins", func() bool { _, err := os.Stat(filepath.Join(x.dir, "begun")); return err == nil })
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = cmd.Wait()
	_ = said.SetReadDeadline(time.Now().Add(20 * time.Second))
	if _, err := io.ReadAll(said); err != nil {
		t.Errorf("its child goes on: %v", err)
	}
	x.write("headers.json", "{}")
	x.wantCode(`{"id":"k"}`, 75)
	h.wantKey(t, "killed", "k", "claimed", nil)
}

// driveUnreachable: nobody at all, a page of a dead tunnel, and this program's own no. A
// rule that rather has the work done twice works in the first two.
func driveUnreachable(t *testing.T, h *house, i int) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, "<html>{\"status\":\"claimed\"}</html>")
	}))
	t.Cleanup(page.Close)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = fmt.Fprint(w, `{"type":"urn:dedupe-desk:problem:paused","title":"Paused","status":503,"code":"paused","detail":"Paused.","run":false}`)
	}))
	t.Cleanup(refuses.Close)
	moved := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/elsewhere") {
			t.Errorf("the password went along to %s: %v", r.URL.Path, r.Header.Get("X-Api-Key") != "")
		}
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(http.StatusFound)
		_, _ = fmt.Fprint(w, `{"status":"claimed","key":"k","run":true}`)
	}))
	t.Cleanup(moved.Close)
	somebody := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"status":404,"message":"no tunnel"}`)
	}))
	t.Cleanup(somebody.Close)
	stops, goesOn := exporters.Setup{Rule: "orders-" + scriptLanguages[i].name}, exporters.Setup{Rule: "rather-" + scriptLanguages[i].name, IfUnreachable: "go_on"}
	for _, tt := range []struct {
		setup      exporters.Setup
		address    string
		code, done int
	}{
		{stops, "http://" + l.Addr().String(), 2, 0},
		{stops, page.URL, 2, 0},
		{stops, moved.URL, 2, 0},
		{stops, somebody.URL, 2, 0},
		{goesOn, somebody.URL, 0, 1},
		{goesOn, "http://" + l.Addr().String(), 0, 1},
		{goesOn, page.URL, 0, 1},
		{goesOn, refuses.URL, 2, 0},
	} {
		x := exportScript(t, h, tt.setup, i, scriptLanguages[i].put, tt.address)
		x.write("headers.json", `{"X-Shop":"eu"}`)
		x.wantCode(`{"id":"u"}`, tt.code)
		x.wantDone(`{"id":"u"}`, tt.done)
	}
}
