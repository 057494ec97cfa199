package makecom

import (
	"slices"
	"testing"

	"dedupedesk/exporters"
	"dedupedesk/exporters/exporttest"
)

func TestGolden(t *testing.T) { exporttest.Golden(t, New(), "testdata/*.txtar") }

// TestStoreStepsNameTheDetailsTheyAreMadeOf: a page keeps a step back by these names
// while one of the details is wrong.
func TestStoreStepsNameTheDetailsTheyAreMadeOf(t *testing.T) {
	hands := func(details map[string]string) map[string]string {
		setup := orderSetup(details)
		setup.Lease = 0
		c, err := New().Build(setup)
		if err != nil || c.Route != exporters.RouteStore {
			t.Fatalf("%v: route %q, %v", details, c.Route, err)
		}
		given := map[string]string{}
		for _, s := range c.Steps {
			given[s.ID] = s.Value + "\n" + s.Blocked
			for _, check := range s.Checks {
				given[s.ID] += check.Text
			}
			for _, f := range c.Files {
				if f.Name == s.File {
					given[s.ID] += string(f.Data)
				}
			}
		}
		return given
	}
	base := hands(nil)
	for _, f := range New().Fields() {
		for _, choice := range f.Choices {
			if f.Question && f.Name != "retries" && f.Name != "reply" {
				continue // these choose the way
			}
			details := map[string]string{f.Name: choice.Value}
			c, err := New().Build(orderSetup(details))
			if err != nil {
				t.Fatal(err)
			}
			now := hands(details)
			for _, s := range c.Steps {
				if now[s.ID] != base[s.ID] && !slices.Contains(s.Details, f.Name) {
					t.Errorf("step %s changes with %s %s but does not name it", s.ID, f.Name, choice.Value)
				}
			}
		}
	}
}
