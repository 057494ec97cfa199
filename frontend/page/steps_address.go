package page

import (
	"net/url"

	"github.com/a-h/templ"
)

// stepsURL is the address of the checklist of a rule and a tool, either of which may
// be "".
func stepsURL(rule, tool string) templ.SafeURL {
	q := url.Values{}
	if rule != "" {
		q.Set("rule", rule)
	}
	if tool != "" {
		q.Set("tool", tool)
	}
	if len(q) == 0 {
		return "/steps"
	}
	return templ.SafeURL("/steps?" + q.Encode())
}

// stepsFileURL is the address of one file of a checklist.
func stepsFileURL(rule, tool, name string) templ.SafeURL {
	q := url.Values{"tool": {tool}, "name": {name}}
	if rule != "" {
		q.Set("rule", rule)
	}
	return templ.SafeURL("/steps/file?" + q.Encode())
}

// stepsSheetURL is the address of the checklist as one file of a format: md, html.
func stepsSheetURL(rule, tool, format string) string {
	q := url.Values{"tool": {tool}, "format": {format}}
	if rule != "" {
		q.Set("rule", rule)
	}
	return "/steps/sheet?" + q.Encode()
}
