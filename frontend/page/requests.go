package page

import (
	"embed"
	"strings"
)

// requests holds the ready requests, with ADDRESS and RULE to be filled in.
//
//go:embed requests/claim.*
var requests embed.FS

const inEnvironment = "Put the password into the environment variable DEDUPE_PASSWORD first, so that it stays out of the script."

// ReadyRequests returns a request for each tool that reserves the key test:hello of
// a rule and finishes it. Address has no path. No text holds a password; each sends
// an owner of its own per run, so a second run is a copy and not a repeat.
//
// The n8n nodes follow the node descriptions of n8n's repository (HttpRequest V3,
// read 2026-10-31).
func ReadyRequests(address, rule string) []RequestView {
	fill := strings.NewReplacer("ADDRESS", address, "RULE", rule)
	text := func(name string) string {
		data, err := requests.ReadFile("requests/" + name)
		if err != nil {
			panic("page: " + err.Error()) // embedded files are always readable
		}
		return fill.Replace(strings.TrimSuffix(string(data), "\n"))
	}
	const tried = "Tried here."
	return []RequestView{
		{ID: "curl", Tool: "curl", Text: text("claim.sh"), Password: inEnvironment, Tried: tried},
		{ID: "powershell", Tool: "PowerShell", Text: text("claim.ps1"), Password: inEnvironment, Tried: "Written from the vendor's page, not tried by us."},
		{ID: "python", Tool: "Python", Text: text("claim.py"), Password: inEnvironment, Tried: tried},
		{ID: "node", Tool: "Node", Text: text("claim.mjs"), Password: inEnvironment, Tried: tried},
		{ID: "n8n", Tool: "n8n", Text: text("claim.n8n.json"),
			Password: "Copy, then paste into the canvas of an n8n that runs on this computer. Choose or make a Bearer Auth credential with the password in the first node.",
			Tried:    "Written from the vendor's page, not tried by us."},
	}
}
