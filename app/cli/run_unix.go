//go:build unix

package cli

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// passedOn are the signals that a command may expect from whoever started it.
var passedOn = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2}

// passSignal sends s to p, unless the terminal has sent it already: what a
// person types there reaches the whole foreground group.
func passSignal(p *os.Process, s os.Signal) {
	if (s == os.Interrupt || s == syscall.SIGQUIT) && inForeground() {
		return
	}
	_ = p.Signal(s) // a process that has ended needs no signal
}

// inForeground tells whether a terminal counts this process to its foreground.
func inForeground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer func() { _ = tty.Close() }()
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// exitCode returns a process's exit code, 128 and the signal's number where a
// signal ended it, as shells do.
func exitCode(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
