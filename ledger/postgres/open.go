package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"dedupedesk/ledger"
)

const (
	// MaxConns is how many connections a store opens at most, unless pool_max_conns in
	// the address says otherwise. A server takes a hundred by default, from all engines
	// together.
	MaxConns = 16

	// Schema is where the tables are, unless search_path in the address names another.
	Schema = "dedupe"

	waitFor    = 10 * time.Second // how long a call waits for a connection and the database
	lockFor    = 2 * time.Second  // how long one statement waits for a lock: the time that a call decides by is no older
	commitFor  = 2 * time.Second  // what a COMMIT gets beyond that, if it is sent late
	connectFor = 5 * time.Second
)

// A Store is a ledger's store in one PostgreSQL database. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	schema string
	ids    idMaker
	damage damage
	watch  watch
	done   atomic.Bool
	closed func()
}

// Open connects to the database at url, a postgres:// address or a list of keyword=value
// pairs, makes the tables where there are none, and brings them to this program's
// schema. Any number of engines may open one database at once. What pgx reads from the
// environment (PGPASSWORD, a password file, …) is read here too.
//
// Open returns Invalid with field database_url for an address that cannot be read, and
// for a schema that holds the tables of another program, Busy where the database does
// not answer within ten seconds, refuses, is no UTF-8 database, or was written by a newer
// program, and Corrupt.
func Open(ctx context.Context, url string) (*Store, error) {
	s, err := open(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("open ledger: %w", coded(err))
	}
	return s, nil
}

func open(ctx context.Context, url string) (*Store, error) {
	cfg, schema, err := config(url)
	if err != nil {
		return nil, err
	}
	// The health check of the pool goes on for as long as the store does.
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), cfg)
	if err != nil {
		return nil, err
	}
	s := &Store{pool: pool, schema: schema}
	s.closed = sync.OnceFunc(pool.Close)
	if err := s.prepare(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return s, nil
}

// config reads url and adds what every connection needs.
func config(url string) (*pgxpool.Config, string, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		// What pgx says about an address may hold its password.
		return nil, "", &ledger.Error{Code: ledger.Invalid, Field: "database_url",
			Msg: "The address of the database cannot be read. It looks like postgres://user:password@host:5432/database. " +
				"Characters such as @ : / ? # % in the password are written as %40 %3A %2F %3F %23 %25."}
	}
	if !strings.Contains(url, "pool_max_conns") {
		cfg.MaxConns = MaxConns
	}
	cfg.PingTimeout = 2 * time.Second
	cfg.HealthCheckPeriod = 30 * time.Second
	cfg.MaxConnLifetimeJitter = 5 * time.Minute
	if cfg.ConnConfig.ConnectTimeout == 0 || cfg.ConnConfig.ConnectTimeout > connectFor {
		cfg.ConnConfig.ConnectTimeout = connectFor
	}
	params := cfg.ConnConfig.RuntimeParams
	for name, value := range map[string]string{
		"application_name":                    "dedupe",
		"search_path":                         Schema,
		"lock_timeout":                        fmt.Sprint(lockFor.Milliseconds()),
		"statement_timeout":                   fmt.Sprint(waitFor.Milliseconds()),
		"idle_in_transaction_session_timeout": fmt.Sprint((waitFor + connectFor).Milliseconds()), // a machine that froze holds no locks
	} {
		if params[name] == "" {
			params[name] = value
		}
	}
	schema, _, _ := strings.Cut(params["search_path"], ",")
	cfg.AfterConnect = fit
	return cfg, strings.Trim(strings.TrimSpace(schema), `"`), nil
}

// fit sees that a connection can be trusted with claims: what it commits is on disk,
// and texts come back as they went in.
func fit(ctx context.Context, conn *pgx.Conn) error {
	var encoding, commit string
	err := conn.QueryRow(ctx, `SELECT current_setting('server_encoding'), current_setting('synchronous_commit')`).Scan(&encoding, &commit)
	if err != nil {
		return err
	}
	if encoding != "UTF8" {
		return busy("The database does not keep text in UTF-8. Make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
			fmt.Errorf("server_encoding is %q", encoding))
	}
	if commit == "off" {
		_, err = conn.Exec(ctx, `SET synchronous_commit = on`)
	}
	return err
}

// Close waits for running calls and closes all connections. Calls that come later are
// Busy.
func (s *Store) Close() error {
	s.done.Store(true)
	s.closed()
	return nil
}

// acquire returns a connection, or an error after ten seconds.
func (s *Store) acquire(ctx context.Context, until time.Time) (*pgxpool.Conn, error) {
	if s.done.Load() {
		return nil, busy("The ledger is closed.", nil)
	}
	wait, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	conn, err := s.pool.Acquire(wait)
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) && !isConnecting(err):
		return nil, busy("All connections of this program to the database are in use. Nothing was granted. Try again in a moment.", err)
	}
	return nil, err
}

func isConnecting(err error) bool {
	_, ok := errors.AsType[*pgconn.ConnectError](err)
	return ok
}

var _ ledger.Store = (*Store)(nil)
