package makecom

import "strconv"

// askLedger lays out the scenario that asks this program: reserve, then one of the
// branches.
func (p plan) askLedger() blueprint {
	ids := next(firstID)
	claim := p.call(claimID, "claim", []pair{{"answer", "branch"}}, p.claimFields(), at(300, 0, "Reserve the key"))
	if call, ok := claim.Mapper.(httpCall); ok && p.goOn {
		call.StopOnHTTPError = false // an error by which Make stops does not tell a refusal from a page of a tunnel
		claim.Mapper = call
	}
	claim.OnError = p.onClaimError(&ids)
	choice := module{ID: choiceID, Module: "builtin:BasicIfElse", Version: 1, Mapper: null(), Metadata: at(600, 0, "Is it this run's?"), Branches: p.branches(&ids)}
	return file("Once per event: "+p.rule,
		"Reserves the event key of the rule "+p.rule+" before the work, and reports the work afterwards. The tool module named Your work is a stand-in.",
		p.each(&ids, claim, choice), !p.poll, scenario{DLQ: p.resumes})
}

// claimFields gives each part a name of its own, by its place: nobody here knows
// whether Make sends two form fields of one name. The owner makes a repeat of the
// same call by the same run get the same answer.
func (p plan) claimFields() []pair {
	fields := []pair{{"rule", p.rule}}
	if p.event != "" {
		fields = append(fields, pair{"event", p.event})
	}
	for i, v := range p.parts {
		fields = append(fields, pair{"part." + strconv.Itoa(i+1), v})
	}
	return append(fields, pair{"owner", run})
}

// identity names the key as the claim answered it.
func (p plan) identity() []pair {
	return []pair{{"rule", p.rule}, {"key", "{{2.data.key}}"}, {"owner", run}}
}

func status(s string) []test { return []test{{"{{2.data.status}}", "text:equal", s}} }

func (p plan) branches(ids *next) []branch {
	mine := [][]test{status("claimed")}
	done := p.call(doneID, "done", nil, append(p.identity(), pair{"result", "{{4.value}}"}), at(1200, 0, "Finished"))
	if p.goOn {
		mine = append(mine, nobody())
		done = only(done, "Reserved by this run", status("claimed"))
	}
	release := p.call(0, "release", nil, append(p.identity(), pair{"error", "{{4.error.message}}"}), at(1200, 150, "Let it run again"))
	claimed := branch{Type: "condition", Label: "Reserved by this run", Conditions: mine, Flow: p.work(ids, done, release)}
	// Only the ledger's own words tell a copy. An error page that a tunnel sends with 200
	// must never end an event quietly.
	taken := branch{Type: "condition", Label: "A copy", Conditions: [][]test{status("done"), status("mismatch"), status("ignored")}}
	busy := branch{Type: "condition", Label: "Not decided yet", Conditions: [][]test{status("in_progress"), status("held")}}
	list := []branch{claimed, taken}
	if p.answers() {
		list[1].Flow = []module{respond(ids.id(), "200", "copy_stopped", at(900, 300, "Copy stopped"))}
		busy.Flow = []module{respond(ids.id(), "503", "in_progress", at(900, 450, "Try again later"), later())}
		list = append(list, busy)
	} else {
		if p.quiet() {
			list[1].Conditions = append(taken.Conditions, busy.Conditions...)
		}
		list[1].Flow = []module{composer(ids.id(), "Copy stopped: {{2.data.status}}", at(900, 300, "Copy stopped"))}
	}
	fault := module{ID: ids.id(), Module: "json:ParseJSON", Version: 1, Parameters: jsonType{}, Mapper: jsonText{"Not reserved"}, Metadata: at(900, 600, "Not reserved")}
	fault.OnError = p.fail(ids, "not_reserved", 900, 750)
	return append(list, branch{Type: "else", Flow: []module{fault}})
}

// quiet tells that nobody comes back with an event whose key another run holds. Where
// Make or the sender does, the key is asked for again: the other run may fail, or be an
// earlier try of this one whose answer was lost.
func (p plan) quiet() bool { return !p.resumes && !(p.loops() && p.after()) }

// nobody holds where no answer of the ledger came: for an error page of a tunnel and for
// the substitute of the error route. Each answer of the ledger has a status, and a
// refusal a code as well, as while a person keeps all grants paused. It is looked for in
// the text too, for what Make does not read as JSON.
func nobody() []test {
	return []test{empty("{{2.data.status}}"), empty("{{2.data.code}}"), {"{{2.data}}", "text:notcontain:ci", `"code"`}}
}

// onClaimError stops the run, or lets it work without a key where the rule says so
// and nobody answered. What was answered is looked at by the branches then.
func (p plan) onClaimError(ids *next) []module {
	if !p.goOn {
		return p.fail(ids, "not_reserved", 300, 300)
	}
	kind := "{{2.error.type}}"
	resume := directive(ids.id(), "Resume", 600, 300)
	resume.Mapper = resumed{"503"}
	resume = only(resume, "Out of reach", []test{{kind, "text:equal", "ConnectionError"}}, []test{{kind, "text:equal", "ModuleTimeoutError"}})
	stop := p.fail(ids, "not_reserved", 600, 450)
	stop[0] = only(stop[0], "Anything else", []test{{kind, "text:notequal", "ConnectionError"}, {kind, "text:notequal", "ModuleTimeoutError"}})
	return []module{router(ids.id(), at(300, 300, ""), []module{resume}, stop)}
}
