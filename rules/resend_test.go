package rules_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// TestResendChangesWhatItSays makes the next try of every delivery that can be read,
// and holds it to the fields that it says it changed: they differ, the others do not.
func TestResendChangesWhatItSays(t *testing.T) {
	read := 0
	err := filepath.WalkDir("testdata/samples", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".txtar" || strings.Contains(file, "pairs") {
			return err
		}
		s := delivery(t, readCase(t, file, &corpusCase{}), "body", "headers.json", "A")
		event, err := s.Event()
		if err != nil {
			return nil // TestCorpus knows which
		}
		read++
		sender, _ := presets.Known("", event)
		again, changed, err := rules.Resend(s, sender)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			return nil
		}
		again.Group = s.Group
		tree := rules.NewTree([]rules.Sample{s, again})
		if err := tree.Err(); err != nil {
			t.Errorf("%s: the resend cannot be read: %v", file, err)
			return nil
		}
		for _, f := range tree.Fields() {
			if f.Kind == "object" || f.Kind == "list" || f.Name == "content-type" || strings.Contains(f.Text, "multipart") {
				continue
			}
			if said := slices.Contains(changed, f.Text); said != f.Has(rules.BadgeChanges) {
				t.Errorf("%s: %s is %q; said to change: %v", file, f.Text, f.Values, said)
			}
		}
		return nil
	})
	if err != nil || read != 82 {
		t.Errorf("%d deliveries were read, want 82; %v", read, err)
	}
}

// TestResendIsNoProof: what a simulated resend shows, and that it stays a note.
func TestResendIsNoProof(t *testing.T) {
	e := corpusEngine(t)
	stripe := corpusSample(t, "stripe/charge.succeeded", "A")
	other := stripe
	other.Body = strings.Replace(stripe.Body, `"pending_webhooks"`, `"added": 1, "pending_webhooks"`, 1)
	for _, tt := range []struct {
		name, key string
		samples   []rules.Sample
		code      rules.VerdictCode // "": nothing of the two
		says, fix string
	}{
		{"documented", `key("stripe", body.id)`, []rules.Sample{stripe}, rules.VerdictStableOnResend, "Stable on a resend (simulated): with `stripe-signature`, `pending_webhooks`, the order", ""},
		{"nothing known to change", `key("s", body.id)`, []rules.Sample{{Body: `{"id":1}`}}, rules.VerdictStableOnResend, "with the order of members and the spacing changed, sample 1 keeps its key. That is no proof", ""},
		{"pasted twice", `key("stripe", body.id)`, []rules.Sample{stripe, stripe}, rules.VerdictStableOnResend, "sample 1 keeps its key", ""},
		{"really copied", `key("stripe", body.id)`, []rules.Sample{stripe, other}, "", "", ""},
		{"whole body", `key("stripe", digest(body))`, []rules.Sample{stripe}, rules.VerdictMissesResend, "would miss a resend (simulated), because `pending_webhooks` changes.", `key("stripe", digest(omit(body, ["pending_webhooks"])))`},
		{"beyond blocks", `key("s", body.id + "-" + string(body.meta.attempt))`, []rules.Sample{{Body: `{"id":"a","meta":{"attempt":1}}`}}, rules.VerdictMissesResend, "because `meta.attempt` changes.", ""},
		{"said already", `key("s", body.id, body.attempt)`, []rules.Sample{{Body: `{"id":"a","attempt":1}`}}, "", "", ""},
		{"order of members", `key("s", digest(body))`, []rules.Sample{{Body: `{"id":19.90,"a":{"z":1,"b":[1,2]}}`}}, rules.VerdictStableOnResend, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := e.Judge(t.Context(), &rules.Rule{Key: tt.key, Samples: tt.samples})
			stable, isStable := verdict(j, rules.VerdictStableOnResend)
			missed, isMissed := verdict(j, rules.VerdictMissesResend)
			if isStable != (tt.code == rules.VerdictStableOnResend) || isMissed != (tt.code == rules.VerdictMissesResend) {
				t.Fatalf("%+v", j.Verdicts)
			}
			if v := append([]rules.Verdict{}, stable, missed); !strings.Contains(v[0].Text+v[1].Text, tt.says) || formulaOf(missed.Fix) != tt.fix || stable.Fail || missed.Fail {
				t.Errorf("%+v", v)
			}
			if j.OK {
				t.Error("one event, and the rule is said to be good")
			}
		})
	}
}

// TestResendKeepsTheIdentity: the fields that name the event stay, even where their
// names sound like a try's.
func TestResendKeepsTheIdentity(t *testing.T) {
	sender := rules.Sender{Name: "s", Key: `key("s", body.attempt_id, headers["x-request-id"])`, Changed: []string{"body.attempt_id", "body.n", `headers["x-retry"]`}}
	again, changed, err := rules.Resend(rules.Sample{Body: `{"attempt_id":7,"n":{"a":1,"b":[2]}}`, Headers: map[string]string{"X-Request-Id": "r1"}}, sender)
	if err != nil || !slices.Equal(changed, []string{"body.n", `headers["x-retry"]`}) {
		t.Fatalf("%q %v", changed, err)
	}
	event, err := again.Event()
	if err != nil || event.Headers["x-request-id"] != "r1" || event.Headers["x-retry"] == "" || string(rules.EncodeJSON(event.Body)) != `{"attempt_id":7,"n":{"a":2,"b":[2,"again"]}}` {
		t.Errorf("%+v %s %v", event.Headers, again.Body, err)
	}
	if _, _, err := rules.Resend(rules.Sample{Body: `{"id":`}, sender); err == nil {
		t.Error("a broken sample was sent again")
	}
}
