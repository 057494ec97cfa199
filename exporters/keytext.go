package exporters

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// KeyLiteral returns a literal as it stands in a rule's key: trimmed, its white space
// folded, composed, and with its colons and per cent signs escaped. It is for a
// platform that writes the key itself. "" cannot stand in a key.
func KeyLiteral(text string) string {
	return strings.NewReplacer("%", "%25", ":", "%3A").Replace(norm.NFC.String(strings.Join(strings.Fields(text), " ")))
}
