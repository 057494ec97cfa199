package presets

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestLicencesNameWhatWasCopied: a preset whose deliveries come from a public
// repository is listed in LICENSES.md with that repository.
func TestLicencesNameWhatWasCopied(t *testing.T) {
	text, err := os.ReadFile("../LICENSES.md")
	if err != nil {
		t.Fatal(err)
	}
	repository := regexp.MustCompile(`^[\w-]+/[\w.-]+`)
	copied := 0
	everyDelivery(t, func(t *testing.T, p Preset, d Delivery) {
		bodies := d.Facts.Bodies
		name := repository.FindString(bodies)
		if name == "" {
			if !strings.HasPrefix(bodies, "Written ") {
				t.Errorf("bodies neither names a repository nor says that they were written: %q", bodies)
			}
			return
		}
		copied++
		listed := false
		for line := range strings.Lines(string(text)) {
			listed = listed || strings.Contains(line, name) && strings.Contains(line, p.Name)
		}
		if !listed {
			t.Errorf("LICENSES.md does not list %s with %s", p.Name, name)
		}
	})
	if copied < 10 {
		t.Errorf("%d deliveries were copied, want some", copied)
	}
}
