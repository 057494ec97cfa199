package wdl

import (
	"strings"
	"time"
)

// Layouts in which a time may come. Those with a zone stand first.
var (
	zonedLayouts = []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04Z07:00", time.RFC1123}
	looseLayouts = []string{"2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05.999999999", "2006-01-02 15:04", "2006-01-02", "Monday, January 2, 2006", "January 2, 2006", "2 January 2006"}
	// American order, as .NET reads slashes without another language.
	slashLayouts = []string{"1/2/2006", "1/2/2006 15:04:05", "1/2/2006 15:04", "1/2/2006 3:04:05 PM", "1/2/2006 3:04 PM"}
)

// argTime reads argument i as a time. One without a zone counts as UTC.
func (e *evaluator) argTime(name string, args []value, i int) (moment, error) {
	s, err := argText(name, args, i)
	if err != nil {
		return moment{}, err
	}
	m, ok := e.readTime(strings.TrimSpace(s))
	if !ok {
		return moment{}, fault(i, "%s needs a time such as 2026-10-31T08:00:00Z here, but this is %s.", name, render(s, shown))
	}
	return m, nil
}

// readTime reads a time and warns where it is not known how the service reads it.
func (e *evaluator) readTime(s string) (moment, bool) {
	for _, layout := range zonedLayouts {
		t, err := time.Parse(layout, s)
		if err != nil {
			continue
		}
		if _, offset := t.Zone(); offset != 0 {
			e.warn("The time %s is not in UTC. We put it into UTC first; how the service does it is not confirmed.", Quote(s))
		}
		return moment{Time: t.UTC()}, true
	}
	for _, layout := range looseLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return moment{t, true}, true
		}
	}
	for _, layout := range slashLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			if t.Day() <= 12 && t.Day() != int(t.Month()) {
				e.warn("The time %s is read with the month first: %s.", Quote(s), t.Format("2 January 2006"))
			}
			return moment{t, true}, true
		}
	}
	return moment{}, false
}

// parseDateTime reads a time, by a format where there is one.
func parseDateTime(e *evaluator, args []value) (value, error) {
	if err := inEnglish("parseDateTime", args, 1); err != nil {
		return nil, err
	}
	if len(args) < 3 {
		m, err := e.argTime("parseDateTime", args, 0)
		if err != nil {
			return nil, err
		}
		return m.write(nil, 0)
	}
	s, format, err := twoTexts("parseDateTime", []value{args[0], args[2]})
	if err != nil {
		return nil, err
	}
	layout, ok := goLayout(format)
	if !ok {
		return nil, fault(2, "This checker can not read a time by the format %s.", Quote(format))
	}
	t, wrong := time.Parse(layout, s)
	if wrong != nil {
		return nil, fault(0, "%s is no time in the format %s.", Quote(s), Quote(format))
	}
	return moment{t, true}.write(nil, 0)
}

// goLayout writes a .NET format as a layout of Go, where it has only pieces that
// both know.
func goLayout(format string) (string, bool) {
	known := map[string]string{
		"yyyy": "2006", "yy": "06", "MMMM": "January", "MMM": "Jan", "MM": "01", "M": "1", "dddd": "Monday", "ddd": "Mon", "dd": "02", "d": "2",
		"HH": "15", "hh": "03", "h": "3", "mm": "04", "m": "4", "ss": "05", "s": "5", "tt": "PM",
	}
	var b strings.Builder
	for rest := format; rest != ""; {
		n := 1
		for n < len(rest) && rest[n] == rest[0] {
			n++
		}
		layout, ok := known[rest[:n]]
		switch {
		case ok:
			b.WriteString(layout)
		case rest[0] == '\\' && len(rest) > 1 && n == 1:
			b.WriteByte(rest[1])
			n = 2
		case strings.ContainsRune("-/.: ,T", rune(rest[0])):
			b.WriteString(rest[:n])
		default:
			return "", false
		}
		rest = rest[n:]
	}
	return b.String(), true
}

// inEnglish refuses another language than English in argument i, which this package
// does not know.
func inEnglish(name string, args []value, i int) error {
	if i >= len(args) {
		return nil
	}
	s, err := argText(name, args, i)
	if err != nil {
		return err
	}
	if !strings.EqualFold(s, "en-us") && !strings.EqualFold(s, "en") && s != "" {
		return fault(i, "This checker works out %s in American English alone, not in %s.", name, Quote(s))
	}
	return nil
}
