package rules

import (
	"regexp"
	"slices"
	"strings"
)

// Field is one line of the field tree: a path seen in any sample.
type Field struct {
	Path     []string
	Text     string // as it stands in a formula
	Name     string // the last step
	Depth    int    // 0 for members of the body and for headers
	Kind     string // object, list, text, number, bool or null
	Values   []string
	Missing  []int // the samples that lack it, or hold nothing there
	Empty    []int // those of Missing that have it, as null or as empty text
	Badges   []Badge
	Children int // members of an object or items of a list, in the sample with most

	whole []string  // the values uncut, as a key would hold them
	codes []KeyCode // why a sample has no value; "" if it has

	sureTry, guessTry bool // its name says that it differs between tries
}

// see notes the field's value in one of so many samples.
func (f *Field) see(sample, samples int, v any, children int) {
	if f.codes == nil {
		texts := make([]string, 2*samples)
		f.Values, f.whole, f.codes = texts[:samples:samples], texts[samples:], make([]KeyCode, samples)
		for i := range f.codes {
			f.codes[i] = KeyMissing
		}
	}
	if kind := kindOf(v); f.Kind == "" || f.Kind == nameOfNull {
		f.Kind = kind
	}
	f.Children = max(f.Children, children)
	f.whole[sample], f.codes[sample] = partText(v)
	f.Values[sample] = shown(v, f.whole[sample])
}

func kindOf(v any) string {
	switch v.(type) {
	case nil:
		return nameOfNull
	case bool:
		return "bool"
	case string:
		return "text"
	case []any:
		return "list"
	case Object:
		return "object"
	}
	return "number"
}

// shown is what the tree displays for a value.
func shown(v any, whole string) string {
	switch v := v.(type) {
	case nil:
		return nameOfNull
	case []any, Object:
		return ""
	case string:
		whole = v
	}
	if runes := []rune(whole); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return whole
}

// groupsOf gives each sample the number of its event. A sample without a group
// is an event of its own.
func groupsOf(samples []Sample) []int {
	out, seen, next := make([]int, len(samples)), map[string]int{}, 0
	for i, s := range samples {
		g, ok := seen[s.Group]
		if !ok || s.Group == "" {
			g, next = next, next+1
			seen[s.Group] = g
		}
		out[i] = g
	}
	return out
}

// finish works out the badges.
func (f *Field) finish(groups []int) {
	for i, code := range f.codes {
		if absent(code) {
			f.Missing = append(f.Missing, i)
			if code != KeyMissing {
				f.Empty = append(f.Empty, i)
			}
		}
	}
	scalar := f.Kind != "object" && f.Kind != "list"
	if scalar {
		stable, apart := f.compare(groups)
		switch {
		case !stable:
			f.Badges = append(f.Badges, BadgeChanges)
		case len(f.Missing) > 0:
		case apart && slices.Max(groups) > 0 && f.Role() != RoleAmount:
			f.Badges = append(f.Badges, BadgeGood)
		case len(groups) > 1 && f.constant():
			f.Badges = append(f.Badges, BadgeSame)
		}
	}
	if len(f.Missing) > 0 {
		f.Badges = append(f.Badges, BadgeMissing)
	}
	if scalar && f.personal() {
		f.Badges = append(f.Badges, BadgePersonal)
	}
	if slices.ContainsFunc(f.Path, isIndex) {
		f.Badges = append(f.Badges, BadgeListPosition)
	}
}

// compare tells whether copies have the same value, and whether every two events
// have different ones.
func (f *Field) compare(groups []int) (stable, apart bool) {
	type value struct {
		text string
		code KeyCode
	}
	stable, apart = true, true
	owner := make(map[value]int, len(groups)) // value to the first event with it
	first := make(map[int]value, len(groups)) // event to its first value
	for i, g := range groups {
		v := value{f.whole[i], f.codes[i]}
		if was, ok := first[g]; !ok {
			first[g] = v
		} else if was != v {
			stable = false
		}
		if at, ok := owner[v]; !ok {
			owner[v] = g
		} else if at != g {
			apart = false
		}
	}
	return stable, apart
}

func (f *Field) constant() bool {
	for _, v := range f.whole {
		if v != f.whole[0] {
			return false
		}
	}
	return true
}

// Has tells whether the field carries a badge.
func (f Field) Has(badge Badge) bool { return slices.Contains(f.Badges, badge) }

var (
	emailForm = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s.]{2,}$`)
	phoneForm = regexp.MustCompile(`^\+[0-9][0-9 ()./-]{6,20}$`)

	personalNames = words(`email phone mobile fax firstname lastname fullname surname givenname familyname
		birthday birthdate dateofbirth address address1 street ssn iban displayname`)
)

// personal tells what looks like a person's data, by its name or its form.
func (f *Field) personal() bool {
	if personalNames[strings.Join(nameWords(f.Name), "")] && len(f.Missing) < len(f.whole) {
		return true
	}
	if !slices.ContainsFunc(f.whole, personalValue) {
		return false
	}
	n := nameOf(f.Path)
	return !n.isID() || !slices.Contains(n.words, "message") // the Message-ID of a mail has the form of an address
}

func personalValue(v string) bool {
	return strings.Contains(v, "@") && emailForm.MatchString(v) || strings.HasPrefix(v, "+") && phoneForm.MatchString(v)
}
