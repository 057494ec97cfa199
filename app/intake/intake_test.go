package intake_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/intake"
	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
)

// house returns a ledger on a key file of its own, and two intakes on it, as two
// processes would have them.
func house(t *testing.T) (l *ledger.Ledger, here, there *intake.Intake) {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	l = ledger.New(store, ledger.SystemClock(), nil)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	engine, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	return l, intake.New(l, engine), intake.New(l, engine)
}

func put(t *testing.T, in *intake.Intake, name, file string) (*intake.Rule, error) {
	t.Helper()
	parsed, err := rules.Parse([]byte(file))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return in.PutRule(t.Context(), name, parsed)
}

func mustPut(t *testing.T, in *intake.Intake, file string) *intake.Rule {
	t.Helper()
	r, err := put(t, in, "", file)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func event(t *testing.T, body string) *rules.Event {
	t.Helper()
	e, err := rules.DecodeEvent("application/json", []byte(body), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &e
}

// told returns what a result says, an entry for each item.
func told(res intake.Result) []string {
	var out []string
	for _, it := range res.Items {
		switch {
		case it.Err != nil:
			out = append(out, fmt.Sprint(ledger.CodeOf(it.Err), " ", ledger.FieldOf(it.Err)))
		case it.Ignored:
			out = append(out, "ignored")
		default:
			out = append(out, fmt.Sprint(it.Answer.Status, " ", it.Answer.Key))
		}
	}
	return out
}

func TestSourcesGiveTheirKeys(t *testing.T) {
	l, in, _ := house(t)
	mustPut(t, in, "rule: orders\nkey: 'key(\"shop\", body.id)'\nwhen: 'body.id != \"no\"'\n")
	mustPut(t, in, "rule: folded\nkey: key(body.id)\nfold_case: true\n")
	mustPut(t, in, "rule: lines\nkey: key(body.id, item)\neach: body.lines\n")
	for _, tt := range []struct {
		name  string
		src   intake.Source
		code  ledger.Code
		field string
		want  []string
		one   string // rule and key as Identify tells them; "" where it refuses
	}{
		{name: "ready key", src: intake.Source{Key: "a"}, want: []string{"claimed a"}, one: "default a"},
		{name: "ready key of a rule", src: intake.Source{Rule: "orders", Key: "b"}, want: []string{"claimed b"}, one: "orders b"},
		{name: "parts", src: intake.Source{Parts: []any{"a:b", int64(7)}}, want: []string{"claimed a%3Ab:7"}, one: "default a%3Ab:7"},
		{name: "parts of a rule that ignores capitals", src: intake.Source{Rule: "folded", Parts: []any{"ABC"}}, want: []string{"claimed abc"}, one: "folded abc"},
		{name: "event", src: intake.Source{Rule: "orders", Event: event(t, `{"id":7}`)}, want: []string{"claimed shop:7"}, one: "orders shop:7"},
		{name: "event that is ignored", src: intake.Source{Rule: "orders", Event: event(t, `{"id":"no"}`)}, want: []string{"ignored"}},
		{name: "event of several keys", src: intake.Source{Rule: "lines", Event: event(t, `{"id":7,"lines":["a","","a"]}`)}, want: []string{"claimed 7:a", "invalid item", "in_progress 7:a"}},
		{name: "event of one key in a list", src: intake.Source{Rule: "lines", Event: event(t, `{"id":8,"lines":["a"]}`)}, want: []string{"claimed 8:a"}, one: "lines 8:a"},
		{name: "empty key", src: intake.Source{Key: " "}, code: ledger.Invalid, field: "key"},
		{name: "empty part", src: intake.Source{Parts: []any{"a", ""}}, code: ledger.Invalid, field: "part 2"},
		{name: "event without its field", src: intake.Source{Rule: "orders", Event: event(t, `{}`)}, code: ledger.Invalid, field: "body.id"},
		{name: "event for a rule without a formula", src: intake.Source{Event: event(t, `{}`)}, code: ledger.Invalid, field: "event"},
		{name: "unknown rule", src: intake.Source{Rule: "nope", Key: "a"}, code: ledger.UnknownRule, one: "nope a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			id, err := in.Identify(t.Context(), tt.src)
			if got := id.Rule + " " + id.Key; tt.one != "" && (err != nil || got != tt.one) {
				t.Errorf("identified as %s, %v, want %s", got, err, tt.one)
			}
			if tt.one == "" && err == nil {
				t.Errorf("identified as %+v, want a refusal", id)
			}
			res, err := in.Claim(t.Context(), tt.src, intake.Options{})
			if ledger.CodeOf(err) != tt.code || ledger.FieldOf(err) != tt.field {
				t.Fatalf("claim: %v, want code %q and field %q", err, tt.code, tt.field)
			}
			if diff := cmp.Diff(tt.want, told(res)); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
		})
	}
	page, err := l.Keys(t.Context(), ledger.KeyQuery{})
	if err != nil || len(page.Keys) != 7 {
		t.Errorf("%d keys are there, want the 7 that were claimed; %v", len(page.Keys), err)
	}
}

// TestTheSecondOfTwoEqualKeysIsACopy, whoever owns the first, in one request; a
// repeat of the whole request gets its grant again.
func TestTheSecondOfTwoEqualKeysIsACopy(t *testing.T) {
	_, in, _ := house(t)
	mustPut(t, in, "rule: lines\nkey: key(item)\neach: body.lines\n")
	src := intake.Source{Rule: "lines", Event: event(t, `{"lines":["a","a"]}`)}
	var tokens []string
	for range 2 {
		res, err := in.Claim(t.Context(), src, intake.Options{Owner: "run 1"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"claimed a", "in_progress a"}, told(res)); diff != "" {
			t.Errorf("items (-want +got):\n%s", diff)
		}
		tokens = append(tokens, res.Items[0].Answer.Token)
	}
	if tokens[0] == "" || tokens[0] != tokens[1] {
		t.Error("the repeat did not get its own grant again")
	}
}

// TestAKeyIsClaimedUnderTheFormulaThatHolds: another process changed the rule a
// moment ago, and this one still has the old one at hand.
func TestAKeyIsClaimedUnderTheFormulaThatHolds(t *testing.T) {
	_, here, there := house(t)
	mustPut(t, here, "rule: orders\nkey: 'key(\"old\", body.id)'\n")
	claim := func(id string) string {
		res, err := here.Claim(t.Context(), intake.Source{Rule: "orders", Event: event(t, `{"id":"`+id+`"}`)}, intake.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return told(res)[0]
	}
	if got := claim("1"); got != "claimed old:1" {
		t.Fatalf("before: %s", got)
	}
	mustPut(t, there, "rule: orders\nkey: 'key(\"new\", body.id)'\n")
	if got := claim("2"); got != "claimed new:2" {
		t.Errorf("after: %s, want the key of the new formula", got)
	}
	mustPut(t, there, "rule: orders\nkey: key(item)\neach: body.ids\n")
	res, err := here.Claim(t.Context(), intake.Source{Rule: "orders", Event: event(t, `{"id":"3","ids":["a","b"]}`)}, intake.Options{})
	if diff := cmp.Diff([]string{"claimed a", "claimed b"}, told(res)); err != nil || !res.Each || diff != "" {
		t.Errorf("after it splits (-want +got), %v:\n%s", err, diff)
	}
}

// TestNoGrantUnderAnOlderFormula: claims go on while another process changes the
// rule over and over. None is granted under a formula that was replaced before the
// claim began.
func TestNoGrantUnderAnOlderFormula(t *testing.T) {
	_, here, there := house(t)
	change := func(n int64) error {
		file, err := rules.Parse(fmt.Appendf(nil, "rule: orders\nkey: 'key(%d, body.id)'\n", n))
		if err != nil {
			return err
		}
		_, err = there.PutRule(context.Background(), "", file)
		return err
	}
	if err := change(0); err != nil {
		t.Fatal(err)
	}
	var holds atomic.Int64 // the number in the formula, once it is kept
	var claiming sync.WaitGroup
	grants := make([]int, 4)
	for who := range grants {
		claiming.Go(func() {
			for id := 0; holds.Load() < 20; id++ {
				least := holds.Load()
				e := rules.Event{Body: map[string]any{"id": int64(who*1_000_000 + id)}}
				res, err := here.Claim(t.Context(), intake.Source{Rule: "orders", Event: &e}, intake.Options{})
				if ledger.CodeOf(err) == ledger.RuleChanged {
					continue // told to send it again: nothing was granted
				}
				if err != nil {
					t.Error(err)
					return
				}
				var n int64
				if _, err := fmt.Sscanf(res.Items[0].Answer.Key, "%d:", &n); err != nil || n < least {
					t.Errorf("granted %s while formula %d held; %v", res.Items[0].Answer.Key, least, err)
				}
				grants[who]++
			}
		})
	}
	for n := int64(1); n <= 20; n++ {
		if err := change(n); err != nil {
			t.Error(err)
		}
		holds.Store(n)
	}
	claiming.Wait()
	if grants[0]+grants[1]+grants[2]+grants[3] == 0 {
		t.Error("no claim was granted at all")
	}
}

func TestPutRuleRenames(t *testing.T) {
	_, in, other := house(t)
	first := mustPut(t, in, "rule: shop\nkey: key(body.id)\n")
	mustPut(t, in, "rule: taken\nkey: key(body.id)\n")
	for _, attempt := range []string{"first", "after a lost answer"} {
		if r, err := put(t, in, "shop", "rule: store\ntitle: Store\nkey: key(body.id)\n"); err != nil || r.ID != first.ID || r.Title != "Store" {
			t.Errorf("rename, %s: %+v, %v", attempt, r, err)
		}
	}
	for _, tt := range []struct {
		name, old, file string
		code            ledger.Code
	}{
		{"a taken name", "store", "rule: taken\nkey: key(body.id)\n", ledger.Invalid},
		{"a rule that is not there", "nope", "rule: mine\nkey: key(body.id)\n", ledger.UnknownRule},
		{"the default rule", "default", "rule: mine\nkey: key(body.id)\n", ledger.Invalid},
	} {
		if _, err := put(t, in, tt.old, tt.file); ledger.CodeOf(err) != tt.code {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.code)
		}
	}
	for _, who := range []*intake.Intake{in, other} {
		if r, err := who.Rule(t.Context(), "store"); err != nil || r.Title != "Store" {
			t.Errorf("after the refusals: %+v, %v", r, err)
		}
		if _, err := who.Rule(t.Context(), "mine"); ledger.CodeOf(err) != ledger.UnknownRule {
			t.Errorf("a refused rename left a rule: %v", err)
		}
	}
}

// TestRulesAndLedgerHaveTheSameBounds: what the rules let pass the ledger takes, and
// what they refuse it would refuse too.
func TestRulesAndLedgerHaveTheSameBounds(t *testing.T) {
	l, in, _ := house(t)
	day := 24 * time.Hour
	for _, tt := range []struct {
		change func(*rules.Rule)
		ok     bool
	}{
		{func(r *rules.Rule) { r.Rule = "a.b-c_1" }, true},
		{func(r *rules.Rule) { r.Rule = strings.Repeat("9", 64) }, true},
		{func(r *rules.Rule) { r.Rule = strings.Repeat("9", 65) }, false},
		{func(r *rules.Rule) { r.Rule = "Shop" }, false},
		{func(r *rules.Rule) { r.Rule = ".shop" }, false},
		{func(r *rules.Rule) { r.Rule = "größe" }, false},
		{func(r *rules.Rule) { r.Lease = rules.Duration(5 * time.Second) }, true},
		{func(r *rules.Rule) { r.Lease = rules.Duration(5*time.Second - time.Millisecond) }, false},
		{func(r *rules.Rule) { r.Lease = rules.Duration(7 * day) }, true},
		{func(r *rules.Rule) { r.Lease = rules.Duration(7*day + time.Millisecond) }, false},
		{func(r *rules.Rule) { r.Keep = rules.Duration(time.Hour) }, true},
		{func(r *rules.Rule) { r.Keep = rules.Duration(time.Hour - time.Millisecond) }, false},
		{func(r *rules.Rule) { r.Keep = rules.Duration(3650 * day) }, true},
		{func(r *rules.Rule) { r.Keep = rules.Duration(3650*day + time.Millisecond) }, false},
		{func(r *rules.Rule) { r.MaxAttempts = 1_000_000 }, true},
		{func(r *rules.Rule) { r.MaxAttempts = 1_000_001 }, false},
		{func(r *rules.Rule) { r.MaxAttempts = -1 }, false},
	} {
		file := rules.Rule{Rule: "shop", Key: "key(body.id)"}
		tt.change(&file)
		_, err := in.PutRule(t.Context(), "", &file)
		if _, refused := errors.AsType[*intake.IssuesError](err); refused == tt.ok || (err == nil) != tt.ok {
			t.Errorf("%+v: %v", file, err)
		}
		full := file.WithDefaults()
		if _, err := l.PutRule(t.Context(), "", ledger.Rule{Name: file.Rule, Policy: intake.PolicyOf(&full)}); (err == nil) != tt.ok {
			t.Errorf("the ledger on %+v: %v", file, err)
		}
	}
}

func TestArchivedRuleTakesNoClaims(t *testing.T) {
	l, in, _ := house(t)
	mustPut(t, in, "rule: shop\nkey: key(body.id)\n")
	res, err := in.Claim(t.Context(), intake.Source{Rule: "shop", Key: "a"}, intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := in.ArchiveRule(t.Context(), "shop"); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Claim(t.Context(), intake.Source{Rule: "shop", Key: "b"}, intake.Options{}); ledger.CodeOf(err) != ledger.UnknownRule {
		t.Errorf("claim: %v, want UnknownRule", err)
	}
	id, err := in.Identify(t.Context(), intake.Source{Rule: "shop", Key: "a"})
	if err != nil {
		t.Fatal(err)
	}
	id.Token = res.Items[0].Answer.Token
	if _, err := l.Done(t.Context(), ledger.DoneRequest{Identity: id}); err != nil {
		t.Errorf("done of work that began before: %v", err)
	}
}

func TestFaultyFormulaSaysWhere(t *testing.T) {
	_, in, _ := house(t)
	_, err := put(t, in, "", "rule: shop\nkey: key(bod.id)\n")
	issues, ok := errors.AsType[*intake.IssuesError](err)
	if !ok || len(issues.Issues) == 0 || issues.Issues[0].Place != "key" || issues.Issues[0].Line != 1 {
		t.Fatalf("%v, want the place of the fault", err)
	}
	if _, err := in.Rule(t.Context(), "shop"); ledger.CodeOf(err) != ledger.UnknownRule {
		t.Errorf("a faulty rule was kept: %v", err)
	}
}

func TestPolicyOf(t *testing.T) {
	standard := ledger.DefaultPolicy()
	all := ledger.Policy{Lease: time.Hour, Keep: 10 * 24 * time.Hour, OnExpiry: ledger.Ask, MaxAttempts: 3, RetryWindow: standard.RetryWindow}
	waiting := func(window time.Duration) ledger.Policy {
		p := standard
		p.RetryWindow = window
		return p
	}
	for file, want := range map[string]ledger.Policy{
		"rule: a\nkey: key(body.id)\nsender: stripe\n":                                        waiting(3 * 24 * time.Hour),
		"rule: a\nkey: key(body.id)\nsender: github\n":                                        waiting(0), // only a person sends again
		"rule: a\nkey: key(body.id)\nsender: sharepoint\n":                                    standard,   // its trigger asks again
		"rule: a\nkey: key(body.id)\n":                                                        standard,
		"rule: a\nkey: key(body.id)\nlease: 1h\nkeep: 10d\non_expiry: ask\nmax_attempts: 3\n": all,
	} {
		r, err := rules.Parse([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		full := r.WithDefaults()
		if diff := cmp.Diff(want, intake.PolicyOf(&full)); diff != "" {
			t.Errorf("%s(-want +got):\n%s", file, diff)
		}
	}
}
