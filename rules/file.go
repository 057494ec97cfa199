package rules

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// FileError says what is wrong with a rule file, and where.
type FileError struct {
	Line  int    // from 1; 0 if the whole file is meant
	Field string // such as lease or samples[2].body; "" if the whole file is meant
	Msg   string
}

// Error returns place, field and message.
func (e *FileError) Error() string {
	text := e.Msg
	if e.Field != "" {
		text = e.Field + ": " + text
	}
	if e.Line > 0 {
		text = fmt.Sprintf("line %d: %s", e.Line, text)
	}
	return text
}

// maxRuleFile bounds a rule file in bytes.
const maxRuleFile = 8 << 20

// Parse reads a rule file, YAML or JSON. Only rule and key are required. It
// returns a [*FileError] for unknown or repeated members, wrong types, values
// out of bounds, YAML anchors and tags, and numbers in an inline sample body
// that JSON cannot write. It does not look into the formulas; see
// [Engine.Compile].
func Parse(data []byte) (*Rule, error) {
	if len(data) > maxRuleFile {
		return nil, &FileError{Msg: "The file is larger than 8 MB."}
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var root node
	var err error
	if looksLikeJSON(data) && !yamlFlow.Match(data) {
		root, err = jsonNode(data)
	} else {
		root, err = yamlNode(data)
	}
	if err != nil {
		return nil, err
	}
	return ruleOf(root)
}

// yamlFlow tells {rule: a, key: b} of YAML from JSON, whose names have quotes.
var yamlFlow = regexp.MustCompile(`^\s*\{\s*[A-Za-z_#]`)

// node is a value of a rule file, whichever language it was written in.
type node struct {
	line    int
	kind    string // map, list, text, number, bool, null
	text    string // of a scalar; of a map or list from JSON its source text
	members []entry
	items   []node
}

type entry struct {
	name  string
	line  int
	value node
}

// ruleOf reads the members of a rule, refusing every one it does not know.
func ruleOf(root node) (*Rule, error) {
	if root.kind != "map" {
		return nil, &FileError{Line: root.line, Msg: "A rule file is a list of members such as rule: and key:."}
	}
	r, lines := &Rule{}, map[string]int{}
	for _, m := range root.members {
		lines[m.name] = m.line
		if m.value.kind == "null" {
			continue // an empty member says nothing
		}
		if err := r.set(m); err != nil {
			return nil, err
		}
	}
	for _, need := range []struct{ name, value string }{{"rule", r.Rule}, {"key", r.Key}} {
		if strings.TrimSpace(need.value) == "" {
			return nil, &FileError{Line: lines[need.name], Field: need.name, Msg: "This member is required."}
		}
	}
	if faults := r.faults(); len(faults) > 0 {
		f := faults[0]
		top, _, _ := strings.Cut(f.field, "[")
		return nil, &FileError{Line: lines[top], Field: f.field, Msg: f.msg}
	}
	return r, nil
}

func (r *Rule) set(m entry) error {
	texts := map[string]*string{
		"rule": &r.Rule, "title": &r.Title, "sender": &r.Sender, "key": &r.Key,
		"each": &r.Each, "when": &r.When, "on_expiry": &r.OnExpiry, "answer": &r.Answer,
		"long_keys": &r.LongKeys, "if_unreachable": &r.IfUnreachable, "cost_per_double": &r.CostPerDouble,
	}
	if field, ok := texts[m.name]; ok {
		return m.intoText(field)
	}
	switch m.name {
	case "lease":
		return m.intoDuration(&r.Lease)
	case "keep":
		return m.intoDuration(&r.Keep)
	case "max_attempts":
		return m.intoCount(&r.MaxAttempts)
	case "keep_samples":
		return m.intoCount(&r.KeepSamples)
	case "fold_case":
		if m.value.kind != "bool" {
			return m.wrong("true or false")
		}
		r.FoldCase = strings.EqualFold(m.value.text, "true")
		return nil
	case "fingerprint":
		return m.intoTexts(&r.Fingerprint)
	case "samples":
		return m.intoSamples(&r.Samples)
	}
	known := append(slices.Sorted(maps.Keys(texts)), "lease", "keep", "max_attempts", "keep_samples", "fold_case", "fingerprint", "samples")
	msg := "A rule has no such member."
	if near := nearest(m.name, known); near != "" {
		msg += fmt.Sprintf(" Did you mean %s?", near)
	}
	return &FileError{Line: m.line, Field: m.name, Msg: msg}
}

func (m entry) wrong(want string) error {
	kinds := map[string]string{"map": "members", "list": "a list", "bool": "true or false", "null": "nothing"}
	got := m.value.kind
	if k, ok := kinds[got]; ok {
		got = k
	}
	return &FileError{Line: m.line, Field: m.name, Msg: fmt.Sprintf("Here stands %s; wanted is %s.", got, want)}
}

func (m entry) intoText(field *string) error {
	if m.value.kind != "text" && !(m.value.kind == "number" && m.name == "cost_per_double") {
		return m.wrong("text")
	}
	*field = m.value.text
	return nil
}

func (m entry) intoDuration(field *Duration) error {
	if m.value.kind != "text" && m.value.kind != "number" {
		return m.wrong("a time span such as 15m")
	}
	d, err := ParseDuration(m.value.text)
	if err != nil || m.value.kind == "number" && !jsonNumber.MatchString(m.value.text) {
		return &FileError{Line: m.line, Field: m.name, Msg: fmt.Sprintf("%q is not a time span such as 90s, 15m or 35d.", m.value.text)}
	}
	if d == 0 {
		return &FileError{Line: m.line, Field: m.name, Msg: "A time span of nothing is not allowed."}
	}
	*field = d
	return nil
}

func (m entry) intoCount(field *int) error {
	n, err := strconv.Atoi(m.value.text)
	if m.value.kind != "number" || err != nil || !jsonNumber.MatchString(m.value.text) {
		return m.wrong("a whole number, written without a 0 in front") // 010 is eight in some readers
	}
	*field = n
	return nil
}

func (m entry) intoTexts(field *[]string) error {
	if m.value.kind != "list" {
		return m.wrong("a list of formulas")
	}
	for i, item := range m.value.items {
		if item.kind != "text" {
			return entry{fmt.Sprintf("%s[%d]", m.name, i), item.line, item}.wrong("a formula in text")
		}
		*field = append(*field, item.text)
	}
	return nil
}

func (m entry) intoSamples(field *[]Sample) error {
	if m.value.kind != "list" {
		return m.wrong("a list of samples")
	}
	for i, item := range m.value.items {
		name := fmt.Sprintf("samples[%d]", i)
		if item.kind != "map" {
			return entry{name, item.line, item}.wrong("a sample with body and, if you like, group, name and headers")
		}
		s, err := sampleOf(name, item)
		if err != nil {
			return err
		}
		*field = append(*field, s)
	}
	return nil
}

func sampleOf(name string, item node) (Sample, error) {
	var s Sample
	for _, m := range item.members {
		where := entry{name + "." + m.name, m.line, m.value}
		var err error
		switch m.name {
		case "group", "name":
			field := &s.Group
			if m.name == "name" {
				field = &s.Name
			}
			if m.value.kind == "number" {
				*field = m.value.text // group: 1 means what it says
			} else if m.value.kind != "null" {
				err = where.intoText(field)
			}
		case "headers":
			s.Headers, err = where.headers()
		case "body":
			s.Body, err = where.body()
		default:
			err = &FileError{Line: m.line, Field: where.name, Msg: "A sample has group, name, headers and body."}
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

func (m entry) headers() (map[string]string, error) {
	if m.value.kind == "null" {
		return nil, nil
	}
	if m.value.kind != "map" {
		return nil, m.wrong("headers, each with its name and text")
	}
	out := map[string]string{}
	for _, h := range m.value.members {
		if h.value.kind != "text" && h.value.kind != "number" && h.value.kind != "bool" {
			return nil, entry{m.name + "." + h.name, h.line, h.value}.wrong("text")
		}
		out[h.name] = h.value.text
	}
	return out, nil
}

// body keeps text as it stands and writes an inline value as JSON, digit by digit.
func (m entry) body() (string, error) {
	switch m.value.kind {
	case "text":
		return m.value.text, nil
	case "null":
		return "", nil
	}
	out, err := m.value.json(nil)
	return string(out), err
}
