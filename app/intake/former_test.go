package intake_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/intake"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// change puts a rule file in use, for a reason.
func change(t *testing.T, in *intake.Intake, why ledger.Why, file string) *intake.Rule {
	t.Helper()
	parsed, err := rules.Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	r, err := in.ChangeRule(t.Context(), intake.Change{File: parsed, Why: why})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// finish claims an event of the rule shop and reports each of its keys as finished.
func finish(t *testing.T, l *ledger.Ledger, in *intake.Intake, body string) {
	t.Helper()
	res, err := in.Claim(t.Context(), shop(t, body), intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range res.Items {
		id := ledger.Identity{Rule: "shop", Key: it.Answer.Key, Token: it.Answer.Token}
		if _, err := l.Done(t.Context(), ledger.DoneRequest{Identity: id}); err != nil {
			t.Fatal(err)
		}
	}
}

func shop(t *testing.T, body string) intake.Source {
	return intake.Source{Rule: "shop", Event: event(t, body)}
}

func claims(t *testing.T, in *intake.Intake, src intake.Source) []string {
	t.Helper()
	res, err := in.Claim(t.Context(), src, intake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return told(res)
}

// TestWhatBecomesOfAFinishedEvent changes the formula of a rule in each way, and sends
// an event again that was finished before.
func TestWhatBecomesOfAFinishedEvent(t *testing.T) {
	const was = "rule: shop\nkey: key(body.id, body.try)\n"
	const sent, other = `{"id":7,"try":1,"kind":"paid","lines":["a","b"]}`, `{"id":8,"try":1,"kind":"paid","lines":["a","b"]}`
	for _, tt := range []struct {
		name string
		was  string
		why  ledger.Why
		file string
		want []string
	}{
		{"copies", was, ledger.Copies, "rule: shop\nkey: key(body.id)\n", []string{"done 7:1"}},
		{"merged", was, ledger.Merged, "rule: shop\nkey: key(body.id)\n", []string{"claimed 7"}},
		{"no reason given", was, ledger.WhyNone, "rule: shop\nkey: key(body.id)\n", []string{"done 7:1"}},
		{"no reason given, and its samples show that it merged", was, ledger.WhyNone,
			"rule: shop\nkey: key(body.id)\nsamples:\n- group: A\n  body: {id: 1, try: 1}\n- group: B\n  body: {id: 1, try: 1}\n", []string{"claimed 7"}},
		{"a reason for a formula that is the same", was, ledger.Merged, was + "title: Shop\n", []string{"done 7:1"}},
		{"capitals count no more", "rule: shop\nkey: key('ID', body.id)\n", ledger.Copies, "rule: shop\nkey: key('ID', body.id)\nfold_case: true\n", []string{"done ID:7"}},
		{"the condition was another", "rule: shop\nkey: key(body.id, body.try)\nwhen: body.kind == 'paid'\n", ledger.Copies,
			"rule: shop\nkey: key(body.id)\nwhen: body.id > 0\n", []string{"done 7:1"}},
		{"items", "rule: shop\neach: body.lines\nkey: key(body.id, body.try, item)\n", ledger.Copies,
			"rule: shop\neach: body.lines\nkey: key(body.id, item)\n", []string{"done 7:1:a", "done 7:1:b"}},
		{"items that are found another way", "rule: shop\neach: body.lines\nkey: key(body.id, item)\n", ledger.Copies,
			"rule: shop\neach: body.lines.filter(l, l != '')\nkey: key('line', body.id, item)\n", []string{"done 7:a", "done 7:b"}},
		{"another number of items", was, ledger.Copies, "rule: shop\neach: body.lines\nkey: key(body.id, item)\n", []string{"claimed 7:a", "claimed 7:b"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l, here, there := house(t)
			mustPut(t, here, tt.was)
			finish(t, l, here, other)
			finish(t, l, here, sent)
			claims(t, there, shop(t, other)) // so that it knows the rule, and not of the change
			change(t, here, tt.why, tt.file)
			var again []string
			for _, want := range tt.want {
				again = append(again, strings.Replace(want, "claimed", "in_progress", 1))
			}
			if diff := cmp.Diff(tt.want, claims(t, there, shop(t, sent))); diff != "" {
				t.Errorf("where the change is not known (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(again, claims(t, here, shop(t, sent))); diff != "" {
				t.Errorf("again (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAFormerFormulaThatFailsMadeNoKey: an event that it refused runs now.
func TestAFormerFormulaThatFailsMadeNoKey(t *testing.T) {
	l, in, _ := house(t)
	mustPut(t, in, "rule: shop\nkey: key(body.id, body.only)\n")
	finish(t, l, in, `{"id":8,"only":1}`)
	change(t, in, ledger.Copies, "rule: shop\nkey: key(body.id)\n")
	if diff := cmp.Diff([]string{"claimed 7"}, claims(t, in, shop(t, `{"id":7}`))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestAReportFindsWhatItsClaimGot: by the event and by its parts, before and after a
// change, whatever that was for.
func TestAReportFindsWhatItsClaimGot(t *testing.T) {
	for _, why := range []ledger.Why{ledger.Copies, ledger.Merged} {
		t.Run(string(why), func(t *testing.T) {
			l, in, _ := house(t)
			mustPut(t, in, "rule: shop\nkey: key(body.id)\n")
			got := map[string]ledger.Answer{}
			for _, id := range []string{"A1", "A2"} {
				res, err := in.Claim(t.Context(), shop(t, `{"id":"`+id+`"}`), intake.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got[id] = res.Items[0].Answer
			}
			change(t, in, why, "rule: shop\nkey: key(body.id)\nfold_case: true\n")
			for id, src := range map[string]intake.Source{"A1": shop(t, `{"id":"A1"}`), "A2": {Rule: "shop", Key: "A2"}} {
				who, err := in.Identify(t.Context(), src)
				if err != nil {
					t.Fatal(err)
				}
				who.Token = got[id].Token
				a, err := l.Done(t.Context(), ledger.DoneRequest{Identity: who})
				if err != nil || a.Key != id {
					t.Errorf("%s: %+v, %v", id, a, err)
				}
			}
		})
	}
}

// TestTwoItemsOfOneFormerKey: the second is a copy, although one caller owns both.
func TestTwoItemsOfOneFormerKey(t *testing.T) {
	l, in, _ := house(t)
	mustPut(t, in, "rule: shop\neach: body.lines\nkey: key(body.id)\n")
	res, err := in.Claim(t.Context(), shop(t, `{"id":7,"lines":["a","b"]}`), intake.Options{Owner: "run-1"})
	if err != nil {
		t.Fatal(err)
	}
	id := ledger.Identity{Rule: "shop", Key: "7", Token: res.Items[0].Answer.Token}
	if _, err := l.Release(t.Context(), ledger.ReleaseRequest{Identity: id}); err != nil {
		t.Fatal(err)
	}
	change(t, in, ledger.Copies, "rule: shop\neach: body.lines\nkey: key(body.id, item)\n")
	res, err = in.Claim(t.Context(), shop(t, `{"id":7,"lines":["a","b"]}`), intake.Options{Owner: "run-2"})
	if diff := cmp.Diff([]string{"claimed 7", "in_progress 7"}, told(res)); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestAChangedFingerprintIsNoMismatch: what it is made of changed, not the contents.
func TestAChangedFingerprintIsNoMismatch(t *testing.T) {
	_, in, _ := house(t)
	mustPut(t, in, "rule: shop\nkey: key(body.id)\nfingerprint: [body.amount]\n")
	claims(t, in, shop(t, `{"id":7,"amount":1,"total":1}`))
	mustPut(t, in, "rule: shop\nkey: key(body.id)\nfingerprint: [body.total]\ntitle: Shop\n")
	mustPut(t, in, "rule: shop\nkey: key(body.id)\nfingerprint: [body.total]\ntitle: The shop\n")
	if diff := cmp.Diff([]string{"in_progress 7"}, claims(t, in, shop(t, `{"id":7,"amount":1,"total":1}`))); diff != "" {
		t.Errorf("after the change (-want +got):\n%s", diff)
	}
	_, again, _ := house(t)
	mustPut(t, again, "rule: shop\nkey: key(body.id)\nfingerprint: [body.amount]\n")
	claims(t, again, shop(t, `{"id":7,"amount":1}`))
	mustPut(t, again, "rule: shop\nkey: key(body.id)\nfingerprint: [body.amount]\ntitle: Shop\n")
	if diff := cmp.Diff([]string{"mismatch 7"}, claims(t, again, shop(t, `{"id":7,"amount":2}`))); diff != "" {
		t.Errorf("the same fingerprint (-want +got):\n%s", diff)
	}
}

// TestAChainOfFormulas: each former one is looked back to, and one that came back is the
// formula in use again.
func TestAChainOfFormulas(t *testing.T) {
	l, in, _ := house(t)
	files := []string{"key(body.id, 'a')", "key(body.id, 'b')", "key(body.id, 'c')"}
	put := func(n int, why ledger.Why) { change(t, in, why, "rule: shop\nkey: "+files[n]+"\n") }
	put(0, "")
	for n := range files {
		put(n, ledger.Copies)
		finish(t, l, in, fmt.Sprintf(`{"id":%d}`, n))
	}
	put(0, ledger.Copies)
	for n, want := range []string{"done 0:a", "done 1:b", "done 2:c"} {
		if diff := cmp.Diff([]string{want}, claims(t, in, shop(t, fmt.Sprintf(`{"id":%d}`, n)))); diff != "" {
			t.Errorf("event %d (-want +got):\n%s", n, diff)
		}
	}
}

// TestAnErrorThatIsNoneOfTheEventGrantsNothing: where the key of a former formula is not
// known, nobody can say that it was not used.
func TestAnErrorThatIsNoneOfTheEventGrantsNothing(t *testing.T) {
	fails := true
	secret := func() ([]byte, error) {
		if fails {
			return nil, &ledger.Error{Code: ledger.Busy, Msg: "The test wants this to fail.", Err: errors.New("wanted")}
		}
		return []byte(strings.Repeat("s", rules.MinSecret)), nil
	}
	l, _, _ := house(t)
	engine, err := rules.New(rules.WithSecret(secret))
	if err != nil {
		t.Fatal(err)
	}
	mail := shop(t, `{"mail":"ada@example.org"}`)
	old := intake.New(l, engine)
	fails = false
	mustPut(t, old, "rule: shop\nkey: key(secret(body.mail))\n")
	finish(t, l, old, `{"mail":"ada@example.org"}`)
	fails = true
	if engine, err = rules.New(rules.WithSecret(secret)); err != nil {
		t.Fatal(err)
	}
	in := intake.New(l, engine)
	change(t, in, ledger.Copies, "rule: shop\nkey: key(body.mail)\n")
	if _, err := in.Claim(t.Context(), mail, intake.Options{}); ledger.CodeOf(err) != ledger.Busy {
		t.Errorf("%v, want Busy", err)
	}
	fails = false
	if got := claims(t, in, mail); !strings.HasPrefix(got[0], "done ") {
		t.Error(got)
	}
}

// TestOutlook tells the page what a change would mean.
func TestOutlook(t *testing.T) {
	l, in, _ := house(t)
	look := func(file string) intake.Outlook {
		t.Helper()
		parsed, err := rules.Parse([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		out, err := in.Outlook(t.Context(), "", parsed)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	const file = "rule: shop\nkey: key(body.id)\n"
	want := func(got, want intake.Outlook) {
		t.Helper()
		if got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	want(look(file), intake.Outlook{})
	mustPut(t, in, file)
	finish(t, l, in, `{"id":7}`)
	want(look(file+"title: Shop\n"), intake.Outlook{Version: 1})
	want(look("rule: shop\nkey: key('x', body.id)\n"), intake.Outlook{Version: 1, Formula: true, Keys: 1, Why: ledger.Copies})
	want(look("rule: shop\neach: body.lines\nkey: key(item)\n"), intake.Outlook{Version: 1, Formula: true, Items: true, Keys: 1, Why: ledger.Copies})
	want(look("rule: shop\nkey: key(body.id, body.n)\nsamples:\n- group: A\n  body: {id: 1, n: 1}\n- group: B\n  body: {id: 1, n: 2}\n"),
		intake.Outlook{Version: 1, Formula: true, Keys: 1, Why: ledger.Merged})
}
