package exporters

import (
	"errors"
	"testing"
)

// TestOneKeyForAllItems is refused: the first item would run and the others be copies.
func TestOneKeyForAllItems(t *testing.T) {
	s := Setup{Parts: []Part{{Literal: "item"}, {Path: []string{"body", "id"}}}}
	if err := s.NoItem(); err != nil {
		t.Errorf("without a list: %v", err)
	}
	s.Each = []string{"body", "lines"}
	if err := s.NoItem(); err == nil {
		t.Error("a key that reads no item went through")
	}
	s.Parts = append(s.Parts, Part{Path: []string{"item"}})
	if err := s.NoItem(); err != nil {
		t.Errorf("a key that is the item: %v", err)
	}
}

func TestIndexOfAPathElement(t *testing.T) {
	for element, want := range map[string]int{"[0]": 0, "[12]": 12, "id": -1, "[": -1, "[]": -1, "[-1]": -1, "[x]": -1, "0": -1} {
		n, ok := Index(element)
		if ok != (want >= 0) || ok && n != want {
			t.Errorf("%q: %d, %v", element, n, ok)
		}
	}
}

func TestCannotIsInexpressible(t *testing.T) {
	var words Inexpressible
	if err := Cannot("Part %d of the key is empty.", 2); !errors.As(err, &words) || err.Error() != "Part 2 of the key is empty." {
		t.Errorf("%v", err)
	}
}

func TestLabelsOfSamples(t *testing.T) {
	for want, s := range map[string]Sample{`Sample "first try"`: {Name: "first try"}, "Sample 3": {}} {
		if got := s.Label(2); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestFirstFailingCheckBlocks(t *testing.T) {
	s := Step{Checks: []Check{{OK, "Good."}, {Warn, "Look."}, {Fail, "Bad."}, {Fail, "Worse."}}}
	s.BlockByChecks()
	if s.Blocked != "Bad." {
		t.Errorf("blocked %q", s.Blocked)
	}
	waits := Step{Blocked: "Type it first.", Checks: s.Checks}
	waits.BlockByChecks()
	if waits.Blocked != "Type it first." {
		t.Errorf("the reason became %q", waits.Blocked)
	}
}

// TestCannotStep: the sentence says what stands in the way.
func TestCannotStep(t *testing.T) {
	p := Part{Path: []string{"body", "mail"}}
	for step, says := range map[string]string{
		"secret": "Part 2 of the key (body.mail) is hidden with secret(…). Only this program can do that, so the platform cannot make the key by itself.",
		"fold":   `Part 2 of the key (body.mail) uses the step "fold", which Make cannot do.`,
	} {
		if got := CannotStep(2, p, step, "which Make cannot do").Error(); got != says {
			t.Errorf("%s: %s", step, got)
		}
	}
}
