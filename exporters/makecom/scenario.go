package makecom

import (
	"encoding/json"
	"strconv"

	"dedupedesk/exporters"
)

// Module ids of the generated scenario.
const (
	hookID   = 1
	claimID  = 2
	choiceID = 3
	workID   = 4
	doneID   = 5
	firstID  = 6 // of the modules that answer and handle errors
)

// claimTimeout is how long a call to the ledger may take, in seconds.
const claimTimeout = 20

// A plan is what a blueprint is built from.
type plan struct {
	rule    string
	address string
	parts   []string // mapped
	resumes bool     // Make itself tries again; else the sender does
}

// next hands out ids above firstID.
type next int

func (n *next) id() int { *n++; return int(*n) - 1 }

// build lays the scenario out: reserve, then one of the branches.
func (p plan) build() blueprint {
	ids := next(firstID)
	hook := module{ID: hookID, Module: "gateway:CustomWebHook", Version: 1, Parameters: none{}, Mapper: none{}, Metadata: at(0, 0, "Event arrives")}
	claim := p.call(claimID, "claim", p.claimFields(), at(300, 0, "Reserve the key"))
	claim.OnError = p.onClaimError(&ids)
	choice := module{ID: choiceID, Module: "builtin:BasicIfElse", Version: 1, Mapper: null(), Metadata: at(600, 0, "Is it this run's?"), Branches: p.branches(&ids)}
	return blueprint{
		Name:        p.title(),
		Description: "Reserves the event key of the rule " + p.rule + " before the work, and reports the work afterwards. The tool module named Your work is a stand-in.",
		Flow:        []module{hook, claim, choice},
		Metadata: blueprintMetadata{
			Instant: true, Version: 1, Designer: orphans{[]module{}},
			Scenario: scenario{Roundtrips: 1, MaxErrors: 3, AutoCommit: true, AutoCommitTriggerLast: true, DLQ: p.resumes},
		},
	}
}

// title keeps within the 120 characters of a name.
func (p plan) title() string {
	name := []rune("Once per event: " + p.rule)
	return string(name[:min(len(name), 120)])
}

func at(x, y int, name string) moduleMeta { return moduleMeta{designer{x, y, name}} }

func (p plan) branches(ids *next) []branch {
	claimed := branch{Type: "condition", Label: "Reserved by this run", Conditions: status("claimed"), Flow: p.workFlow(ids)}
	if p.resumes {
		return []branch{claimed, {Type: "else", Flow: []module{
			{ID: ids.id(), Module: "util:ComposeTransformer", Version: 1, Parameters: none{}, Mapper: compose{"Copy stopped: {{2.data.status}}"}, Metadata: at(900, 300, "Copy stopped")},
		}}}
	}
	return []branch{
		claimed,
		{Type: "condition", Label: "Another run is at it", Conditions: status("in_progress"), Flow: []module{
			respond(ids.id(), "503", "in_progress", at(900, 300, "Try again later"), keyValue{"Retry-After", "60"}),
		}},
		{Type: "else", Flow: []module{
			respond(ids.id(), "200", "copy_stopped", at(900, 600, "Copy stopped")),
		}},
	}
}

func status(s string) [][]test { return [][]test{{{"{{2.data.status}}", "text:equal", s}}} }

// workFlow is the stand-in for the person's own work, and the report behind it.
func (p plan) workFlow(ids *next) []module {
	work := module{ID: workID, Module: "util:ComposeTransformer", Version: 1, Parameters: none{},
		Mapper: compose{"REPLACE_WITH_YOUR_WORK"}, Metadata: at(900, 0, "Your work"), OnError: p.onWorkError(ids)}
	done := p.call(doneID, "done", append(p.identity(), pair{"result", "{{4.value}}"}), at(1200, 0, "Finished"))
	done.OnError = p.onDoneError(ids)
	flow := []module{work, done}
	if !p.resumes {
		flow = append(flow, respond(ids.id(), "200", "done", at(1500, 0, "Answer the sender")))
	}
	return flow
}

// onClaimError answers the sender before it ends the run: without an answer Make
// says 200, and the event would be lost.
func (p plan) onClaimError(ids *next) []module {
	if p.resumes {
		return []module{p.tryAgain(ids, at(300, 300, "Try again"))}
	}
	return []module{
		respond(ids.id(), "503", "unreachable", at(300, 300, "Try again later"), keyValue{"Retry-After", "60"}),
		rollback(ids.id(), at(600, 300, "")),
	}
}

// onWorkError answers first and gives the key back then, so that a ledger out of
// reach cannot keep the sender from hearing of the failure. A repeat that comes
// in between is told to try later.
func (p plan) onWorkError(ids *next) []module {
	if p.resumes {
		return []module{p.tryAgain(ids, at(900, 150, "Try again"))}
	}
	return []module{
		respond(ids.id(), "500", "failed", at(900, 150, "Tell the sender")),
		p.call(ids.id(), "release", append(p.identity(), pair{"error", "{{4.error.message}}"}), at(1200, 150, "Let it run again")),
		rollback(ids.id(), at(1500, 150, "")),
	}
}

// onDoneError: the work is done, so the sender must not send again. Rollback
// marks the run, for a person has to look at the key.
func (p plan) onDoneError(ids *next) []module {
	if p.resumes {
		return []module{p.tryAgain(ids, at(1200, 150, "Try again"))}
	}
	return []module{
		respond(ids.id(), "200", "done", at(1500, 450, "Answer the sender")),
		rollback(ids.id(), at(1800, 450, "")),
	}
}

// tryAgain keeps the run and lets Make go on from the module that failed.
func (p plan) tryAgain(ids *next, meta moduleMeta) module {
	return module{ID: ids.id(), Module: "builtin:Break", Version: 1, Mapper: breakRule{true, "3", "15"}, Metadata: meta}
}

func rollback(id int, meta moduleMeta) module {
	return module{ID: id, Module: "builtin:Rollback", Version: 1, Metadata: meta}
}

// claimFields gives each part a name of its own, by its place: nobody here knows
// whether Make sends two form fields of one name. The owner makes a repeat of the
// same call by the same run get the same answer.
func (p plan) claimFields() []pair {
	fields := []pair{{"rule", p.rule}}
	for i, v := range p.parts {
		fields = append(fields, pair{"part." + strconv.Itoa(i+1), v})
	}
	return append(fields, pair{"owner", "{{executionId}}"})
}

// identity names the key as the claim answered it.
func (p plan) identity() []pair {
	return []pair{{"rule", p.rule}, {"key", "{{2.data.key}}"}, {"owner", "{{executionId}}"}}
}

// call is a request to the ledger. Errors stay on: with them off a failed claim
// looks like a success without a status.
func (p plan) call(id int, what string, fields []pair, meta moduleMeta) module {
	query := []pair{}
	if what == "claim" {
		query = []pair{{"answer", "branch"}} // copies are an answer, never an error
	}
	return module{ID: id, Module: "http:MakeRequest", Version: 4, Parameters: httpParameters{"noAuth"}, Metadata: meta,
		Mapper: httpCall{
			URL: p.address + "/v1/" + what, Method: "post",
			Headers:         []pair{{"Authorization", "Bearer " + exporters.Placeholder}},
			QueryParameters: query, ContentType: "urlEncoded", URLEncodedBodyContent: fields,
			ParseResponse: true, StopOnHTTPError: true, RequestCompressedContent: true, Timeout: claimTimeout,
		}}
}

// respond answers the sender with a fixed text; nothing of the event is in it.
func respond(id int, code, word string, meta moduleMeta, headers ...keyValue) module {
	body, err := json.Marshal(struct {
		Status string `json:"status"`
	}{word})
	if err != nil {
		panic(err) // a struct of one text always encodes
	}
	return module{ID: id, Module: "gateway:WebhookRespond", Version: 1, Parameters: none{}, Metadata: meta,
		Mapper: response{Status: code, Body: string(body), Headers: append([]keyValue{{"content-type", "application/json"}}, headers...)}}
}
