package makecom

import "dedupedesk/exporters"

// How long a call to the ledger may take, in seconds: as a rule, and where the sender
// waits for no more than five.
const (
	claimTimeout = 20
	shortTimeout = 4
)

// A plan is what the scenario of either way is built from.
type plan struct {
	rule    string
	address string // of the ledger
	poll    bool   // the trigger looks by itself; nobody waits for an answer
	resumes bool   // Make itself tries again; else the sender does, or nobody
	reply   string // one of the Reply answers; "" where Make answers by itself
	goOn    bool   // work although the ledger is out of reach
	ordered bool   // one run at a time

	fields []pair   // what the trigger has to be mapped to, for a trigger of the person's own
	parts  []string // mapped
	event  string   // the whole event, for a formula beyond parts
	list   string   // the list whose items get a key each; "" for one key per event
	key    string   // the key as text, for the data store
}

// after and atOnce tell when the scenario answers the sender.
func (p plan) after() bool  { return p.reply == exporters.ReplyAfter }
func (p plan) atOnce() bool { return p.reply == exporters.ReplyAtOnce }
func (p plan) loops() bool  { return p.list != "" }

// answers tells that one event is one key, so that the branches can answer. In a loop
// a sender can be told one thing only, of all items.
func (p plan) answers() bool { return p.reply != "" && !p.loops() }

// begin is the trigger with what has to run before a key is reserved.
func (p plan) begin() []module {
	if !p.poll {
		return []module{webhook()}
	}
	var spec []pair
	for _, name := range p.tops() {
		spec = append(spec, pair{name, "REPLACE_WITH_YOUR_TRIGGER"})
	}
	return []module{
		{ID: triggerID, Module: "util:BasicTrigger", Version: 1, Parameters: bundles{[]bundle{{spec}}}, Mapper: none{}, Metadata: at(-600, 0, "Your trigger")},
		{ID: fieldsID, Module: "util:SetVariables", Version: 1, Parameters: none{}, Mapper: variables{p.fields, "roundtrip"}, Metadata: at(-300, 0, "Fields of the key")},
	}
}

// tops names what the stand-in trigger hands on.
func (p plan) tops() []string {
	var names []string
	for _, f := range p.fields {
		names = append(names, f.Name)
	}
	if p.loops() {
		names = append(names, "list")
	}
	return names
}

// each puts the work on one key behind the trigger, or inside a loop over the list. A
// router runs its routes one after the other, so its second one answers when all
// items are through.
func (p plan) each(ids *next, work ...module) []module {
	flow := p.begin()
	if !p.loops() {
		return append(flow, work...)
	}
	work = append([]module{iterator(p.list, 150)}, work...)
	switch {
	case p.after():
		return append(flow, router(ids.id(), at(75, 0, ""), work,
			[]module{respond(ids.id(), "200", "done", at(300, 900, "Answer the sender"))}))
	case p.atOnce():
		flow = append(flow, respond(ids.id(), "200", "accepted", at(75, 0, "Answer the sender")))
	}
	return append(flow, work...)
}

// fail ends a run that could not reserve: the sender is asked to come back, for
// without an answer Make says 200 and the event would be lost.
func (p plan) fail(ids *next, word string, x, y int) []module {
	switch {
	case p.resumes:
		return []module{tryAgain(ids.id(), at(x, y, "Try again"))}
	case p.after(), p.answers():
		return []module{respond(ids.id(), "503", word, at(x, y, "Try again later"), later()), directive(ids.id(), "Rollback", x+300, y)}
	}
	return []module{directive(ids.id(), "Rollback", x, y)}
}

// work is the stand-in for the person's own modules, and what follows it: done, the
// report, with release as its counterpart where the work fails.
func (p plan) work(ids *next, done, release module) []module {
	work := composer(workID, standIn, at(900, 0, "Your work"))
	work.OnError = p.onWorkError(ids, release)
	done.OnError = p.onDoneError(ids)
	answer := func(x int) module { return respond(ids.id(), "200", "done", at(x, 0, "Answer the sender")) }
	switch {
	case p.answers() && p.atOnce():
		return []module{respond(ids.id(), "200", "accepted", at(750, 0, "Answer the sender")), work, done}
	case p.answers() && p.goOn:
		return []module{work, answer(1050), done} // done is left out where nothing was reserved
	case p.answers():
		return []module{work, done, answer(1500)}
	}
	return []module{work, done}
}

// onWorkError answers first and gives the key back then, so that a key that cannot be
// given back does not keep the sender from hearing of the failure. A repeat that comes
// in between is told to try later.
func (p plan) onWorkError(ids *next, release module) []module {
	if p.resumes {
		return []module{tryAgain(ids.id(), at(900, 150, "Try again"))}
	}
	var flow []module
	if p.after() {
		flow = append(flow, respond(ids.id(), "500", "failed", at(900, 150, "Tell the sender")))
	}
	release.ID = ids.id()
	release.OnError = []module{directive(ids.id(), "Rollback", 1200, 300)}
	return append(flow, release, directive(ids.id(), "Rollback", 1500, 150))
}

// onDoneError: the work is done, so the sender must not send again, and further items
// go on. Rollback marks the run, for a person has to look at the key.
func (p plan) onDoneError(ids *next) []module {
	switch {
	case p.resumes:
		return []module{tryAgain(ids.id(), at(1200, 150, "Try again"))}
	case p.loops():
		return []module{directive(ids.id(), "Ignore", 1500, 450)}
	case p.after() && !p.goOn:
		return []module{respond(ids.id(), "200", "done", at(1500, 450, "Answer the sender")), directive(ids.id(), "Rollback", 1800, 450)}
	}
	return []module{directive(ids.id(), "Rollback", 1500, 450)}
}
