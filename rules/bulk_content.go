package rules

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strconv"
)

// contents turns deliveries into short codes, to tell whether two hold the same
// apart from what each try changes, and whether an id or an amount differs. What a
// field is for is decided once, at the first delivery that has it.
type contents struct {
	seed maphash.Seed
	top  place
	left int // fields that can still be remembered
}

// content is the short codes of one value.
type content struct {
	sum uint64    // of all fields but those that change on every try
	ids []idField // of what tells things apart, by field
}

const (
	maxIDs   = 24     // of one value are compared
	maxKnown = 50_000 // are remembered; names may be values, and then there is no end of them
)

type idField struct {
	place *place
	value uint32
}

// place is a field, or what lies around fields.
type place struct {
	number uint32 // short code of the path; 0 = not looked at yet
	path   []string
	noise  bool // differs between tries, or may
	id     bool // tells things apart
	record bool // is the id of a thing
	below  map[string]*place
}

func newContents() contents {
	return contents{seed: maphash.MakeSeed(), top: place{path: []string{"body"}}, left: maxKnown}
}

func (c *contents) of(v any) content {
	var out content
	c.walk(&c.top, v, &out)
	slices.SortFunc(out.ids, func(x, y idField) int { return cmp.Compare(x.place.number, y.place.number) })
	return out
}

// walk adds the fields of v. Sums are added up, so the order of members counts for
// nothing.
func (c *contents) walk(at *place, v any, out *content) {
	switch v := v.(type) {
	case Object:
		for name, value := range v {
			c.walk(c.below(at, name), value, out)
		}
		return
	case []any:
		for i, value := range v {
			c.walk(c.below(at, "["+strconv.Itoa(i)+"]"), value, out)
		}
		return
	}
	if at.number == 0 {
		c.know(at, v)
	}
	if at.noise {
		return
	}
	sum := c.hash(at.number, v)
	out.sum += sum
	if at.id && len(out.ids) < maxIDs {
		out.ids = append(out.ids, idField{at, uint32(sum)})
	}
}

func (c *contents) below(at *place, name string) *place {
	kid := at.below[name]
	if kid != nil {
		return kid
	}
	kid = &place{path: append(slices.Clone(at.path), name)}
	if c.left > 0 {
		c.left--
		if at.below == nil {
			at.below = map[string]*place{}
		}
		at.below[name] = kid
	}
	return kid
}

// know decides by name and first value what a field is for.
func (c *contents) know(at *place, v any) {
	at.number = uint32(maphash.String(c.seed, pathText(at.path))) | 1
	text, _ := scalarText(v)
	f := Field{Path: at.path, Name: at.path[len(at.path)-1], Kind: kindOf(v), Values: []string{text}}
	role := f.Role()
	at.noise = len(at.path) > 1 && changesByName(f, false) && role != RoleMessage
	at.record = role == RoleRecord
	at.id = at.record || role == RoleAmount && f.Kind != "bool"
}

func (c *contents) hash(number uint32, v any) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	maphash.WriteComparable(&h, number)
	if text, ok := scalarText(v); ok {
		v = text // 1 and "1" are the same to a key, and CSV has only text
	}
	maphash.WriteComparable(&h, v)
	return h.Sum64()
}

// differ returns the first field that two values both have and that differs.
func (c *contents) differ(x, y []idField) (string, bool) {
	for len(x) > 0 && len(y) > 0 {
		switch d := cmp.Compare(x[0].place.number, y[0].place.number); {
		case d < 0:
			x = x[1:]
		case d > 0:
			y = y[1:]
		case x[0].value != y[0].value:
			return Part{Path: x[0].place.path}.Name(), true
		default:
			x, y = x[1:], y[1:]
		}
	}
	return "", false
}
