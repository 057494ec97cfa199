// Package pgtest starts real PostgreSQL servers for tests.
//
// # What it promises
//
// A test binary has one server of its own, started by the first [New] and stopped by
// [Main]; a test that stops, kills or fills its server has one from [Start]. A server
// listens on a free port of 127.0.0.1 and on a socket in its own temporary folder, syncs
// to disk as one in use does, and goes with its folder when it is no longer needed, also
// where the test binary dies (on Linux). Started by root, it runs as another user, as
// PostgreSQL demands.
//
// # Errors
//
// What goes wrong ends the test, a missing PostgreSQL too: build/test installs it.
//
// # Concurrency
//
// Everything may be used by any number of tests at once, but for the methods of a
// [Server] that stop and start it.
package pgtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// shared is the server of this test binary.
var shared = struct {
	once   sync.Once
	server *Server
	err    error
}{}

// Main runs the tests, stops the server that they shared and returns the exit code. It
// is for TestMain.
func Main(m *testing.M) int {
	code := m.Run()
	if shared.server != nil {
		if err := shared.server.remove(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return max(code, 1)
		}
	}
	return code
}

// New returns the address of an empty database on the shared server. It is removed when
// the test ends.
func New(tb testing.TB) string {
	tb.Helper()
	return sharedServer(tb).New(tb)
}

// NewSchema returns the address of an empty schema in a database of the shared server,
// which takes a third of the time that a database takes. It is removed when the test
// ends.
func NewSchema(tb testing.TB) string {
	tb.Helper()
	s := sharedServer(tb)
	name := fmt.Sprintf("s%d", databases.Add(1))
	tb.Cleanup(func() {
		if err := s.exec("DROP SCHEMA IF EXISTS " + name + " CASCADE"); err != nil {
			tb.Error(err)
		}
	})
	return s.url("postgres") + "&search_path=" + name
}

func sharedServer(tb testing.TB) *Server {
	tb.Helper()
	shared.once.Do(func() { shared.server, shared.err = start() })
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	return shared.server
}

// databases numbers databases and schemas.
var databases atomic.Int64

// New returns the address of an empty database on s. It is removed when the test ends,
// if the server runs then.
func (s *Server) New(tb testing.TB) string {
	tb.Helper()
	name := fmt.Sprintf("t%d", databases.Add(1))
	if err := s.exec("CREATE DATABASE " + name); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if s.running() {
			// Whoever is connected still, because the test failed, is thrown out.
			if err := s.exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
				tb.Error(err)
			}
		}
	})
	return s.url(name)
}

// Exec runs a statement on the database at url, past the program.
func Exec(tb testing.TB, url, query string, args ...any) {
	tb.Helper()
	if err := run(url, query, args...); err != nil {
		tb.Fatal(err)
	}
}

// Number runs a query that gives one number.
func Number(tb testing.TB, url, query string, args ...any) (n int64) {
	tb.Helper()
	one(tb, url, &n, query, args...)
	return n
}

func one(tb testing.TB, url string, to any, query string, args ...any) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, query, args...).Scan(to); err != nil {
		tb.Fatalf("%s: %v", query, err)
	}
}

// Text runs a query that gives one text.
func Text(tb testing.TB, url, query string, args ...any) (text string) {
	tb.Helper()
	one(tb, url, &text, query, args...)
	return text
}

func (s *Server) exec(query string) error { return run(s.url("postgres"), query) }

func run(url, query string, args ...any) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, query, args...); err != nil {
		return fmt.Errorf("%.100s: %w", query, err)
	}
	return nil
}
