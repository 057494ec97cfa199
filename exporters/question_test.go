package exporters

import "testing"

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
