package rules

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // Windows has no zone files of its own
)

// timeLayouts are the written forms of a time that time() and day() know. The
// last ones carry no zone; they are read as UTC.
var timeLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04:05.999999999Z0700", // Jira
	"2006-01-02 15:04:05.999999999Z07:00",
	"2006-01-02 15:04:05.999999999 Z07:00",
	"2006-01-02 15:04:05.999999999 Z0700",
	"2006-01-02 15:04:05.999999999 MST",
	time.RFC1123Z,
	time.RFC1123, // HTTP dates
	"2006-01-02T15:04:05.999999999",
	"2006-01-02 15:04:05.999999999",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04",
	"2006-01-02 15:04",
	"2006-01-02",
}

// ReadTime reads a time as time(x) in a formula does: RFC 3339 and the common forms of platforms, Unix
// seconds (10 digits) and milliseconds (13 digits) as number or text, and
// /Date(1577836800000)/. Day and month in numbers are not read in any order but
// year, month, day, since 03/04 means two things.
func ReadTime(text string) (time.Time, error) {
	s := strings.TrimSpace(text)
	if strings.HasPrefix(s, "/Date(") && strings.HasSuffix(s, ")/") {
		s = strings.TrimSuffix(s[len("/Date("):], ")/")
		if i := strings.LastIndexAny(s, "+-"); i > 0 {
			s = s[:i] // the offset is only for show
		}
		if ms, err := strconv.ParseInt(s, 10, 64); err == nil {
			return time.UnixMilli(ms).UTC(), nil
		}
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		switch len(s) {
		case 10:
			return time.Unix(n, 0).UTC(), nil
		case 13:
			return time.UnixMilli(n).UTC(), nil
		}
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil && knownZone(layout, t) {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%.40q is not a time that can be read without guessing", text)
}

// knownZone refuses zone names that Go makes up with offset nought.
func knownZone(layout string, t time.Time) bool {
	if !strings.Contains(layout, "MST") {
		return true
	}
	name, _ := t.Zone()
	return name == "UTC" || name == "GMT"
}

// timeText writes a time as time() does: 20240101T000000Z, with milliseconds if
// there are any.
func timeText(t time.Time) string {
	t = t.UTC()
	if t.Nanosecond() >= int(time.Millisecond) {
		return t.Format("20060102T150405.000Z")
	}
	return t.Format("20060102T150405Z")
}

// zones are the time zones that formulas have named; to load one takes longer than
// the rest of a key.
type zones struct {
	mu    sync.Mutex
	known map[string]*time.Location
}

// maxZones is more than there are places with a time of their own.
const maxZones = 1000

func (z *zones) load(name string) (*time.Location, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if place, ok := z.known[name]; ok {
		return place, nil
	}
	place, err := time.LoadLocation(name)
	if err != nil {
		return nil, err
	}
	if z.known == nil || len(z.known) >= maxZones {
		z.known = map[string]*time.Location{}
	}
	z.known[name] = place
	return place, nil
}

// day writes the day of a time in a zone, as day() does: 20240101.
func (z *zones) day(t time.Time, zone string) (string, error) {
	if zone == "" || zone == "Local" {
		return "", fmt.Errorf("day(…) needs a time zone such as \"Europe/Berlin\" or \"UTC\"")
	}
	place, err := z.load(zone)
	if err != nil {
		return "", fmt.Errorf("%.40q is not a time zone such as Europe/Berlin or UTC", zone)
	}
	return t.In(place).Format("20060102"), nil
}
