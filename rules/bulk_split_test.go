package rules_test

import (
	"fmt"
	"testing"

	"dedupedesk/rules"
)

// A key that looks chosen and stops nothing says so: the id of a thing comes again and
// again, and something else in the key is another one in each copy.
func TestBulkTellsOfAKeyThatStopsNothing(t *testing.T) {
	line := func(i int, at string) string {
		return fmt.Sprintf(`{"Order ID":"ord_%d","total":12.5,"created":%q}`, i, at)
	}
	var twice []string
	for i := range 30 {
		twice = append(twice, line(i, fmt.Sprintf("2026-11-01T10:00:%02dZ", i)), line(i, fmt.Sprintf("2026-11-01T10:01:%02dZ", i)))
	}
	const told = "This key stops nothing, though 30 deliveries have the `[\"Order ID\"]` of an earlier one, and another key. If line 1 and line 2 are copies, take `created` out of the key."
	for _, tt := range []struct {
		name, key, each string
		bodies          []string
		want            string
	}{
		{"a time in each copy", `key(body["Order ID"], body.created)`, "", twice, told},
		{"one that is more than blocks", `string(body["Order ID"]) + string(body.created)`, "", twice,
			"This key stops nothing, though 30 deliveries have the `[\"Order ID\"]` of an earlier one, and another key. If line 1 and line 2 are copies, the key holds what is another one in each copy."},
		{"one copy stopped of thirty", `key(body["Order ID"], body.created)`, "", append(twice[:len(twice):len(twice)], twice[0]),
			"This key stops 1, though 30 deliveries have the `[\"Order ID\"]` of an earlier one, and another key. If line 1 and line 2 are copies, take `created` out of the key."},
		{"copies stopped", `key(body["Order ID"])`, "", twice, ""},
		{"each id once", `key(body["Order ID"], body.created)`, "", []string{twice[0], twice[2], twice[4]}, ""},
		{"one id in all", `key(body["Order ID"], body.created)`, "", twice[:2], ""},
		{"items of a list", `key(body.number, item["Order ID"], item.created)`, "body.lines",
			[]string{`{"number":1,"lines":[` + twice[0] + `,` + twice[2] + `]}`, `{"number":2,"lines":[` + twice[1] + `]}`}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := bulkOf(t, rules.Rule{Key: tt.key, Each: tt.each})
			addAll(t, b, tt.bodies...)
			got := ""
			if s := b.Split(); s != nil {
				got = s.Text
			}
			if got != tt.want {
				t.Errorf("says  %q\nwant %q", got, tt.want)
			}
		})
	}
}
