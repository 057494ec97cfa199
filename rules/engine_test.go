package rules

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

// TestFormulas lists formulas with the key they give for one event, or the code
// of the fault.
func TestFormulas(t *testing.T) {
	e := newEngine(t)
	s := Sample{
		Headers: map[string]string{"X-GitHub-Delivery": "72d3", "X-Odd": " a  b "},
		Body: `{"id":820982911946154508,"n":19.90,"t":"a:b","nul":null,"empty":"","blank":" ","l":[1,2],"o":{"x":1,"y":"2"},
			"big":184467440737095516150,"when":"2024-01-01T02:00:00+02:00","unix":1704067200,"First Name":"Ann","code":"ABC","flag":true}`,
	}
	for _, tt := range []struct{ formula, key, code string }{
		{`key("s", body.id)`, "s:820982911946154508", ""},
		{`key(body.n, body.t, body.flag)`, "19.9:a%3Ab:true", ""},
		{`key(body["First Name"])`, "Ann", ""},
		{`key(body.nul)`, "", "null"},
		{`key(body.nope)`, "", "missing"},
		{`key(body.nope.deeper)`, "", "missing"},
		{`key(body.o.x.deeper)`, "", "missing"},
		{`key(body.empty)`, "", "empty"},
		{`key(body.blank)`, "", "spaces"},
		{`key(body.l)`, "", "list"},
		{`key(body.o)`, "", "map"},
		{`key(body.l[1])`, "2", ""},
		{`key(body.l[2])`, "", "missing"},
		{`key(lower(body.nope))`, "", "missing"},
		{`key(lower(body.o))`, "", "map"},
		{`key(body.?nope)`, "", "missing"},
		{`key(body.?id)`, "820982911946154508", ""},
		{`key(body.?nope.orValue(""))`, "", "empty"},
		{`key(1.0 / 0.0)`, "", "formula"},
		{`key(b"x")`, "", "formula"},
		{`key(body.t.startsWith(1 > 0 ? "a" : "b"))`, "true", ""},
		// peers 41: a header in any case, and one that is not there
		{`key(header("X-GitHub-Delivery"))`, "72d3", ""},
		{`key(headers["x-github-delivery"])`, "72d3", ""},
		{`key(header(lower("X-GITHUB-DELIVERY")))`, "72d3", ""},
		{`key(header("X-Odd"))`, "a b", ""},
		{`key(header("X-Nope"))`, "", "missing"},
		// peers 40: equal instants
		{`key(time(body.when))`, "20240101T000000Z", ""},
		{`key(time("2024-01-01T00:00:00Z"))`, "20240101T000000Z", ""},
		{`key(timestamp(body.when))`, "20240101T000000Z", ""},
		{`key(time(body.unix))`, "20240101T000000Z", ""},
		{`key(time("2024-01-01T00:00:00.250Z"))`, "20240101T000000.250Z", ""},
		{`key(time("03/04/2024"))`, "", "formula"},
		{`key(day(body.when, "America/New_York"))`, "20231231", ""},
		{`key(day(body.when, "Nowhere/Else"))`, "", "formula"},
		{`key(lower("ÉA"), upper("éa"), fold("STRASSE"), fold("straße"))`, "éa:ÉA:strasse:strasse", ""},
		{`key(lower(body.id))`, "820982911946154508", ""},
		{`key(either(body.nope, "none"), either(body.nul, body.code), either(body.id, 1))`, "none:ABC:820982911946154508", ""},
		{`key(either(body.nope.a.b, either(body.empty, "x")))`, "x", ""},
		{`key(either(body.o, "x"))`, "", "map"},
		{`key(either(1 / 0, "x"))`, "", "formula"},
		{`key(digest(body.o) == digest(pick(body, ["o"]).o))`, "true", ""},
		{`key(digest(body.o, body.l) == digest([body.o, body.l]))`, "true", ""},
		{`key(digest(omit(body.o, ["x", "nope"])) == digest({"y": "2"}))`, "true", ""},
		{`key(digest(body.nope))`, "", "missing"},
		{`"raw:" + body.code`, "raw:ABC", ""},
		{`"raw:" + body.nope`, "", "missing"},
		{`"raw:" + body.id`, "", "formula"},
		{`body.nope`, "", "missing"},
		{`body.id`, "", "formula"},
		{`"line\nbreak"`, "", "control"},
		{`body.id == 820982911946154508 && body.n > 19 ? key("yes") : key("no")`, "yes", ""},
		{`key(body.l.map(x, string(x)).join("-"))`, "1-2", ""},
		{`key(body.code.matches("^A.C$"), math.greatest(1, 2), regex.replace(body.code, "B", "-"))`, "true:2:A-C", ""},
		{`key(body.code.matches("^[A-Z]{3}$"), regex.extract(body.t, "[a-z]{1,2}").orValue("no"))`, "true:a", ""},
		{`key(body.o.map(k, k).size(), lists.range(3).size(), [3, 1, 2].sort()[0])`, "2:3:1", ""},
	} {
		key, code := keyOf(t, e, &Rule{Key: tt.formula}, s)
		if key != tt.key || code != tt.code {
			t.Errorf("%s\n\tkey %q, code %q; want %q, %q", tt.formula, key, code, tt.key, tt.code)
		}
	}
}

// TestTheSentenceNamesThePart is what a person reads.
func TestTheSentenceNamesThePart(t *testing.T) {
	e := newEngine(t)
	for _, tt := range []struct {
		formula, path, says string
		part                int
	}{
		{`key("stripe", body.data.id)`, "body.data.id", "Part 2 (body.data.id) is missing in this event.", 2},
		{`key("stripe", upper(body.data.id), body.data.id)`, "body.data.id", "Part 2 (body.data.id) is missing in this event.", 2},
		{`key("github", header("X-GitHub-Delivery"))`, `headers["x-github-delivery"]`, "Part 2 (the header x-github-delivery) is missing in this event.", 2},
		{`key("a", time(body.t))`, "", `Part 2 cannot be worked out for this event: "soon" is not a time that can be read without guessing.`, 2},
	} {
		_, err := mustCompile(t, e, &Rule{Key: tt.formula}).Keys(t.Context(), Event{Body: Object{"data": Object{}, "t": "soon"}})
		fault, ok := errors.AsType[*KeyError](err)
		if !ok || fault.Part != tt.part || fault.Path != tt.path || !strings.HasPrefix(fault.Msg, tt.says) {
			t.Errorf("%s: %+v; want part %d, %s, %q", tt.formula, fault, tt.part, tt.path, tt.says)
		}
	}
}

func TestIssues(t *testing.T) {
	e := newEngine(t)
	for _, tt := range []struct {
		name, formula        string
		line, column, length int
		says, hint           string
	}{
		{"peers 64", `"é😀" + bod.id`, 1, 9, 3, "I do not know the field `bod`.", "Did you mean `body`?"},
		{"second line", "key(\n  evnt.id)", 2, 3, 4, "I do not know the field `evnt`.", ""},
		{"event", `key(event.id)`, 1, 5, 5, "I do not know the field `event`.", "What the sender sent is called `body`."},
		{"item", `key(item.id)`, 1, 5, 4, "goes through a list", ""},
		{"function", `key("😀", lowr(body.id))`, 1, 11, 4, "I do not know the function `lowr`.", "Did you mean `lower`?"},
		{"method", `key(body.id.lowerAsci())`, 1, 13, 9, "I do not know the function `lowerAsci`.", "Did you mean `lowerAscii`?"},
		{"open bracket", `key("a"`, 1, 4, 1, "never closed", ""},
		{"close bracket", `key("a"))`, 1, 9, 1, "no partner", ""},
		{"quote", `key("a)`, 1, 5, 1, "no closing quote", ""},
		{"one equals sign", `key(body.a = 1)`, 1, 12, 1, "from `=` on", "Compare with ==."},
		{"ends", `key("a") +`, 1, 10, 1, "ends too early", ""},
		{"types", `key("a" + 1)`, 1, 9, 1, "`+` cannot be used", ""},
		{"kinds of a choice", `key(body.a == 1 ? "é😀" : 2)`, 1, 17, 1, "Both results of `? :`", ""},
		{"kind of a place", `key([1]["é"])`, 1, 8, 1, "`[…]`", ""},
		{"text for a condition", `key("é😀x" && true)`, 1, 5, 6, "does not fit together at `\"é😀x\"`", ""},
		{"no parts", `key()`, 1, 1, 3, "`key`", ""},
		{"empty", ` `, 1, 1, 1, "no formula yet", ""},
		{"bool", `body.a == 1`, 1, 1, 11, "must give text", ""},
		{"peers 66, 300 brackets", strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), 1, 300, 1, "deep", ""},
		{"peers 66, long literal", `key("` + strings.Repeat("x", 200_000) + `")`, 1, 1, 1, "longer than", ""},
		{"peers 66, three loops", `key(body.a.map(x, body.a.map(y, body.a.map(z, 1))).size())`, 1, 1, 1, "", ""},
		{"steps in a row", "key(body" + strings.Repeat(".a", 1000) + ")", 1, 1, 2009, "too many steps in a row", ""},
		{"regular expression", `key(body.a.matches("("))`, 1, 1, 1, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, issues := e.Compile(&Rule{Key: tt.formula})
			if p != nil || len(issues) == 0 {
				t.Fatal("compiled")
			}
			i := issues[0]
			if tt.says == "" {
				return // refused is enough; the words are CEL's
			}
			if i.Place != "key" || i.Line != tt.line || i.Column != tt.column || i.Length != tt.length {
				t.Errorf("%s %d:%d+%d, want key %d:%d+%d", i.Place, i.Line, i.Column, i.Length, tt.line, tt.column, tt.length)
			}
			if !strings.Contains(i.Msg, tt.says) || !strings.Contains(i.Hint, tt.hint) {
				t.Errorf("%q %q, want %q %q", i.Msg, i.Hint, tt.says, tt.hint)
			}
		})
	}
}

func TestIssuesNameTheirPlace(t *testing.T) {
	r := &Rule{Key: `key("a", item.id)`, Each: `body.items`, When: `body.x`, Fingerprint: []string{"body.a", "bdy.b"}, OnExpiry: "later"}
	_, issues := newEngine(t).Compile(r)
	var places []string
	for _, i := range issues {
		places = append(places, i.Place)
	}
	if got := strings.Join(places, " "); got != "on_expiry fingerprint[1]" {
		t.Errorf("places are %s", got)
	}
}

func TestAContextThatEndsIsNoFaultOfTheFormula(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := mustCompile(t, newEngine(t), &Rule{Key: `key("a")`}).Keys(ctx, Event{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
}

func TestEach(t *testing.T) {
	e := newEngine(t)
	r := &Rule{Key: `key("shop", body.id, item.line)`, Each: "body.lines", When: `item.qty > 0`, Fingerprint: []string{"item.qty"}}
	p := mustCompile(t, e, r)
	event := func(text string) Event {
		t.Helper()
		v, err := ParseSample(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	keyed, err := p.Keys(t.Context(), event(`{"id":7,"lines":[{"line":1,"qty":2},{"line":2,"qty":0},{"qty":1},{"line":4},{"line":5,"qty":1}]}`))
	if err != nil || len(keyed) != 5 || !p.HasEach() {
		t.Fatalf("%v, %v", keyed, err)
	}
	if keyed[0].Key != "shop:7:1" || !keyed[1].Ignored || keyed[1].Key != "" || keyed[4].Key != "shop:7:5" {
		t.Errorf("keys are %+v", keyed)
	}
	if codeOf(t, keyed[2].Err) != "missing" || codeOf(t, keyed[3].Err) != "missing" {
		t.Errorf("faults are %v and %v; an item without qty is invalid, not ignored", keyed[2].Err, keyed[3].Err)
	}
	if keyed[0].Fingerprint == keyed[4].Fingerprint || !strings.HasPrefix(keyed[0].Fingerprint, "v1:") {
		t.Errorf("fingerprints are %q and %q", keyed[0].Fingerprint, keyed[4].Fingerprint)
	}
	for text, code := range map[string]string{
		`{"id":7,"lines":[]}`:   "no_items",
		`{"id":7}`:              "missing",
		`{"id":7,"lines":null}`: "null",
		`{"id":7,"lines":3}`:    "formula",
		`{"id":7,"lines":[` + strings.Repeat("1,", 500) + `1]}`: "too_much_work",
	} {
		if _, err := p.Keys(t.Context(), event(text)); codeOf(t, err) != code {
			t.Errorf("%.30s: %v, want %s", text, err, code)
		}
	}
}

// TestPeers27To30Fingerprints: order does not count, chosen values do, a missing
// field is not an error.
func TestPeers27To30Fingerprints(t *testing.T) {
	p := mustCompile(t, newEngine(t), &Rule{Key: `key(body.id)`, Fingerprint: []string{"body.amount", "body.to"}})
	print := func(text string) string {
		t.Helper()
		event, err := ParseSample(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		keyed, err := p.Keys(t.Context(), event)
		if err != nil {
			t.Fatal(err)
		}
		return keyed[0].Fingerprint
	}
	base := print(`{"id":1,"amount":10,"to":{"a":1,"b":2}}`)
	if got := print(`{"extra":true,"to":{"b":2,"a":1.0},"amount":10.0,"id":1}`); got != base {
		t.Error("another order of members gives another fingerprint")
	}
	if print(`{"id":1,"amount":11,"to":{"a":1,"b":2}}`) == base || print(`{"id":1,"to":{"a":1,"b":2}}`) == base {
		t.Error("another amount has the same fingerprint")
	}
}

func TestWhen(t *testing.T) {
	p := mustCompile(t, newEngine(t), &Rule{Key: `key(body.id)`, When: `body.type == "paid"`})
	for text, want := range map[string]string{
		`{"id":1,"type":"paid"}`: "1",
		`{"id":1,"type":"open"}`: "ignored",
		`{"type":"open"}`:        "ignored",
		`{"id":1}`:               "missing",
		`[]`:                     "missing",
	} {
		event, err := ParseSample(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		keyed, err := p.Keys(t.Context(), event)
		got := ""
		switch {
		case err != nil:
			got = codeOf(t, err)
		case keyed[0].Ignored:
			got = "ignored"
		default:
			got = keyed[0].Key
		}
		if got != want {
			t.Errorf("%s gives %s, want %s", text, got, want)
		}
	}
}

// TestAProgramIsSharedByManyGoroutines is for the race detector.
func TestAProgramIsSharedByManyGoroutines(t *testing.T) {
	p := mustCompile(t, newEngine(t), &Rule{Key: `key("a", lower(body.id), either(body.x, "none"))`})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				keyed, err := p.Keys(t.Context(), Event{Body: Object{"id": "X"}})
				if err != nil || keyed[0].Key != "a:x:none" {
					t.Errorf("%v, %v", keyed, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Mandrill, Amazon SNS and Jotform send JSON inside text: json(…) reads it as a body is
// read, says which field inside is missing, and what is no JSON.
func TestJSONInsideText(t *testing.T) {
	e := newEngine(t)
	event := Event{Body: Object{
		"text": `{"id": 12345678901234567890.10, "n": 7, "list": [{"id": "a"}, {"id": "b"}], "none": null, "inner": "{\"id\": 9}"}`,
		"bad":  `{"id": 1,}`, "twice": `{"a": 1, "a": 2}`, "empty": "", "list": []any{int64(1)}, "n": int64(5),
	}}
	for _, tt := range []struct{ formula, want, path string }{
		{`key("s", json(body.text).id)`, "s:12345678901234567890.1", ""},
		{`key(json(body.text).n + 1)`, "8", ""},
		{`key(json(json(body.text).inner).id)`, "9", ""},
		{`key(json(body.text).list.map(i, i.id).join("-"))`, "a-b", ""},
		{`key(json(body.text)["list"][1].id)`, "b", ""},
		{`key(digest(json(body.text)) == digest(json(body.text)))`, "true", ""},
		{`key(either(json(body.text).nope, "none"))`, "none", ""},
		{`key("s", json(body.text).nope)`, "Part 2 (json(body.text).nope) is missing in this event.", "json(body.text).nope"},
		{`key("s", json(body.text).none)`, "Part 2 (json(body.text).none) is null in this event.", "json(body.text).none"},
		{`key("s", json(body.nope).id)`, "Part 2 (json(body.nope).id) is missing in this event.", "json(body.nope).id"},
		{`key("s", json(body.text).list)`, "Part 2 (json(body.text).list) is a list.", "json(body.text).list"},
		{`key("s", json(body.bad).id)`, "The text in json(…) is no JSON: line 1, column 10: There is a comma too many before this }.", ""},
		{`key("s", json(body.twice).a)`, `The member "a" comes twice.`, ""},
		{`key("s", json(body.empty).a)`, "The text in json(…) is no JSON: line 1, column 1: The text ends too early", ""},
		{`key("s", json(body.list).a)`, "json(…) needs text that holds JSON.", ""},
		{`key("s", json(body.n))`, "json(…) needs text that holds JSON.", ""},
	} {
		keyed, err := mustCompile(t, e, &Rule{Key: tt.formula}).Keys(t.Context(), event)
		if err == nil {
			if keyed[0].Key != tt.want {
				t.Errorf("%s: %s, want %s", tt.formula, keyed[0].Key, tt.want)
			}
			continue
		}
		if fault, ok := errors.AsType[*KeyError](err); !ok || !strings.Contains(fault.Msg, tt.want) || fault.Path != tt.path {
			t.Errorf("%s: %+v, want %q in %s", tt.formula, err, tt.want, tt.path)
		}
	}
	keyed, err := mustCompile(t, e, &Rule{Each: "json(body.text).list", Key: `key("s", item.id)`}).Keys(t.Context(), event)
	if err != nil || len(keyed) != 2 || keyed[1].Key != "s:b" {
		t.Errorf("each: %+v, %v", keyed, err)
	}
	if _, ok := Parts(`key("s", json(body.text).id)`); ok {
		t.Error("blocks show json(…)")
	}
	if _, issues := e.Compile(&Rule{Key: `key(json())`}); len(issues) != 1 || !strings.Contains(issues[0].Hint, "json(text)") {
		t.Errorf("%+v", issues)
	}
}
