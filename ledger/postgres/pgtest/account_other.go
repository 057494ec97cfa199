//go:build !linux

package pgtest

import (
	"os/exec"
	"syscall"
	"testing"
)

// An account is the user that runs a server: here this process's own.
type account struct{}

func unprivileged() (*account, error) { return nil, nil }

func (a *account) own(string) error { return nil }

func (a *account) run(*exec.Cmd) {}

func (s *Server) signal(sig syscall.Signal) error { return s.cmd.Process.Signal(sig) }

// Freeze and Thaw are for Linux alone.
func (s *Server) Freeze(tb testing.TB) { tb.Fatal("only Linux can freeze a server") }

// Thaw ends Freeze.
func (s *Server) Thaw(testing.TB) {}
