package exporttest

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"dedupedesk/exporters"
)

// Check reports what c breaks of the promises that hold for every checklist.
func Check(t testing.TB, c exporters.Checklist) {
	t.Helper()
	if c.Platform == "" || c.Title == "" || c.About == "" || len(c.Steps) == 0 {
		t.Errorf("checklist %q %q lacks its heading or its steps", c.Platform, c.Title)
		return
	}
	switch c.Route {
	case exporters.RouteLedger, exporters.RouteStore, exporters.RouteDestination, exporters.RouteNone:
	default:
		t.Errorf("route %q is none of the known ones", c.Route)
	}
	ids := map[string]bool{}
	for _, s := range c.Steps {
		if ids[s.ID] || s.ID == "" {
			t.Errorf("step id %q is empty or stands twice", s.ID)
		}
		ids[s.ID] = true
		checkStep(t, s)
	}
	if last := c.Steps[len(c.Steps)-1]; !last.Prove {
		t.Errorf("the last step, %s, does not prove anything", last.ID)
	}
	checkCovers(t, c.Covers)
	checkFiles(t, c)
	checkSecrets(t, "checklist", c.Text())
	for _, f := range c.Files {
		checkSecrets(t, f.Name, string(f.Data))
		if f.Name == "" || strings.ContainsAny(f.Name, `/\:*?"<>|`) || len(f.Data) == 0 || f.About == "" {
			t.Errorf("file %q has no usable name, no content or no description", f.Name)
		}
	}
}

func checkStep(t testing.TB, s exporters.Step) {
	t.Helper()
	for name, text := range map[string]string{"title": s.Title, "where": s.Where, "why": s.Why, "not fixed": s.NotFixed, "tried": s.Tried} {
		if strings.TrimSpace(text) == "" {
			t.Errorf("step %s has no %s", s.ID, name)
		}
	}
	if s.Value != "" && s.ValueLabel == "" {
		t.Errorf("step %s has a value without label", s.ID)
	}
	if len(s.Sources) == 0 {
		t.Errorf("step %s names no source", s.ID)
	}
	for _, p := range s.Sources {
		if _, err := time.Parse(time.DateOnly, p.Read); err != nil || p.Page == "" || !strings.HasPrefix(p.URL, "https://") {
			t.Errorf("step %s: source %+v lacks page, address or day", s.ID, p)
		}
	}
	for _, c := range s.Checks {
		switch c.Result {
		case exporters.OK, exporters.Warn, exporters.Fail:
		default:
			t.Errorf("step %s: check result %q", s.ID, c.Result)
		}
		if c.Result == exporters.Fail && s.Blocked == "" && s.Value != "" {
			t.Errorf("step %s offers a value although a check failed: %s", s.ID, c.Text)
		}
		if !strings.HasSuffix(c.Text, ".") {
			t.Errorf("step %s: check %q is no sentence", s.ID, c.Text)
		}
	}
}

// checkFiles: a file that no step hands over is not found by anybody.
func checkFiles(t testing.TB, c exporters.Checklist) {
	t.Helper()
	steps := map[string]int{}
	for _, s := range c.Steps {
		if s.File != "" {
			steps[s.File]++
		}
	}
	for _, f := range c.Files {
		if steps[f.Name] != 1 {
			t.Errorf("file %q is handed over by %d steps, want 1", f.Name, steps[f.Name])
		}
		delete(steps, f.Name)
	}
	for name := range steps {
		t.Errorf("a step hands over %q, which is no file of the checklist", name)
	}
}

func checkCovers(t testing.TB, covers []exporters.Cover) {
	t.Helper()
	six := exporters.Causes()
	if len(covers) < len(six) {
		t.Errorf("%d causes covered or not, want all %d", len(covers), len(six))
		return
	}
	for i, c := range covers {
		if i < len(six) && (c.Cause != six[i].Cause || c.Label != six[i].Label) {
			t.Errorf("cause %d is %q, want %q", i+1, c.Label, six[i].Label)
		}
		switch c.State {
		case exporters.Yes, exporters.Partly, exporters.No:
		default:
			t.Errorf("%s: state %q", c.Label, c.State)
		}
		if c.By == "" {
			t.Errorf("%s: nobody says why %s", c.Label, c.State)
		}
	}
}

// realToken is a password of this program, or anything long behind Bearer but
// the placeholder.
var realToken = regexp.MustCompile(`dd_[A-Za-z0-9_-]{8,}|Bearer (?:[^R\s"][^\s"]{7,}|R[^E\s"][^\s"]{6,})|sk_live_|whsec_`)

func checkSecrets(t testing.TB, where, text string) {
	t.Helper()
	if hit := realToken.FindString(text); hit != "" {
		t.Errorf("%s seems to hold a password: %.12s…", where, hit)
	}
}
