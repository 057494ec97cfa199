package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"dedupedesk/ledger"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// A migration is one file of migrations/. Released ones are never edited: a test
// knows their hashes.
type migration struct {
	name string
	text string
}

// migrations returns them in order. The first brings version 0 to 1.
func migrations() ([]migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	all := make([]migration, 0, len(names))
	for i, name := range names { // Glob sorts
		if !strings.HasPrefix(name, fmt.Sprintf("migrations/%04d_", i+1)) {
			return nil, fmt.Errorf("migration %d is named %s", i+1, name)
		}
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all = append(all, migration{name, string(text)})
	}
	return all, nil
}

// prepare brings the database to the schema. Several first starts at once get in each
// other's way where the server makes schema and table, so that is tried again.
func (s *Store) prepare(ctx context.Context) error {
	until := time.Now().Add(waitFor)
	for {
		err := s.prepareOnce(ctx, until)
		if !met(err) || time.Now().After(until) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rand.N(50 * time.Millisecond)):
		}
	}
}

// met reports whether err is what a server answers where two make the same at once. IF
// NOT EXISTS looks only at what was there before.
func met(err error) bool {
	if _, told := errors.AsType[*ledger.Error](err); told {
		return false
	}
	switch state(err) {
	case duplicateTable, duplicateSchema, duplicateObject, concurrentUpdate:
		return true
	}
	return conflict(err)
}

func (s *Store) prepareOnce(ctx context.Context, until time.Time) error {
	conn, err := s.acquire(ctx, until)
	if err != nil {
		return err
	}
	defer conn.Release()
	version, found, err := storedVersion(ctx, conn.Conn())
	if err != nil {
		return err
	}
	if !found {
		if err := s.found(ctx, conn.Conn()); err != nil {
			return err
		}
	}
	all, err := migrations()
	if err != nil || (found && version == len(all)) {
		return err
	}
	return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
		return migrate(ctx, tx, all)
	})
}

// storedVersion returns the version of the schema, and false where there is none yet.
func storedVersion(ctx context.Context, conn *pgx.Conn) (version int, found bool, err error) {
	err = conn.QueryRow(ctx, `SELECT version FROM dedupe_schema WHERE id = 1`).Scan(&version)
	switch {
	case err == nil:
		return version, true, nil
	case errors.Is(err, pgx.ErrNoRows), state(err) == undefinedTable:
		return 0, false, nil
	case state(err) == undefinedColumn:
		return 0, false, foreign(err)
	}
	return 0, false, err
}

// found makes the schema and the one row that engines lock to change it.
func (s *Store) found(ctx context.Context, conn *pgx.Conn) error {
	var there bool
	err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1)`, s.schema).Scan(&there)
	if err != nil {
		return err
	}
	statements := []string{
		`CREATE TABLE IF NOT EXISTS dedupe_schema (id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1), version BIGINT NOT NULL)`,
		`INSERT INTO dedupe_schema (id, version) VALUES (1, 0) ON CONFLICT (id) DO NOTHING`,
	}
	if !there {
		statements = append([]string{`CREATE SCHEMA IF NOT EXISTS ` + pgx.Identifier{s.schema}.Sanitize()}, statements...)
	}
	for _, text := range statements {
		if _, err := conn.Exec(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// migrate runs what is missing, in one transaction that holds the row. Of several
// engines that start at once, one does it and the others find it done.
func migrate(ctx context.Context, tx pgx.Tx, all []migration) error {
	// What has begun is finished: a large table takes longer than one waits for a call.
	ctx = context.WithoutCancel(ctx)
	for _, text := range []string{`SET LOCAL statement_timeout = 0`, `SET LOCAL lock_timeout = 0`, `SET LOCAL idle_in_transaction_session_timeout = 0`} {
		if _, err := tx.Exec(ctx, text); err != nil {
			return err
		}
	}
	var version int
	if err := tx.QueryRow(ctx, `SELECT version FROM dedupe_schema WHERE id = 1 FOR UPDATE`).Scan(&version); err != nil {
		return err
	}
	if version > len(all) {
		return newer(version, len(all))
	}
	for _, m := range all[version:] {
		if _, err := tx.Conn().PgConn().Exec(ctx, m.text).ReadAll(); err != nil {
			if version == 0 && state(err) == duplicateTable {
				return foreign(err)
			}
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	_, err := tx.Exec(ctx, `UPDATE dedupe_schema SET version = $1 WHERE id = 1`, len(all))
	return err
}

func newer(version, known int) error {
	return &ledger.Error{
		Code: ledger.Busy,
		Msg:  "The database was written by a newer version of this program. Start that version, or use another database.",
		Err:  fmt.Errorf("schema %d, this program knows %d", version, known),
	}
}

func foreign(err error) error {
	return &ledger.Error{Code: ledger.Invalid, Field: "database_url", Err: err,
		Msg: "This schema of the database holds the tables of another program. Choose another database, or another schema with ?search_path= in the address."}
}
