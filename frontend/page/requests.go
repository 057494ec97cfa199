package page

import (
	"embed"
	"strings"
)

// requests holds the ready requests of both kinds, with ADDRESS and RULE to be
// filled in.
//
//go:embed requests/key.* requests/event.*
var requests embed.FS

const inEnvironment = "Put the password into the environment variable DEDUPE_PASSWORD first, so that it stays out of the script."

// A RequestFor says what the ready requests are for.
type RequestFor struct {
	Address string // http://127.0.0.1:47821, without a path
	Rule    string // its name
	Event   bool   // they send the event, and the rule makes the key; else a ready key
	Each    bool   // the rule splits its events, so an answer is a list
}

// ReadyRequests returns a request for each tool that reserves a key and finishes it.
// The key, or the event, is given when the request is run: what is pasted unchanged
// calls nothing, so it cannot make every event one key. No text holds a password;
// each sends an owner of its own per run, so a second run is a copy and no repeat.
//
// The n8n nodes follow the node descriptions of n8n's repository (HttpRequest V3,
// read 2026-10-31). Like the request for curl they take no list apart, so they are
// left out for a rule that splits its events.
func ReadyRequests(of RequestFor) []RequestView {
	kind := "key"
	if of.Event {
		kind = "event"
	}
	fill := strings.NewReplacer("ADDRESS", of.Address, "RULE", of.Rule)
	text := func(ending string) string {
		data, err := requests.ReadFile("requests/" + kind + "." + ending)
		if err != nil {
			panic("page: " + err.Error()) // embedded files are always readable
		}
		return fill.Replace(strings.TrimSuffix(string(data), "\n"))
	}
	const tried, untried = "Tried here.", "Written from the vendor's page, not tried by us."
	all := []RequestView{
		{ID: "curl", Tool: "curl", Text: text("sh"), Password: inEnvironment, Tried: tried, One: true},
		{ID: "powershell", Tool: "PowerShell", Text: text("ps1"), Password: inEnvironment, Tried: untried},
		{ID: "python", Tool: "Python", Text: text("py"), Password: inEnvironment, Tried: tried},
		{ID: "node", Tool: "Node", Text: text("mjs"), Password: inEnvironment, Tried: tried},
		{ID: "n8n", Tool: "n8n", Text: text("n8n.json"), One: true,
			Password: "Copy, then paste into the canvas of an n8n that runs on this computer. Choose or make a Bearer Auth credential with the password in the first node.",
			Tried:    untried},
	}
	var out []RequestView
	for _, r := range all {
		if of.Each && of.Event && r.One {
			continue
		}
		r.Replace = replace(r.ID, of.Event)
		out = append(out, r)
	}
	return out
}

// replace says what a person puts into a request before it is of use.
func replace(tool string, event bool) string {
	switch {
	case event && tool == "n8n":
		return "It sends the body of the webhook before it, or what the step before it gave. The rule makes the key."
	case event:
		return "Save the event as it came into a file and give the file when you run it. The rule makes the key."
	case tool == "n8n":
		return "Replace YOUR_KEY_FIELD by the field that holds your event key. As it stands, the call is refused."
	}
	return "Give the event key when you run it: another one for each event, the same one for each copy."
}
