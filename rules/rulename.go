package rules

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxMadeName bounds a name that is made of a title, so that a number fits behind it.
const maxMadeName = 60

// inLatin writes the letters that are no base letter with a mark. ä, ö and ü are written
// as German does where it has none.
var inLatin = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i")

// NameOf makes a rule's name of its title: "Paid invoices" is paid-invoices, and
// "Größe: Łódź" is groesse-lodz. It returns at most 60 characters, and "" for a title
// without Latin letters and digits.
func NameOf(title string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(inLatin.Replace(norm.NFC.String(strings.ToLower(title)))) {
		r = unicode.ToLower(r) // № becomes No
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	return strings.Trim(name[:min(len(name), maxMadeName)], "-")
}
