// Package drill tries a rule where automations fail: the same event again, two at once, a
// run that ends half way, other contents under one key, a day sent again, a button pressed
// twice. Each drill asks a real endpoint, on a ledger that is thrown away.
//
// # What it promises
//
// The rule and the samples are the person's own; their keys are not touched. What the
// sender would send again is made by [rules.Resend]: times, attempt counters and
// signatures change, what names the event stays. Real copies among the samples are sent
// too. A drill that cannot be made with these samples says so, and is not called passed.
//
// # Units
//
// Times pass in the endpoint's ledger alone.
//
// # Concurrency
//
// [Run] may run several times at once.
package drill

import (
	"context"
	"fmt"
	"time"

	"dedupedesk/app/body"
	"dedupedesk/app/scratch"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// A State is how a drill ended.
type State string

// The states.
const (
	Passed   State = "passed"
	Failed   State = "failed"
	Told     State = "look"      // neither: it depends on what the person wants
	NotTried State = "not tried" // with these samples it cannot be
)

// An Outcome is a drill with what was expected, seen, and to be changed.
type Outcome struct {
	Name     string
	Expected string
	State    State
	Seen     string
	Change   string // what to change, or ""
	Where    string // which part of the editor that is: key, settings, samples, or ""
}

// A Case is what is drilled.
type Case struct {
	Rule    *rules.Rule
	Sender  rules.Sender // as known by the rule or the samples; may be the zero value
	Slowest time.Duration
}

// A drill is one of them.
type drill struct {
	name, expected string
	try            func(*trial) (Outcome, error)
}

func drills() []drill {
	return []drill{
		{"The same event three times", "One run. The copies are stopped.", (*trial).threeTimes},
		{"Two at the same moment, and one while the first still works", "One run. Both copies are told that somebody is on it.", (*trial).atOnce},
		{"Ended half way, then tried again", "The key is not lost: the next copy runs, or a person is asked, as the rule says.", (*trial).halfWay},
		{"Other contents under the same key", "It does not run, and is listed as same key, different contents.", (*trial).otherContents},
		{"A day of events, sent again after an outage", "Each event runs once, and no event is taken for another.", (*trial).replayed},
		{"A button pressed twice", "One run, where the second press means the same thing.", (*trial).pressedTwice},
	}
}

// Run makes all drills, each on an endpoint of its own.
func Run(ctx context.Context, n scratch.Needs, c Case) ([]Outcome, error) {
	var all []Outcome
	for _, d := range drills() {
		o, err := one(ctx, n, c, d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		o.Name, o.Expected = d.name, d.expected
		all = append(all, o)
	}
	return all, nil
}

func one(ctx context.Context, n scratch.Needs, c Case, d drill) (Outcome, error) {
	events, err := eventsOf(ctx, n, c)
	if err != nil {
		return Outcome{}, err
	}
	if len(events) == 0 {
		return Outcome{State: NotTried, Seen: "No sample gives a key. Add one that the rule is about.", Where: "samples"}, nil
	}
	e, err := scratch.Start(ctx, n)
	if err != nil {
		return Outcome{}, err
	}
	defer func() { _ = e.Close() }() // its folder is one of the system's, and cleared away at last
	if err := e.PutRule(ctx, c.Rule); err != nil {
		return Outcome{}, err
	}
	return d.try(&trial{ctx: ctx, e: e, c: c, events: events})
}

// An event is a sample with its copies, real and made.
type event struct {
	first   rules.Event
	copies  []rules.Event
	changes []string // the fields that a sender changes when it sends again
}

// eventsOf are the different events of the samples that get a key, each with a made copy
// and the real ones.
func eventsOf(ctx context.Context, n scratch.Needs, c Case) ([]event, error) {
	program, issues := n.Rules.Compile(c.Rule)
	if program == nil {
		return nil, fmt.Errorf("the formula of the rule has %d faults", len(issues))
	}
	var all []event
	at := map[string]int{}
	for _, s := range c.Rule.Samples {
		e, err := s.Event()
		if err != nil {
			continue // the editor says so
		}
		if i, copied := at[s.Group]; copied && s.Group != "" {
			all[i].copies = append(all[i].copies, e)
			continue
		}
		keyed, err := program.Keys(ctx, e)
		if err != nil || len(keyed) == 0 || keyed[0].Err != nil || keyed[0].Ignored {
			continue
		}
		made, changes, err := rules.Resend(s, c.Sender)
		if err != nil {
			continue
		}
		again, err := made.Event()
		if err != nil {
			return nil, err
		}
		again.Query = e.Query
		at[s.Group] = len(all)
		all = append(all, event{first: e, copies: []rules.Event{again}, changes: changes})
	}
	return all, nil
}

// A trial is a drill that is being made.
type trial struct {
	ctx    context.Context
	e      *scratch.Endpoint
	c      Case
	events []event
	runs   int
}

// ask sends an event as a run of its own. An event of several keys is known by the first.
func (t *trial) ask(e rules.Event) (body.Claim, error) {
	t.runs++
	answers, err := t.e.ClaimEvent(t.ctx, t.c.Rule.Rule, fmt.Sprintf("run %d", t.runs), e)
	if err != nil {
		return body.Claim{}, err
	}
	if len(answers) == 0 {
		return body.Claim{Status: "ignored"}, nil
	}
	return answers[0], nil
}

// work asks, and reports the work as finished where it got the key.
func (t *trial) work(e rules.Event) (body.Claim, error) {
	a, err := t.ask(e)
	if err == nil && a.Run {
		err = t.e.Done(t.ctx, a)
	}
	return a, err
}

func (t *trial) lease() time.Duration { return time.Duration(t.c.Rule.WithDefaults().Lease) }

func passed(seen string) (Outcome, error) { return Outcome{State: Passed, Seen: seen}, nil }

func failed(where, seen, change string) (Outcome, error) {
	return Outcome{State: Failed, Seen: seen, Change: change, Where: where}, nil
}

// held tells an answer that leaves the key to a person.
func held(a body.Claim) bool { return a.Status == string(ledger.StatusHeld) }
