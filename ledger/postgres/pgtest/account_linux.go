package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// An account is the user that runs a server; nil is this process's own.
type account struct{ uid, gid uint32 }

// unprivileged returns the account for a server: PostgreSQL refuses to run as root.
func unprivileged() (*account, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root, and there is no other user: %w", err)
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	return &account{uint32(uid), uint32(gid)}, errors.Join(err, err2)
}

// own gives a file to the account.
func (a *account) own(path string) error {
	if a == nil {
		return nil
	}
	return os.Chown(path, int(a.uid), int(a.gid))
}

// run has cmd run by the account, in a process group of its own, and end with this
// process.
func (a *account) run(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT}
	if a != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}
}

// Freeze stops all processes of the server in their tracks, as a machine that hangs
// does: it takes connections and says nothing. Thaw has them go on.
func (s *Server) Freeze(tb testing.TB) { s.all(tb, syscall.SIGSTOP) }

// Thaw ends Freeze.
func (s *Server) Thaw(tb testing.TB) { s.all(tb, syscall.SIGCONT) }

func (s *Server) all(tb testing.TB, sig syscall.Signal) {
	tb.Helper()
	if err := s.signal(sig); err != nil {
		tb.Fatal(err)
	}
}

// signal reaches the server's first process, which hands on what it is told, and all of
// them by what no process is told: those that a SIGKILL leaves would keep the next start
// waiting.
func (s *Server) signal(sig syscall.Signal) error {
	pid := s.cmd.Process.Pid
	var children []byte
	if sig == syscall.SIGKILL || sig == syscall.SIGSTOP || sig == syscall.SIGCONT {
		children, _ = os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	}
	err := s.cmd.Process.Signal(sig)
	for _, child := range strings.Fields(string(children)) {
		if n, err := strconv.Atoi(child); err == nil {
			_ = syscall.Kill(n, sig) // it may have ended by itself
		}
	}
	return err
}
