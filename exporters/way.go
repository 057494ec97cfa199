package exporters

import "slices"

// A Way is one route that a platform offers, with its reason and its price.
type Way struct {
	Route    string // one of the Route constants
	Platform string // name of the platform whose steps go this way; "" for the one that offers it
	Title    string // a unique column of the list
	Reason   string // why it fits, in a sentence
	Cost     string // what it takes: a licence, a computer that never sleeps
	Blocked  string // why it must not be taken; "" where it may
	Wants    []Want // what the rule does not say yet
	NoKey    bool   // nothing has to be stopped: the work may be done again
}

// A Want is a setting that a way needs the rule to have.
type Want struct {
	Setting, Value string // as a rule file has them: lease, 8h
	Why            string
}

// RouteDetail is the name of the detail that holds the route of the way that the
// person took. It is empty for the advised one.
const RouteDetail = "route"

// Advised returns the first way that nothing blocks. It may lead to another
// platform.
func Advised(ways []Way) (Way, bool) {
	for _, w := range ways {
		if w.Blocked == "" {
			return w, true
		}
	}
	return Way{}, false
}

// Chosen returns the way on which x builds the checklist for s: the one that the
// person took, or else the first of x's own that nothing blocks. It returns an
// *InputError of the field [RouteDetail] for a way that is blocked or that x does
// not have.
func Chosen(x Exporter, s Setup) (Way, error) {
	taken := s.Details[RouteDetail]
	for _, w := range x.Ways(s) {
		switch {
		case w.Platform != "":
		case taken == w.Route && w.Blocked != "":
			return Way{}, &InputError{Field: RouteDetail, Msg: w.Blocked}
		case taken == w.Route, taken == "" && w.Blocked == "":
			return w, nil
		}
	}
	return Way{}, &InputError{Field: RouteDetail, Msg: "There is no such way here. Choose one of those shown."}
}

// Offer puts what holds for every platform before x's own ways: no key is needed, or
// the destination refuses a copy. A setup without a rule, and a platform that is
// itself the destination, gets own alone.
func Offer(s Setup, platform string, own ...Way) []Way {
	if s.Rule == "" {
		return own
	}
	var ways []Way
	if s.Answered(EffectQuestion()) == EffectSets {
		ways = append(ways, Way{
			Route: RouteNone, Title: "No key is needed", NoKey: true,
			Reason: "A step that sets the same value again does no harm: twice comes to the same as once. Prefer set to add where you can choose.",
			Cost:   "Nothing. Take care that nothing else hangs on the change, such as a mail that another flow sends when the value is written.",
		})
	}
	if to, ok := destinations()[s.Answered(TargetQuestion())]; ok && to.Platform != platform {
		to.Blocked = s.hidden()
		if !s.Expressible {
			to.Blocked = "The formula of this rule does more than a list of fields can say, so the platform cannot write its key. Only this program can make it."
		}
		ways = append(ways, to)
	}
	return append(ways, shut(own, s.hidden())...)
}

// hidden says why no platform makes the key of a rule that hides a part of it; "" where
// none is hidden.
func (s Setup) hidden() string {
	for i, p := range s.Parts {
		if slices.Contains(p.Steps, "secret") {
			return CannotStep(i+1, p, "secret", "").Error()
		}
	}
	return ""
}

// shut blocks the ways whose key the platform itself makes for a reason, "" for none. A
// platform that has no open way beside them keeps them, and its steps say the reason.
func shut(own []Way, reason string) []Way {
	keyed := func(w Way) bool { return w.Route == RouteStore || w.Route == RouteDestination }
	if reason == "" || !slices.ContainsFunc(own, func(w Way) bool { return !keyed(w) && w.Blocked == "" }) {
		return own
	}
	for i := range own {
		if keyed(own[i]) && own[i].Blocked == "" {
			own[i].Blocked = reason
		}
	}
	return own
}

func destinations() map[string]Way {
	return map[string]Way{
		TargetSharePoint: {
			Route: RouteDestination, Platform: "sharepoint", Title: "A unique column in the list",
			Reason: "The list itself refuses a second row with the same event key, at whatever moment it comes. A unique column is enough where the row is what must not come twice.",
			Cost:   "No licence and no address. The row has to be written before any other step that must not happen twice.",
		},
		TargetDataverse: {
			Route: RouteDestination, Platform: "dataverse", Title: "An alternate key of the table",
			Reason: "Dataverse itself refuses a second row with the same event key.",
			Cost:   "A premium licence, as for all of Dataverse, and the right to change the table.",
		},
		TargetDatabase: {
			Route: RouteDestination, Platform: "scripts", Title: "A unique key in your database",
			Reason: "The row and its key are written in one transaction, so they cannot come apart.",
			Cost:   "Somebody who may change the database.",
		},
		TargetKeyed: {
			Route: RouteDestination, Platform: "destinations", Title: "A key that the service itself takes",
			Reason: "Stripe, HubSpot and Salesforce each can refuse a copy that carries the same event key.",
			Cost:   "Each has limits of its own, and the steps name them: Stripe forgets a key after 24 hours, the others need somebody who may add a field.",
		},
	}
}

// LedgerWay is the way by this program, for a platform that needs cost for it. far
// tells that its calls come from outside: a computer that sleeps cannot answer them.
func LedgerWay(s Setup, far bool, cost string) Way {
	w := Way{
		Route: RouteLedger, Title: "Ask this program before the work",
		Reason: "It keeps one list of event keys for all your automations, tells a copy from a second try, and shows what got stuck.",
		Cost:   cost,
	}
	if far && s.Answered(ComputerQuestion()) == ComputerSleeps {
		w.Blocked = "This computer sleeps or is switched off at times, and an event that arrives then would find nobody to ask. Put this program on a computer that is on day and night, or take another way."
	}
	return w
}
