package wdl

import (
	"testing"
	"time"
	"unicode/utf8"
)

// FuzzLine feeds the parser anything. It must come to one of the outcomes, with
// a place inside the line, and to the same one each time.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		"@equals(triggerBody()?['Title'],'x')", "@and()", "@@x", "@{concat('a','}')}", " @true", "@equals(1,1) && true",
		"@triggerOutputs()?['body/Editor/Email']", "@string(-1.5e2)", "@'O''Brien'", "@equals(‘x’,1)", "@((((", "@a.b.c", "@not(not(true))",
		"@replace(replace('aa','a','aaa'),'a','aaaa')", "@div(1,0)", "@json('[1e400]')", "@substring('𝄞',1)", "@range(9223372036854775807,2)",
	} {
		f.Add(seed)
	}
	outputs := []byte(`{"headers":{"X":"y"},"body":{"Title":"x","n":null,"list":[1,{"Value":"A"}],"Editor":{"Email":"A@b.example"}}}`)
	opts := Options{Now: time.Unix(0, 0)}
	f.Fuzz(func(t *testing.T, line string) {
		r, err := Test(outputs, []string{line}, opts)
		if err != nil {
			t.Fatalf("the outputs are sound, but: %v", err)
		}
		l := r.Lines[0]
		faulty := l.Outcome == BadSyntax || l.Outcome == EvalError
		switch l.Outcome {
		case Run, Skip, NotBoolean, EvalError, BadSyntax:
		default:
			t.Fatalf("outcome %q", l.Outcome)
		}
		if l.Reason == "" || faulty != (l.Offset >= 0) || l.Offset > utf8.RuneCountInString(line) {
			t.Fatalf("%q: %s at %d: %q", line, l.Outcome, l.Offset, l.Reason)
		}
		again, err := Test(outputs, []string{line}, opts)
		if err != nil || again.Outcome != r.Outcome || again.Lines[0].Reason != l.Reason {
			t.Fatalf("%q: %s, then %s", line, r.Outcome, again.Outcome)
		}
	})
}

// FuzzOutputs feeds the decoder anything: it refuses or works, and a text that
// it takes it can write and take again.
func FuzzOutputs(f *testing.F) {
	for _, seed := range []string{`{}`, `{"body":{"a":[1,2.5e3,"x",null,true]}}`, `{"a":1,"a":2}`, `[1]`, `{"a":1e400}`, `{"a":` + "\"\xff\"}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := decode(data)
		if err != nil || len(data) > 1<<16 {
			return
		}
		text := render(v, 1<<24)
		again, err := decode([]byte(text))
		if err != nil || !equal(v, again) {
			t.Fatalf("%q was written as %q: %v", data, text, err)
		}
	})
}
