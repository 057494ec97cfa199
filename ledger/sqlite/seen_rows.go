package sqlite

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dedupedesk/ledger"
)

// A seenRow is a row as dedupe.py, or whoever else wrote into its table, left it.
// SQLite keeps values of any type in any column.
type seenRow struct{ key, state, claimedAt, doneAt any }

// A seenClaim is what becomes of such a row: a claim of the rule default.
type seenClaim struct {
	key     string
	state   ledger.State
	claimed time.Time
	done    time.Time // zero = not done
	why     string    // why the row is odd; "" = it is not
}

const maxSeenKey = 1 << 16 // bytes; the claims table takes no longer key

// maxSeenAhead is how far a time may lie in the future. A claim that came later would
// be in progress until then, and nobody would be asked to look.
const maxSeenAhead = 24 * time.Hour

// claim turns a row into a claim, and reports false where its key cannot be kept. A
// row that the script would not write is held: a person decides, nobody is granted
// it. Only what is done stays done, whatever its times are.
func (r seenRow) claim(now time.Time) (seenClaim, bool) {
	key, why := seenKey(r.key)
	if strings.TrimSpace(key) == "" || len(key) > maxSeenKey {
		return seenClaim{}, false
	}
	c := seenClaim{key: key, why: why}
	claimed, known := seenTime(r.claimedAt)
	if !known {
		claimed = now
	}
	c.claimed = claimed
	switch {
	case why != "":
		c.state = ledger.Held
	case r.state == "done":
		c.state = ledger.Done
		if c.done, known = seenTime(r.doneAt); !known {
			c.done = claimed
		}
	case r.state != "claimed":
		c.state, c.why = ledger.Held, "the state in seen.db was: "+seenText(r.state)
	case !known:
		c.state, c.why = ledger.Held, "the time in seen.db was: "+seenText(r.claimedAt)
	case claimed.After(now.Add(maxSeenAhead)):
		c.state, c.why = ledger.Held, "the time in seen.db was in the future: "+claimed.Format("2006-01-02 15:04")+" UTC"
		c.claimed = now
	default:
		c.state = ledger.Claimed
	}
	return c, true
}

// seenKey makes a key readable, and says why it was not.
func seenKey(v any) (key, why string) {
	switch v := v.(type) {
	case string:
		if utf8.ValidString(v) {
			return v, ""
		}
		return strings.ToValidUTF8(v, "\uFFFD"), "the key in seen.db was no valid text"
	case []byte:
		return "bytes " + hex.EncodeToString(v), "the key in seen.db was bytes, not text"
	}
	return "", ""
}

// seenTime reads Unix seconds. It reports false for what is no time from 1970 to 9999.
func seenTime(v any) (time.Time, bool) {
	const year10000 = 253402300800
	f, ok := v.(float64)
	if !ok || !(f >= 0 && f < year10000) {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(math.Round(f * 1000))).UTC(), true
}

// seenText shows a value of an odd row on one line.
func seenText(v any) string {
	var text string
	switch v := v.(type) {
	case string:
		text = strings.ToValidUTF8(v, "\uFFFD")
	case []byte:
		text = "bytes " + hex.EncodeToString(v[:min(len(v), 50)])
	case float64:
		text = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		text = fmt.Sprint(v)
	}
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > 100 {
		text = string(runes[:100])
	}
	return text
}

// A seenTaker writes the claims that rows become.
type seenTaker struct {
	conn       *sql.Conn
	insert     *sql.Stmt
	lease      int64 // milliseconds
	now        time.Time
	odd        []seenRow // wait until all others have their keys
	unreadable int
}

// takeSeenOver turns the script's rows into claims of the rule default.
func takeSeenOver(ctx context.Context, conn *sql.Conn) (err error) {
	t := &seenTaker{conn: conn, now: time.Now().UTC()}
	if err := conn.QueryRowContext(ctx, "SELECT lease FROM rules WHERE id = 1").Scan(&t.lease); err != nil {
		return err
	}
	t.insert, err = conn.PrepareContext(ctx, `
		INSERT OR IGNORE INTO claims (rule_id, key, state, fence, token, plain, attempts, lease,
			first_seen, claimed_at, lease_until, done_at, changed_at, called_at, stuck_at, last_error)
		VALUES (1, ?1, ?2, 1, '1.' || lower(hex(randomblob(16))), 1, 1, ?3,
			?4, ?4, ?4 + ?3, ?5, coalesce(?5, ?4), coalesce(?5, ?4),
			CASE ?2 WHEN 'claimed' THEN ?4 + ?3 + 120000 WHEN 'held' THEN ?4 END, ?6)`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, t.insert.Close()) }()
	if err := t.all(ctx); err != nil {
		return fmt.Errorf("take seen over: %w", err)
	}
	if t.unreadable > 0 {
		_, err := conn.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES (?, ?)", ledger.SeenUnreadable, strconv.Itoa(t.unreadable))
		if err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, "DROP TABLE seen_before")
	return err
}

func (t *seenTaker) all(ctx context.Context) error {
	// The plus signs hide the declared types, by which the driver would convert.
	rows, err := t.conn.QueryContext(ctx, "SELECT +key, +state, +claimed_at, +done_at FROM seen_before")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r seenRow
		if err := rows.Scan(&r.key, &r.state, &r.claimedAt, &r.doneAt); err != nil {
			return err
		}
		if c, ok := r.claim(t.now); !ok || c.why != "" {
			t.odd = append(t.odd, r)
		} else if err := t.take(ctx, r, c, ok); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, r := range t.odd {
		c, ok := r.claim(t.now)
		if err := t.take(ctx, r, c, ok); err != nil {
			return err
		}
	}
	return nil
}

// take writes one claim, or the row as it was where that cannot be: no row is lost,
// and none keeps the file from being taken over.
func (t *seenTaker) take(ctx context.Context, r seenRow, c seenClaim, keep bool) error {
	if keep {
		res, err := t.insert.ExecContext(ctx, c.key, string(c.state), t.lease, c.claimed.UnixMilli(), ms(c.done), c.why)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n > 0 {
			return err
		}
	}
	if t.unreadable == 0 {
		if _, err := t.conn.ExecContext(ctx, "CREATE TABLE seen_unreadable (key, state, claimed_at, done_at)"); err != nil {
			return err
		}
	}
	t.unreadable++
	_, err := t.conn.ExecContext(ctx, "INSERT INTO seen_unreadable VALUES (?, ?, ?, ?)", r.key, r.state, r.claimedAt, r.doneAt)
	return err
}
