package exporters

import (
	"fmt"
	"strings"
	"time"
)

// LeaseWant returns what the rule of s should say so that one run may take least,
// with the reason why, a sentence. It returns nothing where it says so already.
func LeaseWant(s Setup, least time.Duration, why string) []Want {
	if s.Lease >= least {
		return nil
	}
	return []Want{{Setting: "lease", Value: ruleTime(least), Why: why}}
}

// ruleTime writes a time as rule files have it: 8h, 90m.
func ruleTime(d time.Duration) string {
	if d%time.Hour == 0 {
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dm", (d+time.Minute-1)/time.Minute)
}

// Spell writes a length of time in words: 7 hours 51 minutes. Parts of a second are
// left out.
func Spell(d time.Duration) string {
	var words []string
	for _, u := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if n := d / u.size; n > 0 {
			d -= n * u.size
			word := fmt.Sprintf("%d %s", n, u.name)
			if n > 1 {
				word += "s"
			}
			words = append(words, word)
		}
	}
	if len(words) == 0 {
		return "no time"
	}
	return strings.Join(words, " ")
}
