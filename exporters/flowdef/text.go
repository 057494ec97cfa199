package flowdef

import (
	"strings"

	"dedupedesk/exporters/wdl"
)

// Text writes s so that the platform reads exactly s. An @ can begin an expression,
// so text with one is written as an expression that gives it.
func Text(s string) string {
	if !strings.Contains(s, "@") {
		return s
	}
	return "@string(" + wdl.Quote(s) + ")"
}
