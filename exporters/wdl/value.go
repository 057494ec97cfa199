package wdl

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A value is nil, bool, string, number, []value or *object.
type value any

// A number is exact. Its text is what string() makes of it.
type number struct {
	rat  *big.Rat
	text string
	// odd is set where the digits as written are not the shortest form, so that
	// nobody here knows how the service writes the number back.
	odd bool
	// float is set for a number with a point or an exponent, which the service
	// keeps nearly, and exact for one that decimal() made.
	float, exact bool
}

func intNumber(n int64) number {
	return number{rat: new(big.Rat).SetInt64(n), text: strconv.FormatInt(n, 10)}
}

// maxDigits bounds a number written out, so that 1e999999999 costs nothing.
const maxDigits = 400

// parseNumber reads a JSON number, and also one with a leading plus.
func parseNumber(s string) (number, bool) {
	s = strings.TrimPrefix(s, "+")
	mantissa, exp := strings.ToLower(s), 0
	if m, e, ok := strings.Cut(mantissa, "e"); ok {
		n, err := strconv.Atoi(e)
		if err != nil || n > maxDigits || n < -maxDigits || m == "" {
			return number{}, false
		}
		mantissa, exp = m, n
	}
	if len(s) > maxDigits || strings.Trim(mantissa, "-0123456789.") != "" {
		return number{}, false
	}
	rat, ok := new(big.Rat).SetString(s)
	if !ok {
		return number{}, false
	}
	n := number{rat: rat, text: plain(mantissa, exp)}
	n.float = strings.ContainsAny(s, ".eE")
	n.odd = n.text != s || n.float && len(strings.Trim(strings.Replace(n.text, ".", "", 1), "-0")) > 15
	return n, len(n.text) <= maxDigits
}

// plain writes mantissa × 10^exp without an exponent and without zeros at its
// ends.
func plain(mantissa string, exp int) string {
	digits, minus := strings.CutPrefix(mantissa, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	point := len(whole) + exp
	digits = whole + fraction
	point -= len(digits) - len(strings.TrimLeft(digits, "0"))
	digits = strings.Trim(digits, "0")
	switch {
	case digits == "":
		return "0"
	case point <= 0:
		digits = "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		digits += strings.Repeat("0", point-len(digits))
	default:
		digits = digits[:point] + "." + digits[point:]
	}
	if minus {
		return "-" + digits
	}
	return digits
}

// fromRat writes whole numbers as digits and others as the shortest decimal.
func fromRat(rat *big.Rat) number {
	if rat.IsInt() {
		return number{rat: rat, text: rat.Num().String()}
	}
	if digits, exact := rat.FloatPrec(); exact && digits <= maxDigits {
		return number{rat: rat, text: rat.FloatString(digits)}
	}
	f, _ := rat.Float64()
	return number{rat: rat, text: strconv.FormatFloat(f, 'f', -1, 64)}
}

// fits reports whether n is a whole number of 64 bits or has a fraction.
func (n number) fits() bool { return !n.rat.IsInt() || n.rat.Num().IsInt64() }

// int64 returns the number as a count, where it is one.
func (n number) int64() (int64, bool) {
	if !n.rat.IsInt() || !n.rat.Num().IsInt64() {
		return 0, false
	}
	return n.rat.Num().Int64(), true
}

// An object keeps its members in the order in which they came.
type object struct {
	names  []string
	values map[string]value
}

func newObject() *object { return &object{values: map[string]value{}} }

// set adds a member, or replaces its value in place.
func (o *object) set(name string, v value) {
	if _, ok := o.values[name]; !ok {
		o.names = append(o.names, name)
	}
	o.values[name] = v
}

// spelled returns the name of the member that get finds, or name where it finds none.
func (o *object) spelled(name string) string {
	if _, ok := o.values[name]; ok {
		return name
	}
	for _, n := range o.names {
		if strings.EqualFold(n, name) {
			return n
		}
	}
	return name
}

// remove takes a member out, where there is one of just that name.
func (o *object) remove(name string) {
	if _, ok := o.values[name]; !ok {
		return
	}
	delete(o.values, name)
	o.names = slices.DeleteFunc(o.names, func(n string) bool { return n == name })
}

// get finds a member by its exact name, else by the first name that differs in
// case alone.
func (o *object) get(name string) (value, bool) {
	v, ok := o.values[o.spelled(name)]
	return v, ok
}

// kind names the kind of v as the screen shows it.
func kind(v value) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "text"
	case number:
		return "number"
	case []value:
		return "list"
	default:
		return "object"
	}
}

// noun is kind with its article, for a sentence.
func noun(v value) string {
	switch v.(type) {
	case nil:
		return "empty (null)"
	case bool:
		return "true or false"
	case string:
		return "text"
	case number:
		return "a number"
	case []value:
		return "a list"
	default:
		return "an object"
	}
}

// equal compares by kind and content: text with case, numbers by value.
func equal(a, b value) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case bool:
		other, ok := b.(bool)
		return ok && a == other
	case string:
		other, ok := b.(string)
		return ok && a == other
	case number:
		other, ok := b.(number)
		return ok && a.rat.Cmp(other.rat) == 0
	case []value:
		other, ok := b.([]value)
		return ok && equalLists(a, other)
	case *object:
		other, ok := b.(*object)
		return ok && (a == other || equalObjects(a, other))
	}
	return false
}

func equalLists(a, b []value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

func equalObjects(a, b *object) bool {
	if len(a.names) != len(b.names) {
		return false
	}
	for _, name := range a.names {
		other, ok := b.values[name]
		if !ok || !equal(a.values[name], other) {
			return false
		}
	}
	return true
}
