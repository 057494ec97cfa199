package presets

import (
	"testing"

	"dedupedesk/rules"
)

// TestRecognise finds the sender and the kind of every delivery of every preset, with
// its headers and, where its body has marks, without; and never another's.
func TestRecognise(t *testing.T) {
	everyDelivery(t, func(t *testing.T, p Preset, d Delivery) {
		for _, s := range d.Rule.Samples {
			e, err := s.Event()
			if err != nil {
				t.Fatal(err)
			}
			if got, ok := Recognise(e); got != p.Sender || !ok {
				t.Errorf("the %s is recognised as %q", s.Name, got)
			}
			if got := p.For(e); got.Kind != d.Kind {
				t.Errorf("the %s is of the kind %q", s.Name, got.Kind)
			}
			e.Headers = map[string]string{}
			if got, ok := Recognise(e); ok && got != p.Sender {
				t.Errorf("the body of the %s alone is recognised as %q", s.Name, got)
			}
		}
	})
}

// TestRecogniseNobody: an event of no known sender has no name, nor has one that
// carries the marks of two.
func TestRecogniseNobody(t *testing.T) {
	for name, s := range map[string]rules.Sample{
		"empty":       {Body: ""},
		"plain order": {Body: `{"id": 7, "order": 10482, "total": "19.90", "email": "pat@example.com"}`},
		"list":        {Body: `[{"id": 1}, {"id": 2}]`},
		"text":        {Body: `"hello"`},
		"two senders": {Body: `{"id": 1}`, Headers: map[string]string{"X-GitHub-Event": "issues", "X-Shopify-Topic": "orders/create"}},
	} {
		e, err := s.Event()
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := Recognise(e); ok {
			t.Errorf("%s is recognised as %q", name, got)
		}
	}
}

func BenchmarkRecognise(b *testing.B) {
	p, _ := BySender("stripe")
	e, err := p.Rule.Samples[0].Event()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Recognise(e)
	}
}
