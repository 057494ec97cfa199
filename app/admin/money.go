package admin

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"dedupedesk/frontend/page"
)

// money is an amount with an optional currency before or after it.
var money = regexp.MustCompile(`^(\p{L}{1,4}|\p{Sc})?\s*([0-9]{1,12}(?:[.,][0-9]{1,4})?)\s*(\p{L}{1,4}|\p{Sc})?$`)

// A purse adds up amounts by currency.
type purse map[currency]*big.Rat

// A currency is what stands before and after an amount.
type currency struct{ before, after string }

// add puts an amount in so many times. What is no amount adds nothing.
func (p purse) add(amount string, times int64) {
	m := money.FindStringSubmatch(strings.TrimSpace(amount))
	if m == nil || times <= 0 {
		return
	}
	one, ok := new(big.Rat).SetString(strings.Replace(m[2], ",", ".", 1))
	if !ok {
		return
	}
	of := currency{m[1], m[3]}
	if p[of] == nil {
		p[of] = new(big.Rat)
	}
	p[of].Add(p[of], one.Mul(one, big.NewRat(times, 1)))
}

// String writes what is in it: 512.50 EUR, or €40 and 512.50 EUR.
func (p purse) String() string {
	var sums []string
	for of, sum := range p {
		whole, rest, _ := strings.Cut(sum.FloatString(2), ".")
		if n, ok := new(big.Int).SetString(whole, 10); ok && n.IsInt64() {
			whole = page.Count(n.Int64())
		}
		if rest != "00" {
			whole += "." + rest
		}
		before := of.before
		if len([]rune(before)) > 1 {
			before += " "
		}
		sums = append(sums, strings.TrimSpace(before+whole+" "+of.after))
	}
	slices.Sort(sums)
	return strings.Join(sums, " and ")
}
