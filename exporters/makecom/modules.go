package makecom

import (
	"encoding/json"

	"dedupedesk/exporters"
)

// Module ids that other modules read from. The rest are handed out from firstID.
const (
	triggerID      = 1
	claimID        = 2 // reserves the key: a call to the ledger
	keyID          = 2 // or the text of the key, before a data store
	choiceID       = 3
	addID          = 3
	workID         = 4
	doneID         = 5
	fieldsID       = 6
	feederID       = 7
	choiceRouterID = 8
	firstID        = 10
)

// run is the id of the run in Make, which is the owner of what it reserves.
const run = "{{executionId}}"

// standIn stands where the person's own modules belong.
const standIn = "REPLACE_WITH_YOUR_WORK"

// next hands out ids from firstID.
type next int

func (n *next) id() int { *n++; return int(*n) - 1 }

func at(x, y int, name string) moduleMeta { return moduleMeta{designer{x, y, name}} }

func webhook() module {
	return module{ID: triggerID, Module: "gateway:CustomWebHook", Version: 1, Parameters: none{}, Mapper: none{}, Metadata: at(0, 0, "Event arrives")}
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

// later asks the sender to come back.
func later() keyValue { return keyValue{"Retry-After", "60"} }

func composer(id int, text string, meta moduleMeta) module {
	return module{ID: id, Module: "util:ComposeTransformer", Version: 1, Parameters: none{}, Mapper: compose{text}, Metadata: meta}
}

// iterator makes one bundle of each item of a list.
func iterator(list string, x int) module {
	return module{ID: feederID, Module: "builtin:BasicFeeder", Version: 1, Parameters: none{}, Mapper: feeder{list}, Metadata: at(x, 0, "Each item")}
}

func router(id int, meta moduleMeta, routes ...[]module) module {
	m := module{ID: id, Module: "builtin:BasicRouter", Version: 1, Mapper: null(), Metadata: meta}
	for _, flow := range routes {
		m.Routes = append(m.Routes, route{flow})
	}
	return m
}

func directive(id int, name string, x, y int) module {
	return module{ID: id, Module: "builtin:" + name, Version: 1, Metadata: at(x, y, "")}
}

// tryAgain keeps the run and lets Make go on from the module that failed.
func tryAgain(id int, meta moduleMeta) module {
	return module{ID: id, Module: "builtin:Break", Version: 1, Mapper: breakRule{true, "3", "15"}, Metadata: meta}
}

// store is a data store module. Its store is chosen after the import.
func store(id int, name string, mapper any, meta moduleMeta) module {
	return module{ID: id, Module: "datastore:" + name, Version: 1, Parameters: none{}, Mapper: mapper, Metadata: meta}
}

// only lets nothing but what fulfils one of the lists of tests on to m.
func only(m module, name string, conditions ...[]test) module {
	m.Filter = &filter{name, conditions}
	return m
}

// empty asks whether an expression gives no text. The brackets make text of whatever
// it gives, so that nothing depends on how Make compares a value that is missing.
func empty(expression string) test { return test{"[" + expression + "]", "text:equal", "[]"} }

func notEmpty(expression string) test { return test{"[" + expression + "]", "text:notequal", "[]"} }

// call is a request to the ledger. Errors stay on: with them off a failed claim
// looks like a success without a status.
func (p plan) call(id int, what string, query, fields []pair, meta moduleMeta) module {
	timeout := claimTimeout
	if p.reply == exporters.ReplyAtOnce {
		timeout = shortTimeout
	}
	return module{ID: id, Module: "http:MakeRequest", Version: 4, Parameters: httpParameters{"noAuth"}, Metadata: meta,
		Mapper: httpCall{
			URL: p.address + "/v1/" + what, Method: "post",
			Headers:         []pair{{"Authorization", "Bearer " + exporters.Placeholder}},
			QueryParameters: append([]pair{}, query...), ContentType: "urlEncoded", URLEncodedBodyContent: fields,
			ParseResponse: true, StopOnHTTPError: true, RequestCompressedContent: true, Timeout: timeout,
		}}
}

// file wraps a flow into a blueprint.
func file(name, description string, flow []module, instant bool, settings scenario) blueprint {
	settings.Roundtrips, settings.MaxErrors = 1, 3
	settings.AutoCommit, settings.AutoCommitTriggerLast = true, true
	title := []rune(name)
	return blueprint{
		Name: string(title[:min(len(title), 120)]), Description: description, Flow: flow,
		Metadata: blueprintMetadata{Instant: instant, Version: 1, Designer: orphans{[]module{}}, Scenario: settings},
	}
}
