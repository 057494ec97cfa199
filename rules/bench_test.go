package rules

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func benchEvent(b *testing.B) ([]byte, Event) {
	b.Helper()
	data, err := os.ReadFile("testdata/pairs/stripe-two-events-one-object/first.json")
	if err != nil {
		b.Fatal(err)
	}
	e, err := DecodeEvent("application/json", data, map[string]string{"Stripe-Signature": "t=1,v1=0"}, nil)
	if err != nil {
		b.Fatal(err)
	}
	return data, e
}

// BenchmarkKey is one key of a decoded event.
func BenchmarkKey(b *testing.B) {
	_, event := benchEvent(b)
	for _, r := range []*Rule{
		{Title: "event", Key: `key("stripe", body.id)`},
		{Title: "business", Key: `key("stripe", body.data.object.id, lower(body.type))`, When: `body.type == "charge.succeeded"`, Fingerprint: []string{"body.data.object.amount"}},
		{Title: "steps", Key: `key(secret(body.data.object.id), time(body.created), either(body.note, header("Stripe-Signature")), fold(body.type))`},
		{Title: "day", Key: `key(body.id, day(body.created, "Europe/Berlin"))`},
		{Title: "digest", Key: `key(digest(omit(body.data.object, ["balance_transaction", "status"])))`},
		{Title: "regular expressions", Key: `key(regex.extract(body.id, "[A-Za-z0-9]+$").value(), body.type.matches("^charge"), regex.replace(body.type, "[.]", "-"))`},
		{Title: "condition", Key: `key(body.id)`, When: `body.type in ["charge.succeeded", "charge.failed"] && has(body.data.object.id) && body.data.object.?amount.orValue(0) > 0`},
	} {
		b.Run(r.Title, func(b *testing.B) {
			p := mustCompile(b, secretEngine(b, zeros), r)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := p.Keys(b.Context(), event); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecodeJSON(b *testing.B) {
	data, _ := benchEvent(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeJSON(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJoinParts(b *testing.B) {
	parts := []any{"supplier-order", int64(820982911946154508), "Zamówienie  7"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := JoinParts(parts, false, ""); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	e := newEngine(b)
	b.ReportAllocs()
	for b.Loop() {
		mustCompile(b, e, &Rule{Key: `key("stripe", body.data.object.id, lower(body.type))`})
	}
}

// BenchmarkPayloads is a rule test over many payloads: decode and key of each.
func BenchmarkPayloads(b *testing.B) {
	data, _ := benchEvent(b)
	p := mustCompile(b, newEngine(b), &Rule{Key: `key("stripe", body.data.object.id, body.type)`})
	for b.Loop() {
		for range 10000 {
			e, err := DecodeEvent("application/json", data, nil, nil)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := p.Keys(b.Context(), e); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// largeSamples are three deliveries of 256 KB with 5,000 fields each, two of them
// copies.
func largeSamples() []Sample {
	var out []Sample
	for n, group := range []string{"A", "A", "B"} {
		var b strings.Builder
		fmt.Fprintf(&b, `{"id":"evt_%s","created":%d`, group, 1779783477+n)
		for i := range 500 {
			fmt.Fprintf(&b, `,"section_%d":{"id":"s-%s-%d","updated_at":"2026-05-06T10:%02d:%02dZ","title":"Some words about number %d, and a few more of them, so that this field has about the length that they usually have in real deliveries","amount":19.90,"count":%d,"on":true,"email":"someone%d@example.com","status":"open","url":"https://example.com/%s/things/%d"}`, i, group, i, i%60, i%60, i, i, i, group, i)
		}
		b.WriteByte('}')
		out = append(out, Sample{Group: group, Body: b.String(), Headers: map[string]string{"X-Delivery": fmt.Sprint(n)}})
	}
	return out
}

// BenchmarkTree reads three deliveries of 256 KB with 5,000 fields.
func BenchmarkTree(b *testing.B) {
	s := largeSamples()
	if n := len(NewTree(s).Fields()); n < 5000 || len(s[0].Body) < 128<<10 || len(s[0].Body) > 256<<10 {
		b.Fatalf("%d fields, %d bytes", n, len(s[0].Body))
	}
	b.ReportAllocs()
	for b.Loop() {
		NewTree(s)
	}
}

// BenchmarkJudgeLarge judges a rule on the same three, read before.
func BenchmarkJudgeLarge(b *testing.B) {
	e, tree := newEngine(b), NewTree(largeSamples())
	for _, key := range []string{`key("s", body.id)`, `key("s", body.id, body.created)`, `key("s", body.section_7.status)`} {
		b.Run(key, func(b *testing.B) {
			for b.Loop() {
				e.JudgeTree(b.Context(), &Rule{Key: key}, tree)
			}
		})
	}
}

func BenchmarkSuggestLarge(b *testing.B) {
	tree := NewTree(largeSamples())
	for b.Loop() {
		tree.Suggest()
	}
}

// BenchmarkReadTable is a file of 20,000 rows.
func BenchmarkReadTable(b *testing.B) {
	text := "order;customer;total\n" + strings.Repeat("1042;Robin Example;19,90\n", 20_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if t, err := ReadTable(text, true); err != nil || len(t.Rows) != 20_000 {
			b.Fatal(err)
		}
	}
}
