package presets

import (
	"encoding/json"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

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

// TestRecogniseTheCorpus finds the sender of every delivery of the rules' corpus: none
// is taken for another's, with its headers or without. An empty list has no marks.
func TestRecogniseTheCorpus(t *testing.T) {
	cases, seen := 0, 0
	err := filepath.WalkDir("../testdata/samples", func(file string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".txtar" || strings.Contains(file, "pairs") {
			return err
		}
		sender, s := corpusSample(t, file)
		e, err := s.Event()
		if err != nil {
			return nil // XML; the corpus test says how it is refused
		}
		cases++
		got, ok := Recognise(e)
		if ok {
			seen++
		}
		e.Headers = map[string]string{}
		bare, bareOK := Recognise(e)
		if ok && got != sender || bareOK && bare != sender || !ok && !strings.HasSuffix(file, "asana/heartbeat.txtar") {
			t.Errorf("%s is recognised as %q, without headers as %q", file, got, bare)
		}
		return nil
	})
	if err != nil || cases < 80 || seen < cases-1 {
		t.Errorf("%d of %d deliveries recognised, %v", seen, cases, err)
	}
}

// corpusSample reads a delivery and its sender.
func corpusSample(t *testing.T, file string) (sender string, s rules.Sample) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		switch f.Name {
		case "body":
			s.Body = string(f.Data)
		case "headers.json":
			err = json.Unmarshal(f.Data, &s.Headers)
		case "case.yaml":
			var c struct{ Sender string }
			err = yaml.Unmarshal(f.Data, &c)
			sender = c.Sender
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return sender, s
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
