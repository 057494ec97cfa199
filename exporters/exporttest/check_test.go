package exporttest

import (
	"fmt"
	"strings"
	"testing"

	"dedupedesk/exporters"
)

// A recorder takes the faults that Check reports.
type recorder struct {
	testing.TB
	faults []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, args...))
}

func sound() exporters.Checklist {
	covers := exporters.Causes()
	for i := range covers {
		covers[i].By = "x"
	}
	step := exporters.Step{ID: "a", Title: "A", Where: "w", Why: "y", NotFixed: "n", Tried: exporters.NotTried, Value: "v", ValueLabel: "V",
		Sources: []exporters.Source{{Page: "P", URL: "https://example.com", Read: "2026-10-31"}}}
	last := step
	last.ID, last.Prove = "b", true
	return exporters.Checklist{Platform: "p", Title: "T", About: "A", Route: exporters.RouteNone, Steps: []exporters.Step{step, last}, Covers: covers}
}

// TestCheckFindsBrokenPromises breaks a sound checklist in one place at a time.
func TestCheckFindsBrokenPromises(t *testing.T) {
	for name, tt := range map[string]struct {
		breaks func(*exporters.Checklist)
		fault  string
	}{
		"sound":            {func(*exporters.Checklist) {}, ""},
		"no proof":         {func(c *exporters.Checklist) { c.Steps[1].Prove = false }, "does not prove"},
		"an id twice":      {func(c *exporters.Checklist) { c.Steps[1].ID = "a" }, "stands twice"},
		"no reason":        {func(c *exporters.Checklist) { c.Steps[0].Why = " " }, "no why"},
		"no source":        {func(c *exporters.Checklist) { c.Steps[0].Sources = nil }, "no source"},
		"no day":           {func(c *exporters.Checklist) { c.Steps[0].Sources[0].Read = "October" }, "day"},
		"no label":         {func(c *exporters.Checklist) { c.Steps[0].ValueLabel = "" }, "without label"},
		"a failed check":   {func(c *exporters.Checklist) { c.Steps[0].Checks = []exporters.Check{{Result: "fail", Text: "No."}} }, "although a check failed"},
		"five causes":      {func(c *exporters.Checklist) { c.Covers = c.Covers[1:] }, "want all 6"},
		"a state":          {func(c *exporters.Checklist) { c.Covers[0].State = "maybe" }, "state"},
		"a route":          {func(c *exporters.Checklist) { c.Route = "" }, "route"},
		"a password":       {func(c *exporters.Checklist) { c.Steps[0].Value = "Bearer dd_abcdefgh123" }, "password"},
		"a foreign bearer": {func(c *exporters.Checklist) { c.Steps[0].Value = "Bearer eyJhbGciOi" }, "password"},
		"a file's name": {func(c *exporters.Checklist) {
			c.Files = []exporters.File{{Name: "../x", Data: []byte("x"), About: "x"}}
		}, "usable name"},
		"a file of no step": {func(c *exporters.Checklist) {
			c.Files = []exporters.File{{Name: "x.json", Data: []byte("x"), About: "x"}}
		}, "handed over by 0 steps"},
		"a step without its file": {func(c *exporters.Checklist) { c.Steps[0].File = "x.json" }, "no file of the checklist"},
	} {
		t.Run(name, func(t *testing.T) {
			c := sound()
			tt.breaks(&c)
			r := &recorder{TB: t}
			Check(r, c)
			all := strings.Join(r.faults, "\n")
			if (tt.fault == "") != (all == "") || !strings.Contains(all, tt.fault) {
				t.Errorf("faults %q, want … %s …", all, tt.fault)
			}
		})
	}
}

func TestReadSetupIsStrict(t *testing.T) {
	for _, text := range []string{`{"Nobody":1}`, `{"Lease":"soon"}`, `{"Samples":[{"Body":}]}`, ``} {
		if _, err := ReadSetup([]byte(text)); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
