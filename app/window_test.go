//go:build windowtest

// The tag windowtest adds the test of the native window. It needs the program
// that build/desktop makes, Xvfb, xdotool and a session bus; build/test installs
// and calls them.

package main_test

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/datafolder"
	"dedupedesk/app/launch"
)

// A screen is a display of its own with a session bus.
type screen struct {
	t   *testing.T
	env []string
}

func newScreen(t *testing.T) *screen {
	t.Helper()
	const display = ":93"
	run := t.TempDir()
	if err := os.Chmod(run, 0o700); err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, env: append(os.Environ(),
		"DISPLAY="+display, "XDG_RUNTIME_DIR="+run, "HOME="+t.TempDir(), "XDG_DATA_HOME=", "WAYLAND_DISPLAY=",
		"NO_AT_BRIDGE=1", "WEBKIT_DISABLE_COMPOSITING_MODE=1", "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS=1", "DEDUPE_LOG=debug")}
	s.background("Xvfb", display, "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	bus := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address")
	bus.Env = s.env
	out, err := bus.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := bus.Start(); err != nil {
		t.Fatalf("dbus-daemon: %v", err)
	}
	t.Cleanup(func() { _ = bus.Process.Kill(); _ = bus.Wait() })
	buf := make([]byte, 512)
	n, err := out.Read(buf)
	if err != nil {
		t.Fatalf("dbus-daemon gave no address: %v", err)
	}
	s.env = append(s.env, "DBUS_SESSION_BUS_ADDRESS="+strings.TrimSpace(string(buf[:n])))
	s.until("the display", func() bool { return s.try("xdpyinfo") == nil })
	return s
}

func (s *screen) background(name string, args ...string) *exec.Cmd {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = s.env
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if s.t.Failed() {
			s.t.Logf("%s said:\n%s", filepath.Base(name), said.String())
		}
	})
	return cmd
}

func (s *screen) try(name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = s.env
	return cmd.Run()
}

// until waits for something that must come, however slow the machine is.
func (s *screen) until(what string, ok func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if ok() {
			return
		}
	}
	s.picture("failed")
	s.t.Fatalf("%s did not come", what)
}

// picture keeps what is on the screen, where DEDUPE_PICTURES names a folder.
func (s *screen) picture(name string) {
	if dir := os.Getenv("DEDUPE_PICTURES"); dir != "" {
		_ = s.try("import", "-window", "root", filepath.Join(dir, "window-"+name+".png"))
	}
}

// click clicks a place of the window that has the focus of the display.
func (s *screen) click(x, y string) {
	if err := s.try("xdotool", "search", "--sync", "--onlyvisible", "--name", "Dedupe Desk", "mousemove", "--window", "%1", x, y, "click", "1"); err != nil {
		s.t.Logf("click at %s,%s: %v", x, y, err)
	}
}

// TestWindow: the native window shows Home from the engine, one click works, and
// killing the window leaves the engine answering.
func TestWindow(t *testing.T) {
	desktop, err := filepath.Abs(os.Getenv("DEDUPE_DESKTOP"))
	if err != nil {
		t.Fatal(err)
	}
	s := newScreen(t)
	dir := filepath.Join(t.TempDir(), "data")
	// LANG=C is what breaks number formatting in the web view.
	s.env = append(s.env, "LANG=C", "LC_ALL=C")
	args := []string{"--data", dir, "--api", "127.0.0.1:0", "--admin", "127.0.0.1:0"}
	window := s.background(desktop, args...)

	folder, err := datafolder.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var engine datafolder.Engine
	s.until("the engine that the window starts", func() bool {
		var ok bool
		engine, ok, err = folder.Running()
		return err == nil && ok && launch.Answers(t.Context(), engine)
	})
	t.Cleanup(func() { _ = exec.Command(desktop, "stop", "--data", dir).Run() })

	served := func(page string) bool {
		log, err := os.ReadFile(folder.Log())
		return err == nil && strings.Contains(string(log), `msg=page route="GET `+page+`" window=true`)
	}
	s.until("Home in the window", func() bool { return served("/{$}") })
	// The bar at the foot asks for itself: scripts run, and reach the engine.
	s.until("the status bar's own request", func() bool { return served("/status") })
	s.picture("home")

	// The rail's entries lie one below the other at the left edge.
	s.until("another page after a click on the rail", func() bool {
		for _, y := range []string{"170", "205", "240", "275", "140"} {
			s.click("70", y)
			time.Sleep(300 * time.Millisecond)
			for _, page := range []string{"/design", "/steps", "/keys", "/connect"} {
				if served(page) {
					return true
				}
			}
		}
		return false
	})
	s.picture("clicked")

	second := exec.Command(desktop, args...)
	second.Env = s.env
	_ = second.Run() // it raises the first window and ends; its exit code is the window library's
	if e, ok, err := folder.Running(); err != nil || !ok || e.PID != engine.PID {
		t.Errorf("a second start changed the engine: %+v %v %v", e, ok, err)
	}

	_ = window.Process.Kill()
	_ = window.Wait()
	resp, err := http.Get(engine.API + "/healthz")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("the engine after its window was killed: %v %v", resp, err)
	}
	_ = resp.Body.Close()
	if err := exec.Command(desktop, "stop", "--data", dir).Run(); err != nil {
		t.Errorf("stop: %v", err)
	}
}
