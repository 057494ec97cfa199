package page

import "strconv"

// or returns text, or otherwise where text is empty.
func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// plural picks the word that stands after a count as shown.
func plural(count, one, many string) string {
	if count == "1" {
		return one
	}
	return many
}

func rows(n int) string {
	if n == 0 {
		n = 6
	}
	return strconv.Itoa(n)
}
