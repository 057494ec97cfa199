package rules

import (
	"math"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Number is a number of JSON that neither 64-bit integers nor a double holds
// with all its digits: its exact text, written out without exponent and without
// needless zeros. In a formula it is text.
type Number string

// maxDigits bounds a number when it is written out.
const maxDigits = 400

// decimal is a number taken apart: 0.digits times ten to the power of point.
// Zero has no digits.
type decimal struct {
	neg    bool
	digits string // no zeros at either end
	point  int
}

// parseDecimal takes apart text, which must have the form of a JSON number.
// It returns false if the number has more than maxDigits when written out.
func parseDecimal(text string) (decimal, bool) {
	var d decimal
	if strings.HasPrefix(text, "-") {
		d.neg, text = true, text[1:]
	}
	mantissa, exponent := text, 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		mantissa = text[:i]
		n, err := strconv.Atoi(text[i+1:])
		if err != nil || n > 1<<20 || n < -1<<20 {
			n = math.MaxInt32 // refused below, unless the mantissa is zero
		}
		exponent = n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	all := whole + fraction
	trimmed := strings.TrimLeft(all, "0")
	if trimmed == "" {
		return decimal{}, true // minus nought is nought
	}
	d.point = len(whole) - (len(all) - len(trimmed)) + exponent
	d.digits = strings.TrimRight(trimmed, "0")
	return d, d.length() <= maxDigits
}

// length is the number of digits when written out.
func (d decimal) length() int {
	n := len(d.digits)
	switch {
	case d.point <= 0:
		return n - d.point + 1
	case d.point > n:
		return d.point
	}
	return n
}

func (d decimal) whole() bool { return d.point >= len(d.digits) }

// text writes d without exponent: 19.9, -0.05, 12000.
func (d decimal) text() string {
	if d.digits == "" {
		return "0"
	}
	var b strings.Builder
	if d.neg {
		b.WriteByte('-')
	}
	n := len(d.digits)
	switch {
	case d.point <= 0:
		b.WriteString("0.")
		b.WriteString(strings.Repeat("0", -d.point))
		b.WriteString(d.digits)
	case d.point >= n:
		b.WriteString(d.digits)
		b.WriteString(strings.Repeat("0", d.point-n))
	default:
		b.WriteString(d.digits[:d.point])
		b.WriteByte('.')
		b.WriteString(d.digits[d.point:])
	}
	return b.String()
}

// number returns the value of a JSON number: int64 or uint64 where it is whole
// and fits, float64 where the double's shortest form has the same digits, Number
// otherwise. It returns false for a number of more than maxDigits.
func number(text string) (any, bool) {
	if len(text) < 19 {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, true
		}
	}
	d, ok := parseDecimal(text)
	if !ok {
		return nil, false
	}
	plain := d.text()
	if d.whole() {
		if n, err := strconv.ParseInt(plain, 10, 64); err == nil {
			return n, true
		}
		if n, err := strconv.ParseUint(plain, 10, 64); err == nil {
			return n, true
		}
	}
	if f, err := strconv.ParseFloat(plain, 64); err == nil {
		if shortest, ok := floatText(f); ok && shortest == plain {
			return f, true
		}
	}
	return Number(plain), true
}

// floatText writes a double canonically: its shortest digits, no exponent. It
// returns false for what is not a number.
func floatText(f float64) (string, bool) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "", false
	}
	d, ok := parseDecimal(strconv.FormatFloat(f, 'e', -1, 64))
	if !ok {
		return "", false
	}
	return d.text(), true
}

// equal is CEL's ==, but compares a whole number with a decimal by all their digits.
// CEL turns both into doubles, for which 9007199254740993 is 9007199254740992.0.
func equal(a, b ref.Val) ref.Val {
	if d, ok := a.(types.Double); ok {
		a, b = b, d
	}
	d, isDouble := b.(types.Double)
	if !isDouble {
		return types.Equal(a, b)
	}
	switch a.(type) {
	case types.Int, types.Uint:
		whole, _ := scalarText(a.Value())
		text, ok := floatText(float64(d))
		return types.Bool(ok && text == whole)
	}
	return types.Equal(a, b)
}
