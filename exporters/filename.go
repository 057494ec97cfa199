package exporters

import "strings"

// FileName makes a name of rule that every system takes, between before and after,
// which are such themselves.
func FileName(before, rule, after string) string {
	safe := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, rule)
	return before + safe[:min(len(safe), 60)] + after
}
