package intake_test

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"dedupedesk/app/intake"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// bothSay returns whether rules and ledger take a key, and fails where they differ or
// do not blame the key.
func bothSay(t *testing.T, key string) bool {
	t.Helper()
	_, byRules := rules.CheckKey(key)
	byLedger := ledger.CheckImport(ledger.Key{Key: key}, time.Now())
	if (byRules == nil) != (byLedger == nil) {
		t.Errorf("%q: rules say %v, ledger says %v", key, byRules, byLedger)
	}
	if byLedger != nil && (ledger.CodeOf(byLedger) != ledger.Invalid || ledger.FieldOf(byLedger) != "key") {
		t.Errorf("%q: %v", key, byLedger)
	}
	return byRules == nil
}

var odd = []string{
	" ", "\t", "\u00a0", "\u2003", "\u3000", "\ufeff", "\u200b", "\u200d", "\u2060", "\u00ad", "\u180e", "\u034f", "\u115f", "\u3164", "\U000e0001",
}

// TestRulesAndLedgerTakeTheSameKeys at their ends: evt_1 and what looks like it must
// not both be granted, whatever door they come by.
func TestRulesAndLedgerTakeTheSameKeys(t *testing.T) {
	for key, want := range map[string]bool{
		"evt_1": true, "a b": true, "é😀": true, "❤️": true, "a\u200db": true, "a\u00adb": true, "\u0600\u0661": true,
		strings.Repeat("é", 255): true, strings.Repeat("é", 256): false, "": false,
		"a\ufeffb": false, "a\nb": false, "a\u202eb": false, "a\u200eb": false, "a\u2028b": false, "a\u0085b": false, "\xff": false, "a\xc3": false,
	} {
		if got := bothSay(t, key); got != want {
			t.Errorf("%q is taken: %t", key, got)
		}
	}
	l, in, _ := house(t)
	mustPut(t, in, "rule: built\nkey: key(body.id)\n")
	if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "evt_1"}); err != nil {
		t.Fatal(err)
	}
	for _, o := range odd {
		for key, place := range map[string]string{o + "evt_1": "begins", "evt_1" + o: "ends", o: "empty", o + o + " ": "empty"} {
			if bothSay(t, key) {
				t.Errorf("%q is taken", key)
			}
			control := strings.ContainsAny(o, "\t\ufeff")
			_, byRules := rules.CheckKey(key)
			a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key})
			for _, err := range []error{byRules, err} {
				if err == nil || (!control && !strings.Contains(err.Error(), place) && !strings.Contains(err.Error(), "only spaces")) {
					t.Errorf("%q: %v, want the word %s", key, err, place)
				}
			}
			if a.Run || ledger.FieldOf(err) != "key" {
				t.Errorf("%q was granted: %+v, %v", key, a, err)
			}
			res, err := in.Claim(t.Context(), intake.Source{Key: key}, intake.Options{})
			if ledger.CodeOf(err) != ledger.Invalid || ledger.FieldOf(err) != "key" || len(res.Items) != 0 {
				t.Errorf("%q through intake: %+v, %v", key, res, err)
			}
			// A rule trims white space and refuses the rest.
			res, err = in.Claim(t.Context(), intake.Source{Rule: "built", Event: &rules.Event{Body: map[string]any{"id": key}}}, intake.Options{})
			if err == nil && res.Items[0].Answer.Key != "evt_1" {
				t.Errorf("%q built into %q", key, res.Items[0].Answer.Key)
			}
		}
	}
}

// TestAnOddKeyCanStillBeReported: a file of dedupe.py may hold it.
func TestAnOddKeyCanStillBeReported(t *testing.T) {
	_, in, _ := house(t)
	for _, key := range []string{"evt_1 ", " evt_1", "\u200b"} {
		if id, err := in.Identify(t.Context(), intake.Source{Key: key}); err != nil || id.Key != key {
			t.Errorf("%q: %q, %v", key, id.Key, err)
		}
	}
}

// FuzzRulesAndLedgerTakeTheSameKeys: what one refuses the other does too, and what both
// take shows something at either end.
func FuzzRulesAndLedgerTakeTheSameKeys(f *testing.F) {
	for _, o := range odd {
		f.Add(o + "a")
		f.Add("a" + o)
		f.Add("a" + o + "b")
	}
	f.Add(strings.Repeat("😀", 256))
	f.Add("\xff")
	f.Fuzz(func(t *testing.T, key string) {
		if !bothSay(t, key) {
			return
		}
		if !utf8.ValidString(key) || strings.TrimSpace(key) != key || strings.Trim(key, strings.Join(odd, "")) != key {
			t.Errorf("%q is taken", key)
		}
	})
}

// TestEveryCharacterIsTakenByBothOrNeither at the beginning, the end and inside.
func TestEveryCharacterIsTakenByBothOrNeither(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		for _, key := range []string{string(r), string(r) + "a", "a" + string(r), "a" + string(r) + "a"} {
			bothSay(t, key)
		}
	}
}
