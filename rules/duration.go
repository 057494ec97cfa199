package rules

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration is a time span of a rule file: text such as 90s, 15m, 12h, 35d or
// 1h30m, or a number of seconds.
type Duration time.Duration

// units from the largest to the smallest.
var units = []struct {
	name string
	span time.Duration
}{{"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}

// maxDuration is ten years, far beyond any use and far from overflow.
const maxDuration = 3660 * 24 * time.Hour

// ParseDuration reads text such as 15m, 90s, 35d, 1h30m or a plain number of
// seconds (900, 1.5). It refuses what is negative, not a number, of another
// unit, or above ten years. Parts of a millisecond are cut off.
func ParseDuration(text string) (Duration, error) {
	rest := strings.TrimSpace(text)
	wrong := fmt.Errorf("%q is not a time span such as 90s, 15m or 35d", text)
	if rest == "" {
		return 0, wrong
	}
	if d, ok := seconds(rest); ok {
		return d, nil
	}
	var sum time.Duration
	for _, unit := range units {
		count, after, ok := strings.Cut(rest, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(count, 10, 31)
		if err != nil || n > uint64(maxDuration/unit.span) {
			return 0, wrong
		}
		sum, rest = sum+time.Duration(n)*unit.span, after
	}
	if rest != "" || sum > maxDuration {
		return 0, wrong
	}
	return Duration(sum), nil
}

// seconds reads a plain decimal number; exponents, signs and NaN are no part of it.
func seconds(text string) (Duration, bool) {
	whole, fraction, dotted := strings.Cut(text, ".")
	n, err := strconv.ParseUint(whole, 10, 31)
	if err != nil || time.Duration(n) > maxDuration/time.Second {
		return 0, false
	}
	d := time.Duration(n) * time.Second
	if !dotted {
		return Duration(d), true
	}
	if fraction == "" || strings.Trim(fraction, "0123456789") != "" {
		return 0, false
	}
	ms, _ := strconv.Atoi((fraction + "000")[:3])
	return Duration(d + time.Duration(ms)*time.Millisecond), true
}

// String writes d in the largest unit that divides it, as rule files do.
func (d Duration) String() string {
	if d != 0 {
		for _, unit := range units {
			if time.Duration(d)%unit.span == 0 {
				return strconv.FormatInt(int64(time.Duration(d)/unit.span), 10) + unit.name
			}
		}
	}
	return strconv.FormatFloat(time.Duration(d).Seconds(), 'f', -1, 64)
}
