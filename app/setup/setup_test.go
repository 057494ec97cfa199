package setup_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/intake"
	"dedupedesk/app/setup"
	"dedupedesk/exporters"
	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
)

// ruleOf keeps a rule file in a ledger of its own and returns what comes back, as
// the pages and the command line get it; "" means the default rule.
func ruleOf(t *testing.T, file string) *intake.Rule {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	l := ledger.New(store, ledger.SystemClock(), nil)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	engine, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	in := intake.New(l, engine)
	name := ""
	if file != "" {
		parsed, err := rules.Parse([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.PutRule(t.Context(), "", parsed); err != nil {
			t.Fatal(err)
		}
		name = parsed.Rule
	}
	r, err := in.Rule(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSettingsComeWithTheirDefaults(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		want       exporters.Setup
	}{
		{"the default rule", "", exporters.Setup{Rule: "default", Title: "Plain keys", Lease: 15 * time.Minute, Keep: 35 * 24 * time.Hour, OnExpiry: "next", Answer: "branch", IfUnreachable: "stop"}},
		{"a rule that says nothing", "rule: shop\nkey: key(body.id)\n",
			exporters.Setup{Rule: "shop", Title: "shop", Lease: 15 * time.Minute, Keep: 35 * 24 * time.Hour, OnExpiry: "next", Answer: "branch", IfUnreachable: "stop",
				Expressible: true, Parts: []exporters.Part{{Path: []string{"body", "id"}}}}},
		{"a rule that says all", "rule: shop\ntitle: Orders\nsender: shopify\nkeep: 50d\nkey: 'key(\"shop\", lower(body.id), header(\"X-Shop\"))'\nlease: 1h\non_expiry: ask\nanswer: wait\nif_unreachable: go_on\nfold_case: true\nwhen: 'header(\"X-Topic\") == \"paid\"'\n",
			exporters.Setup{Rule: "shop", Title: "Orders", Lease: time.Hour, Keep: 50 * 24 * time.Hour, Sender: "shopify", OnExpiry: "ask", Answer: "wait", IfUnreachable: "go_on", Expressible: true, FoldCase: true,
				Outside: [][]string{{"headers", "x-shop"}, {"headers", "x-topic"}}, When: `header("X-Topic") == "paid"`,
				Parts: []exporters.Part{{Literal: "shop"}, {Path: []string{"body", "id"}, Steps: []string{"lower"}}, {Path: []string{"headers", "x-shop"}}}}},
		{"a formula that parts cannot say", "rule: shop\nkey: 'key(body.id + \"-\" + body.line)'\n",
			exporters.Setup{Rule: "shop", Title: "shop", Lease: 15 * time.Minute, Keep: 35 * 24 * time.Hour, OnExpiry: "next", Answer: "branch", IfUnreachable: "stop"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, setup.Of(t.Context(), ruleOf(t, tt.file))); diff != "" {
				t.Errorf("setup (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAKeyForEachItem: the list is told as a path, and each item is a sample.
func TestAKeyForEachItem(t *testing.T) {
	s := setup.Of(t.Context(), ruleOf(t, `rule: lines
key: key(body.id, item.sku)
each: body.lines
samples:
  - {group: A, name: two, body: '{"id":7,"lines":[{"sku":"a"},{"sku":""},{"sku":"b"}]}'}
`))
	if diff := cmp.Diff([]string{"body", "lines"}, s.Each); diff != "" || !s.Expressible {
		t.Errorf("list (-want +got):\n%s expressible %v", diff, s.Expressible)
	}
	var got []string
	for _, one := range s.Samples {
		got = append(got, one.Key+" "+string(one.Item))
	}
	if diff := cmp.Diff([]string{`7:a {"sku":"a"}`, ` {"sku":""}`, `7:b {"sku":"b"}`}, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
}

// TestAListThatIsMoreThanAPath cannot be gone through by a platform.
func TestAListThatIsMoreThanAPath(t *testing.T) {
	s := setup.Of(t.Context(), ruleOf(t, "rule: lines\nkey: key(body.id, item.sku)\neach: body.lines.filter(l, l.paid)\n"))
	if s.Expressible || !s.Splits {
		t.Errorf("a filtered list is told as expressible (%v), as none (%v)", s.Expressible, !s.Splits)
	}
}

// TestSamplesCarryTheKeyOfTheEndpoint: none where it is refused, and a sample that
// says nothing about the key is left out.
func TestSamplesCarryTheKeyOfTheEndpoint(t *testing.T) {
	r := ruleOf(t, `rule: shop
key: key("shop", lower(body.id))
when: body.state == "paid"
fold_case: true
samples:
  - {group: A, name: first, headers: {X-Shop: eu}, body: '{"id":"B-7","state":"paid"}'}
  - {group: A, name: open, body: '{"id":"B-7","state":"open"}'}
  - {group: B, name: without an id, body: '{"state":"paid"}'}
  - {group: B, name: broken, body: '{"id":'}
  - {group: B, name: big, body: '{"state":"paid","id":9007199254740993}'}
`)
	type told struct{ Name, Group, Key, Header, Body string }
	var got []told
	for _, s := range setup.Of(t.Context(), r).Samples {
		got = append(got, told{s.Name, s.Group, s.Key, s.Headers["x-shop"], string(s.Body)})
	}
	want := []told{
		{"first", "A", "shop:b-7", "eu", `{"id":"B-7","state":"paid"}`},
		{"without an id", "B", "", "", `{"state":"paid"}`},
		{"big", "B", "shop:9007199254740993", "", `{"id":9007199254740993,"state":"paid"}`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
}
