package main_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestEngineAnnouncesItselfAndStopsCleanly(t *testing.T) {
	eachBackend(t, engineAnnouncesItselfAndStopsCleanly)
}

func engineAnnouncesItselfAndStopsCleanly(t *testing.T, h *house) {
	data, err := os.ReadFile(filepath.Join(h.dir, "engine.json"))
	if err != nil {
		t.Fatal(err)
	}
	var said map[string]any
	if err := json.Unmarshal(data, &said); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pid", "version", "api", "admin", "started_at", "secret"} {
		if said[name] == nil {
			t.Errorf("engine.json lacks %s", name)
		}
	}
	if api, _ := said["api"].(string); !strings.HasPrefix(api, "http://127.0.0.1:") {
		t.Errorf("api is %q, want a full URL", api)
	}
	h.stop()
	if _, err := os.Stat(filepath.Join(h.dir, "engine.json")); !os.IsNotExist(err) {
		t.Error("engine.json is left after a stop")
	}
}

func TestOneEngineOnAFolder(t *testing.T) {
	h := newHouse(t)
	out, err := exec.Command(h.bin, "serve", "--data", h.dir, "--api", "127.0.0.1:0", "--admin", "127.0.0.1:0").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another engine is already running") {
		t.Errorf("a second engine: %v, %s", err, out)
	}
	if a := h.call(http.MethodGet, "/healthz", "", ""); a.Code != http.StatusOK {
		t.Errorf("the first engine answers %d after that", a.Code)
	}
}

func TestTakenPortIsAClearMessage(t *testing.T) {
	h := newHouse(t)
	taken := strings.TrimPrefix(h.engine.API, "http://")
	out, err := exec.Command(h.bin, "serve", "--data", filepath.Join(t.TempDir(), "other"), "--api", taken, "--admin", "127.0.0.1:0").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another program already uses the address "+taken) {
		t.Errorf("a taken port: %v, %s", err, out)
	}
}

func TestPagesStayOnThisComputer(t *testing.T) {
	bin, err := program()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(bin, "serve", "--data", filepath.Join(t.TempDir(), "d"), "--api", "127.0.0.1:0", "--admin", "0.0.0.0:0").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "for this computer only") {
		t.Errorf("pages on all interfaces: %v, %s", err, out)
	}
}

func TestOpenPrintsAOneTimeAddress(t *testing.T) { eachBackend(t, openPrintsAOneTimeAddress) }

func openPrintsAOneTimeAddress(t *testing.T, h *house) {
	address := strings.TrimSpace(h.must("open", "--print", "--name", "Ana", "--role", "look"))
	if !strings.HasPrefix(address, h.engine.Admin+"/#code=") {
		t.Fatalf("open --print printed %q", address)
	}
	code := strings.TrimPrefix(address, h.engine.Admin+"/#code=")
	for i, want := range []int{http.StatusOK, http.StatusUnauthorized} {
		req, err := http.NewRequest(http.MethodPost, h.engine.Admin+"/session", strings.NewReader("code="+code))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if a := h.send(req); a.Code != want {
			t.Errorf("use %d of the code: %d, want %d", i+1, a.Code, want)
		}
	}
}

func TestStopCommandEndsTheEngine(t *testing.T) { eachBackend(t, stopCommandEndsTheEngine) }

func stopCommandEndsTheEngine(t *testing.T, h *house) {
	h.must("stop")
	if err := h.cmd.Wait(); err != nil {
		t.Errorf("the engine ended with %v", err)
	}
	h.cmd = nil
	if _, errs, code := h.run("stop"); code != 2 || !strings.Contains(errs, "no engine runs") {
		t.Errorf("a second stop: exit %d, %s", code, errs)
	}
}

// TestPeers51KilledEngineKeepsItsGrants: kill -9 after a grant and before done.
func TestPeers51KilledEngineKeepsItsGrants(t *testing.T) {
	eachBackend(t, peers51KilledEngineKeepsItsGrants)
}

func peers51KilledEngineKeepsItsGrants(t *testing.T, h *house) {
	if a := h.post("/v1/claim", map[string]any{"key": "a"}); a.text("status") != "claimed" {
		t.Fatalf("claim: %s", a.Raw)
	}
	h.kill()
	h.start()
	if a := h.post("/v1/claim", map[string]any{"key": "a"}); a.text("status") != "in_progress" {
		t.Errorf("after kill -9: %s", a.Raw)
	}
	h.shift("+901s")
	a := h.post("/v1/claim", map[string]any{"key": "a"})
	if a.text("status") != "claimed" || a.Body["took_over"] != true {
		t.Errorf("after the time allowed: %s", a.Raw)
	}
	if !strings.Contains(h.page(http.MethodGet, "/", nil).Raw, "shifted by") {
		t.Error("the pages do not say that a test clock is set")
	}
}
