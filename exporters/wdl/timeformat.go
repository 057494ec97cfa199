package wdl

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A moment is a time as the language carries it in text.
type moment struct {
	time.Time
	floating bool // nobody told its zone; it is written without one
}

// standardFormats are the single letters of .NET and what they stand for in
// American English. From "Standard date and time format strings" of the .NET
// documentation, read 2026-12-01.
var standardFormats = map[string]string{
	"d": "M/d/yyyy", "D": "dddd, MMMM d, yyyy",
	"f": "dddd, MMMM d, yyyy h:mm tt", "F": "dddd, MMMM d, yyyy h:mm:ss tt",
	"g": "M/d/yyyy h:mm tt", "G": "M/d/yyyy h:mm:ss tt",
	"m": "MMMM d", "M": "MMMM d",
	"o": "yyyy-MM-ddTHH:mm:ss.fffffffK", "O": "yyyy-MM-ddTHH:mm:ss.fffffffK",
	"r": "ddd, dd MMM yyyy HH:mm:ss 'GMT'", "R": "ddd, dd MMM yyyy HH:mm:ss 'GMT'",
	"s": "yyyy-MM-ddTHH:mm:ss", "t": "h:mm tt", "T": "h:mm:ss tt",
	"u": "yyyy-MM-dd HH:mm:ss'Z'", "y": "MMMM yyyy", "Y": "MMMM yyyy",
}

// format writes m by a format of .NET in American English. It reports false for one
// that .NET refuses.
func (m moment) format(format string) (text string, ok bool) {
	if utf8.RuneCountInString(format) == 1 {
		long, ok := standardFormats[format]
		if !ok {
			return "", false
		}
		format = long
	}
	if format == "" {
		format = standardFormats["G"]
	}
	format = strings.TrimPrefix(format, "%")
	var out string
	for rest := format; rest != ""; {
		text, size, ok := m.piece(rest)
		if !ok {
			return "", false
		}
		if text == "" && rest[0] == 'F' {
			out = strings.TrimSuffix(out, ".") // a fraction of zero takes its point away
		}
		out += text
		rest = rest[size:]
	}
	return out, true
}

// piece writes the first piece of a format and tells how many bytes of it it used.
func (m moment) piece(format string) (text string, size int, ok bool) {
	switch c := format[0]; c {
	case '\'', '"':
		end := strings.IndexByte(format[1:], c)
		if end < 0 {
			return "", 0, false
		}
		return format[1 : 1+end], end + 2, true
	case '\\':
		if len(format) == 1 {
			return "", 0, false
		}
		_, n := utf8.DecodeRuneInString(format[1:])
		return format[1 : 1+n], 1 + n, true
	case '%':
		return "", 0, false // only at the front
	}
	n := 1
	for n < len(format) && format[n] == format[0] {
		n++
	}
	if (format[0] == 'f' || format[0] == 'F') && n > 7 {
		return "", 0, false // .NET has no finer time
	}
	text, known := m.letters(format[0], n)
	if known {
		return text, n, true
	}
	_, n = utf8.DecodeRuneInString(format)
	return format[:n], n, true
}

// letters writes n equal letters of a format, and reports false for one that stands
// for itself.
func (m moment) letters(letter byte, n int) (string, bool) {
	named := func(short, long string, number int) string {
		switch {
		case n >= 4:
			return m.Format(long)
		case n == 3:
			return m.Format(short)
		}
		return padded(number, n)
	}
	switch letter {
	case 'd':
		return named("Mon", "Monday", m.Day()), true
	case 'M':
		return named("Jan", "January", int(m.Month())), true
	case 'y':
		if n <= 2 {
			return padded(m.Year()%100, n), true
		}
		return padded(m.Year(), n), true
	case 'H':
		return padded(m.Hour(), min(n, 2)), true
	case 'h':
		return padded((m.Hour()+11)%12+1, min(n, 2)), true
	case 'm':
		return padded(m.Minute(), min(n, 2)), true
	case 's':
		return padded(m.Second(), min(n, 2)), true
	case 'f', 'F':
		return m.fraction(letter, n), true
	case 't':
		return m.Format("PM")[:min(n, 2)], true
	case 'g':
		return "A.D.", true
	case 'K':
		return strings.Repeat(m.zone(), n), true
	case 'z':
		return m.offset(n), true
	}
	return "", false
}

// fraction writes n digits of a second; F leaves out zeros at the end.
func (m moment) fraction(letter byte, n int) string {
	digits := padded(m.Nanosecond(), 9)[:n]
	if letter == 'F' {
		digits = strings.TrimRight(digits, "0")
	}
	return digits
}

// zone is what K stands for.
func (m moment) zone() string {
	if m.floating {
		return ""
	}
	return m.Format("Z07:00")
}

func (m moment) offset(n int) string {
	text := m.Format("-07:00")
	switch n {
	case 1:
		return text[:1] + strings.TrimPrefix(text[1:3], "0")
	case 2:
		return text[:3]
	}
	return text
}

func padded(n, width int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(0, width-len(s))) + s
}
