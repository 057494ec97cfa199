package rules_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"dedupedesk/rules"

	"github.com/google/go-cmp/cmp"
)

func bulkOf(t testing.TB, r rules.Rule) *rules.Bulk {
	t.Helper()
	r.Rule = "bulk"
	engine, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	full := r.WithDefaults()
	p, issues := engine.Compile(&full)
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	return rules.NewBulk(p)
}

func addAll(t testing.TB, b *rules.Bulk, bodies ...string) {
	t.Helper()
	for i, body := range bodies {
		if _, err := b.Add(context.Background(), fmt.Sprintf("line %d", i+1), rules.Sample{Body: body}, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func order(id, total, attempt any) string {
	return fmt.Sprintf(`{"order":{"id":%v,"total":%v,"note":"ring twice"},"attempt":%v}`, id, total, attempt)
}

func TestBulkGroupsByKey(t *testing.T) {
	b := bulkOf(t, rules.Rule{Key: `key("shop", body.order.id)`, When: `body.order.total != 0`})
	addAll(t, b, order(1, 10, 1), order(2, 20, 1), order(1, 10, 2), order(3, 0, 1), `{"order":{"total":5}}`, `{"order":`)
	want := rules.Totals{Deliveries: 6, Keys: 2, Copies: 1, Ignored: 1, Refused: 2}
	if d := cmp.Diff(want, b.Totals()); d != "" {
		t.Error(d)
	}
	groups := b.Groups()
	if groups[0].Key != "shop:1" || groups[0].Count != 2 || strings.Join(groups[0].Places, ",") != "line 1,line 3" || groups[0].Suspect != rules.SuspectNone {
		t.Errorf("first group %+v", *groups[0])
	}
	var codes []string
	for _, r := range b.Refusals() {
		codes = append(codes, fmt.Sprintf("%s %s %d %v", r.Code, r.Path, r.Count, r.Places))
	}
	if d := cmp.Diff([]string{"bad_sample  1 [line 6]", "missing body.order.id 1 [line 5]"}, codes); d != "" {
		t.Error(d)
	}
}

func TestBulkSuspectsMerged(t *testing.T) {
	b := bulkOf(t, rules.Rule{Key: `key("shop", body.order.note)`})
	addAll(t, b, order(1, 10, 1), order(2, 10, 1))
	g := b.Groups()[0]
	if g.Suspect != rules.SuspectMerged || !strings.Contains(g.Text, "`order.id`") || !strings.Contains(g.Text, "line 2") || g.Pair != [2]string{"line 1", "line 2"} {
		t.Errorf("got %+v", *g)
	}
	if b.Totals().Merged != 1 || !b.Totals().Suspicious() {
		t.Errorf("totals %+v", b.Totals())
	}
}

func TestBulkSuspectsMissed(t *testing.T) {
	b := bulkOf(t, rules.Rule{Key: `key("shop", body.order.id, body.attempt)`})
	addAll(t, b, order(1, 10, 1), order(1, 10, 2))
	g := b.Groups()[0]
	if g.Key != "shop:1:2" || g.Suspect != rules.SuspectMissed || !strings.Contains(g.Text, "Line 2 holds the same as line 1") || g.Pair != [2]string{"line 1", "line 2"} {
		t.Errorf("got %+v", *g)
	}
}

// Two orders may hold the same line; two lines of one order have keys of their own.
func TestBulkOfItems(t *testing.T) {
	b := bulkOf(t, rules.Rule{Each: `body.lines`, Key: `key("shop", body.order, item.sku)`})
	two := func(order int) string {
		return fmt.Sprintf(`{"order":%d,"lines":[{"sku":"a","qty":1},{"sku":"b","qty":1},{}]}`, order)
	}
	addAll(t, b, two(1), two(2), two(1), `{"order":3,"lines":[]}`)
	want := rules.Totals{Deliveries: 4, Keys: 4, Copies: 2, Refused: 4}
	if d := cmp.Diff(want, b.Totals()); d != "" {
		t.Error(d)
	}
}

// A message about the same order with another amount is told, one that differs in the
// message's own id and time is not: the business key is there to join those.
func TestBulkLeavesMessagesOfOneOrder(t *testing.T) {
	b := bulkOf(t, rules.Rule{Key: `key("shop", body.order_id)`})
	addAll(t, b, `{"event_id":"e1","order_id":7,"created_at":"2026-01-01T00:00:00Z","amount":5}`, `{"event_id":"e2","order_id":7,"created_at":"2026-01-01T00:05:00Z","amount":5}`)
	if b.Totals().Suspicious() {
		t.Errorf("suspicious: %+v", *b.Groups()[0])
	}
	addAll(t, b, `{"event_id":"e3","order_id":7,"created_at":"2026-01-01T00:05:00Z","amount":6}`)
	if b.Totals().Merged != 1 {
		t.Errorf("totals %+v", b.Totals())
	}
}

// CSV has only text: the same delivery from a table and from JSON is one event.
func TestBulkTakesNumbersAndTheirTextAsOne(t *testing.T) {
	b := bulkOf(t, rules.Rule{Key: `key("shop", body.order_id)`})
	addAll(t, b, `{"order_id":7,"amount":5}`, `{"order_id":"7","amount":"5"}`)
	if got := b.Totals(); got.Copies != 1 || got.Suspicious() {
		t.Errorf("totals %+v", got)
	}
}

func TestBulkCountsNothingOnACancelledCall(t *testing.T) {
	b := bulkOf(t, rules.Rule{Key: `key("shop", body.order.id)`})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Add(ctx, "line 1", rules.Sample{Body: order(1, 1, 1)}, nil); err == nil || b.Totals().Deliveries != 0 {
		t.Errorf("err %v, totals %+v", err, b.Totals())
	}
}

// Names that are values make no end of fields; the bulk's memory has one.
func TestBulkForgetsNamesThatAreValues(t *testing.T) {
	b := bulkOf(t, rules.Rule{Key: `key("shop", body.id)`})
	for i := range 60 {
		var fields strings.Builder
		for n := range 1000 {
			fmt.Fprintf(&fields, `,"n%d":%d`, i*1000+n, n)
		}
		body := fmt.Sprintf(`{"id":%d%s}`, i, fields.String())
		addAll(t, b, body, body)
	}
	if got := b.Totals(); got.Keys != 60 || got.Copies != 60 || got.Suspicious() {
		t.Errorf("totals %+v", got)
	}
}

func BenchmarkBulk10000(b *testing.B) {
	body := strings.Replace(order(12345678, 10, 1), `"note"`, `"lines":[{"id":1,"sku":"a","qty":2},{"id":2,"sku":"b","qty":1}],"customer":{"id":4711,"email":"robin@example.com"},"created_at":"2026-01-01T00:00:00Z","note"`, 1)
	for b.Loop() {
		bulk := bulkOf(b, rules.Rule{Key: `key("shop", body.order.id)`})
		for i := range 10_000 {
			s := rules.Sample{Body: strings.Replace(body, "12345678", fmt.Sprint(i/2+1), 1)}
			if _, err := bulk.Add(context.Background(), "line", s, nil); err != nil {
				b.Fatal(err)
			}
		}
		if bulk.Totals().Keys != 5000 {
			b.Fatalf("totals %+v", bulk.Totals())
		}
	}
}
