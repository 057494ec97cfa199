package intake_test

import (
	"testing"

	"dedupedesk/app/intake"
	"dedupedesk/rules"
)

// TestAnotherRuleOfTheSameNameIsNotedAtOnce: a rule is renamed away and another
// put under its name, which is version 1 again. A process that still knows the
// old one must not grant under its formula.
func TestAnotherRuleOfTheSameNameIsNotedAtOnce(t *testing.T) {
	_, here, there := house(t)
	mustPut(t, there, "rule: ss\nkey: key(\"old\", body.id)\n")
	event := func(id int64) intake.Source {
		return intake.Source{Rule: "ss", Event: &rules.Event{Body: map[string]any{"id": id}}}
	}
	wantKey(t, here, event(1), "old:1") // here knows the rule now
	away, err := rules.Parse([]byte("rule: ss-old\nkey: key(\"old\", body.id)\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := there.PutRule(t.Context(), "ss", away); err != nil {
		t.Fatal(err)
	}
	mustPut(t, there, "rule: ss\nkey: key(\"new\", body.id)\n")
	wantKey(t, here, event(2), "new:2")
}

// TestPartsFollowAChangedRuleAtOnce: what makes a key of parts is the rule's too.
func TestPartsFollowAChangedRuleAtOnce(t *testing.T) {
	_, here, there := house(t)
	mustPut(t, there, "rule: pg\nkey: key(body.id)\n")
	wantKey(t, here, intake.Source{Rule: "pg", Parts: []any{"W1"}}, "W1")
	mustPut(t, there, "rule: pg\nkey: key(body.id)\nfold_case: true\n")
	wantKey(t, here, intake.Source{Rule: "pg", Parts: []any{"X1"}}, "x1")
}

func wantKey(t *testing.T, in *intake.Intake, src intake.Source, want string) {
	t.Helper()
	res, err := in.Claim(t.Context(), src, intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Items[0].Answer.Key; got != want {
		t.Errorf("granted %q, want %q", got, want)
	}
}
