package rules

import (
	"regexp"
	"strings"
)

var (
	formName = regexp.MustCompile(`^[A-Za-z0-9_.~+%\[\]*-]+=[^=\s]*$`)
	xmlStart = regexp.MustCompile(`^<(\?xml|!--|!DOCTYPE|[A-Za-z_][\w.:-]*[\s/>])`)
	curlLine = regexp.MustCompile(`^(\$ )?curl(\.exe)?\s`)
)

// looksLikeForm tells a=1&b=hello+world: every part has a name and a value.
func looksLikeForm(text string) bool {
	text = strings.TrimSpace(text)
	for part := range strings.SplitSeq(text, "&") {
		if !formName.MatchString(part) {
			return false
		}
	}
	return true
}

// unread says of text that is not read yet what it is and what to paste instead,
// "" for all else.
func unread(text string) string {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	switch {
	case xmlStart.MatchString(text):
		return "This is XML, which is not read yet. Paste the JSON that your automation shows for this event."
	case curlLine.MatchString(text):
		return "This is a curl command, which is not read yet. Paste the text after -d or --data alone, and its headers into the headers' field."
	case looksLikeCSV(text):
		return `This looks like rows of a table (CSV), which are not read yet. Paste one row as JSON, such as {"order": 7, "total": "19.90"}.`
	}
	return ""
}

// looksLikeCSV tells lines with the same number of separators: two lines at least,
// or one with three values and no blank after a separator, as sentences have.
func looksLikeCSV(text string) bool {
	lines := strings.Split(text, "\n")
	if strings.ContainsAny(text[:min(1, len(text))], "{[<") || len(lines[0]) > 10_000 {
		return false
	}
	for _, sep := range []string{",", ";", "\t"} {
		n := strings.Count(lines[0], sep)
		if n == 0 {
			continue
		}
		if len(lines) == 1 {
			if n > 1 && (sep == "\t" || !strings.Contains(text, sep+" ")) {
				return true
			}
			continue
		}
		same := 0
		for _, line := range lines[1:] {
			if strings.Count(line, sep) == n {
				same++
			}
		}
		if same > 0 && same >= len(lines)-2 {
			return true
		}
	}
	return false
}
