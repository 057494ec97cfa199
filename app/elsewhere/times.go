package elsewhere

import (
	"regexp"
	"strconv"
	"time"

	"dedupedesk/rules"
)

// slashed is a time whose first two numbers are a day and a month, in either order.
var slashed = regexp.MustCompile(`^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([AaPp][Mm])?)?$`)

// order tells whether such times have the day first. Where every one can be read in both
// ways, or some only in one and some only in the other, it is not known.
func order(texts []string) (dayFirst *bool, twoWays bool) {
	day, month := false, false
	for _, text := range texts {
		m := slashed.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		a, _ := strconv.Atoi(m[1])
		b, _ := strconv.Atoi(m[2])
		day, month, twoWays = day || a > 12, month || b > 12, twoWays || a != b
	}
	if day == month {
		return nil, twoWays
	}
	return &day, false
}

// parse reads a time, in UTC where it names no zone. It returns false for none, and for
// one that can be read in two ways.
func parse(text string, dayFirst *bool) (time.Time, bool) {
	if m := slashed.FindStringSubmatch(text); m != nil {
		return parseSlashed(m, dayFirst)
	}
	if days, err := strconv.ParseFloat(text, 64); err == nil {
		if at, ok := serial(days); ok {
			return at, true
		}
	}
	at, err := rules.ReadTime(text)
	return at, err == nil
}

func parseSlashed(m []string, dayFirst *bool) (time.Time, bool) {
	n := make([]int, len(m))
	for i := range m {
		n[i], _ = strconv.Atoi(m[i])
	}
	day, month := n[1], n[2]
	switch {
	case dayFirst != nil && !*dayFirst:
		day, month = month, day
	case dayFirst == nil && day != month:
		return time.Time{}, false
	}
	hour := n[4]
	if m[7] != "" {
		hour %= 12
		if m[7][0] == 'P' || m[7][0] == 'p' {
			hour += 12
		}
	}
	at := time.Date(n[3], time.Month(month), day, hour, n[5], n[6], 0, time.UTC)
	return at, at.Day() == day && int(at.Month()) == month
}

// serial is a time as a spreadsheet counts it: days since the end of 1899.
func serial(days float64) (time.Time, bool) {
	if days < 36526 || days > 73050 { // 2000 to 2099
		return time.Time{}, false
	}
	at := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(days * 24 * float64(time.Hour)))
	return at.Round(time.Second), true
}
