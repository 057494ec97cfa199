package exporters

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIndexOfAPathElement(t *testing.T) {
	for element, want := range map[string]int{"[0]": 0, "[12]": 12, "id": -1, "[": -1, "[]": -1, "[-1]": -1, "[x]": -1, "0": -1} {
		n, ok := Index(element)
		if ok != (want >= 0) || ok && n != want {
			t.Errorf("%q: %d, %v", element, n, ok)
		}
	}
}

// TestKeyPartsOfARuleThatIgnoresCapitals: small letters come last, and the parts
// themselves stay as they are.
func TestKeyPartsOfARuleThatIgnoresCapitals(t *testing.T) {
	s := Setup{Parts: []Part{{Literal: "Shop"}, {Path: []string{"body", "id"}, Steps: []string{"upper"}}}}
	if diff := cmp.Diff(s.Parts, s.KeyParts()); diff != "" {
		t.Errorf("capitals count (-want +got):\n%s", diff)
	}
	s.FoldCase = true
	want := []Part{{Literal: "shop"}, {Path: []string{"body", "id"}, Steps: []string{"upper", "lower"}}}
	if diff := cmp.Diff(want, s.KeyParts()); diff != "" {
		t.Errorf("capitals do not count (-want +got):\n%s", diff)
	}
	if len(s.Parts[1].Steps) != 1 || s.Parts[0].Literal != "Shop" {
		t.Errorf("the parts were changed: %+v", s.Parts)
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
