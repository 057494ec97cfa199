package makecom

import "fmt"

// States of a record in the data store.
const (
	stateClaimed = "claimed"
	stateDone    = "done"
	stateNoKey   = "no_key" // a part of the key was empty
)

const keyText = "{{2.value}}"

// askStore lays out the scenario that reserves the key in a data store of Make: a
// record that is not there yet is added, and one that is there is an error.
func (p plan) askStore(holes [][]test, whole []test) blueprint {
	ids := next(firstID)
	key := composer(keyID, p.key, at(300, 0, "Event key"))
	reserve := only(store(addID, "AddRecord", addRecord{keyText, taken{stateClaimed, run, "{{now}}"}, false}, at(750, 0, "Reserve the key")), "Every part is there", whole)
	reserve.OnError = p.onReserveError(&ids)
	done := store(doneID, "UpdateRecord", updateRecord{keyText, false, false, finished{stateDone, "{{now}}", "{{4.value}}"}}, at(1200, 0, "Finished"))
	release := store(0, "DeleteRecord", deleteRecord{keyText}, at(1200, 150, "Let it run again"))
	routes := [][]module{append([]module{reserve}, p.work(&ids, done, release)...)}
	if len(holes) > 0 {
		routes = append(routes, p.noKey(&ids, holes))
	}
	gate := router(choiceRouterID, at(525, 0, ""), routes...)
	return file("Once per event: "+p.rule,
		"Reserves the event key of the rule "+p.rule+" in a data store before the work. The tool module named Your work is a stand-in. Choose your data store in each Data store module.",
		p.each(&ids, key, gate), !p.poll, scenario{DLQ: p.resumes, Sequential: p.ordered})
}

// noKey leaves a record behind, so that an event that cannot have a key is seen by
// whoever looks for what got stuck. It does no work.
func (p plan) noKey(ids *next, holes [][]test) []module {
	note := store(ids.id(), "AddRecord", addRecord{"no-key:{{executionId}}", taken{stateNoKey, run, "{{now}}"}, true}, at(750, 750, "No key"))
	flow := []module{only(note, "A part is empty", holes...)}
	if p.answers() {
		flow = append(flow, respond(ids.id(), "422", "empty_part", at(1050, 750, "Tell the sender")))
	}
	return flow
}

// isDuplicate are the ways in which a record that is there already may be told. Make
// documents the type for duplicate data; that its data store uses it is not confirmed,
// so the message counts too.
func isDuplicate() [][]test {
	return [][]test{
		{{"{{3.error.type}}", "text:equal", "DuplicateDataError"}},
		{{"{{3.error.message}}", "text:contain:ci", "already exist"}},
		{{"{{3.error.message}}", "text:contain:ci", "duplicate"}},
	}
}

// isOther is the exact opposite: what is not told as a duplicate.
func isOther() []test {
	return []test{
		{"{{3.error.type}}", "text:notequal", "DuplicateDataError"},
		{"{{3.error.message}}", "text:notcontain:ci", "already exist"},
		{"{{3.error.message}}", "text:notcontain:ci", "duplicate"},
	}
}

func (p plan) onReserveError(ids *next) []module {
	copies := p.onDuplicate(ids)
	copies[0] = only(copies[0], "The key is there already", isDuplicate()...)
	others := p.fail(ids, "unreachable", 1050, 450)
	others[0] = only(others[0], "Anything else", isOther())
	return []module{router(ids.id(), at(750, 300, ""), copies, others)}
}

// onDuplicate ends a copy quietly. The sender of one is told the truth: 200 only when
// the work is over, else to come back, in case that the first run fails.
func (p plan) onDuplicate(ids *next) []module {
	if p.reply == "" || p.loops() && p.atOnce() {
		return []module{directive(ids.id(), "Ignore", 1050, 300)}
	}
	look := store(ids.id(), "GetRecord", getRecord{keyText, false}, at(1050, 300, "How far is it?"))
	state := fmt.Sprintf("{{%d.state}}", look.ID)
	if p.loops() {
		over := only(directive(ids.id(), "Ignore", 1650, 300), "Finished", []test{{state, "text:equal", stateDone}})
		busy := p.fail(ids, "in_progress", 1650, 450)
		busy[0] = only(busy[0], "Not finished", []test{{state, "text:notequal", stateDone}})
		return []module{look, router(ids.id(), at(1350, 300, ""), []module{over}, busy)}
	}
	answer := respond(ids.id(), fmt.Sprintf(`{{if(%d.state = "done"; "200"; "503")}}`, look.ID), "copy_stopped", at(1350, 300, "Copy stopped"), later())
	return []module{look, answer, directive(ids.id(), "Ignore", 1650, 300)}
}
