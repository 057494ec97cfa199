package wdl

import (
	"math/big"
	"strings"
)

var numberFunctions = map[string]function{
	"int":   {name: "int", min: 1, max: 1, call: toInt},
	"float": {name: "float", min: 1, max: 1, call: toFloat},
	"add":   {name: "add", min: 2, max: 2, call: arithmetic("add", (*big.Rat).Add)},
	"sub":   {name: "sub", min: 2, max: 2, call: arithmetic("sub", (*big.Rat).Sub)},
	"mul":   {name: "mul", min: 2, max: 2, call: arithmetic("mul", (*big.Rat).Mul)},
	"div":   {name: "div", min: 2, max: 2, call: div},
	"mod":   {name: "mod", min: 2, max: 2, call: mod},
	"min":   {name: "min", min: 1, max: -1, call: extreme("min", -1)},
	"max":   {name: "max", min: 1, max: -1, call: extreme("max", 1)},
	"range": {name: "range", min: 2, max: 2, call: countUp},
}

// toInt reads a whole number. What the engines make of a fraction differs, so it
// is a fault here.
func toInt(_ *evaluator, args []value) (value, error) {
	switch v := args[0].(type) {
	case number:
		if v.rat.IsInt() {
			return v, nil
		}
	case string:
		if n, ok := parseNumber(v); ok && strings.Trim(v, "+-0123456789") == "" {
			n.odd = false // digits alone are read and written back plainly
			return n, nil
		}
	}
	return nil, fault(0, "int can not make a whole number of %s.", render(args[0], shown))
}

func toFloat(_ *evaluator, args []value) (value, error) {
	switch v := args[0].(type) {
	case number:
		return v, nil
	case string:
		if n, ok := parseNumber(v); ok {
			return n, nil
		}
	}
	return nil, fault(0, "float can not make a number of %s.", render(args[0], shown))
}

func arithmetic(name string, op func(z, a, b *big.Rat) *big.Rat) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, args []value) (value, error) {
		a, b, err := pair(name, args)
		if err != nil {
			return nil, err
		}
		return bounded(name, op(new(big.Rat), a.rat, b.rat))
	}
}

// bounded refuses results that are too large to write out.
func bounded(name string, r *big.Rat) (value, error) {
	const bits = maxDigits * 4
	if r.Num().BitLen() > bits || r.Denom().BitLen() > bits {
		return nil, fault(-1, "%s: the result has too many digits.", name)
	}
	return fromRat(r), nil
}

func pair(name string, args []value) (a, b number, err error) {
	if a, err = argNumber(name, args, 0); err != nil {
		return a, b, err
	}
	b, err = argNumber(name, args, 1)
	return a, b, err
}

// div of two whole numbers drops the rest, as integer division does.
func div(_ *evaluator, args []value) (value, error) {
	a, b, err := pair("div", args)
	if err != nil {
		return nil, err
	}
	if b.rat.Sign() == 0 {
		return nil, fault(1, "div cannot divide by zero.")
	}
	if a.rat.IsInt() && b.rat.IsInt() {
		q := new(big.Int).Quo(a.rat.Num(), b.rat.Num())
		return fromRat(new(big.Rat).SetInt(q)), nil
	}
	return bounded("div", new(big.Rat).Quo(a.rat, b.rat))
}

func mod(_ *evaluator, args []value) (value, error) {
	a, err := argInt("mod", args, 0)
	if err != nil {
		return nil, err
	}
	b, err := argInt("mod", args, 1)
	if err != nil {
		return nil, err
	}
	if b == 0 {
		return nil, fault(1, "mod cannot divide by zero.")
	}
	if b == -1 {
		return intNumber(0), nil // the one remainder that overflows in hardware
	}
	return intNumber(a % b), nil
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
