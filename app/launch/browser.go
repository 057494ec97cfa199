package launch

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
)

// ErrNoBrowser says that this session has no display to open a browser on.
var ErrNoBrowser = errors.New("there is no display here to open a browser on")

// Browser opens address in the person's default browser. It returns
// [ErrNoBrowser] where there is none, as over ssh.
func Browser(address string) error {
	name, args, ok := opener(runtime.GOOS, os.Getenv)
	if !ok {
		return ErrNoBrowser
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ErrNoBrowser
	}
	cmd := exec.Command(path, append(args, address)...)
	if err := cmd.Start(); err != nil {
		return ErrNoBrowser
	}
	// The opener ends by itself; somebody has to reap it.
	go func() { _ = cmd.Wait() }()
	return nil
}

// opener returns the command that opens an address on an operating system.
func opener(goos string, env func(string) string) (name string, args []string, ok bool) {
	switch goos {
	case "windows":
		return "rundll32", []string{"url.dll,FileProtocolHandler"}, true
	case "darwin":
		return "open", nil, true
	}
	if env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == "" {
		return "", nil, false
	}
	return "xdg-open", nil, true
}

// HasDisplay tells whether this session has a screen to open something on.
func HasDisplay() bool {
	_, _, ok := opener(runtime.GOOS, os.Getenv)
	return ok
}
