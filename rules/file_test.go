package rules

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParseAWholeRule(t *testing.T) {
	text := `
rule: supplier-orders
title: Supplier order per line
sender: shopify
key: 'key("shopify", body.id, item.id)'
each: body.line_items
when: item.quantity > 0
lease: 90s
keep: 35d
on_expiry: ask
max_attempts: 3
answer: wait
long_keys: sha256
fold_case: true
keep_samples: 20
fingerprint: [item.quantity, item.price]
if_unreachable: go_on
cost_per_double: 12.50
samples:
  - group: A
    name: first
    headers: {X-Shopify-Topic: orders/create, X-Tries: 1, X-Test: true}
    body: '{"id":1}'
  - group: 2
    body: {"id": 820982911946154508, amount: 19.90, big: 123456789012345678901234567890, day: 2024-01-01, none: null, list: [1.0, "x", true]}
  - body: |
      {"id":3}
`
	want := &Rule{
		Rule: "supplier-orders", Title: "Supplier order per line", Sender: "shopify",
		Key: `key("shopify", body.id, item.id)`, Each: "body.line_items", When: "item.quantity > 0",
		Lease: Duration(90 * time.Second), Keep: Duration(35 * 24 * time.Hour), OnExpiry: "ask", MaxAttempts: 3, Answer: "wait",
		LongKeys: "sha256", FoldCase: true, KeepSamples: 20, Fingerprint: []string{"item.quantity", "item.price"},
		IfUnreachable: "go_on", CostPerDouble: "12.50",
		Samples: []Sample{
			{Group: "A", Name: "first", Headers: map[string]string{"X-Shopify-Topic": "orders/create", "X-Tries": "1", "X-Test": "true"}, Body: `{"id":1}`},
			{Group: "2", Body: `{"id":820982911946154508,"amount":19.90,"big":123456789012345678901234567890,"day":"2024-01-01","none":null,"list":[1.0,"x",true]}`},
			{Body: "{\"id\":3}\n"},
		},
	}
	got, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseJSONKeepsAnInlineBody(t *testing.T) {
	got, err := Parse([]byte(`{"rule":"r","key":"key(body.id)","lease":900,"samples":[{"body":{"id":1.50,"a":[{"b":1e3}]}},{"body":"{}"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Rule{Rule: "r", Key: "key(body.id)", Lease: defaultLease, Samples: []Sample{{Body: `{"id":1.50,"a":[{"b":1e3}]}`}, {Body: "{}"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestB25FlowFormIsYAML: braces alone do not make a file JSON.
func TestB25FlowFormIsYAML(t *testing.T) {
	for _, text := range []string{"{rule: a, key: 'key(body.id)'}", "{ # one rule\n  rule: a,\n  key: key(body.id)\n}"} {
		got, err := Parse([]byte(text))
		if err != nil || got.Rule != "a" || got.Key != "key(body.id)" {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	r, err := Parse([]byte("rule: a\nkey: b\nsamples: [{body: {id: 1e300}}]"))
	if err != nil || r.Samples[0].Body != `{"id":1e300}` {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		line       int
		field      string
		says       string
	}{
		{"unknown member", "rule: a\nkey: b\nleese: 3", 3, "leese", "Did you mean lease?"},
		{"unknown member in JSON", "{\"rule\":\"a\",\n\"key\":\"b\",\n\"nope\":1}", 3, "nope", "no such member"},
		{"member twice", "rule: a\nkey: b\nkey: c", 3, "key", "twice"},
		{"member twice in JSON", `{"rule":"a","rule":"b"}`, 1, "", "twice"},
		{"no key", "rule: a", 0, "key", "required"},
		{"no rule", "key: a\nrule: ' '", 2, "rule", "required"},
		{"name", "rule: a b\nkey: c", 1, "rule", "1 to 64"},
		{"lease short", "rule: a\nkey: b\nlease: 4s", 3, "lease", "5s and 7d"},
		{"lease long", "rule: a\nkey: b\nlease: 8d", 3, "lease", "5s and 7d"},
		{"lease nought", "rule: a\nkey: b\nlease: 0", 3, "lease", "nothing"},
		{"lease negative", "rule: a\nkey: b\nlease: -1", 3, "lease", "time span"},
		{"lease NaN", "rule: a\nkey: b\nlease: .nan", 3, "lease", "time span"},
		{"lease text", "rule: a\nkey: b\nlease: soon", 3, "lease", "time span"},
		{"lease list", "rule: a\nkey: b\nlease: [1]", 3, "lease", "a list"},
		{"keep huge", "rule: a\nkey: b\nkeep: 99999999999d", 3, "keep", "time span"},
		{"choice", "rule: a\nkey: b\nanswer: maybe", 3, "answer", "branch, wait or strict"},
		{"count", "rule: a\nkey: b\nmax_attempts: -1", 3, "max_attempts", "between 0"},
		{"count text", "rule: a\nkey: b\nmax_attempts: '3'", 3, "max_attempts", "whole number"},
		{"B25, octal count", "rule: a\nkey: b\nmax_attempts: 010", 3, "max_attempts", "without a 0 in front"},
		{"B25, octal time", "rule: a\nkey: b\nlease: 0900", 3, "lease", "time span"},
		{"B25, number too large", "rule: a\nkey: b\nsamples: [{body: {id: 1e400}}]", 3, "body", "400 digits"},
		{"bool", "rule: a\nkey: b\nfold_case: 'yes'", 3, "fold_case", "true or false"},
		{"key number", "rule: a\nkey: 3", 2, "key", "text"},
		{"sample member", "rule: a\nkey: b\nsamples:\n- body: x\n  grp: y", 5, "samples[0].grp", "group, name"},
		{"sample text", "rule: a\nkey: b\nsamples: [x]", 3, "samples[0]", "a sample"},
		{"header list", "rule: a\nkey: b\nsamples: [{headers: {a: [1]}}]", 3, "samples[0].headers.a", "text"},
		{"hexadecimal", "rule: a\nkey: b\nsamples: [{body: {id: 0x1F}}]", 3, "body", "JSON cannot write"},
		{"octal", "rule: a\nkey: b\nsamples: [{body: {id: 012}}]", 3, "body", "JSON cannot write"},
		{"infinity", "rule: a\nkey: b\nsamples: [{body: {id: .inf}}]", 3, "body", "JSON cannot write"},
		{"anchor", "rule: &x a\nkey: *x", 1, "", "anchors"},
		{"tag", "rule: !!binary YQ==\nkey: b", 1, "", "tags"},
		{"merge", "rule: a\nkey: b\n<<: {title: x}", 3, "", "plain text"},
		{"two documents", "rule: a\nkey: b\n---\nrule: c", 3, "", "more than one"},
		{"list", "- a", 1, "", "list of members"},
		{"empty", "", 0, "", "empty"},
		{"comment alone", "# nothing\n", 0, "", ""},
		{"broken YAML", "rule: a\n key: b", 2, "", "YAML"},
		{"broken JSON", "{\"rule\":\n}", 2, "", "value is missing"},
		{"deep", "rule: a\nkey: b\nsamples: [{body: " + strings.Repeat("[", 80) + strings.Repeat("]", 80) + "}]", 3, "", "64 deep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse([]byte(tt.text))
			f, ok := errors.AsType[*FileError](err)
			if !ok {
				t.Fatalf("%T %v", err, err)
			}
			if f.Line != tt.line || f.Field != tt.field || !strings.Contains(f.Msg, tt.says) {
				t.Errorf("line %d, %q: %s; want line %d, %q, %q", f.Line, f.Field, f.Msg, tt.line, tt.field, tt.says)
			}
		})
	}
}

func TestDurations(t *testing.T) {
	for text, want := range map[string]string{
		"15m": "15m", "90s": "90s", "35d": "35d", "900": "15m", "86400": "1d", "1h30m": "90m", "1.5": "1.5", "0.25": "0.25", "24h": "1d", "0": "0", "1d12h": "36h",
	} {
		d, err := ParseDuration(text)
		if err != nil || d.String() != want {
			t.Errorf("%s is %s, %v; want %s", text, d, err, want)
		}
	}
	for _, text := range []string{"", "-1", "+1", "1e3", "NaN", "inf", "1w", "m", "1m2h", "1 m", "99999999999999", "4000d", "1.", ".5", "1.5m", "١"} {
		if d, err := ParseDuration(text); err == nil {
			t.Errorf("%q was read as %s", text, d)
		}
	}
}

// TestRuleFilesRoundTrip writes any rule as YAML and as JSON and reads it back.
func TestRuleFilesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringN(0, 20, -1),
			rapid.SampledFrom([]string{"1", "true", "null", "~", "yes", "2024-01-01", "0x1F", "1e309", "- a", "a: b", "# c", "{}", "'", "\"", " lead", "trail ", "a\nb", "\n", "a\n\nb\n", "tab\there", "😀\nb", "<<", "=", "a\r\nb", "{\n  \"id\": 1\n}", "  {\n}"}))
		r := &Rule{
			Rule:   rapid.StringMatching(`[a-z0-9][a-z0-9._-]{0,20}`).Draw(t, "rule"),
			Key:    "key(" + text.Draw(t, "key") + ")",
			Title:  text.Draw(t, "title"),
			When:   text.Draw(t, "when"),
			Lease:  Duration(rapid.IntRange(5, 600000).Draw(t, "lease")) * Duration(time.Second),
			Answer: rapid.SampledFrom([]string{"", "wait"}).Draw(t, "answer"), FoldCase: rapid.Bool().Draw(t, "fold"),
			MaxAttempts: rapid.IntRange(0, 9).Draw(t, "attempts"), CostPerDouble: text.Draw(t, "cost"),
			Fingerprint: rapid.SliceOfN(text, 0, 2).Draw(t, "fingerprint"),
		}
		if len(r.Fingerprint) == 0 {
			r.Fingerprint = nil
		}
		for range rapid.IntRange(0, 2).Draw(t, "samples") {
			s := Sample{Group: text.Draw(t, "group"), Name: text.Draw(t, "name"), Body: text.Draw(t, "body")}
			if rapid.Bool().Draw(t, "has headers") {
				s.Headers = map[string]string{text.Draw(t, "header"): text.Draw(t, "value")}
			}
			r.Samples = append(r.Samples, s)
		}
		for name, write := range map[string]func() ([]byte, error){"YAML": r.YAML, "JSON": r.JSON} {
			data, err := write()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			again, err := Parse(data)
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, data)
			}
			if diff := cmp.Diff(r, again); diff != "" {
				t.Fatalf("%s: %s\n%s", name, diff, data)
			}
		}
	})
}

func TestWithDefaults(t *testing.T) {
	d := (&Rule{Rule: "a", Lease: minLease}).WithDefaults()
	want := Rule{Rule: "a", Title: "a", Lease: minLease, Keep: defaultKeep, OnExpiry: "next", Answer: "branch", IfUnreachable: "stop"}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
}

// FuzzParse: no rule file panics, and what is read can be written and read again.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/import/*.yaml")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil {
			f.Add(data)
		}
	}
	f.Add([]byte(`{"rule":"r","key":"k","samples":[{"body":{"a":[1,{"b":1.0}]}}]}`))
	f.Add([]byte("rule: a\nkey: |-\n  x\nsamples:\n- body: {a: 1.10}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err != nil {
			if _, ok := errors.AsType[*FileError](err); !ok {
				t.Fatalf("error is %T: %v", err, err)
			}
			return
		}
		text, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(r, again); diff != "" {
			t.Fatal(diff)
		}
	})
}
