package rules

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// FuzzFormula: no formula panics anywhere, marks stay inside its text, keys stay
// inside their bounds, and blocks and text agree.
func FuzzFormula(f *testing.F) {
	for _, s := range []string{
		`key("s", body.id)`, `key(lower(either(body.a["b c"][0], "x")))`, `key(header("X-A"), day(body.t, "UTC"))`, `"é😀" + bod.id`,
		`key(body.l.map(x, x.id).join("-"))`, `key(digest(omit(body, ["a"])))`, `key(regex.replace(body.s, "a{2}", "b"))`, `key(body.?a.orValue(1))`,
		`body.a == 1 ? key(1.5) : key(b"x")`, "key(\n// note\nr\"\\\", '''a\n''')", `key(optional.of(body.id))`, `key(timestamp("2024-01-01T00:00:00Z"))`,
		`key(has(body.a) && body.l.exists(i, i > 1))`, `key(math.greatest([1, 2]))`, `[1, 2][0] in {1: 2}`,
		`key(secret(body.id), fold(body.s))`, `key(regex.extractAll(body.s, "a*b|a").size())`, `key(body.s.indexOf(body.s) == 0 ? 1 : "b")`, `key(pick(body, ["a"]) == body)`,
		"key(\"\"\"a\n😀\"\"\" && true)", `key(duration("1h"))`, `key(json(body.j).a[0].id)`, `key(json("[1,").x)`, `key(either(json(body.j).b, "x"))`,
	} {
		f.Add(s)
	}
	e := secretEngine(f, zeros)
	sample := Sample{Body: `{"id":820982911946154508,"a":{"b c":["y"]},"l":[{"id":1},2],"s":"aab","t":1704067200,"j":"{\"a\":[{\"id\":12345678901234567890123}]}"}`, Headers: map[string]string{"X-A": "1"}}
	f.Fuzz(func(t *testing.T, formula string) {
		if !utf8.ValidString(formula) {
			return
		}
		if parts, ok := Parts(formula); ok {
			text := Formula(parts)
			again, ok := Parts(text)
			if !ok || Formula(again) != text {
				t.Fatalf("%q became %q, then %q", formula, text, Formula(again))
			}
		}
		r := &Rule{Key: formula, Samples: []Sample{sample}}
		p, issues := e.Compile(r)
		for _, i := range issues {
			if !insideText(i, formula) || i.Msg == "" {
				t.Fatalf("%q: %+v", formula, i)
			}
		}
		e.Judge(t.Context(), r)
		if p == nil {
			return
		}
		event, err := sample.Event()
		if err != nil {
			t.Fatal(err)
		}
		keyed, err := p.Keys(t.Context(), event)
		again, fault := p.Keys(t.Context(), event)
		if err == nil && fault == nil && keyed[0].Key != again[0].Key {
			t.Fatalf("%q gives %q and %q", formula, keyed[0].Key, again[0].Key)
		}
		if err != nil {
			if _, ok := errors.AsType[*KeyError](err); !ok {
				t.Fatalf("%q: %T %v", formula, err, err)
			}
			return
		}
		if _, err := CheckKey(keyed[0].Key); err != nil {
			t.Fatalf("%q gives %q: %v", formula, keyed[0].Key, err)
		}
	})
}

// insideText tells whether an editor, which counts UTF-16 units, can draw the mark: it
// begins in its line, at most behind its last character, and ends in the text.
func insideText(i Issue, text string) bool {
	lines := strings.Split(text, "\n")
	if i.Line < 1 || i.Line > len(lines) || i.Column < 1 || i.Length < 1 {
		return false
	}
	rest := len(utf16.Encode([]rune(strings.Join(lines[i.Line-1:], "\n"))))
	return i.Column-1 <= len(utf16.Encode([]rune(lines[i.Line-1]))) && i.Column-1+i.Length <= rest+1
}
