package rules

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// keyCase is a published case: the deliveries, and what a rule makes of them.
type keyCase struct {
	name string
	rule Rule
	// samples are written "X-Id: 7 | A {...}": headers, group (- for none) and body.
	samples []string
	keys    []string    // or the code of what is in the way, after a !
	says    VerdictCode // among the verdicts; "" is not looked for
	silent  VerdictCode // not among them
}

func (c keyCase) run(t *testing.T, e *Engine) {
	t.Helper()
	r := c.rule
	for _, line := range c.samples {
		s := Sample{}
		head, rest, ok := strings.Cut(line, " | ")
		if !ok {
			head, rest = "", line
		}
		for _, h := range strings.Split(head, ", ") {
			if name, value, ok := strings.Cut(h, ": "); ok {
				if s.Headers == nil {
					s.Headers = map[string]string{}
				}
				s.Headers[name] = value
			}
		}
		s.Group, s.Body, _ = strings.Cut(rest, " ")
		s.Group = strings.Trim(s.Group, "-")
		r.Samples = append(r.Samples, s)
	}
	var got []string
	for _, s := range r.Samples {
		key, code := keyOf(t, e, &r, s)
		if code != "" {
			key = "!" + code
		}
		got = append(got, key)
	}
	if !slices.Equal(got, c.keys) {
		t.Errorf("%s gives\n\t%q, want\n\t%q", r.Key, got, c.keys)
	}
	if c.says == "" && c.silent == "" {
		return
	}
	j := e.Judge(t.Context(), &r)
	if _, ok := find(j, string(c.says)); !ok && c.says != "" {
		t.Errorf("no verdict %s among %+v", c.says, j.Verdicts)
	}
	if v, ok := find(j, string(c.silent)); ok {
		t.Errorf("verdict %+v", v)
	}
}

func runCases(t *testing.T, cases []keyCase) {
	t.Helper()
	e := newEngine(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.run(t, e) })
	}
}

// TestPeers31To42 are the cases of keys in the peers' reports.
func TestPeers31To42(t *testing.T) {
	id, long := Rule{Key: `key("shop", body.id)`}, strings.Repeat("é", 250)
	runCases(t, []keyCase{
		{name: "31 nothing is a key", rule: id, samples: []string{`- {"id":""}`, `- {"id":" \t"}`, `- {"id":null}`, `- {}`, `- {"id":[]}`, `- {"id":{}}`, `- `},
			keys: []string{"!empty", "!spaces", "!null", "!missing", "!list", "!map", "!missing"}, says: VerdictEmptyPart},
		{name: "33 nought and false are values", rule: id, samples: []string{`- {"id":0}`, `- {"id":false}`, `- {"id":-0}`, `- {"id":-0.0}`},
			keys: []string{"shop:0", "shop:false", "shop:0", "shop:0"}, silent: VerdictEmptyPart},
		{name: "34 a million keeps its digits", rule: id, samples: []string{`- {"id":1000000}`, `- {"id":1e6}`, `- {"id":173595202426}`, `- {"id":1.5E+3}`},
			keys: []string{"shop:1000000", "shop:1000000", "shop:173595202426", "shop:1500"}},
		{name: "35 beyond what a double holds", rule: id, samples: []string{`- {"id":820982911946154508}`, `- {"id":820982911946154509}`, `- {"id":9007199254740993}`, `- {"id":18446744073709551615}`},
			keys: []string{"shop:820982911946154508", "shop:820982911946154509", "shop:9007199254740993", "shop:18446744073709551615"}},
		{name: "36 thirty digits", rule: id, samples: []string{`- {"id":123456789012345678901234567890}`, `- {"id":123456789012345678901234567891}`},
			keys: []string{"shop:123456789012345678901234567890", "shop:123456789012345678901234567891"}, silent: VerdictEventsMerged},
		{name: "36 four hundred digits, and one more", rule: Rule{Key: `key(digest(body.id))`}, samples: []string{`- {"id":1` + strings.Repeat("0", 399) + `}`, `- {"id":1` + strings.Repeat("0", 400) + `}`},
			keys: []string{"a6bfdd0702ca65012bc1d14e3f8cc1b7320b2c97ac13d1d9469e70d8ac23ec83", "!bad_sample"}},
		{name: "37 number and text", rule: id, samples: []string{`- {"id":19.90}`, `- {"id":19.9}`, `- {"id":"19.9"}`, `- {"id":"19.90"}`},
			keys: []string{"shop:19.9", "shop:19.9", "shop:19.9", "shop:19.90"}},
		{name: "38 one text in several spellings", rule: id, samples: []string{`A {"id":"Jos\u00e9"}`, `A {"id":"Jose\u0301"}`, `A {"id":"José \t"}`, `A {"id":"\u00a0José\n"}`},
			keys: []string{"shop:José", "shop:José", "shop:José", "shop:José"}, silent: VerdictCopiesMissed},
		{name: "39 capitals count", rule: id, samples: []string{`A {"id":"evt_A"}`, `B {"id":"evt_a"}`},
			keys: []string{"shop:evt_A", "shop:evt_a"}, says: VerdictOnlyCase},
		{name: "39 capitals do not count", rule: Rule{Key: id.Key, FoldCase: true}, samples: []string{`A {"id":"evt_A"}`, `A {"id":"evt_a"}`},
			keys: []string{"shop:evt_a", "shop:evt_a"}, silent: VerdictCopiesMissed},
		{name: "40 one moment", rule: Rule{Key: `key(body.id, time(body.at))`}, samples: []string{
			`A {"id":1,"at":"2024-01-01T02:00:00+02:00"}`, `A {"id":1,"at":"2024-01-01T00:00:00Z"}`, `A {"id":1,"at":1704067200}`, `A {"id":1,"at":1704067200000}`,
			`A {"id":1,"at":"2024-01-01 00:00:00"}`, `A {"id":1,"at":"Mon, 01 Jan 2024 00:00:00 GMT"}`, `A {"id":1,"at":"/Date(1704067200000+0200)/"}`, `A {"id":1,"at":"2023-12-31T19:00:00.000-0500"}`},
			keys: slicesOf("1:20240101T000000Z", 8), silent: VerdictCopiesMissed},
		{name: "40 a millisecond counts", rule: Rule{Key: `key(time(body.at))`}, samples: []string{`A {"at":"2024-01-01T00:00:00.001Z"}`, `B {"at":"2024-01-01T00:00:00Z"}`},
			keys: []string{"20240101T000000.001Z", "20240101T000000Z"}},
		{name: "41 a header in any case", rule: Rule{Key: `key("github", header("X-GitHub-Delivery"))`}, samples: []string{
			`x-github-delivery: 72d3 | A {}`, `X-GitHub-Delivery: 72d3 | A {}`, `- {}`}, keys: []string{"github:72d3", "github:72d3", "!missing"}},
		{name: "42 the length of a key", rule: id, samples: []string{`- {"id":"` + long + `"}`, `- {"id":"` + long + `e"}`},
			keys: []string{"shop:" + long, "!too_long"}},
		{name: "42 what a key cannot hold", rule: id, samples: []string{`- {"id":"a\nb"}`, `- {"id":"a\u0000b"}`, `- {"id":"a\u202eb"}`, `- {"id":"a\u0085b"}`},
			keys: []string{"shop:a b", "!control", "!control", "shop:a b"}},
	})
}

// TestPeers64AFieldThatNoSampleHas: the nearest one that the sample has is named.
func TestPeers64AFieldThatNoSampleHas(t *testing.T) {
	e := newEngine(t)
	s := Sample{Headers: map[string]string{"X-Event-Id": "7"}, Body: `{"data":{"object":{"id":1,"First Name":"Ann"}},"type":"a"}`}
	for path, meant := range map[string]string{
		"body.data.ojbect.id":            "body.data.object.id",
		"body.dat.object.id":             "body.data.object.id",
		`body.data.object["first name"]`: "body.data.object[\"First Name\"]",
		`header("X-Evnt-Id")`:            "headers[\"x-event-id\"]",
		"body.dat.object.nope":           "",
		"body.quantity":                  "",
		"body.type.id":                   "",
		"query.typ":                      "",
	} {
		j := e.Judge(t.Context(), &Rule{Key: `key("s", ` + path + `)`, Samples: []Sample{s}})
		_, hint, _ := strings.Cut(j.Samples[0].Err.Msg, "Did you mean ")
		if strings.TrimSuffix(hint, "?") != meant {
			t.Errorf("%s: %s, want %s", path, j.Samples[0].Err.Msg, meant)
		}
	}
}

// A field that no sample has is marked where it stands, also where either(…) would hide
// it, with the one that was meant; capitals alone come first.
func TestPeers64AbsentFieldsAreMarked(t *testing.T) {
	e := newEngine(t)
	samples := []Sample{
		{Group: "A", Headers: map[string]string{"X-Event-Id": "7"}, Body: `{"id":1,"ide":2,"Order":{"no":3},"lines":[{"sku":"a"}]}`},
		{Group: "B", Headers: map[string]string{"X-Event-Id": "8"}, Body: `{"id":2,"ide":2,"Order":{"no":4},"late":1,"lines":[{"sku":"a"}]}`},
	}
	for _, tt := range []struct{ each, key, marked, mended string }{
		{"", `key("s", body.idd)`, "body.idd", `key("s", body.id)`},
		{"", `key("é😀", body.ID)`, "body.ID", `key("é😀", body.id)`},
		{"", `key("s", lower(body . order.no))`, "body . order.no", `key("s", lower(body.Order.no))`},
		{"", `key("s", either(body["idd"], "none"))`, `body["idd"]`, `key("s", either(body.id, "none"))`},
		{"", `key("s", header("X-Evnt-Id"))`, `header("X-Evnt-Id")`, `key("s", headers["x-event-id"])`},
		{"", `key("s", body.?idd.orValue("x"))`, "body.?idd", `key("s", body.?idd.orValue("x"))`},
		{"body.lines", `key("s", body.id, item.skuu)`, "item.skuu", `key("s", body.id, item.sku)`},
		{"body.line", `key("s", body.id, item.sku)`, "body.line", "body.lines"},
		{"", `key("s", body.id, body.late)`, "", ""},
		{"", `key("s", body.nothing_like_it)`, "", ""},
	} {
		j := e.Judge(t.Context(), &Rule{Key: tt.key, Each: tt.each, Samples: samples})
		if len(j.Absent) != min(1, len(tt.marked)) {
			t.Errorf("%s: %+v", tt.key, j.Absent)
			continue
		}
		if len(j.Absent) == 0 {
			continue
		}
		i, text := j.Absent[0], tt.key
		if i.Place == "each" {
			text = tt.each
		}
		units := utf16.Encode([]rune(text))
		if got := string(utf16.Decode(units[i.Column-1 : i.Column-1+i.Length])); got != tt.marked || i.Mend(text) != tt.mended {
			t.Errorf("%s: marked is %s, mended is %s", tt.key, got, i.Mend(text))
		}
		at := slices.IndexFunc(j.Verdicts, func(v Verdict) bool { return v.Code == VerdictEmptyPart })
		if i.Place == "key" && at >= 0 && (j.Verdicts[at].Fix == nil || j.Verdicts[at].Fix.Formula != tt.mended) && tt.each == "" {
			t.Errorf("%s: %+v", tt.key, j.Verdicts[at])
		}
	}
}

// TestPeers64WideCharacters: the mark stands under bod as a browser counts.
func TestPeers64WideCharacters(t *testing.T) {
	_, issues := newEngine(t).Compile(&Rule{Key: `"é😀" + bod.id`})
	if len(issues) != 1 || issues[0].Column != 9 || issues[0].Length != 3 || issues[0].Hint != "Did you mean `body`?" {
		t.Errorf("%+v", issues)
	}
}
