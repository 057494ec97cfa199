package wdl

import (
	"math/big"
	"strings"
)

var numberFunctions = map[string]function{
	"int":          {name: "int", min: 1, max: 2, call: toInt},
	"float":        {name: "float", min: 1, max: 2, call: toFloat},
	"decimal":      {name: "decimal", min: 1, max: 1, call: toDecimal},
	"isint":        {name: "isInt", min: 1, max: 1, call: isInt},
	"isfloat":      {name: "isFloat", min: 1, max: 2, call: isFloat},
	"formatnumber": {name: "formatNumber", min: 2, max: 3, call: formatNumber},
	"add":          {name: "add", min: 2, max: 2, call: arithmetic("add", (*big.Rat).Add, func(a, b float64) float64 { return a + b })},
	"sub":          {name: "sub", min: 2, max: 2, call: arithmetic("sub", (*big.Rat).Sub, func(a, b float64) float64 { return a - b })},
	"mul":          {name: "mul", min: 2, max: 2, call: arithmetic("mul", (*big.Rat).Mul, func(a, b float64) float64 { return a * b })},
	"div":          {name: "div", min: 2, max: 2, call: div},
	"mod":          {name: "mod", min: 2, max: 2, call: mod},
	"min":          {name: "min", min: 1, max: -1, call: extreme("min", -1)},
	"max":          {name: "max", min: 1, max: -1, call: extreme("max", 1)},
	"range":        {name: "range", min: 2, max: 2, call: countUp},
}

// toInt reads a whole number. The service goes by way of a number of 53 bits, which
// changes the last digits of a long one: that is refused. A sign stands in front.
func toInt(e *evaluator, args []value) (value, error) {
	if err := inEnglish("int", args, 1); err != nil {
		return nil, err
	}
	n, ok := numberOf(args[0])
	s, isText := args[0].(string)
	if !ok || !n.rat.IsInt() || signBehind.MatchString(s) {
		return nil, fault(0, "int can not make a whole number of %s.", render(args[0], shown))
	}
	if _, exact := n.rat.Float64(); !exact || !n.fits() {
		return nil, fault(0, "int comes to another number than %s in the service, which keeps about 15 digits here. Compare it as text.", n.text)
	}
	if isText && strings.Trim(strings.TrimSpace(s), "+-0123456789") != "" {
		e.warn("int makes %s of %s. Whether every engine does so is not confirmed.", n.text, Quote(s))
	}
	return wholeFrom(n.rat), nil
}

// wholeFrom is a whole number that was read from something else: it is written back
// plainly.
func wholeFrom(rat *big.Rat) number { return number{rat: rat, text: rat.Num().String()} }

func toFloat(_ *evaluator, args []value) (value, error) {
	if err := inEnglish("float", args, 1); err != nil {
		return nil, err
	}
	n, ok := numberOf(args[0])
	if !ok {
		return nil, fault(0, "float can not make a number of %s.", render(args[0], shown))
	}
	n.float = true
	return n, nil
}

func toDecimal(_ *evaluator, args []value) (value, error) {
	n, ok := numberOf(args[0])
	if s, text := args[0].(string); !ok || text && strings.ContainsAny(s, "eE") {
		return nil, fault(0, "decimal can not make a number of %s.", render(args[0], shown))
	}
	n.exact = true
	return n, nil
}

// numberOf reads a number, or text that is one.
func numberOf(v value) (number, bool) {
	switch v := v.(type) {
	case number:
		return v, true
	case string:
		return readNumber(v)
	}
	return number{}, false
}

// isInt takes a sign in front, commas and an exponent, but no point.
func isInt(_ *evaluator, args []value) (value, error) {
	s, err := argText("isInt", args, 0)
	if err != nil {
		return nil, err
	}
	n, ok := readNumber(s)
	return ok && n.rat.IsInt() && n.fits() && !strings.Contains(s, ".") && !signBehind.MatchString(s), nil
}

func isFloat(_ *evaluator, args []value) (value, error) {
	if err := inEnglish("isFloat", args, 1); err != nil {
		return nil, err
	}
	s, err := argText("isFloat", args, 0)
	if err != nil {
		return nil, err
	}
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "nan", "infinity", "-infinity":
		return true, nil
	}
	_, ok := readNumber(s)
	return ok, nil
}

func arithmetic(name string, op func(z, a, b *big.Rat) *big.Rat, double func(a, b float64) float64) func(*evaluator, []value) (value, error) {
	return func(e *evaluator, args []value) (value, error) {
		a, b, err := pair(name, args)
		if err != nil {
			return nil, err
		}
		return e.result(name, a, b, op(new(big.Rat), a.rat, b.rat), double)
	}
}

// result is r, worked out of a and b. Whole numbers have 64 bits in the service, and
// fractions are only nearly right there: where that shows, it is said.
func (e *evaluator) result(name string, a, b number, r *big.Rat, double func(a, b float64) float64) (value, error) {
	const bits = maxDigits * 4
	if r.Num().BitLen() > bits || r.Denom().BitLen() > bits {
		return nil, fault(-1, "%s: the result has too many digits.", name)
	}
	n := fromRat(r)
	n.exact = a.exact || b.exact
	n.float = !n.exact && (a.float || b.float)
	switch {
	case n.exact:
	case n.float:
		n.odd = r.IsInt()
		x, _ := a.rat.Float64()
		y, _ := b.rat.Float64()
		if near, _ := r.Float64(); near != double(x, y) {
			e.warn("%s works with fractions that are only nearly right in the service. It may come to a number with many digits there instead of %s.", name, n.text)
		}
	case !n.fits():
		return nil, fault(-1, "%s: the result %s is larger than a whole number can be.", name, n.text)
	}
	return n, nil
}

func pair(name string, args []value) (a, b number, err error) {
	if a, err = argNumber(name, args, 0); err != nil {
		return a, b, err
	}
	b, err = argNumber(name, args, 1)
	return a, b, err
}

// div of two whole numbers drops the rest. 2.0 is no whole number to the language.
func div(e *evaluator, args []value) (value, error) {
	a, b, err := pair("div", args)
	if err != nil {
		return nil, err
	}
	if b.rat.Sign() == 0 {
		return nil, fault(1, "div cannot divide by zero.")
	}
	r := new(big.Rat).Quo(a.rat, b.rat)
	if !a.split() && !b.split() {
		r = truncated(r)
	}
	return e.result("div", a, b, r, func(x, y float64) float64 { return x / y })
}

// split reports whether n can have digits behind its point.
func (n number) split() bool { return n.float || n.exact }

// truncated drops what stands behind the point.
func truncated(r *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Quo(r.Num(), r.Denom()))
}

// mod has the sign of the first number.
func mod(e *evaluator, args []value) (value, error) {
	a, b, err := pair("mod", args)
	if err != nil {
		return nil, err
	}
	if b.rat.Sign() == 0 {
		return nil, fault(1, "mod cannot divide by zero.")
	}
	whole := truncated(new(big.Rat).Quo(a.rat, b.rat))
	r := new(big.Rat).Sub(a.rat, whole.Mul(whole, b.rat))
	near, _ := r.Float64()
	return e.result("mod", a, b, r, func(float64, float64) float64 { return near })
}

// extreme picks from its arguments, or from the one list that it is given.
func extreme(name string, sign int) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, args []value) (value, error) {
		if list, ok := args[0].([]value); ok && len(args) == 1 && len(list) > 0 {
			args = list
		}
		best, err := argNumber(name, args, 0)
		for i := 1; i < len(args) && err == nil; i++ {
			var n number
			if n, err = argNumber(name, args, i); err == nil && n.rat.Cmp(best.rat)*sign > 0 {
				best = n
			}
		}
		return best, err
	}
}

func countUp(_ *evaluator, args []value) (value, error) {
	start, err := argInt("range", args, 0)
	if err != nil {
		return nil, err
	}
	n, err := argInt("range", args, 1)
	if err != nil {
		return nil, err
	}
	const most = 10_000
	if n < 0 || n > most {
		return nil, fault(1, "range: this checker counts from 0 to %d elements.", most)
	}
	list := make([]value, 0, n)
	for i := range n {
		list = append(list, intNumber(start+i))
	}
	return list, nil
}
