package launch

import (
	"os/exec"
	"syscall"
)

// From winbase.h; package syscall names only the second.
const detachedProcess = 0x00000008

// detach gives the engine no console of anybody's, so that a closed one does not
// end the protection.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}
