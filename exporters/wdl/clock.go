package wdl

import (
	"strings"
	"time"
)

var timeFunctions = map[string]function{
	"utcnow":         {name: "utcNow", max: 1, call: utcNow},
	"addseconds":     {name: "addSeconds", min: 2, max: 3, call: addTime("addSeconds", time.Second)},
	"addminutes":     {name: "addMinutes", min: 2, max: 3, call: addTime("addMinutes", time.Minute)},
	"addhours":       {name: "addHours", min: 2, max: 3, call: addTime("addHours", time.Hour)},
	"adddays":        {name: "addDays", min: 2, max: 3, call: addTime("addDays", 24*time.Hour)},
	"formatdatetime": {name: "formatDateTime", min: 1, max: 3, call: formatDateTime},
	"startofday":     {name: "startOfDay", min: 1, max: 2, call: startOfDay},
	"dayofweek":      {name: "dayOfWeek", min: 1, max: 1, call: dayOfWeek},
	"dayofmonth":     {name: "dayOfMonth", min: 1, max: 1, call: dayOfMonth},
	"ticks":          {name: "ticks", min: 1, max: 1, call: ticks},
}

// argTime reads argument i as a time; one without a zone is UTC.
func argTime(name string, args []value, i int) (time.Time, error) {
	return argLocalTime(name, args, i, time.UTC)
}

// argLocalTime reads argument i as a time; one without a zone is that of place.
func argLocalTime(name string, args []value, i int, place *time.Location) (time.Time, error) {
	s, err := argText(name, args, i)
	if err != nil {
		return time.Time{}, err
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02"} {
		if t, err := time.ParseInLocation(layout, strings.TrimSpace(s), place); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, fault(i, "%s needs a time such as 2026-10-31T08:00:00Z here, but this is %s.", name, render(s, shown))
}

// written formats t by argument i, or as the default where there is none.
func written(args []value, i int, t time.Time) (value, error) {
	return writtenAs(args, i, t, "2006-01-02T15:04:05.0000000Z")
}

// writtenAs formats t by argument i, or by layout where there is none.
func writtenAs(args []value, i int, t time.Time, layout string) (value, error) {
	if i >= len(args) {
		return t.Format(layout), nil
	}
	format, err := argText("a time format", args, i)
	if err != nil {
		return nil, err
	}
	s, ok := dotnet(format, t)
	if !ok {
		return nil, fault(i, "This checker can not work out the time format %s.", Quote(format))
	}
	return s, nil
}

func utcNow(e *evaluator, args []value) (value, error) {
	e.warn("The result depends on the time at which the condition is looked at.")
	return written(args, 0, e.now)
}

func addTime(name string, unit time.Duration) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, args []value) (value, error) {
		t, err := argTime(name, args, 0)
		if err != nil {
			return nil, err
		}
		n, err := argInt(name, args, 1)
		if err != nil {
			return nil, err
		}
		const century = 100 * 366 * 24 * time.Hour
		if n > int64(century/unit) || n < -int64(century/unit) {
			return nil, fault(1, "%s: this checker adds at most a hundred years.", name)
		}
		return written(args, 2, t.Add(time.Duration(n)*unit))
	}
}

func formatDateTime(_ *evaluator, args []value) (value, error) {
	t, err := argTime("formatDateTime", args, 0)
	if err != nil {
		return nil, err
	}
	if len(args) == 3 {
		return nil, fault(2, "This checker can not work out formatDateTime with a language.")
	}
	return written(args, 1, t)
}

func startOfDay(_ *evaluator, args []value) (value, error) {
	t, err := argTime("startOfDay", args, 0)
	if err != nil {
		return nil, err
	}
	return written(args, 1, t.Truncate(24*time.Hour))
}

// dayOfWeek counts from Sunday, which is 0.
func dayOfWeek(_ *evaluator, args []value) (value, error) {
	t, err := argTime("dayOfWeek", args, 0)
	return intNumber(int64(t.Weekday())), err
}

func dayOfMonth(_ *evaluator, args []value) (value, error) {
	t, err := argTime("dayOfMonth", args, 0)
	return intNumber(int64(t.Day())), err
}

// ticks counts steps of 100 ns since the year 1.
func ticks(_ *evaluator, args []value) (value, error) {
	t, err := argTime("ticks", args, 0)
	const untilUnix = 621_355_968_000_000_000
	return intNumber(untilUnix + t.Unix()*10_000_000 + int64(t.Nanosecond()/100)), err
}

// dotnet formats UTC time by the letters that mean the same in every language.
func dotnet(format string, t time.Time) (string, bool) {
	switch format {
	case "o", "O":
		return t.Format("2006-01-02T15:04:05.0000000Z"), true
	case "s":
		return t.Format("2006-01-02T15:04:05"), true
	case "u":
		return t.Format("2006-01-02 15:04:05Z"), true
	}
	letters := []struct{ letter, layout string }{
		{"yyyy", "2006"}, {"yy", "06"}, {"MM", "01"}, {"dd", "02"}, {"HH", "15"}, {"hh", "03"},
		{"mm", "04"}, {"ss", "05"}, {"fffffff", ".0000000"}, {"fff", ".000"}, {"tt", "PM"},
	}
	var b strings.Builder
next:
	for rest := format; rest != ""; {
		for _, l := range letters {
			if strings.HasPrefix(rest, l.letter) {
				b.WriteString(strings.TrimPrefix(t.Format(l.layout), "."))
				rest = rest[len(l.letter):]
				if rest != "" && rest[0] == l.letter[0] {
					return "", false // a longer run of the letter means something else
				}
				continue next
			}
		}
		if strings.ContainsRune("-/.: TZ_,", rune(rest[0])) {
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		return "", false
	}
	return b.String(), true
}
