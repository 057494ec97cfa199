package wdl

import (
	"math/big"
	"regexp"
	"strings"
)

// Forms of numbers in text, as .NET reads them in English: spaces around, commas
// anywhere behind the first digit, and a sign before or after.
var numberText = regexp.MustCompile(`^\s*([+-]?)((?:[0-9][0-9,]*)?)(\.[0-9]*)?([eE][+-]?[0-9]+)?\s*([+-]?)\s*$`)

// signBehind finds a sign behind a number, which whole numbers must not have.
var signBehind = regexp.MustCompile(`[0-9.,]\s*[+-]\s*$`)

// readNumber reads a number in any form that .NET reads, and reports false for a text
// that is none.
func readNumber(s string) (number, bool) {
	m := numberText.FindStringSubmatch(s)
	if m == nil || m[1] != "" && m[5] != "" {
		return number{}, false
	}
	digits, fraction := strings.ReplaceAll(m[2], ",", ""), strings.TrimPrefix(m[3], ".")
	if digits+fraction == "" {
		return number{}, false
	}
	if digits == "" {
		digits = "0"
	}
	text := digits
	if fraction != "" {
		text += "." + fraction
	}
	if m[1] == "-" || m[5] == "-" {
		text = "-" + text
	}
	return parseNumber(text + m[4])
}

// formatNumber writes a number by the formats of .NET that are the same for whole
// and other numbers in American English.
func formatNumber(_ *evaluator, args []value) (value, error) {
	n, err := argNumber("formatNumber", args, 0)
	if err != nil {
		return nil, err
	}
	format, err := argText("formatNumber", args, 1)
	if err != nil {
		return nil, err
	}
	if err := inEnglish("formatNumber", args, 2); err != nil {
		return nil, err
	}
	if text, ok := standardNumber(n.rat, format); ok {
		return text, nil
	}
	if text, ok := pictured(n.rat, format); ok {
		return text, nil
	}
	return nil, fault(1, "This checker can not work out the number format %s.", Quote(format))
}

var standardNumberFormat = regexp.MustCompile(`^([CcDdFfNnPpXx])([0-9]{0,2})$`)

// standardNumber writes n by a letter and a number of places.
func standardNumber(n *big.Rat, format string) (string, bool) {
	m := standardNumberFormat.FindStringSubmatch(format)
	if m == nil {
		return "", false
	}
	places := 2
	if m[2] != "" {
		places = int(m[2][0] - '0')
		if len(m[2]) == 2 {
			places = places*10 + int(m[2][1]-'0')
		}
	}
	switch m[1] {
	case "D", "d", "X", "x":
		if m[2] == "" {
			places = 0
		}
		return wholeNumber(n, m[1], places)
	case "F", "f":
		return rounded(n, places, false), true
	case "N", "n":
		return rounded(n, places, true), true
	case "P", "p":
		return rounded(new(big.Rat).Mul(n, big.NewRat(100, 1)), places, true) + "%", true
	}
	text := rounded(n, places, true)
	if rest, minus := strings.CutPrefix(text, "-"); minus {
		return "-$" + rest, true
	}
	return "$" + text, true
}

// wholeNumber writes n with at least so many digits; fractions have no such form.
func wholeNumber(n *big.Rat, letter string, digits int) (string, bool) {
	if !n.IsInt() || (letter == "X" || letter == "x") && n.Sign() < 0 {
		return "", false
	}
	text := new(big.Int).Abs(n.Num()).String()
	switch letter {
	case "X":
		text = strings.ToUpper(n.Num().Text(16))
	case "x":
		text = n.Num().Text(16)
	}
	text = strings.Repeat("0", max(0, digits-len(text))) + text
	if n.Sign() < 0 {
		text = "-" + text
	}
	return text, true
}

// rounded writes n with places digits behind the point, halves away from zero, and
// with commas between thousands where they are wanted.
func rounded(n *big.Rat, places int, commas bool) string {
	text := n.FloatString(places)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	if !commas {
		return text
	}
	text, minus := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(text, ".")
	text = thousands(whole)
	if fraction != "" {
		text += "." + fraction
	}
	if minus {
		return "-" + text
	}
	return text
}

func thousands(digits string) string {
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	return strings.Join(append([]string{digits}, groups...), ",")
}

var picture = regexp.MustCompile(`^(#*,?#*)(0*)(?:\.(0*)(#*))?(%?)$`)

// pictured writes n by a picture such as #,##0.00 or 0000.
func pictured(n *big.Rat, format string) (string, bool) {
	m := picture.FindStringSubmatch(format)
	if m == nil || strings.Trim(format, ",.%") == "" {
		return "", false
	}
	if m[5] == "%" {
		n = new(big.Rat).Mul(n, big.NewRat(100, 1))
	}
	text := rounded(n, len(m[3])+len(m[4]), false)
	text, minus := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(text, ".")
	for len(fraction) > len(m[3]) && strings.HasSuffix(fraction, "0") {
		fraction = fraction[:len(fraction)-1]
	}
	whole = strings.TrimLeft(whole, "0")
	whole = strings.Repeat("0", max(0, len(m[2])-len(whole))) + whole
	if strings.Contains(m[1], ",") {
		whole = thousands(whole)
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if minus && strings.Trim(whole, "0.,") != "" {
		whole = "-" + whole
	}
	return whole + m[5], true
}
