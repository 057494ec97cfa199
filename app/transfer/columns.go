package transfer

import (
	"math"
	"strconv"
	"strings"
	"time"

	"dedupedesk/ledger"
)

// A kind is how a column's values look in JSON.
type kind int

const (
	text   kind = iota // a string
	number             // a whole number
	moment             // a time: a string, or Unix seconds
	raw                // JSON as it is
)

// A column is one member of a key. In a file it is text, "" where it is missing.
type column struct {
	name string
	kind kind
	get  func(k *ledger.Key) string
	set  func(k *ledger.Key, text string) string // what is wrong with text, as a sentence; "" = nothing
}

// columns are all that a file may hold, in the order in which it does.
var columns = [...]column{
	words("rule", func(k *ledger.Key) *string { return &k.Rule }),
	words("key", func(k *ledger.Key) *string { return &k.Key }),
	words("state", func(k *ledger.Key) *ledger.State { return &k.State }),
	count("fence", func(k *ledger.Key) *int64 { return &k.Fence }),
	count("attempts", func(k *ledger.Key) *int { return &k.Attempts }),
	count("generation", func(k *ledger.Key) *int64 { return &k.Generation }),
	words("owner", func(k *ledger.Key) *string { return &k.Owner }),
	stamp("first_seen", func(k *ledger.Key) *time.Time { return &k.FirstSeen }),
	stamp("claimed_at", func(k *ledger.Key) *time.Time { return &k.ClaimedAt }),
	stamp("lease_until", func(k *ledger.Key) *time.Time { return &k.LeaseUntil }),
	stamp("done_at", func(k *ledger.Key) *time.Time { return &k.DoneAt }),
	stamp("next_try_at", func(k *ledger.Key) *time.Time { return &k.NextTryAt }),
	words("last_error", func(k *ledger.Key) *string { return &k.LastError }),
	{
		name: "result", kind: raw,
		get: func(k *ledger.Key) string { return oneLine(k.Result) },
		set: func(k *ledger.Key, text string) string { k.Result = []byte(text); return "" },
	},
	words("fingerprint", func(k *ledger.Key) *string { return &k.Fingerprint }),
	count("copies", func(k *ledger.Key) *int64 { return &k.Copies }),
	count("mismatches", func(k *ledger.Key) *int64 { return &k.Mismatches }),
	count("stale_calls", func(k *ledger.Key) *int64 { return &k.StaleCalls }),
}

func columnNamed(name string) (column, bool) {
	for _, c := range columns {
		if c.name == name {
			return c, true
		}
	}
	return column{}, false
}

func words[T ~string](name string, member func(*ledger.Key) *T) column {
	return column{
		name: name, kind: text,
		get: func(k *ledger.Key) string { return string(*member(k)) },
		set: func(k *ledger.Key, text string) string { *member(k) = T(text); return "" },
	}
}

func count[T int | int64](name string, member func(*ledger.Key) *T) column {
	return column{
		name: name, kind: number,
		get: func(k *ledger.Key) string { return strconv.FormatInt(int64(*member(k)), 10) },
		set: func(k *ledger.Key, text string) string {
			n, err := strconv.ParseInt(text, 10, strconv.IntSize)
			if err != nil {
				return name + " must be a whole number, 0 or more."
			}
			*member(k) = T(n)
			return ""
		},
	}
}

// layout is RFC 3339 with milliseconds.
const layout = "2006-01-02T15:04:05.000Z07:00"

func stamp(name string, member func(*ledger.Key) *time.Time) column {
	return column{
		name: name, kind: moment,
		get: func(k *ledger.Key) string {
			if t := *member(k); !t.IsZero() {
				return t.UTC().Format(layout)
			}
			return ""
		},
		set: func(k *ledger.Key, text string) string {
			t, ok := parseTime(text)
			if !ok {
				return name + " must be a time from 1970 on, such as 2026-11-30T09:00:00.000Z, or Unix seconds."
			}
			*member(k) = t
			return ""
		},
	}
}

// parseTime reads RFC 3339 or Unix seconds.
func parseTime(text string) (time.Time, bool) {
	const year10000 = 253402300800
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if !(seconds >= 0 && seconds < year10000) {
			return time.Time{}, false
		}
		return time.UnixMilli(int64(math.Round(seconds * 1000))).UTC(), true
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.Unix() < 0 || t.Unix() >= year10000 {
		return time.Time{}, false
	}
	return t.UTC().Truncate(time.Millisecond), true
}

// infer completes what a file of dedupe.py does not say: a key that was reserved was
// granted once. It returns what is wrong with the key, as a sentence, or "".
func infer(k *ledger.Key, given map[string]bool) string {
	if k.ClaimedAt.IsZero() {
		return ""
	}
	if k.State == "" && k.DoneAt.IsZero() {
		// Taken as finished, as a bare key is, work that nobody ended would be lost.
		return "It was claimed at a time, but nothing says whether it was finished. Give its state or done_at, or leave claimed_at away."
	}
	if !given["fence"] {
		k.Fence = 1
	}
	if !given["attempts"] {
		k.Attempts = 1
	}
	return ""
}

// neutral puts a ' before a cell that a spreadsheet would work out, and before one
// that has some already.
func neutral(cell string) string {
	if formula(cell) {
		return "'" + cell
	}
	return cell
}

// plain takes away what neutral put there.
func plain(cell string) string {
	if strings.HasPrefix(cell, "'") && formula(cell) {
		return cell[1:]
	}
	return cell
}

// formula reports whether a cell begins, behind any number of ', as a formula does.
func formula(cell string) bool {
	rest := strings.TrimLeft(cell, "'")
	return rest != "" && strings.ContainsRune("=+-@\t\r", rune(rest[0]))
}

// KeyColumns returns the names of what [KeyCells] gives of a key, in their order.
func KeyColumns() []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	return names
}

// KeyCells returns a key as a row for [WriteTable]: texts, "" where something is missing.
func KeyCells(k ledger.Key) []any {
	cells := make([]any, len(columns))
	for i, c := range columns {
		cells[i] = c.get(&k)
	}
	return cells
}
