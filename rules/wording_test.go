package rules

import (
	"strings"
	"testing"
)

// jargon is what the libraries say, and what only rule files and programmers call so.
var jargon = []string{"CEL", "overload", "no such", "long_keys", "sha256", "yaml:", "node content", "did not find", "mapping", "scalar",
	"macro", "undeclared", "comprehension", "ident", "json:", "unmarshal", "invalid argument", "dyn", "runtime", "index out of"}

// wantPlain fails where a text holds words of a library.
func wantPlain(t *testing.T, of, text string) {
	t.Helper()
	for _, word := range jargon {
		if strings.Contains(text, word) {
			t.Errorf("%s: %q holds %q", of, text, word)
		}
	}
	if text == "" {
		t.Errorf("%s: nothing is said", of)
	}
}

// TestFaultsOfFormulasAreSentences: what the type checker and the macros refuse is told
// in the words of the house, with what to write.
func TestFaultsOfFormulasAreSentences(t *testing.T) {
	e := newEngine(t)
	for formula, says := range map[string]string{
		`"a" + 1`:                               "Parts of a key stand side by side",
		`key("a", [1] + "a")`:                   "Parts of a key stand side by side",
		`body.id ? 1 : "a"`:                     "Both results of `? :`",
		`key("a", time(1, 2))`:                  "Write time(moment).",
		`key("a", lower(body.id, 2))`:           "Write lower(text).",
		`key("a", day(body.at))`:                "Write day(moment, zone).",
		`key()`:                                 "Write key(part, …).",
		`key("a", digest())`:                    "`digest` takes 1 to 32 values.",
		`has(body)`:                             "`body`",
		`key("a", "x".matches("("))`:            "This regular expression cannot be read.",
		`key("a", timestamp("x"))`:              "This is no moment such as",
		`duration("x")`:                         "This is no length of time such as",
		`key("a", math.least())`:                "`math`",
		`Foo{a: 1}`:                             "does not fit together",
		`key("a", body.b.sortBy(1, 2))`:         "does not fit together",
		`key("a", optional.of(1, 2))`:           "`of` cannot be used",
		`key("a", "%q".format([1]))`:            "Write text.format(list).",
		`key("a", 1u + 2)`:                      "two numbers of one kind",
		`key("a", "b" < 1)`:                     "Both must be of one kind",
		`key("a", -"b")`:                        "numbers of one kind",
		`key("a", 1 in 2)`:                      "After it stands a list",
		`body.a.map(x, x.map(y, y.map(z, z)))`:  "at most 2 such calls stand in one another",
		`key("a", body.t.matches("a{999}{9}"))`: "regular expression",
		`body.a == 1 && "x"`:                    "`\"x\"`",
	} {
		_, issues := e.Compile(&Rule{Key: formula})
		if len(issues) == 0 {
			t.Errorf("%s compiles", formula)
			continue
		}
		wantPlain(t, formula, issues[0].String())
		if !strings.Contains(issues[0].String(), says) {
			t.Errorf("%s: %s", formula, issues[0])
		}
	}
}

// TestFaultsOfEventsAreSentences: what CEL refuses while a formula runs is told by what
// the event holds.
func TestFaultsOfEventsAreSentences(t *testing.T) {
	e := newEngine(t)
	body := `{"n":7,"text":"x","list":[1],"map":{"a":1},"none":null,"big":12345678901234567890123,"on":true}`
	for formula, says := range map[string]string{
		`key("a", body.n.startsWith("x"))`:             "body.n is a number",
		`key("a", body.text + body.n)`:                 "body.text is text and body.n is a number",
		`key("a", body.text / body.n)`:                 "body.text is text and body.n is a number",
		`key("a", body.n / 0)`:                         "body.n is a number",
		`key("a", int(body.text))`:                     "body.text is text",
		`key("a", body.big + 1)`:                       "body.big is a number that is kept as text, digit for digit",
		`key("a", body.on ? body.n : body.n.size())`:   "a:7",
		`key("a", body.text ? "b" : "c")`:              "body.text is text",
		`key("a", body.text.split("x")[5])`:            "body.text is text",
		`key("a", regex.extract(body.text, "("))`:      "body.text is text",
		`key("a", body.list.map(x, x.size())[0])`:      "is a list",
		`key("a", optional.none().value())`:            "does not fit its values.",
		`"a" + body.n`:                                 "body.n is a number",
		`key("a", timestamp(body.text))`:               "body.text is text",
		`key("a", body.text.substring(3, 9))`:          "body.text is text",
		`key("a", "` + strings.Repeat("x", 300) + `")`: "let the rule store a short code in its place.",
	} {
		j := e.Judge(t.Context(), &Rule{Key: formula, Samples: []Sample{{Body: body}}})
		said := j.Samples[0].Key
		if err := j.Samples[0].Err; err != nil {
			said = err.Msg
		}
		wantPlain(t, formula, said)
		for _, v := range j.Verdicts {
			wantPlain(t, formula, v.Text)
		}
		if !strings.Contains(said, says) {
			t.Errorf("%s: %s, want %s", formula, said, says)
		}
	}
}

// TestFaultsOfYAMLAreSentences: the line is named, and the usual slip in it.
func TestFaultsOfYAMLAreSentences(t *testing.T) {
	for text, says := range map[string]string{
		"rule: a\nkey: \"key(\"a\", body.id)\"\n":      "line 2: The file cannot be read as YAML. After the quotes",
		"rule: a\nkey: 'x\n":                           "The quote of this value does not end.",
		"rule: a\n\tkey: b\n":                          "line 2: The file cannot be read as YAML. This line begins with a tab",
		"rule: a\nkey: @triggerBody()\n":               "A value that begins with @ stands in quotes.",
		"rule: a\ntitle: Orders: new\nkey: b\n":        "line 2: The file cannot be read as YAML. A value that holds a colon",
		"rule: a\n  key: b\n":                          "The file cannot be read as YAML.",
		"rule: [a\nkey: b\n":                           "The file cannot be read as YAML.",
		"rule: a\nkey: b\nsamples:\n - body: x\n  y\n": "The file cannot be read as YAML.",
		"<rule/>":              "A rule file is a list of members",
		"":                     "The file is empty.",
		`{"rule": "a", "key"}`: "colon is missing",
		"rule: a\nlease: [1]":  "Here stands a list",
	} {
		_, err := Parse([]byte(text))
		if err == nil {
			t.Errorf("%q is read", text)
			continue
		}
		wantPlain(t, text, err.Error())
		if !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %s", text, err)
		}
	}
}
