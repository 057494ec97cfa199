package rules_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

func maskEngine(t *testing.T) *rules.Engine {
	t.Helper()
	e, err := rules.New(rules.WithSenders(presets.Known))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestMaskKeepsShapeAndEquality(t *testing.T) {
	r := &rules.Rule{
		Key: `key("shop", body.id, lower(body.mail))`, When: `body.total > 10 && body.state == "paid"`,
		Samples: []rules.Sample{
			{Group: "A", Headers: map[string]string{"X-GitHub-Delivery": "72d3162e-cc78-11e3-81ab-4c9367dc0958", "Content-Type": "application/json"},
				Body: "{\n  \"id\": 12345678901234567890, \"mail\": \"Robin.Smith@example.com\", \"total\": 19.90, \"state\": \"paid\",\n  \"at\": \"2026-11-30T14:05:00+01:00\", \"created\": 1760000000, \"type\": \"invoice.paid\", \"ok\": true, \"none\": null, \"try\": 1, \"zero\": 0, \"note\": \"paid by Robin, 007\"\n}"},
			{Group: "A", Body: `{"id": 12345678901234567890, "mail": "robin.smith@EXAMPLE.com", "total": 19.9, "state": "paid", "at": "2026-11-30T14:05:09+01:00", "try": 2}`},
			{Group: "B", Body: `{"id": 12345678901234567891, "mail": "kim@example.com", "total": 20.00, "state": "paid", "at": "2026-11-30T14:05:00+01:00", "try": 1}`},
		},
	}
	masked, err := maskEngine(t).Mask(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	first := masked.Samples[0]
	for _, gone := range []string{"Robin", "Smith", "345678901", "2026-11-30", "1760000000", "example", "72d3162e", "007"} {
		if strings.Contains(first.Body+fmt.Sprint(first.Headers), gone) {
			t.Errorf("%q is still there: %s %v", gone, first.Body, first.Headers)
		}
	}
	shape := regexp.MustCompile(`^\{\n  "id": 12[0-9]{18}, "mail": "[A-Z][a-z]{4}\.[A-Z][a-z]{4}@[a-z]{7}\.[a-z]{3}", "total": 19\.90, "state": "paid",
  "at": "202[0-9]-[0-9]{2}-[0-9]{2}T14:05:00\+01:00", "created": [0-9]{10}, "type": "invoice\.paid", "ok": true, "none": null, "try": [1-9], "zero": 0, "note": "[a-z]{4} [a-z]{2} [A-Z][a-z]{4}, 00[1-9]"
\}$`)
	if !shape.MatchString(first.Body) {
		t.Errorf("another shape: %s", first.Body)
	}
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`).MatchString(first.Headers["X-GitHub-Delivery"]) {
		t.Errorf("no id any more: %v", first.Headers)
	}
	if r.Samples[0].Headers["X-GitHub-Delivery"] != "72d3162e-cc78-11e3-81ab-4c9367dc0958" {
		t.Error("the rule itself was changed")
	}
}

// The samples of every sender show the same after masking, and nothing of an id is
// left.
func TestMaskedSendersSayTheSame(t *testing.T) {
	e := maskEngine(t)
	all, err := presets.All()
	if err != nil {
		t.Fatal(err)
	}
	unmasked := 0
	for _, p := range all {
		for _, d := range append([]presets.Delivery{p.Delivery}, p.Others...) {
			masked, err := e.Mask(t.Context(), &d.Rule)
			if errors.Is(err, rules.ErrUnmaskable) {
				t.Logf("%s/%s cannot be masked", p.Sender, d.Kind)
				unmasked++
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			was, is := e.Judge(t.Context(), &d.Rule), e.Judge(t.Context(), masked)
			if was.OK != is.OK || len(masked.Samples) != len(d.Rule.Samples) {
				t.Errorf("%s/%s says something else", p.Sender, d.Kind)
			}
			for i, s := range masked.Samples {
				for _, id := range longID.FindAllString(d.Rule.Samples[i].Body, -1) {
					if strings.Contains(s.Body, id) {
						t.Errorf("%s/%s still holds %s", p.Sender, d.Kind, id)
					}
				}
			}
		}
	}
	if unmasked > 3 {
		t.Errorf("%d deliveries cannot be masked", unmasked)
	}
}

// longID finds what nobody writes by chance.
var longID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[A-Za-z0-9._]+@[a-z]+\.[a-z]+|evt_[A-Za-z0-9]{10,}`)

func TestMaskReadsOtherBodiesAndRefusesWhatItCannotKeep(t *testing.T) {
	e := maskEngine(t)
	form := &rules.Rule{Key: `key("x", body.id, query.shop)`, Samples: []rules.Sample{
		{Group: "A", Body: "POST /hook?shop=robin HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\nX-Id: secret77\n\nid=1234&name=Robin"},
		{Group: "B", Body: "POST /hook?shop=robin HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\n\nid=1235&name=Robin"},
		{Body: "{broken"},
	}}
	masked, err := e.Mask(t.Context(), form)
	if err != nil || len(masked.Samples) != 2 {
		t.Fatalf("%d samples, %v", len(masked.Samples), err)
	}
	for _, s := range masked.Samples {
		if all := s.Body + fmt.Sprint(s.Headers); strings.Contains(all, "obin") || strings.Contains(all, "1234") || strings.Contains(all, "secret77") {
			t.Errorf("something is left: %s", all)
		}
	}
	if j := e.Judge(t.Context(), masked); !j.OK {
		t.Errorf("the masked rule says %+v", j.Verdicts)
	}
	// The length of a word would tell, but not the letters that a pattern reads.
	odd := &rules.Rule{Key: `key("x", body.id.matches("^[0-9]+[13579]$") ? "odd" : "even", body.n)`, Samples: []rules.Sample{
		{Group: "A", Body: `{"id":"1111111111111111111111","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111113","n":"1"}`},
		{Group: "A", Body: `{"id":"1111111111111111111115","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111117","n":"1"}`},
		{Group: "A", Body: `{"id":"1111111111111111111119","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111121","n":"1"}`},
		{Group: "A", Body: `{"id":"1111111111111111111123","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111125","n":"1"}`},
		{Group: "A", Body: `{"id":"1111111111111111111127","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111129","n":"1"}`},
		{Group: "A", Body: `{"id":"1111111111111111111131","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111133","n":"1"}`},
		{Group: "A", Body: `{"id":"1111111111111111111135","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111137","n":"1"}`},
		{Group: "A", Body: `{"id":"1111111111111111111139","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111141","n":"1"}`},
		{Group: "A", Body: `{"id":"1111111111111111111143","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111145","n":"1"}`},
		{Group: "A", Body: `{"id":"1111111111111111111147","n":"1"}`}, {Group: "A", Body: `{"id":"1111111111111111111149","n":"1"}`},
	}}
	if _, err := e.Mask(t.Context(), odd); !errors.Is(err, rules.ErrUnmaskable) {
		t.Errorf("a pattern that reads digits: %v", err)
	}
}
