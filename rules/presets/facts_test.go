package presets

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// TestFactsSayWhereTheyStand demands a source for every fact, and a day for those
// that are called confirmed.
func TestFactsSayWhereTheyStand(t *testing.T) {
	everyDelivery(t, func(t *testing.T, _ Preset, d Delivery) {
		f := d.Facts
		for i, fact := range append([]Fact{f.EventID, f.BusinessID, f.Changes, f.Retries, f.Waits, f.Hooks, f.TestButton}, f.Pitfalls...) {
			if fact.Text != "" && (fact.Source == "" || fact.Confirmed != dayForm.MatchString(fact.Read)) {
				t.Errorf("fact %d: %+v lacks its source, or is confirmed without a day", i, fact)
			}
		}
	})
	p, ok := BySender("stripe")
	if !ok || p.Facts.RetryWindow.String() != "3d" || p.Facts.RetriedBy != BySenderItself || !p.Facts.Retries.Confirmed || p.Facts.Changes.Confirmed {
		t.Errorf("stripe's facts are %+v", p.Facts)
	}
	if _, ok := BySender("nobody"); ok {
		t.Error("BySender found a sender that does not exist")
	}
}

// TestSendersWithoutAnEventID names the senders of which at least one kind of delivery
// has no id of the event, and no other.
func TestSendersWithoutAnEventID(t *testing.T) {
	var got []string
	everyDelivery(t, func(t *testing.T, p Preset, d Delivery) {
		if d.Facts.NoEventID && !slices.Contains(got, p.Sender) {
			got = append(got, p.Sender)
		}
		if said := strings.HasPrefix(d.Facts.EventID.Text, "none"); said != d.Facts.NoEventID {
			t.Errorf("no_event_id is %v, and the fact says %q", d.Facts.NoEventID, d.Facts.EventID.Text)
		}
	})
	want := strings.Fields("airtable asana aws-s3 brevo cal-com dataverse google-sheets lemon-squeezy mailchimp mailgun mandrill postmark quickbooks sharepoint supabase woocommerce xero")
	if !slices.Equal(got, want) {
		t.Errorf("senders without an id are %q, want %q", got, want)
	}
}

// TestTheCopyChangesWhatTheFactsSay compares each sample with its copy: what differs
// is listed in the facts as changing on a retry or between hooks, and all that changes
// on a retry differs.
func TestTheCopyChangesWhatTheFactsSay(t *testing.T) {
	everyDelivery(t, func(t *testing.T, _ Preset, d Delivery) {
		first, again := flat(t, d, 0), flat(t, d, 1)
		var differ []string
		for name := range merged(first, again) {
			if first[name] != again[name] {
				differ = append(differ, name)
			}
		}
		for _, name := range differ {
			if !slices.Contains(slices.Concat(d.Facts.Changed, d.Facts.HookFields), name) {
				t.Errorf("%s differs between sample and copy, and the facts do not list it", name)
			}
		}
		for _, name := range d.Facts.Changed {
			if !slices.Contains(differ, name) {
				t.Errorf("the facts list %s, and sample and copy do not differ there", name)
			}
		}
		for _, name := range slices.Concat(d.Facts.Changed, d.Facts.HookFields) {
			if parts, ok := rules.Parts("key(" + name + ")"); !ok || parts[0].Text() != name {
				t.Errorf("%s is not written as a field stands in a formula", name)
			}
		}
	})
}

// flat returns the values of a delivery by field, as facts name them. In a list that
// the rule goes through, all items count as one.
func flat(t *testing.T, d Delivery, sample int) map[string]string {
	t.Helper()
	e, err := d.Rule.Samples[sample].Event()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, v := range e.Headers {
		out[rules.Part{Path: []string{"headers", name}}.Text()] = v
	}
	var walk func(path []string, v any)
	walk = func(path []string, v any) {
		switch v := v.(type) {
		case rules.Object:
			for name, member := range v {
				walk(append(slices.Clone(path), name), member)
			}
		case []any:
			if (rules.Part{Path: path}).Text() == d.Rule.Each {
				path = []string{"item"}
			}
			for i, item := range v {
				to := path
				if path[0] != "item" || len(path) > 1 {
					to = append(slices.Clone(path), fmt.Sprintf("[%d]", i))
				}
				walk(to, item)
			}
		default:
			out[rules.Part{Path: path}.Text()] += fmt.Sprint(v) + "\n"
		}
	}
	walk([]string{"body"}, e.Body)
	return out
}

func merged(a, b map[string]string) map[string]bool {
	out := map[string]bool{}
	for _, m := range []map[string]string{a, b} {
		for name := range m {
			out[name] = true
		}
	}
	return out
}

// TestTestIDsStandInTheSample: what the facts call a mark of a test is a field with
// that value in a delivery of the preset.
func TestTestIDsStandInTheSample(t *testing.T) {
	everyDelivery(t, func(t *testing.T, p Preset, d Delivery) {
		for _, id := range d.Facts.TestIDs {
			found := false
			for _, kind := range p.Deliveries() {
				if kind.NoEvent != nil {
					kind.Rule.Samples = append(kind.Rule.Samples, *kind.NoEvent)
				}
				for i := range kind.Rule.Samples {
					found = found || slices.Contains(strings.Split(flat(t, kind, i)[id.Field], "\n"), id.Value)
				}
			}
			if !found {
				t.Errorf("no delivery has %s in %s", id.Value, id.Field)
			}
		}
	})
}

// TestParseRefusesHalfAPreset takes one thing away from a preset, or adds one, and
// wants the fault told.
func TestParseRefusesHalfAPreset(t *testing.T) {
	whole, err := files.ReadFile("stripe.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parse(whole); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"unknown member", "\nhooks:", "\nhookz:", "hookz"},
		{"unknown source", "changes:\n  says: {recalled:", "changes:\n  says: {dreamt:", "dreamt"},
		{"no such day", "read: 2026-10-31", "read: last week", "no day"},
		{"no retrier", "by: sender", "by: luck", "retries.by"},
		{"window of nobody", "by: sender", "by: nobody", "there is a window"},
		{"window unreadable", "window: 3d", "window: long", "retries.window"},
		{"key without choice", "choose:", "#", "choose"},
		{"no marks", "recognise:", "recognize:", "recognize"},
		{"unknown part", "-- copy.json --", "-- kopie.json --", "kopie.json"},
		{"no other event", "-- other.json --", "-- elsewhere/other.json --", "other is missing"},
		{"broken headers", "-- sample.headers.json --", "-- sample.headers.json --\n[", "sample.headers.json"},
		{"unknown level", "event:\n", "evnt:\n", "evnt"},
	} {
		t.Run(c.name, func(t *testing.T) {
			broken := strings.Replace(string(whole), c.old, c.new, 1)
			if broken == string(whole) {
				t.Fatalf("%q does not stand in the preset", c.old)
			}
			if _, err := parse([]byte(broken)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("it says %v, want %q in it", err, c.want)
			}
		})
	}
}
