package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

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

// migrations returns them in order. The first brings user_version 0 to 1.
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

// migrate brings the file to the newest schema in one transaction. Of several
// processes that start at once, one does it and the others find it done.
func migrate(ctx context.Context, conn *sql.Conn, path string) error {
	// What has begun is finished: a large file takes longer than one waits for a lock.
	ctx = context.WithoutCancel(ctx)
	all, err := migrations()
	if err != nil {
		return err
	}
	version, err := userVersion(ctx, conn)
	if err != nil || version == len(all) {
		return err
	}
	kept, err := keepSeen(ctx, conn, path)
	if err != nil {
		return err
	}
	defer kept.discard()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	if err := migrateLocked(ctx, conn, all, kept); err != nil {
		_, undo := conn.ExecContext(ctx, "ROLLBACK")
		return errors.Join(err, undo)
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		// After some errors SQLite has rolled back by itself: then this one fails.
		_, _ = conn.ExecContext(ctx, "ROLLBACK")
		if now, ask := userVersion(ctx, conn); ask == nil && now == version {
			kept.withdraw()
		}
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func migrateLocked(ctx context.Context, conn *sql.Conn, all []migration, kept *seenCopy) error {
	// Read again: another process may have been faster.
	version, err := userVersion(ctx, conn)
	if err != nil {
		return err
	}
	if version > len(all) {
		return newer(version, len(all))
	}
	if version == len(all) {
		return nil
	}
	old, err := oldSeen(ctx, conn)
	if err != nil {
		return err
	}
	if old {
		if err := setSeenAside(ctx, conn, kept); err != nil {
			return err
		}
	}
	for _, m := range all[version:] {
		if _, err := conn.ExecContext(ctx, m.text); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	if old {
		if err := takeSeenOver(ctx, conn); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", len(all))); err != nil {
		return err
	}
	return kept.name() // last, so that what fails before leaves no copy behind
}

func userVersion(ctx context.Context, conn *sql.Conn) (int, error) {
	var v int
	err := conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&v)
	return v, err
}

func newer(version, known int) error {
	return &ledger.Error{
		Code: ledger.Busy,
		Msg:  "The ledger file was written by a newer version of this program. Start that version, or use another file.",
		Err:  fmt.Errorf("schema %d, this program knows %d", version, known),
	}
}
