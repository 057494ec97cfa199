package exporters_test

import (
	"strings"
	"testing"

	"dedupedesk/exporters"
)

func TestFileNames(t *testing.T) {
	for rule, want := range map[string]string{
		"paid-invoices": "n8n-paid-invoices.json", "Żółw/../x.y": "n8n----w----x-y.json", strings.Repeat("a", 200): "n8n-" + strings.Repeat("a", 60) + ".json",
	} {
		if got := exporters.FileName("n8n-", rule, ".json"); got != want {
			t.Errorf("%q: %q, want %q", rule, got, want)
		}
	}
}
