package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"dedupedesk/ledger"
)

// The seed article's dedupe.py keeps its keys in a table named seen. A file that it
// made is taken over in place: a copy is kept beside it, its rows become claims of
// the rule default, and a view takes the table's name.

// A seenCopy is a copy of the file as it was before. It gets its name only once this
// process has taken the file over, but for the COMMIT.
type seenCopy struct {
	path   string // of the ledger file
	temp   string // what discard removes; "" = nothing
	named  string
	needed bool // this process takes the file over
}

// keepSeen writes the copy, which SQLite cannot do within a transaction.
func keepSeen(ctx context.Context, conn *sql.Conn, path string) (*seenCopy, error) {
	kept := &seenCopy{path: path}
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return nil, err
	}
	old, err := oldSeen(ctx, conn)
	if _, end := conn.ExecContext(ctx, "ROLLBACK"); err == nil {
		err = end
	}
	if err != nil || !old {
		return kept, err
	}
	kept.temp = fmt.Sprintf("%s.bak.%d.%d", path, os.Getpid(), time.Now().UnixNano())
	// VACUUM INTO fills an empty file that is there, and leaves its mode alone.
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	f, err := os.OpenFile(kept.temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode)
	if err != nil {
		return nil, busy("A copy of the ledger file cannot be written beside it. Nothing was changed.", err)
	}
	if err := errors.Join(f.Chmod(mode), f.Close()); err != nil {
		kept.discard()
		return nil, busy("A copy of the ledger file cannot be written beside it. Nothing was changed.", err)
	}
	if _, err := conn.ExecContext(ctx, "VACUUM INTO ?", kept.temp); err != nil {
		kept.discard()
		return nil, fmt.Errorf("keep a copy: %w", err)
	}
	return kept, nil
}

// name gives the copy its name, which never is one that an earlier copy has.
func (k *seenCopy) name() error {
	if !k.needed {
		return nil
	}
	for i := range 1000 {
		name := k.path + ".bak"
		if i > 0 {
			name = fmt.Sprintf("%s.bak%d", k.path, i)
		}
		if _, err := os.Lstat(name); err == nil {
			continue
		}
		if err := os.Rename(k.temp, name); err != nil {
			return busy("A copy of the ledger file cannot be written beside it. Nothing was changed.", err)
		}
		k.temp, k.named = "", name
		return nil
	}
	return busy("There are too many copies of the ledger file beside it. Move them away.", nil)
}

// withdraw takes back the name that the copy got, since the file stayed as it was.
func (k *seenCopy) withdraw() {
	if k.named != "" {
		k.temp, k.named = k.named, ""
	}
}

// discard removes a copy that has no name.
func (k *seenCopy) discard() {
	if k.temp != "" {
		_ = os.Remove(k.temp) // a stray copy harms nobody
	}
}

// oldSeen reports whether the file is one that dedupe.py made. A file of any other
// program is refused rather than written into. It has to be asked in a transaction:
// another process may turn the file into a ledger between two looks.
func oldSeen(ctx context.Context, conn *sql.Conn) (bool, error) {
	version, err := userVersion(ctx, conn)
	if err != nil || version > 0 {
		return false, err
	}
	tables, err := collect(ctx, database{conn}, scanText, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' ORDER BY name")
	if err != nil || len(tables) == 0 {
		return false, err
	}
	if slices.Equal(tables, []string{"seen"}) {
		columns, err := collect(ctx, database{conn}, scanText, "SELECT lower(name || ' ' || type) || ' ' || pk FROM pragma_table_info('seen') ORDER BY cid")
		if err != nil || slices.Equal(columns, []string{"key text 1", "state text 0", "claimed_at real 0", "done_at real 0"}) {
			return err == nil, err
		}
	}
	return false, &ledger.Error{
		Code: ledger.Invalid, Field: "db",
		Msg: "This file is the database of another program. Choose another file for the ledger.",
	}
}

// setSeenAside frees the name of the table.
func setSeenAside(ctx context.Context, conn *sql.Conn, kept *seenCopy) error {
	if kept.temp == "" {
		// The table appeared after the look that decided on a copy. Look again.
		return busy("The ledger file was just made by another program. Try again.", nil)
	}
	kept.needed = true
	_, err := conn.ExecContext(ctx, "ALTER TABLE seen RENAME TO seen_before")
	return err
}
