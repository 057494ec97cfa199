package wdl

import (
	"fmt"
	"strings"
	"time"
)

var timeFunctions = map[string]function{
	"utcnow":           {name: "utcNow", max: 1, call: utcNow},
	"getfuturetime":    {name: "getFutureTime", min: 2, max: 3, call: fromNow("getFutureTime", 1)},
	"getpasttime":      {name: "getPastTime", min: 2, max: 3, call: fromNow("getPastTime", -1)},
	"addseconds":       {name: "addSeconds", min: 2, max: 3, call: addTime("addSeconds", "second")},
	"addminutes":       {name: "addMinutes", min: 2, max: 3, call: addTime("addMinutes", "minute")},
	"addhours":         {name: "addHours", min: 2, max: 3, call: addTime("addHours", "hour")},
	"adddays":          {name: "addDays", min: 2, max: 3, call: addTime("addDays", "day")},
	"addtotime":        {name: "addToTime", min: 3, max: 4, call: addUnits("addToTime", 1)},
	"subtractfromtime": {name: "subtractFromTime", min: 3, max: 4, call: addUnits("subtractFromTime", -1)},
	"formatdatetime":   {name: "formatDateTime", min: 1, max: 3, call: formatDateTime},
	"parsedatetime":    {name: "parseDateTime", min: 1, max: 3, call: parseDateTime},
	"datedifference":   {name: "dateDifference", min: 2, max: 2, call: dateDifference},
	"startofday":       {name: "startOfDay", min: 1, max: 2, call: startOf("startOfDay", func(t time.Time) time.Time { return date(t, t.Day(), 0) })},
	"startofhour":      {name: "startOfHour", min: 1, max: 2, call: startOf("startOfHour", func(t time.Time) time.Time { return date(t, t.Day(), t.Hour()) })},
	"startofmonth":     {name: "startOfMonth", min: 1, max: 2, call: startOf("startOfMonth", func(t time.Time) time.Time { return date(t, 1, 0) })},
	"dayofweek":        {name: "dayOfWeek", min: 1, max: 1, call: dayOf("dayOfWeek", func(t time.Time) int { return int(t.Weekday()) })}, // Sunday is 0
	"dayofmonth":       {name: "dayOfMonth", min: 1, max: 1, call: dayOf("dayOfMonth", time.Time.Day)},
	"dayofyear":        {name: "dayOfYear", min: 1, max: 1, call: dayOf("dayOfYear", time.Time.YearDay)},
	"ticks":            {name: "ticks", min: 1, max: 1, call: ticks},
	"convertfromutc":   {name: "convertFromUtc", min: 2, max: 3, call: convertFromUtc},
	"converttoutc":     {name: "convertToUtc", min: 2, max: 3, call: convertToUtc},
	"converttimezone":  {name: "convertTimeZone", min: 3, max: 4, call: convertTimeZone},
}

// write formats m by argument i, in the round-trip form where there is none.
func (m moment) write(args []value, i int) (value, error) {
	format := "o"
	if i < len(args) {
		var err error
		if format, err = argText("a time format", args, i); err != nil {
			return nil, err
		}
	}
	s, ok := m.format(format)
	if !ok {
		return nil, fault(i, "%s is no time format.", Quote(format))
	}
	return s, nil
}

func (e *evaluator) clock() moment {
	e.warn("The result depends on the time at which the condition is looked at.")
	return moment{Time: e.now}
}

func utcNow(e *evaluator, args []value) (value, error) { return e.clock().write(args, 0) }

// fromNow is (number, unit[, format]).
func fromNow(name string, sign int64) func(*evaluator, []value) (value, error) {
	return func(e *evaluator, args []value) (value, error) {
		m, err := e.clock().plus(name, args, 0, sign)
		if err != nil {
			return nil, err
		}
		return m.write(args, 2)
	}
}

// addTime is (time, number[, format]) in one unit.
func addTime(name, unit string) func(*evaluator, []value) (value, error) {
	return func(e *evaluator, args []value) (value, error) {
		m, err := e.argTime(name, args, 0)
		if err != nil {
			return nil, err
		}
		if m, err = m.plusUnits(name, args, 1, unit, 1); err != nil {
			return nil, err
		}
		return m.write(args, 2)
	}
}

// addUnits is (time, number, unit[, format]).
func addUnits(name string, sign int64) func(*evaluator, []value) (value, error) {
	return func(e *evaluator, args []value) (value, error) {
		m, err := e.argTime(name, args, 0)
		if err != nil {
			return nil, err
		}
		if m, err = m.plus(name, args, 1, sign); err != nil {
			return nil, err
		}
		return m.write(args, 3)
	}
}

// plus adds the number in argument i of the unit that argument i+1 names.
func (m moment) plus(name string, args []value, i int, sign int64) (moment, error) {
	unit, err := argText(name, args, i+1)
	if err != nil {
		return m, err
	}
	unit = strings.ToLower(unit)
	switch unit {
	case "second", "minute", "hour", "day", "week", "month", "year":
		return m.plusUnits(name, args, i, unit, sign)
	}
	return m, fault(i+1, "%s needs a unit here: 'Second', 'Minute', 'Hour', 'Day', 'Week', 'Month' or 'Year'.", name)
}

func (m moment) plusUnits(name string, args []value, i int, unit string, sign int64) (moment, error) {
	n, err := argInt(name, args, i)
	if err != nil {
		return m, err
	}
	seconds := map[string]int64{"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 7 * 86_400, "month": 31 * 86_400, "year": 366 * 86_400}
	const century = 100 * 366 * 86_400
	if most := century / seconds[unit]; n > most || n < -most {
		return m, fault(i, "%s: this checker adds at most a hundred years.", name)
	}
	n *= sign
	switch unit {
	case "month":
		m.Time = addMonths(m.Time, int(n))
	case "year":
		m.Time = addMonths(m.Time, 12*int(n))
	default:
		m.Time = m.Add(time.Duration(n*seconds[unit]) * time.Second)
	}
	if m.Year() < 1 || m.Year() > 9999 {
		return m, fault(i, "%s: the year would be %d.", name, m.Year())
	}
	return m, nil
}

// addMonths keeps the day, or takes the month's last where it has no such day, as
// .NET does.
func addMonths(t time.Time, n int) time.Time {
	first := date(t, 1, t.Hour()).AddDate(0, n, 0)
	last := first.AddDate(0, 1, -1).Day()
	return t.AddDate(0, 0, 1-t.Day()).AddDate(0, n, min(t.Day(), last)-1)
}

// date is the full hour of a day in the month of t.
func date(t time.Time, day, hour int) time.Time {
	return time.Date(t.Year(), t.Month(), day, hour, 0, 0, 0, t.Location())
}

func formatDateTime(e *evaluator, args []value) (value, error) {
	m, err := e.argTime("formatDateTime", args, 0)
	if err != nil {
		return nil, err
	}
	if err := inEnglish("formatDateTime", args, 2); err != nil {
		return nil, err
	}
	return m.write(args, 1)
}

func startOf(name string, begin func(time.Time) time.Time) func(*evaluator, []value) (value, error) {
	return func(e *evaluator, args []value) (value, error) {
		m, err := e.argTime(name, args, 0)
		if err != nil {
			return nil, err
		}
		m.Time = begin(m.Time)
		return m.write(args, 1)
	}
}

func dayOf(name string, day func(time.Time) int) func(*evaluator, []value) (value, error) {
	return func(e *evaluator, args []value) (value, error) {
		m, err := e.argTime(name, args, 0)
		return intNumber(int64(day(m.Time))), err
	}
}

// ticks counts steps of 100 ns since the year 1.
func ticks(e *evaluator, args []value) (value, error) {
	m, err := e.argTime("ticks", args, 0)
	return intNumber(tick(m.Time)), err
}

func tick(t time.Time) int64 {
	const untilUnix = 621_355_968_000_000_000
	return untilUnix + t.Unix()*10_000_000 + int64(t.Nanosecond()/100)
}

// dateDifference is the second time less the first, as .NET writes a span of time:
// days, hours, minutes, seconds.
func dateDifference(e *evaluator, args []value) (value, error) {
	from, err := e.argTime("dateDifference", args, 0)
	if err != nil {
		return nil, err
	}
	to, err := e.argTime("dateDifference", args, 1)
	if err != nil {
		return nil, err
	}
	n, sign := tick(to.Time)-tick(from.Time), ""
	if n < 0 {
		n, sign = -n, "-"
	}
	const second = 10_000_000
	s := n / second
	text := fmt.Sprintf("%02d:%02d:%02d", s/3600%24, s/60%60, s%60)
	if days := s / 86_400; days > 0 {
		text = fmt.Sprintf("%d.%s", days, text)
	}
	if rest := n % second; rest > 0 {
		text += fmt.Sprintf(".%07d", rest)
	}
	return sign + text, nil
}

// argZone reads argument i as Microsoft's name of a time zone.
func argZone(name string, args []value, i int) (*time.Location, error) {
	s, err := argText(name, args, i)
	if err != nil {
		return nil, err
	}
	place, ok := Location(s)
	if !ok {
		instead, known := ZoneOf(s)
		if !known {
			instead = "W. Europe Standard Time"
		}
		return nil, fault(i, "%s needs Microsoft's name of a time zone here, such as %s, but this is %s.", name, Quote(instead), Quote(s))
	}
	return place, nil
}

func convertFromUtc(e *evaluator, args []value) (value, error) {
	m, err := e.argTime("convertFromUtc", args, 0)
	if err != nil {
		return nil, err
	}
	place, err := argZone("convertFromUtc", args, 1)
	if err != nil {
		return nil, err
	}
	return moment{m.In(place), true}.write(args, 2)
}

func convertToUtc(e *evaluator, args []value) (value, error) {
	m, err := e.timeIn("convertToUtc", args)
	if err != nil {
		return nil, err
	}
	return moment{Time: m.UTC()}.write(args, 2)
}

func convertTimeZone(e *evaluator, args []value) (value, error) {
	m, err := e.timeIn("convertTimeZone", args)
	if err != nil {
		return nil, err
	}
	to, err := argZone("convertTimeZone", args, 2)
	if err != nil {
		return nil, err
	}
	return moment{m.In(to), true}.write(args, 3)
}

// timeIn reads (time, zone): a time without a zone of its own is one of that zone.
func (e *evaluator) timeIn(name string, args []value) (time.Time, error) {
	m, err := e.argTime(name, args, 0)
	if err != nil {
		return time.Time{}, err
	}
	place, err := argZone(name, args, 1)
	if err != nil || !m.floating {
		return m.Time, err
	}
	// The zone's offset changes at most once within two days.
	var found []time.Time
	for _, near := range []time.Time{m.Add(-24 * time.Hour), m.Add(24 * time.Hour)} {
		_, offset := near.In(place).Zone()
		t := m.Add(-time.Duration(offset) * time.Second).In(place)
		if t.Format(looseLayouts[0]) == m.Format(looseLayouts[0]) {
			found = append(found, t)
		}
	}
	switch {
	case len(found) == 0:
		return m.Time, fault(0, "%s: there is no such time in that zone, for its clock is set forward then.", name)
	case !found[0].Equal(found[len(found)-1]):
		e.warn("In that zone this time comes twice, for its clock is set back then. The second is taken.")
	}
	return found[len(found)-1], nil
}
