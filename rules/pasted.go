package rules

import (
	"regexp"
	"strings"
)

var (
	formName   = regexp.MustCompile(`^[A-Za-z0-9_.~+%\[\]*-]+=[^=\s]*$`)
	xmlStart   = regexp.MustCompile(`^<(\?xml|!--|!DOCTYPE|[A-Za-z_][\w.:-]*[\s/>])`)
	htmlStart  = regexp.MustCompile(`(?i)^(<!--.*?-->\s*)?<(!doctype html|html|head|body|div|table|p|span)[\s>]`)
	jsonMember = regexp.MustCompile(`^"[^"\n]*"\s*:`)
	jsonWord   = regexp.MustCompile(`^(null|true|false|None|True|False|NaN|nan|Infinity|inf|undefined)$`)
	prose      = regexp.MustCompile(`^\p{L}`)
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
	const paste = " Dedupe Desk reads JSON, forms, CSV rows and requests: paste what your automation shows for this event."
	switch {
	case htmlStart.MatchString(text):
		return "This is HTML, a page for people." + paste
	case xmlStart.MatchString(text):
		return "This is XML." + paste
	case curlCommand.MatchString(text) || powerCommand.MatchString(text):
		return "This command sends what is not in it: a file, or a value that is made elsewhere. Paste what it sends, and its headers into the headers' field."
	case jsonMember.MatchString(text):
		return "The braces around this JSON are missing. Write { before it and } after it."
	case !prose.MatchString(text) || jsonWord.MatchString(text):
	case strings.ContainsAny(text, "{[") && strings.ContainsAny(text, "}]"):
		return "Text stands before the JSON. Paste from its first brace to its last alone."
	default:
		return "This is plain text." + paste
	}
	return ""
}
