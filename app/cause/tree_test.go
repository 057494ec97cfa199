package cause_test

import (
	"slices"
	"testing"

	"dedupedesk/app/cause"
)

// TestEveryPathEndsInAResult walks all answers to all questions, not sure among them, and
// wants each cause to be reached, alone.
func TestEveryPathEndsInAResult(t *testing.T) {
	reached, paths, longest := map[cause.ID]int{}, 0, 0
	var walk func(given []cause.Given)
	walk = func(given []cause.Given) {
		s := cause.Stand(given)
		if len(s.Left) == 0 || len(given) > len(cause.Questions()) {
			t.Fatalf("%v leads to %v", given, s.Left)
		}
		if s.Next == nil {
			paths++
			longest = max(longest, len(given))
			if len(s.Left) == 1 {
				reached[s.Left[0]]++
			}
			for _, id := range s.Left {
				if c, ok := cause.Of(id); !ok || c.Sentence == "" || len(c.Fixes) == 0 || len(c.Useless) == 0 {
					t.Errorf("%s has no result", id)
				}
			}
			return
		}
		for _, a := range append(slices.Clone(s.Next.Answers), cause.Answer{ID: cause.NotSure}) {
			walk(append(slices.Clone(given), cause.Given{Question: s.Next.ID, Answer: a.ID}))
		}
	}
	walk(nil)
	for _, c := range cause.All() {
		if reached[c.ID] == 0 {
			t.Errorf("no path leads to %s alone", c.ID)
		}
	}
	t.Logf("%d paths, the longest has %d answers", paths, longest)
}

// TestTheArticlesChecks lead where the article's own table leads.
func TestTheArticlesChecks(t *testing.T) {
	for _, tt := range []struct {
		name  string
		given []string
		want  cause.ID
	}{
		{"one run, a step with 429", []string{"runs", "one", "step", "yes"}, cause.StepRetry},
		{"one run, all is well", []string{"runs", "one", "step", "no"}, cause.StepsRepeat},
		{"two runs of two copies", []string{"runs", "two", "other", "copy"}, cause.SecondCopy},
		{"an app does it too", []string{"runs", "two", "other", "different"}, cause.TwoPaths},
		{"replayed", []string{"runs", "two", "other", "none", "start", "event", "same", "same", "replayed", "yes"}, cause.Replay},
		{"a failed delivery first", []string{"runs", "two", "other", "none", "start", "event", "same", "same", "replayed", "no", "log", "failed"}, cause.SenderRetry},
		{"both looked", []string{"runs", "two", "other", "none", "start", "event", "same", "same", "replayed", "no", "log", "one"}, cause.Overlap},
		{"two registrations", []string{"runs", "two", "other", "none", "start", "event", "same", "delivery", "log", "two"}, cause.DoubleHook},
		{"it updates its own item", []string{"runs", "two", "other", "none", "start", "event", "same", "different", "changes", "yes"}, cause.StartsItself},
		{"two objects of one purchase", []string{"runs", "two", "other", "none", "start", "event", "same", "different", "changes", "no", "thing", "yes", "person", "no"}, cause.TwoEvents},
		{"pressed twice", []string{"runs", "two", "other", "none", "start", "event", "same", "different", "changes", "no", "thing", "yes", "person", "yes"}, cause.DoubleClick},
		{"two people", []string{"runs", "two", "other", "none", "start", "event", "same", "different", "changes", "no", "thing", "no"}, cause.NotTwice},
		{"every five minutes", []string{"runs", "two", "other", "none", "start", "clock", "same", "different", "long", "yes"}, cause.Schedules},
	} {
		var given []cause.Given
		for i := 0; i < len(tt.given); i += 2 {
			s := cause.Stand(given)
			if s.Next == nil {
				t.Errorf("%s: no question after %v, left %v", tt.name, given, s.Left)
				break
			}
			given = append(given, cause.Given{Question: tt.given[i], Answer: tt.given[i+1]})
		}
		if s := cause.Stand(given); len(s.Left) != 1 || s.Left[0] != tt.want {
			t.Errorf("%s: %v, next %+v", tt.name, s.Left, s.Next)
		}
	}
}

// TestNotSureKeepsWhatIsPossible, and what contradicts is not counted.
func TestNotSureKeepsWhatIsPossible(t *testing.T) {
	var given []cause.Given
	for {
		s := cause.Stand(given)
		if s.Next == nil {
			if len(s.Left) != len(cause.All()) {
				t.Errorf("%v", s.Left)
			}
			break
		}
		given = append(given, cause.Given{Question: s.Next.ID, Answer: cause.NotSure})
	}
	s := cause.Stand([]cause.Given{{Question: "runs", Answer: "one"}, {Question: "replayed", Answer: "yes"}, {Question: "nobody", Answer: "x"}, {Question: "step", Answer: "maybe"}})
	if len(s.Left) != 2 || len(s.Given) != 1 || s.Next == nil || s.Next.ID != "step" {
		t.Errorf("%+v", s)
	}
}
