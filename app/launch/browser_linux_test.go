package launch

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestBrowserGetsTheAddressWhole, its # and & included, through no shell.
func TestBrowserGetsTheAddressWhole(t *testing.T) {
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
