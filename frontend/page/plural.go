package page

import "strconv"

// or returns text, or otherwise where text is empty.
func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// atMost returns n as shown, or "99+" for more than most.
func atMost(n, most int) string {
	if n > most {
		return Count(int64(most)) + "+"
	}
	return Count(int64(n))
}

// plural picks the word that stands after a count as shown.
func plural(count, one, many string) string {
	if count == "1" {
		return one
	}
	return many
}

// Counted is a number with what it counts: 1 event, 3 events.
func Counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return Count(int64(n)) + " " + what
}

func rows(n int) string {
	if n == 0 {
		n = 6
	}
	return strconv.Itoa(n)
}
