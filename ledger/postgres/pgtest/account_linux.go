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

// signal reaches the server's first process, and for SIGKILL all of them: those that
// are left would keep the next start waiting.
func (s *Server) signal(sig syscall.Signal) error {
	pid := s.cmd.Process.Pid
	var children []byte
	if sig == syscall.SIGKILL {
		children, _ = os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	}
	err := s.cmd.Process.Signal(sig)
	for _, child := range strings.Fields(string(children)) {
		if n, err := strconv.Atoi(child); err == nil {
			_ = syscall.Kill(n, syscall.SIGKILL) // it may have ended by itself
		}
	}
	return err
}
