package rules

import (
	"os"
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
	} {
		b.Run(r.Title, func(b *testing.B) {
			p := mustCompile(b, newEngine(b), r)
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
