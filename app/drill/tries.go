package drill

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"dedupedesk/app/body"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// threeTimes sends an event, its real copies, and made ones until there are three.
func (t *trial) threeTimes() (Outcome, error) {
	e := t.events[0]
	first, err := t.work(e.first)
	if err != nil {
		return Outcome{}, err
	}
	copies := e.copies
	for len(copies) < 2 {
		copies = append(copies, copies[0])
	}
	for _, again := range copies {
		a, err := t.work(again)
		if err != nil {
			return Outcome{}, err
		}
		if a.Run {
			return failed("key", fmt.Sprintf("A copy ran. The first key is %s, that of the copy %s.", first.Key, a.Key), t.whatChanges(e.first, again))
		}
	}
	return passed(fmt.Sprintf("One run, %d copies stopped.", len(copies)))
}

// whatChanges names the fields of the key that differ between two copies.
func (t *trial) whatChanges(first, again rules.Event) string {
	var differ []string
	tree := rules.NewTree([]rules.Sample{{Body: string(first.JSON()), Headers: first.Headers}, {Body: string(again.JSON()), Headers: again.Headers}})
	for _, name := range rules.FieldsIn(t.c.Rule.Key) {
		if f, ok := tree.Find(name); ok && len(f.Values) == 2 && f.Values[0] != f.Values[1] {
			differ = append(differ, name)
		}
	}
	if differ == nil {
		return "Build the key of fields that stay the same when the sender tries again."
	}
	return "Take out of the key what changes on every try: " + strings.Join(differ, ", ") + "."
}

// atOnce sends copies side by side, and one shortly before the slowest run ends.
func (t *trial) atOnce() (Outcome, error) {
	e := t.events[0]
	both := []rules.Event{e.first, e.copies[0]}
	answers, errs := make([]body.Claim, len(both)), make([]error, len(both))
	var side sync.WaitGroup
	for i, ev := range both {
		side.Go(func() {
			got, err := t.e.ClaimEvent(t.ctx, t.c.Rule.Rule, fmt.Sprintf("side %d", i), ev)
			if errs[i] = err; err == nil && len(got) > 0 {
				answers[i] = got[0]
			}
		})
	}
	side.Wait()
	for _, err := range errs {
		if err != nil {
			return Outcome{}, err
		}
	}
	if answers[0].Run && answers[1].Run {
		return failed("key", fmt.Sprintf("Both ran, as %s and %s.", answers[0].Key, answers[1].Key), t.whatChanges(e.first, e.copies[0]))
	}
	t.e.Pass(t.c.Slowest - time.Second)
	late, err := t.ask(e.first)
	if err != nil {
		return Outcome{}, err
	}
	if late.Run || held(late) {
		does := "A copy ran while the first was still at work"
		if held(late) {
			does = "A person was asked while the first was still at work"
		}
		return failed("settings", fmt.Sprintf("%s: the time allowed is %s, the slowest run takes %s.", does, rules.Duration(t.lease()), rules.Duration(t.c.Slowest)), "Allow a run more time than the slowest one takes.")
	}
	return passed("One of two got the key, and a copy that came " + rules.Duration(t.c.Slowest).String() + " later was stopped.")
}

// halfWay claims and says nothing more.
func (t *trial) halfWay() (Outcome, error) {
	e := t.events[0]
	if _, err := t.ask(e.first); err != nil {
		return Outcome{}, err
	}
	t.e.Pass(t.lease() + ledger.StuckGrace + time.Minute)
	a, err := t.ask(e.copies[0])
	if err != nil {
		return Outcome{}, err
	}
	switch {
	case held(a):
		return passed("The copy was stopped, and the key waits for a person: nothing runs twice, and nothing is lost unseen.")
	case a.Run && a.TookOver:
		return passed("The copy ran. The first may have done a part of the work: where a double is worse than a gap, let the rule ask a person.")
	case a.Run:
		return failed("key", "The copy ran under a key of its own, "+a.Key+".", t.whatChanges(e.first, e.copies[0]))
	}
	return failed("settings", "The copy was told “"+a.Reason+"”.", "Allow a run less time, so that the next try comes in time.")
}

// otherContents changes what is in no key.
func (t *trial) otherContents() (Outcome, error) {
	e := t.events[0]
	field := t.notInKey(e)
	if field == "" {
		return Outcome{State: NotTried, Seen: "The sample has no field besides those of the key."}, nil
	}
	changed, ok := e.first.Changed(field)
	if !ok {
		return Outcome{State: NotTried, Seen: "The field " + field + " is not one that can be changed here."}, nil
	}
	if _, err := t.work(e.first); err != nil {
		return Outcome{}, err
	}
	a, err := t.work(changed)
	if err != nil {
		return Outcome{}, err
	}
	switch {
	case a.Status == string(ledger.StatusMismatch):
		return passed("With another " + field + " it was stopped and listed as same key, different contents.")
	case a.Run:
		return failed("key", "With another "+field+" it ran, as "+a.Key+".", "Look whether that field belongs into the key.")
	}
	return failed("settings", "With another "+field+" it was stopped like any copy, and nobody hears that the contents differ.", "Name the fields that copies must have alike, such as "+field+", in the rule's settings.")
}

// notInKey is a field that no key is made of: one that copies must have alike, else one
// that a person would miss, such as an amount.
func (t *trial) notInKey(e event) string {
	if len(t.c.Rule.Fingerprint) > 0 && t.c.Rule.Each == "" {
		if _, ok := e.first.Changed(t.c.Rule.Fingerprint[0]); ok {
			return t.c.Rule.Fingerprint[0]
		}
	}
	read := slices.Concat(rules.FieldsIn(t.c.Rule.Key), rules.FieldsIn(t.c.Rule.When), e.changes)
	var other string
	for _, f := range rules.NewTree([]rules.Sample{{Body: string(e.first.JSON())}}).Fields() {
		plain := f.Kind == "text" || f.Kind == "number"
		ofItem := t.c.Rule.Each != "" && strings.Contains(f.Text, "[")
		if !plain || ofItem || f.Path[0] != "body" || slices.Contains(read, f.Text) {
			continue
		}
		if f.Role() == rules.RoleAmount {
			return f.Text
		}
		if other == "" && f.Role() == rules.RoleOther {
			other = f.Text
		}
	}
	return other
}

// replayed sends all events, and all again a day later.
func (t *trial) replayed() (Outcome, error) {
	if len(t.events) < 2 {
		return Outcome{State: NotTried, Seen: "There is one event only. Add a different one, so that it shows whether the key tells them apart.", Where: "samples"}, nil
	}
	var keys []string
	for i, e := range t.events {
		a, err := t.work(e.first)
		if err != nil {
			return Outcome{}, err
		}
		if !a.Run {
			return failed("key", fmt.Sprintf("Event %d was stopped as a copy of another one, under the key %s: it would be lost.", i+1, a.Key), "Add a field to the key that differs between events.")
		}
		keys = append(keys, a.Key)
	}
	t.e.Pass(24 * time.Hour)
	for i, e := range t.events {
		a, err := t.work(e.copies[0])
		if err != nil {
			return Outcome{}, err
		}
		if a.Run {
			return failed("key", fmt.Sprintf("Event %d ran again a day later, as %s after %s.", i+1, a.Key, keys[i]), t.whatChanges(e.first, e.copies[0]))
		}
	}
	return passed(fmt.Sprintf("%d events ran once each, and none of them again.", len(t.events)))
}

// pressedTwice sends the same thing as a message of its own.
func (t *trial) pressedTwice() (Outcome, error) {
	e := t.events[0]
	again, named := e.copies[0], []string{}
	tree := rules.NewTree([]rules.Sample{{Body: string(e.first.JSON()), Headers: e.first.Headers}})
	for _, f := range tree.Fields() {
		if f.Role() != rules.RoleMessage {
			continue
		}
		if changed, ok := again.Changed(f.Text); ok {
			again, named = changed, append(named, f.Text)
		}
	}
	if len(named) == 0 {
		return Outcome{State: NotTried, Seen: "No field of the sample is known to name the message, so two presses look like one sent again."}, nil
	}
	if _, err := t.work(e.first); err != nil {
		return Outcome{}, err
	}
	a, err := t.work(again)
	if err != nil {
		return Outcome{}, err
	}
	if a.Run {
		return Outcome{State: Told, Seen: "The second press ran: the key holds " + strings.Join(named, ", ") + ", which names the message and not the thing.", Change: "Where two presses mean one order or one payment, key on its own id instead.", Where: "key"}, nil
	}
	return passed("The second press was stopped: the key names the thing, not the message.")
}
