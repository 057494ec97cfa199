//go:build !windows

package launch

import (
	"os/exec"
	"syscall"
)

// detach gives the engine a session of its own, so that a closed terminal or a
// Ctrl+C there does not end the protection.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
