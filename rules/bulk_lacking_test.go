package rules_test

import (
	"testing"

	"dedupedesk/rules"
)

// A file of another sender, or with other columns: said once, with what it has.
func TestBulkTellsOfAFieldThatNoDeliveryHas(t *testing.T) {
	const order = `{"Order ID":"ord_1","number":"7","total":5}`
	for _, tt := range []struct {
		name, key string
		bodies    []string
		want      string
	}{
		{"another column", `key("shop", body.id)`, []string{order, order},
			"No delivery of this file has `body.id`, which the key reads. The first one has `Order ID`, `number` and `total`. Did you mean `body[\"Order ID\"]`?"},
		{"a slip", `key("shop", body.totl)`, []string{order},
			"No delivery of this file has `body.totl`, which the key reads. The first one has `Order ID`, `number` and `total`. Did you mean `body.total`?"},
		{"a payload laid flat", `key("shop", body.data.object.id)`, []string{order, "half a line"},
			"No delivery of this file has `body.data.object.id`, which the key reads. The first one has `Order ID`, `number` and `total`. Did you mean `body[\"Order ID\"]`?"},
		{"deeper", `key("shop", body.data.id)`, []string{`{"data":{"a":1}}`},
			"No delivery of this file has `body.data.id`, which the key reads. In `body.data` the first one has `a`."},
		{"some have it", `key("shop", body.id)`, []string{order, `{"id":1}`}, ""},
		{"all empty", `key("shop", body.id)`, []string{`{"id":""}`}, ""},
		{"unreadable", `key("shop", body.id)`, []string{"half a line"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := bulkOf(t, rules.Rule{Key: tt.key})
			addAll(t, b, tt.bodies...)
			got := ""
			if l := b.Lacking(); l != nil {
				got = l.Text
			}
			if got != tt.want {
				t.Errorf("says  %q\nwant %q", got, tt.want)
			}
		})
	}
}
