package reconcile_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/deliveries"
	"dedupedesk/app/intake"
	"dedupedesk/app/reconcile"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
)

const shopRule = "rule: shop\nkey: 'key(\"shop\", body.order, body.line)'\n"

// house is a ledger with a rule, and its clock.
func house(t testing.TB, file string) (*ledger.Ledger, *ledgertest.Clock, *intake.Rule) {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	clock := ledgertest.NewClockAt(time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC))
	l := ledger.New(store, clock, nil)
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
	parsed, err := rules.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	rule, err := in.PutRule(t.Context(), "", parsed)
	if err != nil {
		t.Fatal(err)
	}
	return l, clock, rule
}

func claim(t testing.TB, l *ledger.Ledger, key string, finish bool) {
	t.Helper()
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Rule: "shop", Key: key})
	if err == nil && finish {
		_, err = l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Rule: "shop", Key: key, Token: a.Token}, Result: []byte(`{"row":7}`)})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func compare(t testing.TB, l *ledger.Ledger, rule *intake.Rule, table string, how reconcile.How, since time.Time) *reconcile.Found {
	t.Helper()
	file, err := deliveries.Open("rows.csv", []byte(table), deliveries.Options{Column: "-"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := reconcile.Read(t.Context(), file, rule.File, rule.Program, how)
	if err != nil {
		t.Fatal(err)
	}
	found, err := reconcile.Compare(t.Context(), l, "shop", rows, since)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestThreeListsAndWhatHasNoKey, by each way to make a row's key.
func TestThreeListsAndWhatHasNoKey(t *testing.T) {
	l, clock, rule := house(t, shopRule)
	for _, key := range []string{"shop:A-1:1", "shop:A-1:2", "shop:B-2:1", "shop:c-3:1"} {
		claim(t, l, key, true)
	}
	clock.Step(40 * 24 * time.Hour)
	claim(t, l, "shop:D-4:1", true)
	claim(t, l, "shop:E-5:1", false)
	table := "order,line,Event key\nA-1,1,shop:A-1:1\nA-1,1, shop:A-1:1 \nB-2,1,shop:B-2:1\nE-5,1,shop:E-5:1\nF-6,1,shop:F-6:1\nC-3,1,shop:C-3:1\n,2,\n"
	for name, how := range map[string]reconcile.How{
		"the rule's formula": {}, "a column": {Column: "Event key"}, "columns and a fixed text": {Prefix: "shop", Columns: []string{"order", "line"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := compare(t, l, rule, table, how, time.Time{})
			var got []string
			for _, m := range f.Missing {
				got = append(got, strings.TrimSpace(fmt.Sprintf("missing %s %s %s %s", m.Key, strings.Join(m.Places, ","), m.State, m.Near)))
			}
			for _, e := range f.Extra {
				got = append(got, "extra "+e.Key+" "+e.Result)
			}
			for _, d := range f.Doubles {
				got = append(got, fmt.Sprintf("double %s %d %s", d.Key, d.Count, strings.Join(d.Places, ",")))
			}
			for _, r := range f.Rows.Refused {
				got = append(got, fmt.Sprintf("no key %d %s", r.Count, strings.Join(r.Places, ",")))
			}
			want := []string{
				"missing shop:E-5:1 row 5 In progress",
				"missing shop:F-6:1 row 6",
				"missing shop:C-3:1 row 7  shop:c-3:1",
				`extra shop:A-1:2 {"row":7}`, `extra shop:D-4:1 {"row":7}`, `extra shop:c-3:1 {"row":7}`,
				"double shop:A-1:1 2 row 2,row 3",
				"no key 1 row 8",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if f.Matched != 2 || f.Rows.Count != 7 || f.Clean() {
				t.Errorf("matched %d of %d rows", f.Matched, f.Rows.Count)
			}
		})
	}
	recent := compare(t, l, rule, table, reconcile.How{}, clock.Now().Add(-30*24*time.Hour))
	if near := recent.Missing[2]; near.Near != "shop:c-3:1" || near.Unknown() {
		t.Errorf("a key that is nearly the same and older: %+v", near)
	}
	if len(recent.Extra) != 1 || recent.Extra[0].Key != "shop:D-4:1" || recent.Finished != 1 {
		t.Errorf("of the last 30 days: %+v", recent.Extra)
	}
}

// TestKeysAreThoseOfTheRule: what the formula does to a value is done to a cell, and a
// value with a colon is one part.
func TestKeysAreThoseOfTheRule(t *testing.T) {
	l, _, rule := house(t, "rule: shop\nfold_case: true\nkey: 'key(\"shop\", body.order)'\n")
	claim(t, l, "shop:a%3a1 x", true)
	for _, how := range []reconcile.How{{}, {Prefix: "shop", Columns: []string{"order"}}} {
		if f := compare(t, l, rule, "order\n\"  A:1   X \"\n", how, time.Time{}); !f.Clean() || f.Matched != 1 {
			t.Errorf("%+v: %+v", how, f)
		}
	}
	if f := compare(t, l, rule, "key\nSHOP:A%3a1 X\n", reconcile.How{Column: "key"}, time.Time{}); !f.Clean() {
		t.Errorf("a whole key: %+v", f)
	}
}

// TestTheColumnIsGuessed by the keys that it holds.
func TestTheColumnIsGuessed(t *testing.T) {
	l, _, _ := house(t, shopRule)
	claim(t, l, "shop:A-1:1", true)
	for table, want := range map[string]string{
		"order,Event key\nA-1,shop:A-1:1\nB-1,shop:B-1:1\n": "Event key",
		"order,Event key\nA-1,other\n":                      "",
	} {
		file, err := deliveries.Open("rows.csv", []byte(table), deliveries.Options{Column: "-"})
		if err != nil {
			t.Fatal(err)
		}
		got, hits, of, err := reconcile.Guess(t.Context(), l, "shop", file)
		if err != nil || got != want || (want != "" && (hits != 1 || of != 2)) {
			t.Errorf("%q: %q, %d of %d, %v", table, got, hits, of, err)
		}
	}
}

// TestAColumnThatIsNotThere is told with those that are.
func TestAColumnThatIsNotThere(t *testing.T) {
	_, _, rule := house(t, shopRule)
	file, err := deliveries.Open("rows.csv", []byte("a,b\n1,2\n"), deliveries.Options{Column: "-"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reconcile.Read(t.Context(), file, rule.File, rule.Program, reconcile.How{Columns: []string{"a", "c"}}); err == nil || !strings.Contains(err.Error(), `no column "c". It has a, b.`) {
		t.Errorf("%v", err)
	}
}

// TestPlantedRowsAreFoundAmongMany. A hundred thousand, and how long they take, are for
// build/bench.
func TestPlantedRowsAreFoundAmongMany(t *testing.T) {
	l, table := planted(t, 5_000)
	rule := &rules.Rule{Rule: "shop"}
	file, err := deliveries.Open("rows.csv", table, deliveries.Options{Column: "-"})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := reconcile.Read(t.Context(), file, rule, nil, reconcile.How{Column: "key"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := reconcile.Compare(t.Context(), l, "shop", rows, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Missing) != 3 || len(f.Extra) != 2 || len(f.Doubles) != 1 || f.Matched != 5_000 {
		t.Errorf("%d missing, %d extra, %d double, %d matched", len(f.Missing), len(f.Extra), len(f.Doubles), f.Matched)
	}
}

// planted is a ledger of n finished keys and a table of their rows, with three rows
// too many, two keys without a row, and one row that stands twice.
func planted(t testing.TB, n int) (*ledger.Ledger, []byte) {
	t.Helper()
	l, _, _ := house(t, shopRule)
	var table strings.Builder
	table.WriteString("id,key,amount\n")
	var keys []ledger.Key
	for i := range n + 2 {
		key := fmt.Sprintf("shop:order-%07d:1", i)
		keys = append(keys, ledger.Key{Rule: "shop", Key: key})
		if i < n {
			fmt.Fprintf(&table, "%d,%s,19.90\n", i, key)
		}
		if i == 3_000 {
			fmt.Fprintf(&table, "%d,%s,19.90\n", i, key)
		}
	}
	for i := range 3 {
		fmt.Fprintf(&table, "x%d,shop:nobody-%d:1,1\n", i, i)
	}
	for len(keys) > 0 {
		part := keys[:min(len(keys), ledger.MaxImport)]
		keys = keys[len(part):]
		if _, err := l.Import(t.Context(), ledger.ImportRequest{Keys: part, By: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	return l, []byte(table.String())
}
