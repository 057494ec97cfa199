package exporters

import (
	"testing"
	"time"
)

// asking offers one way and two fields, the second of which hangs on the first.
type asking struct{}

func (asking) Name() string                   { return "asking" }
func (asking) Title() string                  { return "Asking" }
func (asking) About() string                  { return "Asks." }
func (asking) Cloud() bool                    { return false }
func (asking) Ways(Setup) []Way               { return []Way{{Route: RouteNone}} }
func (asking) Build(Setup) (Checklist, error) { return Checklist{}, nil }
func (asking) Fields() []Field {
	return []Field{
		{Name: "purpose", Choices: []Choice{{"one", ""}, {"two", ""}}},
		{Name: "value", Only: map[string][]string{"purpose": {"two"}}},
	}
}

func TestAFieldIsAskedOnlyWithAnswersItHangsOn(t *testing.T) {
	for answer, want := range map[string]int{"": 1, "one": 1, "two": 2, "unknown": 1} {
		if got := Asked(asking{}, Setup{Details: map[string]string{"purpose": answer}}); len(got) != want {
			t.Errorf("with %q %d fields are asked, want %d", answer, len(got), want)
		}
	}
}

// TestAnAnswerIsTakenFromTheSender until a person gives one, and one that another answer
// rules out gives way.
func TestAnAnswerIsTakenFromTheSender(t *testing.T) {
	starts := Field{Name: "starts", Choices: []Choice{{"call", ""}, {"list", ""}}, Senders: map[string]string{"sharepoint": "list", "old": "gone"}}
	again := Field{Name: "again", Choices: []Choice{{"sender", ""}, {"person", ""}, {"nobody", ""}},
		Bars: map[string]Bar{"sender": {Other: starts, Answers: []string{"list"}, Instead: "nobody"}}}
	for _, tt := range []struct {
		sender        string
		details       map[string]string
		starts, again string
		open          int
	}{
		{"", nil, "call", "sender", 3},
		{"old", nil, "call", "sender", 3},
		{"sharepoint", nil, "list", "nobody", 2},
		{"sharepoint", map[string]string{"starts": "call"}, "call", "sender", 3},
		{"", map[string]string{"starts": "list", "again": "sender"}, "list", "nobody", 2},
		{"", map[string]string{"starts": "list", "again": "person"}, "list", "person", 2},
		{"", map[string]string{"again": "unknown"}, "call", "sender", 3},
	} {
		s := Setup{Sender: tt.sender, Details: tt.details}
		if got := s.Answered(starts); got != tt.starts {
			t.Errorf("%+v: starts %q", tt, got)
		}
		if got := s.Answered(again); got != tt.again || len(again.open(s)) != tt.open {
			t.Errorf("%+v: again %q of %d", tt, got, len(again.open(s)))
		}
	}
	if _, err := (Setup{Details: map[string]string{"again": "unknown"}}).Detail(again); err == nil {
		t.Error("an answer that does not exist was taken")
	}
}

// TestAStoreForgetsNoKeyBeforeTheRuleDoes, and none within a platform's own time.
func TestAStoreForgetsNoKeyBeforeTheRuleDoes(t *testing.T) {
	for _, tt := range []struct {
		keep        time.Duration
		least, want int
	}{{0, 1, 35}, {0, 90, 90}, {time.Hour, 1, 1}, {36 * time.Hour, 1, 2}, {400 * 24 * time.Hour, 90, 400}} {
		if got := (Setup{Keep: tt.keep}).KeepDays(tt.least); got != tt.want {
			t.Errorf("%v, at least %d: %d days, want %d", tt.keep, tt.least, got, tt.want)
		}
	}
}
