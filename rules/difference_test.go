package rules_test

import (
	"strings"
	"testing"

	"dedupedesk/rules"
)

// Different events share a key. What a button adds must stay the same on a copy: a time
// that nobody has seen on a copy is named, and not offered.
func TestWhatTellsEventsApartIsNoTimeOfADelivery(t *testing.T) {
	e := corpusEngine(t)
	line := func(group, rest string) rules.Sample {
		return rules.Sample{Group: group, Body: `{"Order ID":"ord_1",` + rest + `}`}
	}
	for _, tt := range []struct {
		name, key string
		samples   []rules.Sample
		says, fix string
	}{
		{"an amount beside an id, not a time", `key(body["Order ID"])`, []rules.Sample{
			line("A", `"total":12.5,"created":"2026-11-01T10:00:00Z"`), line("B", `"total":13.5,"created":"2026-11-01T10:00:01Z"`)},
			"Add a field that differs: `total`.", `key(body["Order ID"], body.total)`},
		{"an id before an amount", `key(body["Order ID"])`, []rules.Sample{
			line("A", `"total":12.5,"line_id":"l_1"`), line("B", `"total":13.5,"line_id":"l_2"`)},
			"Add a field that differs: `line_id`.", `key(body["Order ID"], body.line_id)`},
		{"an amount and no id", `key(body.shop)`, []rules.Sample{
			{Group: "A", Body: `{"shop":"s","total":12.5}`}, {Group: "B", Body: `{"shop":"s","total":13.5}`}},
			"would be dropped.", ""},
		{"a time alone", `key(body["Order ID"])`, []rules.Sample{
			line("A", `"created":"2026-11-01T10:00:00Z"`), line("B", `"created":"2026-11-01T10:00:01Z"`)},
			"Of the fields that differ only `created` could be added, and a time may be another one on every copy.", ""},
		{"a time that a copy has too", `key(body["Order ID"])`, []rules.Sample{
			line("A", `"created":"2026-11-01T10:00:00Z","try":1`), line("A", `"created":"2026-11-01T10:00:00Z","try":2`), line("B", `"created":"2026-11-01T10:00:01Z","try":1`)},
			"Add a field that differs: `created`.", `key(body["Order ID"], body.created)`},
		{"the time of a change", `key(body["Order ID"])`, []rules.Sample{
			line("A", `"updated_at":"2026-11-01T10:00:00Z"`), line("B", `"updated_at":"2026-11-01T10:00:01Z"`)},
			"Add a field that differs: `updated_at`.", `key(body["Order ID"], body.updated_at)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, found := verdict(e.Judge(t.Context(), &rules.Rule{Key: tt.key, Samples: tt.samples}), rules.VerdictEventsMerged)
			if fix := formulaOf(v.Fix); !found || !strings.Contains(v.Text, tt.says) || fix != tt.fix {
				t.Errorf("says %q, fix %q", v.Text, fix)
			}
		})
	}
}
