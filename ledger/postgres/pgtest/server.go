package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Password is that of the one user of a server. Tests look for it in what is said.
const Password = "n0t-t0-be-sh0wn"

// A Server is a PostgreSQL server of its own.
type Server struct {
	dir    string
	port   int
	user   *account
	cmd    *exec.Cmd
	said   *bytes.Buffer
	ended  chan struct{} // closed when cmd has ended
	extras []string      // further options of the server
}

// Start returns a running server that is removed when the test ends. Each option is a
// setting of the server, such as max_connections=20.
func Start(tb testing.TB, options ...string) *Server {
	tb.Helper()
	s, err := start(options...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.remove(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

func start(options ...string) (s *Server, err error) {
	dir, err := os.MkdirTemp("", "pgtest")
	if err != nil {
		return nil, err
	}
	s = &Server{dir: dir, extras: options}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	if s.user, err = unprivileged(); err != nil {
		return nil, err
	}
	if err := s.user.own(dir); err != nil {
		return nil, err
	}
	if err := s.init(); err != nil {
		return nil, err
	}
	if s.port, err = freePort(); err != nil {
		return nil, err
	}
	return s, s.launch()
}

// File returns the path of one of the server's files, by its path in the data folder.
func (s *Server) File(name string) string { return filepath.Join(s.data(), name) }

// init makes the files of the server.
func (s *Server) init() error {
	initdb, err := find("initdb")
	if err != nil {
		return err
	}
	secret := filepath.Join(s.dir, "password")
	if err := errors.Join(os.WriteFile(secret, []byte(Password), 0o600), s.user.own(secret)); err != nil {
		return err
	}
	// The files of an empty server need not outlive a power cut; what the server writes
	// from then on is synced.
	cmd := exec.Command(initdb, "--pgdata", s.data(), "--username", "dedupe", "--pwfile", secret, "--auth", "scram-sha-256",
		"--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync", "--no-instructions")
	cmd.Dir = s.dir
	s.user.run(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// launch starts the server and waits until it answers.
func (s *Server) launch() error {
	postgres, err := find("postgres")
	if err != nil {
		return err
	}
	settings := []string{"listen_addresses=127.0.0.1", fmt.Sprintf("port=%d", s.port), "unix_socket_directories=" + s.dir,
		"max_connections=250", "shared_buffers=64MB", "log_min_messages=warning", "log_checkpoints=off"}
	args := []string{"-D", s.data()}
	for _, setting := range slices.Concat(settings, s.extras) {
		args = append(args, "-c", setting)
	}
	s.said, s.ended = &bytes.Buffer{}, make(chan struct{})
	s.cmd = exec.Command(postgres, args...)
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = s.dir, s.said, s.said
	s.user.run(s.cmd)
	started := make(chan error)
	go func() {
		// The server dies with the thread that started it, so that thread must stay.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		started <- s.cmd.Start()
		if s.cmd.Process != nil {
			_ = s.cmd.Wait()
		}
		close(s.ended)
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	return s.await()
}

func (s *Server) await() error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if !s.running() {
			return fmt.Errorf("PostgreSQL stopped:\n%s", s.said)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		conn, err := pgx.Connect(ctx, s.url("postgres"))
		if err == nil {
			err = conn.Close(ctx)
		}
		cancel()
		if err == nil {
			return nil
		}
	}
	return errors.New("PostgreSQL does not answer after a minute")
}

func (s *Server) running() bool {
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

func (s *Server) url(database string) string {
	return fmt.Sprintf("postgres://dedupe:%s@127.0.0.1:%d/%s?sslmode=disable", Password, s.port, database)
}

// Stop ends the server as a service is stopped: calls that are under way are broken off,
// what was committed stays.
func (s *Server) Stop(tb testing.TB) {
	tb.Helper()
	if err := s.end(syscall.SIGINT); err != nil {
		tb.Fatal(err)
	}
}

// Kill ends the server and all its processes as a power cut does.
func (s *Server) Kill(tb testing.TB) {
	tb.Helper()
	if err := s.end(syscall.SIGKILL); err != nil {
		tb.Fatal(err)
	}
}

// Start starts a server again that was stopped or killed, on the same port.
func (s *Server) Start(tb testing.TB) {
	tb.Helper()
	if err := s.launch(); err != nil {
		tb.Fatal(err)
	}
}

// end sends a signal to the server, if it runs, and waits for its end.
func (s *Server) end(sig syscall.Signal) error {
	if s.cmd == nil || s.cmd.Process == nil || !s.running() {
		return nil
	}
	if err := s.signal(sig); err != nil {
		return err
	}
	select {
	case <-s.ended:
		return nil
	case <-time.After(time.Minute):
		return errors.Join(errors.New("PostgreSQL does not stop after a minute"), s.signal(syscall.SIGKILL))
	}
}

func (s *Server) remove() error {
	return errors.Join(s.end(syscall.SIGINT), os.RemoveAll(s.dir))
}

// find returns the path of one of the server's programs. Debian keeps them beside the
// PATH, a folder for each version.
func find(name string) (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err == nil && len(found) > 0 {
		slices.SortFunc(found, func(a, b string) int { return len(a) - len(b) + strings.Compare(a, b) })
		return found[len(found)-1], nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("there is no %s, a program of PostgreSQL, which build/test installs: %w", name, err)
	}
	return filepath.EvalSymlinks(path)
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
