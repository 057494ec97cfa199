package wdl

import "strings"

// Quote writes s as a text literal, with each apostrophe in it doubled:
//
//	O'Brien   'O''Brien'
//
// The language has no other escape, so line breaks and double quotes stand as
// they are.
func Quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}
