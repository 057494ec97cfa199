package rules

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Repair mends the commas and quotes of JSON that was typed by hand, copied out of
// a mail or printed by a program: curly and single quotes, names without quotes,
// commas too many or missing between members, comments, Python's None, True and
// False, a code fence around it. It changes no value, keeps the lines, and leaves
// the head of a pasted request as it is. It returns false, and no text, where the
// text is good already, or where mending would be guessing: what it returns is read
// by [DecodeJSON].
func Repair(text string) (string, bool) {
	head := ""
	if r, ok := splitRequest(text); ok && r.command {
		return "", false // its quotes are those of a shell
	} else if ok {
		head, text = text[:len(text)-len(r.body)], r.body
	}
	if _, err := DecodeJSON([]byte(text)); err == nil || strings.TrimSpace(text) == "" {
		return "", false
	}
	// A straight quote ends at a straight one; where that fails, at any.
	for _, mixed := range []bool{false, true} {
		m := mender{text: text, mixed: mixed}
		if !m.all() {
			continue
		}
		if _, err := DecodeJSON(m.out); err == nil {
			return head + string(m.out), true
		}
	}
	return "", false
}

// mender goes through a text once and writes it anew. Its functions return false
// where they would have to guess.
type mender struct {
	text  string
	at    int
	mixed bool // any kind of double quote ends any other
	out   []byte
}

func (m *mender) all() bool {
	m.gap()
	m.fence()
	m.gap()
	if !m.value(0) {
		return false
	}
	m.gap()
	m.take(';')
	m.gap()
	m.fence()
	m.gap()
	return m.at == len(m.text)
}

func (m *mender) rune() rune {
	r, _ := utf8.DecodeRuneInString(m.text[m.at:])
	if m.at == len(m.text) {
		return 0
	}
	return r
}

// skip passes over what is left out; its line breaks are kept.
func (m *mender) skip(n int) {
	m.out = append(m.out, strings.Repeat("\n", strings.Count(m.text[m.at:m.at+n], "\n"))...)
	m.at += n
}

// keep writes what stands there as it is.
func (m *mender) keep(n int) {
	m.out = append(m.out, m.text[m.at:m.at+n]...)
	m.at += n
}

func (m *mender) take(c byte) bool {
	if m.at < len(m.text) && m.text[m.at] == c {
		m.at++
		return true
	}
	return false
}

// gap passes over space and comments.
func (m *mender) gap() {
	for m.at < len(m.text) {
		rest := m.text[m.at:]
		switch r := m.rune(); {
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			m.keep(1)
		case r == '\u00a0' || r == '\u200b' || r == '\u2060' || r == '\ufeff':
			m.at += utf8.RuneLen(r)
			m.out = append(m.out, ' ')
		case strings.HasPrefix(rest, "//") || r == '#':
			m.skip(lineEnd(rest))
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest, "*/")
			if end < 0 {
				return
			}
			m.skip(end + 2)
		default:
			return
		}
	}
}

func lineEnd(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// fence passes over the line ```json of a chat or a wiki.
func (m *mender) fence() {
	if rest := m.text[m.at:]; strings.HasPrefix(rest, "```") {
		m.skip(lineEnd(rest))
	}
}

func (m *mender) value(depth int) bool {
	switch r := m.rune(); {
	case depth > MaxDepth:
		return false
	case r == '{':
		return m.members(depth + 1)
	case r == '[':
		return m.items(depth + 1)
	case closing(r, m.mixed) != "":
		return m.quoted()
	case r == '-' || r >= '0' && r <= '9':
		n := len(m.text[m.at:]) - len(strings.TrimLeft(m.text[m.at:], "+-0123456789.eE"))
		m.keep(n) // the decoder judges it
		return true
	}
	return m.word()
}

func (m *mender) word() bool {
	n := nameLength(m.text[m.at:])
	word := m.text[m.at : m.at+n]
	switch word {
	case "null", "true", "false":
	case "None":
		word = "null"
	case "True":
		word = "true"
	case "False":
		word = "false"
	default:
		return false
	}
	m.at += n
	m.out = append(m.out, word...)
	return true
}

// nameLength is the length of a name as programs write one without quotes.
func nameLength(text string) int {
	for i, r := range text {
		if !(r == '_' || r == '$' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && (r == '-' || r >= '0' && r <= '9')) {
			return i
		}
	}
	return len(text)
}

func (m *mender) members(depth int) bool {
	m.keep(1)
	comma := comma{m: m}
	for {
		m.gap()
		comma.drop(',')
		if m.rune() == '}' {
			m.keep(1)
			return true
		}
		if !comma.put(true) || !m.name() {
			return false
		}
		m.gap()
		if m.rune() != ':' {
			return false
		}
		m.keep(1)
		m.gap()
		if !m.value(depth) {
			return false
		}
		comma.after()
	}
}

func (m *mender) name() bool {
	if closing(m.rune(), m.mixed) != "" {
		return m.quoted()
	}
	n := nameLength(m.text[m.at:])
	if n == 0 {
		return false
	}
	m.out = append(m.out, '"')
	m.keep(n)
	m.out = append(m.out, '"')
	return true
}

func (m *mender) items(depth int) bool {
	m.keep(1)
	comma := comma{m: m}
	for {
		m.gap()
		if m.rune() == ']' {
			m.keep(1)
			return true
		}
		// Two texts side by side may be one, so only objects get a comma between.
		if !comma.put(m.rune() == '{') || !m.value(depth) {
			return false
		}
		comma.after()
	}
}

// comma writes the comma before the next member once it is sure that one comes.
type comma struct {
	m     *mender
	any   bool // a value came before
	had   bool // and a comma after it
	place int  // where it belongs in what was written
}

// after notes the end of a value and the comma that follows it.
func (c *comma) after() {
	c.any, c.place = true, len(c.m.out)
	c.m.gap()
	c.had = c.m.take(',')
}

// drop passes over commas that come again.
func (c *comma) drop(b byte) {
	for c.any && c.m.take(b) {
		c.m.gap()
	}
}

// put writes the comma after the last value, if there was one. Where none stood there,
// it is added only if that is sure.
func (c *comma) put(sure bool) bool {
	if !c.any {
		return true
	}
	if !c.had && !sure {
		return false
	}
	c.m.out = slices.Insert(c.m.out, c.place, ',')
	return true
}

// closing returns the quotes that end a text which r begins, "" if it begins none.
func closing(r rune, mixed bool) string {
	const double = "\"\u201c\u201d\u201e\u201f"
	switch r {
	case '\'', '`':
		return string(r)
	case '\u2018', '\u2019', '\u201a':
		return "\u2018\u2019"
	case '"':
		if mixed {
			return double
		}
		return `"`
	case '\u201c', '\u201d', '\u201e', '\u201f':
		return double
	}
	return ""
}

// quoted writes a text in straight double quotes, its contents as they are.
func (m *mender) quoted() bool {
	ends := closing(m.rune(), m.mixed)
	m.at += utf8.RuneLen(m.rune())
	m.out = append(m.out, '"')
	for m.at < len(m.text) {
		r, size := utf8.DecodeRuneInString(m.text[m.at:])
		switch {
		case strings.ContainsRune(ends, r):
			m.at += size
			m.out = append(m.out, '"')
			return true
		case r == '\\':
			if !m.escape() {
				return false
			}
		case r == '"':
			m.out = append(m.out, `\"`...)
			m.at++
		case r == '\t':
			m.out = append(m.out, `\t`...)
			m.at++
		case r < ' ' || r == utf8.RuneError && size == 1:
			return false // a text over several lines may as well be one that has no end
		default:
			m.keep(size)
		}
	}
	return false
}

// escape keeps an escape of JSON; a quote that needs none loses it.
func (m *mender) escape() bool {
	rest := m.text[m.at+1:]
	if rest == "" {
		return false
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case strings.ContainsRune(`"\/bfnrtu`, r):
		m.keep(1 + size)
	case closing(r, true) != "":
		m.at++
		m.keep(size)
	default:
		return false
	}
	return true
}
