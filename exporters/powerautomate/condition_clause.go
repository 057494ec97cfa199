package powerautomate

import (
	"slices"
	"strings"
	"unicode"

	"dedupedesk/exporters/wdl"
)

// A clause is what the line of a recipe is made of.
type clause struct {
	path    []string // below the outputs; nil where the recipe reads no field
	read    string   // the spelling of path in use
	kind    string   // of the field in the person's sample; "" where that is not known
	sample  string   // what the field holds there, as text
	value   string   // what the field is compared with, in its plain form
	classic bool
}

// line writes the recipe in both spellings.
func (c clause) line(r recipe) (Line, error) {
	c.read = wdl.Read(c.path)
	nested, bad := r.write(c)
	if bad != "" {
		return Line{}, wrong(fieldName, bad)
	}
	l := Line{Nested: "@" + nested, Words: r.words(c), Kind: c.kind}
	if slashed, ok := wdl.ReadSlashed(c.path); ok && !c.classic {
		c.read = slashed
		expression, _ := r.write(c)
		l.Slashed = "@" + expression
	}
	return l, nil
}

func (c clause) quoted() string { return wdl.Quote(c.value) }

// name is the path as a sentence shows it, without the body.
func (c clause) name() string {
	if len(c.path) > 1 && c.path[0] == "body" {
		return strings.Join(c.path[1:], "/")
	}
	return strings.Join(c.path, "/")
}

// text reads the field as text in small letters, empty where it has no value.
func (c clause) text() string { return "toLower(coalesce(" + c.read + ",''))" }

func writeNotAccount(c clause) (string, string) {
	return "not(equals(" + c.text() + "," + c.quoted() + "))", c.wantsText()
}

// writeNotSender takes the address alone and one behind a name, Ana <ana@…>, and no
// address that merely ends like it.
func writeNotSender(c clause) (string, string) {
	return "not(contains(concat('<',trim(" + c.text() + "),'>')," + wdl.Quote("<"+c.value+">") + "))", c.wantsText()
}

// wantsText tells what to do where the field is no text.
func (c clause) wantsText() string {
	switch c.kind {
	case "", "text":
		return ""
	case "object":
		return c.name() + " is an object. Take what lies inside it, such as its Email or its Value."
	case "list":
		return c.name() + " is a list, and a list cannot be compared with one value. Test it inside the flow."
	}
	return c.name() + " holds a " + c.kind + ", not text."
}

func writeIs(c clause) (string, string) {
	switch c.kind {
	case "number":
		n, ok := wdl.Number(c.value)
		if !ok {
			return "", c.name() + " holds a number, but the value to compare it with is none."
		}
		return "equals(" + c.read + "," + n + ")", ""
	case "boolean":
		switch strings.ToLower(c.value) {
		case "yes", "true":
			return writeYes(c)
		case "no", "false":
			return writeNotYes(c)
		}
		return "", c.name() + " holds yes or no. Type one of them as the value."
	}
	return "equals(toLower(trim(coalesce(" + c.read + ",'')))," + wdl.Quote(strings.ToLower(c.value)) + ")", c.wantsText()
}

func writeYes(c clause) (string, string) { return "equals(" + c.read + ",true)", c.wantsYes() }

func writeNotYes(c clause) (string, string) {
	return "not(equals(" + c.read + ",true))", c.wantsYes()
}

func (c clause) wantsYes() string {
	if c.kind == "" || c.kind == "boolean" {
		return ""
	}
	return c.name() + " holds no yes or no in your sample."
}

// isEmpty is true where nothing stands in the field.
func (c clause) isEmpty() string {
	switch c.kind {
	case "text":
		return "empty(trim(coalesce(" + c.read + ",'')))"
	case "list", "object":
		return "empty(" + c.read + ")"
	}
	return "equals(coalesce(" + c.read + ",''),'')"
}

func writeReplies(c clause) (string, string) {
	var tests []string
	for _, p := range strings.Split(c.value, ", ") {
		tests = append(tests, "startsWith(trim("+c.text()+"),"+wdl.Quote(p)+")")
	}
	if len(tests) == 1 {
		return "not(" + tests[0] + ")", c.wantsText()
	}
	return "not(or(" + strings.Join(tests, ",") + "))", c.wantsText()
}

func writeAbove(c clause) (string, string) {
	switch c.kind {
	case "text":
		if _, ok := wdl.Number(strings.TrimSpace(c.sample)); !ok {
			return "", c.name() + " holds text that is no number: " + c.sample + "."
		}
		return "greater(float(if(empty(" + c.read + "),'0'," + c.read + "))," + c.value + ")", ""
	case "", "number":
		return "greater(coalesce(" + c.read + ",0)," + c.value + ")", ""
	}
	return "", c.name() + " is no number."
}

func writeWorkingDays(c clause) (string, string) {
	day := "dayOfWeek(convertFromUtc(utcNow()," + c.quoted() + "))"
	return "and(greaterOrEquals(" + day + ",1),lessOrEquals(" + day + ",5))", ""
}

// What was typed for a recipe is put into its plain form, or refused in words.

func checkAccount(typed string) (value, wrong string) {
	s := strings.TrimSpace(typed)
	local, domain, ok := strings.Cut(s, "@")
	switch {
	case s == "":
		return "", "Type the flow account first."
	case strings.ContainsAny(s, "<>\""):
		return "", "Type the address alone, without a name or brackets."
	case strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || isControl(r) }):
		return "", "An address has no spaces."
	case !ok || local == "" || strings.Contains(domain, "@") || !strings.Contains(strings.Trim(domain, "."), "."):
		return "", "This is no e-mail address. It looks like flows@yourcompany.com."
	case len(s) > 254:
		return "", "An address has at most 254 characters."
	}
	return strings.ToLower(s), ""
}

func checkID(typed string) (value, wrong string) {
	s := strings.ToLower(strings.Trim(strings.TrimSpace(typed), "{}"))
	groups := strings.Split(s, "-")
	sizes := make([]int, len(groups))
	for i, g := range groups {
		sizes[i] = len(g)
	}
	if !slices.Equal(sizes, []int{8, 4, 4, 4, 12}) || strings.Trim(s, "0123456789abcdef-") != "" {
		return "", "This is no id of a user. It looks like 22222222-2222-2222-2222-222222222222."
	}
	return s, ""
}

func checkText(typed string) (value, wrong string) {
	s := strings.TrimSpace(typed)
	switch {
	case s == "":
		return "", "Type the value that the field must have."
	case len([]rune(s)) > 255 || strings.ContainsFunc(s, isControl):
		return "", "A value has at most 255 characters and no line break."
	}
	return s, ""
}

func checkPrefixes(typed string) (value, wrong string) {
	var list []string
	for _, p := range strings.FieldsFunc(typed, func(r rune) bool { return strings.ContainsRune(",;，、\n", r) }) {
		if p = strings.ToLower(strings.TrimSpace(p)); p != "" && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	switch {
	case len(list) == 0:
		return "", "Type how an answer begins, such as re:"
	case len(list) > 20 || len(typed) > 255 || strings.ContainsFunc(strings.Join(list, ""), isControl):
		return "", "At most 20 short beginnings, separated by commas."
	}
	return strings.Join(list, ", "), ""
}

func checkMessage(typed string) (value, wrong string) {
	switch s := strings.ToLower(strings.TrimSpace(typed)); s {
	case "":
		return "create", ""
	case "create", "update", "delete":
		return s, ""
	}
	return "", "Choose added, changed or deleted."
}

func checkNumber(typed string) (value, wrong string) {
	n, ok := wdl.Number(strings.TrimSpace(typed))
	if !ok || len(n) > 40 {
		return "", "Type a number with a point and without other marks, such as 99.50."
	}
	return n, ""
}

func checkZone(typed string) (value, wrong string) {
	s := strings.TrimSpace(typed)
	zone, ok := wdl.Zone(s)
	if !ok {
		zone, ok = wdl.ZoneOf(s)
	}
	if !ok {
		return "", "This is no time zone by Microsoft's name. It looks like W. Europe Standard Time; a place such as Europe/Berlin will do as well."
	}
	return zone, ""
}

func isControl(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}
