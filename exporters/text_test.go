package exporters

import (
	"errors"
	"strings"
	"testing"
)

func TestTextHidesABlockedValue(t *testing.T) {
	c := Checklist{Title: "T", Steps: []Step{
		{Title: "A", Value: "secret-a", ValueLabel: "Line", Blocked: "It differs."},
		{Title: "B", Value: "has ``` in it", ValueLabel: "Line", Warning: "No way back."},
	}}
	text := c.Text()
	if strings.Contains(text, "secret-a") || !strings.Contains(text, "Do not copy yet: It differs.") {
		t.Errorf("the blocked value is shown, or its reason is not:\n%s", text)
	}
	if !strings.Contains(text, "````\nhas ``` in it\n````") {
		t.Errorf("the fence is closed by the value:\n%s", text)
	}
	if strings.Index(text, "BEFORE YOU DO THIS: No way back.") > strings.Index(text, "has ```") {
		t.Errorf("the warning comes after the value:\n%s", text)
	}
	if reason, blocked := c.Blocked(); !blocked || reason != "It differs." {
		t.Errorf("Blocked() = %q, %v", reason, blocked)
	}
}

func TestDetailOfChoices(t *testing.T) {
	f := Field{Name: "who", Choices: []Choice{{"sender", "The sender"}, {"make", "Make"}}}
	for typed, want := range map[string]string{"": "sender", "make": "make"} {
		got, err := Setup{Details: map[string]string{"who": typed}}.Detail(f)
		if err != nil || got != want {
			t.Errorf("%q: %q, %v", typed, got, err)
		}
	}
	_, err := Setup{Details: map[string]string{"who": "nobody"}}.Detail(f)
	var input *InputError
	if !errors.As(err, &input) || input.Field != "who" {
		t.Errorf("an answer that is no choice: %v", err)
	}
}

func TestCoveredKeepsTheOrderOfTheSix(t *testing.T) {
	got := Covered(map[string]Cover{Replay: {State: Yes, By: "x"}})
	if len(got) != 6 || got[4].Cause != Replay || got[4].State != Yes || got[4].Label == "" || got[0].State != No {
		t.Errorf("%+v", got)
	}
}
