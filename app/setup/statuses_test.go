package setup_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/body"
	"dedupedesk/exporters"
)

// TestExportersKnowEveryStatus of an answer to one event. Another one would stop runs as if
// somebody else had answered.
func TestExportersKnowEveryStatus(t *testing.T) {
	field, ok := reflect.TypeFor[body.Claim]().FieldByName("Status")
	if !ok {
		t.Fatal("the answer has no status")
	}
	words := strings.Split(strings.TrimSuffix(field.Tag.Get("enum"), ",invalid"), ",")
	known := map[string]bool{}
	for _, word := range exporters.Statuses() {
		known[word] = true
	}
	for _, word := range words {
		if !known[word] {
			t.Errorf("%s is unknown to the exporters", word)
		}
	}
	if diff := cmp.Diff(len(words), len(exporters.Statuses())); diff != "" || exporters.Statuses()[0] != exporters.Claimed {
		t.Errorf("statuses %v, want %v", exporters.Statuses(), words)
	}
}
