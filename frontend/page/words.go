package page

import (
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// PlainKeys is what pages call the rule named default: keys that come ready made.
const PlainKeys = "Plain keys (no rule)"

// Count returns a number as the pages show it: 1,204.
func Count(n int64) string {
	return message.NewPrinter(language.English).Sprintf("%d", n)
}

// A TimeView is a moment as shown. The page keeps the words true while it stays
// open and puts the exact local time into the tooltip.
type TimeView struct {
	At   string // RFC 3339 in UTC, for the datetime attribute; "" shows Text alone
	Text string // "4 minutes ago", or "never"
}

// At returns the view of t as seen at now: seconds below a minute, then minutes,
// hours, days, and beyond a week the date. The page counts on in the same words. A
// zero t has the view of "never".
func At(t, now time.Time) TimeView {
	if t.IsZero() {
		return TimeView{Text: "never"}
	}
	return TimeView{At: t.UTC().Format("2006-01-02T15:04:05.000Z07:00"), Text: ago(t, now)}
}

func ago(t, now time.Time) string {
	d := now.Sub(t)
	future := d < 0
	if future {
		d = -d
	}
	var n int64
	var unit string
	switch {
	case d < 5*time.Second:
		return "just now"
	case d < time.Minute:
		n, unit = int64(d/time.Second), "second"
	case d < time.Hour:
		n, unit = int64(d/time.Minute), "minute"
	case d < 24*time.Hour:
		n, unit = int64(d/time.Hour), "hour"
	case d < 7*24*time.Hour:
		n, unit = int64(d/(24*time.Hour)), "day"
	default:
		return t.UTC().Format("2 Jan 2006")
	}
	if n != 1 {
		unit += "s"
	}
	if future {
		return "in " + Count(n) + " " + unit
	}
	return Count(n) + " " + unit + " ago"
}
