package launch

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestOpenerOfEachSystem(t *testing.T) {
	for _, tt := range []struct {
		goos string
		env  map[string]string
		want string // the command, "" where there is no screen
	}{
		{"windows", nil, "rundll32 url.dll,FileProtocolHandler"},
		{"darwin", nil, "open"},
		{"linux", map[string]string{"DISPLAY": ":0"}, "xdg-open"},
		{"linux", map[string]string{"WAYLAND_DISPLAY": "wayland-0"}, "xdg-open"},
		{"linux", nil, ""},
		{"freebsd", map[string]string{"DISPLAY": ":0"}, "xdg-open"},
		{"freebsd", nil, ""},
	} {
		name, args, ok := opener(tt.goos, func(name string) string { return tt.env[name] })
		if got := strings.Join(append([]string{name}, args...), " "); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s with %v opens by %q, %v, want %q", tt.goos, tt.env, got, ok, tt.want)
		}
	}
}

// TestBrowserGetsTheAddressWhole, its # and & included, through no shell.
func TestBrowserGetsTheAddressWhole(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only here can a program of the test stand in for the system's opener")
	}
	dir := t.TempDir()
	said := filepath.Join(dir, "said")
	script := "#!/bin/sh\nprintf '%s|' \"$@\" > " + said + ".new && mv " + said + ".new " + said + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/bin:/usr/bin")
	t.Setenv("DISPLAY", ":0")
	const address = "http://127.0.0.1:47820/#code=A&B;$(touch x)"
	if err := Browser(address); err != nil {
		t.Fatal(err)
	}
	for failed := time.Now().Add(time.Minute); ; {
		if got, err := os.ReadFile(said); err == nil {
			if string(got) != address+"|" {
				t.Errorf("the browser got %q", got)
			}
			break
		}
		if time.Now().After(failed) {
			t.Fatal("the opener was not called")
		}
		time.Sleep(5 * time.Millisecond) // between two looks
	}
	t.Setenv("PATH", t.TempDir())
	if err := Browser(address); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("without an opener: %v", err)
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if err := Browser(address); !errors.Is(err, ErrNoBrowser) || HasDisplay() {
		t.Errorf("without a screen: %v, HasDisplay %v", err, HasDisplay())
	}
}
