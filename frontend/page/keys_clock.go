package page

import "time"

// ClockAt returns the view of an exact moment, with words in UTC for a page without
// its script.
func ClockAt(t time.Time) ClockView {
	t = t.UTC()
	return ClockView{At: t.Format("2006-01-02T15:04:05.000Z07:00"), Text: t.Format("2 Jan 2006 15:04:05") + " UTC"}
}
