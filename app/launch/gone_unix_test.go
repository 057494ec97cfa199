//go:build !windows

package launch_test

import (
	"errors"
	"syscall"
	"testing"
	"time"
)

// waitGone waits until a process that this one started has ended and was reaped.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	failed := time.Now().Add(time.Minute) // ends only what has failed
	for !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		if time.Now().After(failed) {
			t.Errorf("the process %d goes on", pid)
			return
		}
		time.Sleep(5 * time.Millisecond) // between two looks
	}
}

// TestTheEngineHasASessionOfItsOwn, so that a closed terminal does not end it.
func TestTheEngineHasASessionOfItsOwn(t *testing.T) {
	f := folder(t)
	e := mustStart(t, f)
	group, err := syscall.Getpgid(e.PID)
	if err != nil || group != e.PID {
		t.Errorf("the engine %d is in group %d, %v", e.PID, group, err)
	}
}
