package cause

import "slices"

// An ID names a cause.
type ID string

// The causes.
const (
	StepsRepeat  ID = "steps-repeat"  // actions repeat inside one run
	StepRetry    ID = "step-retry"    // a step is tried again after a timeout
	SecondCopy   ID = "second-copy"   // a second copy of the automation
	DoubleHook   ID = "double-hook"   // one hook is registered twice
	SenderRetry  ID = "sender-retry"  // the sender sent it again
	Replay       ID = "replay"        // the platform ran it again
	Overlap      ID = "overlap"       // two runs looked before either wrote
	StartsItself ID = "starts-itself" // it changes what starts it
	TwoEvents    ID = "two-events"    // two events for one thing
	DoubleClick  ID = "double-click"  // a person sent it twice
	Schedules    ID = "schedules"     // a run begins before the one before has ended
	TwoPaths     ID = "two-paths"     // a flow and an app, or two flows, do the same
	NotTwice     ID = "not-twice"     // two different events that look alike
)

// A Cause is why something ran twice, and what to do.
type Cause struct {
	ID       ID
	Name     string
	Sentence string   // what happened
	Fixes    []string // what helps, the best first
	Useless  []string // what people try that does not help
	Key      bool     // a key that is reserved stops it
	Level    string   // event or business: which key does; "" where none is needed
	Settings bool     // a setting of the platform stops it
	Lab      bool     // the lab shows it
}

// Of returns a cause, false for one that there is not.
func Of(id ID) (Cause, bool) {
	i := slices.IndexFunc(causes, func(c Cause) bool { return c.ID == id })
	if i < 0 {
		return Cause{}, false
	}
	return causes[i], true
}

// All returns every cause, those of one run first.
func All() []Cause { return slices.Clone(causes) }

var causes = []Cause{
	{
		ID: StepsRepeat, Name: "Steps repeat inside one run", Sentence: "One run did the step more than once. Power Automate promises to do each action at least once, not exactly once, and its history does not show the repeat.",
		Fixes:   []string{"Let the destination refuse a second row: a unique column, or a key of the payment or mail service on the step itself.", "Reserve the key directly before the step that must happen once."},
		Useless: []string{"One run at a time: it was one run.", "A trigger condition: the run started once."},
		Key:     true, Level: "business", Settings: true,
	},
	{
		ID: StepRetry, Name: "A step was tried again after a timeout", Sentence: "The step got no answer, or was told to slow down, and the platform tried it again. The first try had worked after all.",
		Fixes:   []string{"Send the same key with every try, where the destination takes one (Stripe's Idempotency-Key).", "A unique column at the destination.", "Set the step's retry policy to none where a person looks at failures."},
		Useless: []string{"Looking first: the first try may not be seen yet.", "A longer pause between tries."},
		Key:     true, Level: "business", Settings: true,
	},
	{
		ID: SecondCopy, Name: "A second copy of the automation", Sentence: "Two copies of one automation listen to the same thing: in another environment, another workspace, or a copy that somebody forgot to switch off.",
		Fixes:   []string{"Switch one of them off.", "Until then: one key that both reserve stops the second one."},
		Useless: []string{"Zapier's own filter for repeated triggers: it looks within one Zap only.", "One run at a time: it counts for each copy alone."},
		Key:     true, Level: "event",
	},
	{
		ID: DoubleHook, Name: "One hook is registered twice", Sentence: "The sender has two registrations for the same event, such as one of the organisation and one of the repository, so it sends it twice, each under a delivery id of its own.",
		Fixes:   []string{"Delete one registration at the sender.", "Key on the event's own id or the thing, not on the delivery id."},
		Useless: []string{"A key on the delivery id: it differs.", "Answering faster: nothing was sent again."},
		Key:     true, Level: "event",
	},
	{
		ID: SenderRetry, Name: "The sender sent it again", Sentence: "The sender did not get a good answer in time, and sent the same event again. Your automation had already begun.",
		Fixes:   []string{"Key on the event's id: it is the same on every try.", "Answer at once with 200, and work after that."},
		Useless: []string{"One run at a time: the second one just comes later.", "A key with a time of sending or an attempt counter: it changes on each try."},
		Key:     true, Level: "event", Lab: true,
	},
	{
		ID: Replay, Name: "A replay", Sentence: "The platform, or a person, ran a failed run again. Steps that had worked before the failure, or the failed step that half worked, were done a second time.",
		Fixes:   []string{"Key on the event's id, and keep keys longer than replays reach back: 28 days in Power Automate, up to 30 in Make.", "Leave automatic replays off for steps that reach a customer."},
		Useless: []string{"A key with the run's id: a replay is another run.", "One run at a time."},
		Key:     true, Level: "event", Settings: true,
	},
	{
		ID: Overlap, Name: "Two runs overlapped", Sentence: "Two runs looked whether it was done, both before either had written, and both went on.",
		Fixes:   []string{"Make the check and the write one step: reserve a key, or a unique column.", "One run at a time, where the platform can, also ends this race."},
		Useless: []string{"Looking twice, or waiting before looking: both wait, and meet again.", "A lookup in a table followed by a write."},
		Key:     true, Level: "event", Settings: true, Lab: true,
	},
	{
		ID: StartsItself, Name: "It starts itself", Sentence: "The automation changes the item that it is started by, and that change starts it again.",
		Fixes:    []string{"A trigger condition that leaves out its own changes.", "A trigger on created items only."},
		Useless:  []string{"A key of the item and its time of change: each of its own changes is a new event.", "One run at a time: it goes on one after the other."},
		Settings: true,
	},
	{
		ID: TwoEvents, Name: "Two events for one thing", Sentence: "The sender made two different events about one order, payment or message. Each came once.",
		Fixes:   []string{"Key on the thing and what happened to it, such as the order's id and paid, not on the event's id."},
		Useless: []string{"A key on the event's id: it differs, rightly.", "Answering faster: nothing was sent again."},
		Key:     true, Level: "business",
	},
	{
		ID: DoubleClick, Name: "A person sent it twice", Sentence: "Somebody pressed the button twice, went back, or sent the form again. Each press made an event of its own.",
		Fixes:   []string{"Key on what was meant: the cart, the order or the invoice number.", "Switch the button off after the first press."},
		Useless: []string{"A key on the submission's id: each press has its own."},
		Key:     true, Level: "business",
	},
	{
		ID: Schedules, Name: "Schedules overlap", Sentence: "It starts by the clock, and the next run began while the one before was still at work on the same records.",
		Fixes:   []string{"One run at a time.", "Reserve a key for each record before working on it, with more time allowed than the slowest run takes."},
		Useless: []string{"A shorter interval.", "Marking the record at the end of the run."},
		Key:     true, Level: "business", Settings: true, Lab: true,
	},
	{
		ID: TwoPaths, Name: "Two ways to the same effect", Sentence: "Two different automations, or an automation and an app, react to the same thing and do the same.",
		Fixes:   []string{"Decide which of them does it, and take the step out of the other.", "Where both must stay: one key for the effect, which both reserve."},
		Useless: []string{"Filters in one of them: it does not know of the other."},
		Key:     true, Level: "business",
	},
	{
		ID: NotTwice, Name: "They are two different events", Sentence: "Nothing ran twice: two events that look alike came, such as two orders in one second, or two people with the same answer.",
		Fixes:   []string{"Keep both. If you add a key, test it on these two: it has to tell them apart."},
		Useless: []string{"Any key that makes them equal: it would drop the second one, silently."},
	},
}
