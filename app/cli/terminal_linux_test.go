package cli_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A terminal is a real one, with a program at its other end.
type terminal struct {
	t    *testing.T
	keys *os.File
	out  syncBuffer
	seen int // bytes of out that were expected already
	cmd  *exec.Cmd
	read chan struct{} // closed at the end of the output
}

// onTerminal starts cmd on a terminal of its own.
func onTerminal(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fd := int(keys.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 200}); err != nil {
		t.Fatal(err)
	}
	screen, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = screen, screen, screen
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = screen.Close()
	s := &terminal{t: t, keys: keys, cmd: cmd, read: make(chan struct{})}
	go func() {
		defer close(s.read)
		buffer := make([]byte, 4096)
		for {
			n, err := keys.Read(buffer)
			_, _ = s.out.Write(buffer[:n])
			if err != nil { // EIO once nobody has the other end
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = keys.Close()
	})
	return s
}

// typing sends keys.
func (s *terminal) typing(keys string) {
	s.t.Helper()
	if _, err := s.keys.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// expect waits until what matches pattern stands on the screen after what was expected
// before, and returns it.
func (s *terminal) expect(pattern string) string {
	s.t.Helper()
	re := regexp.MustCompile(pattern)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		rest := s.out.String()[s.seen:]
		if at := re.FindStringIndex(rest); at != nil {
			s.seen += at[1]
			return rest[at[0]:at[1]]
		}
	}
	s.t.Fatalf("no %q on the screen, which shows:\n%s", pattern, strings.ReplaceAll(s.out.String()[s.seen:], "\x1b", "^["))
	return ""
}

// end waits for the program's end and returns all that it showed, and its exit code.
func (s *terminal) end() (shown string, code int) {
	s.t.Helper()
	<-s.read
	_ = s.cmd.Wait()
	return s.out.String(), s.cmd.ProcessState.ExitCode()
}
