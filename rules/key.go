package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// MaxKey bounds a key, in code points. In bytes it is then at most 1020.
const MaxKey = 255

// maxPart bounds one part before the key is put together, in bytes.
const maxPart = 64 << 10

// KeyError says why an event has no key. It is made to be shown.
type KeyError struct {
	Part int    // from 1; 0 if the key or the formula as a whole is meant
	Path string // the field, as it stands in a formula; "" if none is known
	Code KeyCode
	Msg  string // one or two plain sentences
}

// Error returns the message.
func (e *KeyError) Error() string { return e.Msg }

// label names a part in a sentence, a header by its name alone.
func label(part int, path string) string {
	if name, ok := strings.CutPrefix(path, `headers["`); ok {
		path = "the header " + strings.TrimSuffix(name, `"]`)
	}
	switch {
	case part == 0 && path == "":
		return "The key"
	case part == 0:
		return path
	case path == "":
		return fmt.Sprintf("Part %d", part)
	}
	return fmt.Sprintf("Part %d (%s)", part, path)
}

// partFault writes the sentence for a part that cannot stand in a key.
func partFault(part int, path string, code KeyCode) *KeyError {
	name := label(part, path)
	e := &KeyError{Part: part, Path: path, Code: code}
	switch code {
	case KeyMissing:
		e.Msg = name + " is missing in this event. Use a field that every event has."
	case KeyNull:
		e.Msg = name + " is null in this event. Use a field that always has a value."
	case KeyEmpty:
		e.Msg = name + " is empty in this event. Use a field that always has a value."
	case KeySpaces:
		e.Msg = name + " holds only spaces in this event. Use a field that always has a value."
	case KeyList:
		e.Msg = name + " is a list. Use one field of one item, or digest(…) for the whole list."
	case KeyMap:
		e.Msg = name + " is a group of fields. Use one field of it, or digest(…) for the whole group."
	case KeyControl:
		e.Msg = name + " holds a control character or one that turns the direction of writing; a key cannot hold it."
	case KeyTooLong:
		e.Msg = name + " is far too long for a key. Use a shorter field, or digest(…) of it."
	default:
		e.Code, e.Msg = KeyFormula, name+" is of a kind that cannot stand in a key. A part is text, a number, true or false, or a time."
	}
	return e
}

// keyText turns text into what stands in a key: Unicode NFC, no white space at
// the ends, one space for each run inside. The code is "" if that worked.
func keyText(s string) (text string, code KeyCode) {
	if s == "" {
		return "", KeyEmpty
	}
	if len(s) > maxPart {
		return "", KeyTooLong
	}
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] > ' ' && s[i] < 0x7f
	}
	if plain {
		return s, ""
	}
	s = strings.Join(strings.Fields(norm.NFC.String(s)), " ")
	switch {
	case s == "":
		return "", KeySpaces
	case !utf8.ValidString(s) || strings.ContainsFunc(s, forbidden):
		return "", KeyControl
	}
	return s, ""
}

// forbidden tells the characters that a key cannot hold: control characters, and
// those that make a reader see another order than the one stored (UAX 9).
func forbidden(r rune) bool {
	switch {
	case r < 0x80:
		return r < ' ' || r == 0x7f
	case r == '\u061c', r == '\u200e', r == '\u200f', r >= '\u202a' && r <= '\u202e', r >= '\u2066' && r <= '\u2069':
		return true
	case r == '\u2028', r == '\u2029', r == '\ufeff':
		return true
	}
	return unicode.IsControl(r)
}

var escaper = strings.NewReplacer("%", "%25", ":", "%3A")

// escapePart keeps the separator out of a part.
func escapePart(s string) string {
	if strings.ContainsAny(s, "%:") {
		return escaper.Replace(s)
	}
	return s
}

// partText writes a decoded value as it stands in a key, unescaped. The code is
// "" if that worked.
func partText(v any) (text string, code KeyCode) {
	switch v := v.(type) {
	case nil:
		return "", KeyNull
	case string:
		return keyText(v)
	case []any:
		return "", KeyList
	case Object:
		return "", KeyMap
	}
	if text, ok := scalarText(v); ok {
		return text, ""
	}
	return "", KeyFormula
}

// JoinParts builds a key as key(part, …) in a formula does, from values as
// [DecodeJSON] returns them. With foldCase capitals do not count; with long
// "sha256" a key that is too long is replaced by its short code. It returns a
// [*KeyError] that names the part.
func JoinParts(parts []any, foldCase bool, long string) (string, error) {
	texts := make([]string, len(parts))
	for i, v := range parts {
		text, code := partText(v)
		if code != "" {
			return "", partFault(i+1, "", code)
		}
		texts[i] = escapePart(text)
	}
	return ReadyKey(strings.Join(texts, ":"), foldCase, long)
}

// ReadyKey applies to a key that is made already what a rule says of its keys as a whole,
// as [JoinParts] does. It returns a [*KeyError] for what is no key.
func ReadyKey(key string, foldCase bool, long string) (string, error) {
	if foldCase {
		key = foldText(key)
	}
	if len(key) > MaxKey && tooLong(key) && long == "sha256" {
		sum := sha256.Sum256([]byte(key))
		return "sha256:" + hex.EncodeToString(sum[:]), nil
	}
	return CheckKey(key)
}

func tooLong(key string) bool {
	return utf8.RuneCountInString(key) > MaxKey
}

// CheckKey returns a ready key as it is, or a [*KeyError] if it is empty, holds nothing
// that can be seen, is longer than [MaxKey] code points, holds control or bidirectional
// characters or bad UTF-8, or begins or ends with white space or an invisible
// character: another copy that was trimmed on its way would be another key.
func CheckKey(key string) (string, error) {
	if _, err := CheckNamedKey(key); err != nil {
		return "", err
	}
	first, _ := utf8.DecodeRuneInString(key)
	last, _ := utf8.DecodeLastRuneInString(key)
	switch {
	case !blank(first) && !blank(last):
		return key, nil
	case strings.TrimFunc(key, blank) == "":
		return "", &KeyError{Code: KeySpaces, Msg: "The key is empty: it holds only spaces or characters that cannot be seen."}
	case blank(first):
		return "", &KeyError{Code: KeyEnds, Msg: "The key begins with a space or a character that cannot be seen; trim it."}
	}
	return "", &KeyError{Code: KeyEnds, Msg: "The key ends with a space or a character that cannot be seen; trim it."}
}

// CheckNamedKey is [CheckKey] for a key that a report or a question names. It does not
// mind how the key begins and ends: a file of dedupe.py may hold such a key, and its
// work has to be reported.
func CheckNamedKey(key string) (string, error) {
	switch {
	case key == "":
		return "", &KeyError{Code: KeyEmpty, Msg: "The key is empty."}
	case !utf8.ValidString(key) || strings.ContainsFunc(key, forbidden):
		return "", &KeyError{Code: KeyControl, Msg: "The key holds a control character, a line break, or one that turns the direction of writing."}
	case strings.TrimSpace(key) == "":
		return "", &KeyError{Code: KeySpaces, Msg: "The key holds only spaces."}
	case tooLong(key):
		return "", &KeyError{Code: KeyTooLong, Msg: fmt.Sprintf("The key has %d characters; at most %d are allowed. Use fewer or shorter fields, or let the rule store a short code in its place.",
			utf8.RuneCountInString(key), MaxKey)}
	}
	return key, nil
}

// blank tells the characters that show nothing at the ends of a key: white space, and
// what Unicode calls format characters or to be ignored, but for the few that are drawn.
func blank(r rune) bool {
	if r < 0x80 {
		return unicode.IsSpace(r)
	}
	return unicode.IsSpace(r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) ||
		(unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r))
}

// foldText makes spellings that differ only in capitals equal, by Unicode's full
// case folding, and composes the result.
func foldText(s string) string {
	ascii := true
	for i := 0; i < len(s) && ascii; i++ {
		ascii = s[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(s)
	}
	return norm.NFC.String(cases.Fold().String(s))
}

// FoldKey returns a ready key as fold_case makes it: full Unicode case folding.
func FoldKey(key string) string { return foldText(key) }
