package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestARuleSaysWhatItReadsBesideTheBody, in each of its formulas, behind a stand-in and
// inside a loop.
func TestARuleSaysWhatItReadsBesideTheBody(t *testing.T) {
	for _, tt := range []struct {
		rule Rule
		want [][]string
	}{
		{Rule{Key: `key("shop", body.id, body.headers.id)`}, nil},
		{Rule{Key: `key("shop", either(query.id, "none"))`}, [][]string{{"query", "id"}}},
		{Rule{Key: `key("shop", either(header("X-Id"), body.type), headers["x-id"])`}, [][]string{{"headers", "x-id"}}},
		{Rule{Key: `key(query[body.name], headers["x-id"])`}, [][]string{{"query"}, {"headers", "x-id"}}},
		{Rule{Key: `key(body.lines.map(l, l.sku + header("X-Shop")).join(","))`}, [][]string{{"headers", "x-shop"}}},
		{Rule{Key: `key(body.id)`, When: `header("X-Topic") == "paid"`, Fingerprint: []string{"query.amount"}}, [][]string{{"headers", "x-topic"}, {"query", "amount"}}},
	} {
		e, err := New()
		if err != nil {
			t.Fatal(err)
		}
		p, issues := e.Compile(&tt.rule)
		if p == nil {
			t.Fatal(tt.rule.Key, issues)
		}
		if diff := cmp.Diff(tt.want, p.Outside()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.rule.Key, diff)
		}
	}
}
