package launch_test

import (
	"os"
	"testing"
	"time"
)

// waitGone waits until a process has ended.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	failed := time.Now().Add(time.Minute) // ends only what has failed
	for {
		p, err := os.FindProcess(pid)
		if err != nil {
			return
		}
		_ = p.Release()
		if time.Now().After(failed) {
			t.Errorf("the process %d goes on", pid)
			return
		}
		time.Sleep(5 * time.Millisecond) // between two looks
	}
}
