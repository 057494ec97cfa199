package rules

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// ErrUnmaskable says that a rule's samples, masked, would not show what they show.
var ErrUnmaskable = errors.New("the masked samples would not show the same")

// Mask returns the rule with other values in its samples, so that it can be given
// away. Structure, names and lengths stay; letters become other letters and digits
// other digits, the same ones wherever the same word or number stands, so that equal
// values stay equal and different ones different. Times move by whole weeks. Kept are
// the words that say what happened (invoice.paid), what the formulas compare with,
// and true, false and null. A sample that is no JSON is written as JSON.
//
// The judgement of the masked samples is the same; where it would not be, the error is
// [ErrUnmaskable]. A sample that cannot be read is left out. Each call masks anew.
func (e *Engine) Mask(ctx context.Context, r *Rule) (*Rule, error) {
	out := *r
	out.Samples = nil
	m := newMask(r)
	kept := *r
	kept.Samples = nil
	for _, s := range r.Samples {
		if masked, ok := m.sample(s); ok {
			out.Samples, kept.Samples = append(out.Samples, masked), append(kept.Samples, s)
		}
	}
	if !sameJudgement(e.Judge(ctx, &kept), e.Judge(ctx, &out)) {
		return nil, ErrUnmaskable
	}
	return &out, nil
}

// sameJudgement compares what becomes of each sample, and what fails.
func sameJudgement(a, b Judgement) bool {
	outcome := func(x, y SampleResult) bool {
		code := func(r SampleResult) KeyCode {
			if r.Err == nil {
				return ""
			}
			return r.Err.Code
		}
		return x.Outcome == y.Outcome && x.Same == y.Same && x.Ignored == y.Ignored && code(x) == code(y) && len(x.Keys) == len(y.Keys)
	}
	fails := func(j Judgement) []VerdictCode {
		var out []VerdictCode
		for _, v := range j.Verdicts {
			if v.Fail {
				out = append(out, v.Code)
			}
		}
		return out
	}
	return a.OK == b.OK && slices.EqualFunc(a.Samples, b.Samples, outcome) && slices.Equal(fails(a), fails(b))
}

// mask replaces the words and numbers of samples.
type mask struct {
	literals []string        // texts that the formulas compare with
	names    map[string]bool // fields whose values the condition reads
	words    map[string]string
	used     map[string]bool
	shift    time.Duration // of all times
}

var (
	quotedText  = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'`)
	formulaWord = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_-]*`)
	kindValue   = regexp.MustCompile(`^[A-Za-z][A-Za-z_.:/ -]{0,59}$`)
	decimalText = regexp.MustCompile(`^-?[0-9]+\.[0-9]+$`)
	hexText     = regexp.MustCompile(`^[0-9a-fA-F-]{8,}$`)
	dateFirst   = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	epoch       = regexp.MustCompile(`^[0-9]{10}([0-9]{3})?$`)
	numberToken = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`)
)

func newMask(r *Rule) *mask {
	m := &mask{names: map[string]bool{}, words: map[string]string{}, used: map[string]bool{}}
	m.shift = -time.Duration(10+random(90)) * 7 * 24 * time.Hour
	for _, formula := range slices.Concat([]string{r.Key, r.Each, r.When}, r.Fingerprint) {
		for _, q := range quotedText.FindAllStringSubmatch(formula, -1) {
			if text := q[1] + q[2]; len(text) > 1 {
				m.literals = append(m.literals, text)
			}
		}
	}
	for _, name := range formulaWord.FindAllString(r.When, -1) {
		m.names[name] = true
	}
	return m
}

// random returns a number below n.
func random(n int) int {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return int(uint32(b[0])|uint32(b[1])<<8|uint32(b[2])<<16|uint32(b[3])<<24) % n
}

// sample masks one sample, false where it cannot be read.
func (m *mask) sample(s Sample) (Sample, bool) {
	e, err := s.Event()
	if err != nil {
		return s, false
	}
	headers := s.Headers
	_, isRequest := splitRequest(s.Body)
	if plain := !isRequest && looksLikeJSON([]byte(s.Body)); !plain {
		headers = e.Headers
		s.Body = string(EncodeJSON(e.Body))
	}
	s.Body = m.json(s.Body)
	if len(e.Query) > 0 && (isRequest || !looksLikeJSON([]byte(s.Body))) {
		query := url.Values{}
		for name, value := range e.Query {
			query.Set(m.name(name), m.text(name, value))
		}
		s.Body = "POST /?" + query.Encode() + "\n\n" + s.Body
	}
	s.Headers = map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		s.Headers[name] = m.text(name, headers[name])
		if strings.EqualFold(name, "content-type") {
			s.Headers[name] = "application/json"
		}
	}
	return s, true
}

// json masks the values of a JSON text in place.
func (m *mask) json(text string) string {
	var out strings.Builder
	d, name := &decoder{data: []byte(text)}, ""
	for d.at < len(text) {
		switch c := text[d.at]; {
		case c == '"':
			from := d.at
			value, err := d.text()
			if err != nil {
				return "{}" // it was read before, so it cannot be
			}
			if rest := strings.TrimLeft(text[d.at:], " \t\r\n"); strings.HasPrefix(rest, ":") {
				name = value
				if masked := m.name(value); masked != value {
					out.Write(EncodeJSON(masked))
				} else {
					out.WriteString(text[from:d.at])
				}
				continue
			}
			out.Write(EncodeJSON(m.text(name, value)))
		case c == '-' || c >= '0' && c <= '9':
			number := numberToken.FindString(text[d.at:])
			out.WriteString(m.number(name, number))
			d.at += len(number)
		default:
			out.WriteByte(c)
			d.at++
		}
	}
	return out.String()
}

// name masks the name of a member that is itself data, such as a mail address.
func (m *mask) name(name string) string {
	if personalValue(name) || hexText.MatchString(name) && len(name) >= 16 {
		return m.tokens(name)
	}
	return name
}

func (m *mask) kept(name, value string) bool {
	if value == "true" || value == "false" || m.names[name] && !personalValue(value) {
		return true
	}
	word := kindValue.MatchString(value) && !strings.Contains(value, " ")
	if slices.ContainsFunc(m.literals, func(l string) bool { return value == l || word && strings.Contains(value, l) }) {
		return true
	}
	n := nameOf([]string{"body", name})
	last := ""
	if len(n.own) > 0 {
		last = n.own[len(n.own)-1]
	}
	return kindValue.MatchString(value) && (kindNames[n.joined()] || stateNames[n.joined()] || kindNames[last] || stateNames[last])
}

func (m *mask) text(name, value string) string {
	switch {
	case m.kept(name, value):
		return value
	case timeLike(name, []string{value}) && (dateFirst.MatchString(value) || epoch.MatchString(value)):
		return m.time(value)
	case decimalText.MatchString(value):
		return m.number(name, value)
	}
	return m.tokens(norm.NFC.String(value))
}

// time moves a time by whole weeks, the rest of its text as it is.
func (m *mask) time(value string) string {
	if dateFirst.MatchString(value) {
		day, err := time.Parse(time.DateOnly, value[:len(time.DateOnly)])
		if err != nil {
			return m.tokens(value)
		}
		return day.Add(m.shift).Format(time.DateOnly) + value[len(time.DateOnly):]
	}
	t, err := ReadTime(value)
	if err != nil {
		return m.tokens(value)
	}
	const seconds = 10 // digits; the milliseconds after them stay
	return strconv.FormatInt(t.Add(m.shift).Unix(), 10) + value[seconds:]
}

// number masks the whole part of a number; what follows the point stays.
func (m *mask) number(name, value string) string {
	if m.names[name] {
		return value
	}
	if epoch.MatchString(value) && timeLike(name, []string{value}) {
		return m.time(value)
	}
	sign, rest := "", value
	if strings.HasPrefix(rest, "-") {
		sign, rest = "-", rest[1:]
	}
	whole := rest
	if i := strings.IndexAny(rest, ".eE"); i >= 0 {
		whole = rest[:i]
	}
	return sign + m.digits(whole) + rest[len(whole):]
}

// tokens masks each word and each number of a text.
func (m *mask) tokens(value string) string {
	var out strings.Builder
	if scheme, rest, ok := strings.Cut(value, "://"); ok && (scheme == "http" || scheme == "https") {
		out.WriteString(scheme + "://")
		value = rest
	}
	letters := "abcdefghijklmnopqrstuvwxyz"
	if hexText.MatchString(value) && strings.ContainsAny(value, "0123456789") {
		letters = letters[:6]
	}
	for len(value) > 0 {
		r := []rune(value)[0]
		kind := func(r rune) int {
			switch {
			case r >= '0' && r <= '9':
				return 1
			case unicode.IsLetter(r) || unicode.IsMark(r):
				return 2
			}
			return 0
		}
		end := strings.IndexFunc(value, func(x rune) bool { return kind(x) != kind(r) })
		if end < 0 {
			end = len(value)
		}
		switch token := value[:end]; kind(r) {
		case 1:
			out.WriteString(m.digits(token))
		case 2:
			out.WriteString(m.word(token, letters))
		default:
			out.WriteString(token)
		}
		value = value[end:]
	}
	return out.String()
}

// digits masks a number; its zeros in front stay, and the first two digits of one so
// long that others would make it another kind of number.
func (m *mask) digits(token string) string {
	rest := strings.TrimLeft(token, "0")
	head := token[:len(token)-len(rest)]
	if len(rest) >= 19 {
		head, rest = head+rest[:2], rest[2:]
	}
	if rest == "" {
		return token
	}
	return head + m.other("digits", rest, func(i int) byte {
		if i == 0 {
			return byte('1' + random(9))
		}
		return byte('0' + random(10))
	})
}

// word masks a word; capitals stay where they are.
func (m *mask) word(token, letters string) string {
	runes := []rune(token)
	lower := foldText(token)
	if len([]rune(lower)) != len(runes) {
		lower = strings.ToLower(token)
	}
	masked := m.other(letters, lower, func(int) byte { return letters[random(len(letters))] })
	out := []byte(masked)
	for i, r := range runes {
		if i < len(out) && unicode.IsUpper(r) {
			out[i] = byte(unicode.ToUpper(rune(out[i])))
		}
	}
	return string(out)
}

// other returns what stands for a token of a kind: always the same, of as many
// characters, and for no other token.
func (m *mask) other(kind, token string, draw func(i int) byte) string {
	key := kind + ":" + token
	if masked, ok := m.words[key]; ok {
		return masked
	}
	n := len([]rune(token))
	masked := make([]byte, n)
	for range 10_000 { // few are free of one or two characters; then one comes twice
		for i := range masked {
			masked[i] = draw(i)
		}
		if !m.used[kind+":"+string(masked)] && string(masked) != token {
			break
		}
	}
	m.used[kind+":"+string(masked)] = true
	m.words[key] = string(masked)
	return string(masked)
}
