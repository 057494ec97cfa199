package exporters

import (
	"encoding/json"
	"errors"
	"math"
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

// digits stands for another package's exact number.
type digits string

func TestSampleJSONKeepsEveryDigit(t *testing.T) {
	for _, tt := range []struct {
		body any
		want string
	}{
		{nil, "null"},
		{map[string]any{"b": true, "a": []any{int64(-9007199254740993), uint64(math.MaxUint64), 19.9, "x\n\"<"}}, `{"a":[-9007199254740993,18446744073709551615,19.9,"x\n\"<"],"b":true}`},
		{digits("820982911946154508.10"), "820982911946154508.10"},
		{json.Number("1e3"), "1e3"},
		{1e21, "1000000000000000000000"},
	} {
		got, err := Sample{Body: tt.body}.JSON()
		if err != nil || string(got) != tt.want {
			t.Errorf("%#v: %s, %v, want %s", tt.body, got, err, tt.want)
		}
	}
}

func TestSampleJSONRefusesWhatIsNoJSON(t *testing.T) {
	deep := any("x")
	for range 200 {
		deep = []any{deep}
	}
	for _, body := range []any{digits("x"), digits(""), digits("true"), math.NaN(), math.Inf(1), struct{}{}, deep} {
		if got, err := (Sample{Body: body}).JSON(); err == nil {
			t.Errorf("%#v became %s", body, got)
		}
	}
}

func TestDetailOfChoices(t *testing.T) {
	f := Field{Name: "who", Choices: []string{"sender", "make"}}
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
