package destinations

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
	"dedupedesk/exporters/exporttest"
)

func TestGolden(t *testing.T) { exporttest.Golden(t, New(), "testdata/*.txtar") }

// TestTheNameComesOutAsItWentIn, in the body of the request too, or is refused by the
// name of its field.
func TestTheNameComesOutAsItWentIn(t *testing.T) {
	odd := rapid.OneOf(rapid.StringMatching(`[A-Za-z][A-Za-z0-9]{0,31}`), rapid.StringOfN(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\"'\\\n{{}}@$א😀"))), 1, 12, -1))
	rapid.Check(t, func(t *rapid.T) {
		name := odd.Draw(t, "name")
		kind := rapid.SampledFrom([]string{hubspot, salesforce, airtable}).Draw(t, "kind")
		c, err := New().Build(exporters.Setup{Rule: "r", Expressible: true, Details: map[string]string{"destination": kind, "field": name}})
		trimmed := strings.TrimSpace(name)
		if err != nil {
			if fault, ok := err.(*exporters.InputError); !ok || fault.Field != "field" || fieldName.MatchString(trimmed) {
				t.Fatalf("%q: %v", name, err)
			}
			return
		}
		if trimmed == "" {
			trimmed = defaultName
		}
		var found bool
		for _, step := range c.Steps {
			switch step.ID {
			case "property":
				found = step.Value == strings.ToLower(trimmed)
			case "field":
				found = step.Value == trimmed
			case "upsert":
				var body struct {
					PerformUpsert struct{ FieldsToMergeOn []string }
					Records       []struct{ Fields map[string]string }
				}
				if err := json.Unmarshal([]byte(step.Value), &body); err != nil || body.PerformUpsert.FieldsToMergeOn[0] != trimmed || body.Records[0].Fields[trimmed] != keyHere {
					t.Fatalf("%s: %v", step.Value, err)
				}
			}
		}
		if !found {
			t.Fatalf("%s: %q is nowhere to copy", kind, trimmed)
		}
	})
}

// TestKeysAreHeldAgainstTheDestination: Stripe counts characters, a field UTF-16 units,
// and what may be one value there is said.
func TestKeysAreHeldAgainstTheDestination(t *testing.T) {
	long := strings.Repeat("😀", 200)
	for _, tt := range []struct {
		kind   string
		keys   []string
		result string
		text   string
	}{
		{stripe, []string{strings.Repeat("a", 247)}, exporters.Fail, "247 characters"},
		{stripe, []string{strings.Repeat("a", 246)}, exporters.OK, "246"},
		{stripe, []string{"żółw"}, exporters.Warn, "letters"},
		{stripe, []string{"a", "A"}, exporters.OK, "2 sample keys"},
		{salesforce, []string{long}, exporters.Fail, "400 characters"},
		{salesforce, []string{"a", "A"}, exporters.Warn, "capitals alone"},
		{hubspot, []string{"a", "a", "b"}, exporters.OK, "3 sample keys"},
		{airtable, nil, exporters.Warn, "no key to check"},
	} {
		s := exporters.Setup{Rule: "r", Expressible: true, Parts: []exporters.Part{{Literal: "x"}}, Details: map[string]string{"destination": tt.kind}}
		for _, key := range tt.keys {
			s.Samples = append(s.Samples, exporters.Sample{Key: key})
		}
		c, err := New().Build(s)
		if err != nil {
			t.Fatal(err)
		}
		got := c.Steps[0].Checks[0]
		if got.Result != tt.result || !strings.Contains(got.Text, tt.text) || (c.Steps[0].Blocked != "") != (tt.result == exporters.Fail) {
			t.Errorf("%s %.20q: %+v, blocked %q", tt.kind, tt.keys, got, c.Steps[0].Blocked)
		}
	}
}

// TestT19AnEMailAddressIsNoKey: each destination says where it misleads, and only those
// with a unique field claim to stop a repeat.
func TestT19AnEMailAddressIsNoKey(t *testing.T) {
	for kind, words := range map[string]string{
		salesforce: "e-mail address is no substitute", airtable: "searches and then creates", sheets: "cannot refuse a copy", excel: "cannot refuse a copy",
		stripe: "24 hours", hubspot: "Not confirmed",
	} {
		c, err := New().Build(exporters.Setup{Details: map[string]string{"destination": kind}})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(c.Text(), words) {
			t.Errorf("%s does not say %q", kind, words)
		}
		partial := kind != hubspot && kind != salesforce
		if c.StopsRepeats() == partial {
			t.Errorf("%s claims to stop repeats: %v", kind, c.StopsRepeats())
		}
	}
}

// TestAHiddenNameHindersNobody: a name typed for one destination is not asked for at
// another, so it must not be refused there.
func TestAHiddenNameHindersNobody(t *testing.T) {
	for _, kind := range []string{stripe, sheets, excel} {
		s := exporters.Setup{Details: map[string]string{"destination": kind, "field": "event key"}}
		if _, err := New().Build(s); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		for _, f := range exporters.Asked(New(), s) {
			if f.Name == "field" {
				t.Errorf("%s asks for a field's name", kind)
			}
		}
	}
}

// TestWhatEndedQuietlyIsLookedAt: each destination with a field shows what was made and
// not finished, and stops an event without a key.
func TestWhatEndedQuietlyIsLookedAt(t *testing.T) {
	for _, kind := range []string{hubspot, salesforce, airtable} {
		c, err := New().Build(exporters.Setup{Rule: "r", Expressible: true, Parts: []exporters.Part{{Literal: "x"}}, Details: map[string]string{"destination": kind}})
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]int{}
		for i, step := range c.Steps {
			ids[step.ID] = i + 1
			if step.ID == "field" && kind == salesforce && (strings.Contains(step.Where, "and Required.") || !strings.Contains(step.Warning, "Required")) {
				t.Errorf("%s closes the object to others without a word: %s", kind, step.Where)
			}
		}
		for _, id := range []string{"whole", "done", "stuck", "alert", "clean"} {
			if ids[id] == 0 {
				t.Errorf("%s has no step %s", kind, id)
			}
		}
	}
}

// TestTwoRulesAreNotOneRequestOfStripe: the header begins with the rule's name.
func TestTwoRulesAreNotOneRequestOfStripe(t *testing.T) {
	values := map[string]bool{}
	for _, rule := range []string{"deposit", "fee", ""} {
		c, err := New().Build(exporters.Setup{Rule: rule, Expressible: true, Parts: []exporters.Part{{Literal: "x"}}, Details: map[string]string{"destination": stripe}})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range c.Steps {
			switch {
			case step.ID == "ending":
				values[step.Value] = true
			case step.ID == "copy" && !strings.Contains(step.Where, "end the run as an error"):
				t.Errorf("nobody is told of a changed copy: %s", step.Where)
			}
		}
	}
	if !values["deposit:charge:"+keyHere] || len(values) != 3 {
		t.Errorf("values %v", values)
	}
}

// TestTheFormulaOfASheetHasNoSeparator, which is another one in each country.
func TestTheFormulaOfASheetHasNoSeparator(t *testing.T) {
	for _, step := range sheetSteps(sheets) {
		if step.ID == "stuck" && strings.ContainsAny(step.Value, ",;") {
			t.Errorf("%s", step.Value)
		}
	}
}
