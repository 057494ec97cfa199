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
	}
	return ""
}
