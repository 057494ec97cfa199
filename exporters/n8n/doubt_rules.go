package n8n

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// doubts warns of what n8n runs without a word and what yet lets a copy through, or
// loses an event.
func (v *validator) doubts() {
	for i, n := range v.nodes {
		at := fmt.Sprintf("nodes[%d]", i)
		parameters, _ := n["parameters"].(map[string]any)
		v.passwords(parameters, at)
		if n["onError"] == errorExit && n["alwaysOutputData"] == true {
			v.warn(at, "Always Output Data is on, and errors have an exit of their own. When the node fails n8n goes on at both exits, so failed work is reported as done. Switch one of them off.")
		}
		switch kind, _ := n["type"].(string); kind {
		case "n8n-nodes-base.removeDuplicates":
			if parameters["operation"] == "removeItemsSeenInPreviousExecutions" {
				v.warn(at, "Remove Duplicates is no lock: it reads its list, compares and writes it back, so runs at the same moment all pass (8 side by side let 113 of 150 copies through). It notes the event before the work, so a failed run is never made up for, and takes all events without the field for one.")
			}
		case "n8n-nodes-base.redis":
			if name, _ := n["name"].(string); parameters["operation"] == "get" && v.leadsToSet(name) {
				v.warn(at, "It looks a key up in Redis and sets it later. Two runs at the same moment both find nothing. Increment the key instead, and go on only where the result is 1.")
			}
		case "n8n-nodes-base.httpRequest":
			if url, _ := parameters["url"].(string); claims(url) {
				v.claim(n, parameters, at)
			}
		}
	}
}

// leadsToSet tells whether a node leads, over any others, to one that sets a key in Redis.
func (v *validator) leadsToSet(name string) bool {
	return v.reach(name, len(v.nodes), func(n map[string]any) bool {
		parameters, _ := n["parameters"].(map[string]any)
		return n["type"] == "n8n-nodes-base.redis" && parameters["operation"] == "set"
	})
}

// reach walks from a node over at most so many links and tells whether it meets one that
// is looked for.
func (v *validator) reach(name string, links int, looked func(map[string]any) bool) bool {
	seen, ring := map[string]bool{name: true}, []string{name}
	for ; links > 0 && len(ring) > 0; links-- {
		var next []string
		for _, from := range ring {
			for _, to := range v.behind[from] {
				if seen[to] {
					continue
				}
				if looked(v.byName[to]) {
					return true
				}
				seen[to] = true
				next = append(next, to)
			}
		}
		ring = next
	}
	return false
}

// claimPath ends the address of a call that reserves a key.
var claimPath = regexp.MustCompile(`/claim/?(?:["'}\s]|[?#].*)*$`)

func claims(url string) bool { return claimPath.MatchString(url) }

// varying is what differs from run to run, in the words of n8n.
var varying = regexp.MustCompile(`\$execution\.id|\$now\b|\$today\b|\$runIndex\b|Math\.random`)

// keyed finds the value of key or part in a body that is written as an expression.
var keyed = regexp.MustCompile(`(?s)\b(?:key|parts?)["']?\s*:\s*(\[[^\]]*\]|[^,}]*)`)

func (v *validator) claim(n, parameters map[string]any, at string) {
	options, _ := parameters["options"].(map[string]any)
	response, _ := options["response"].(map[string]any)
	inner, _ := response["response"].(map[string]any)
	if quiet, _ := inner["neverError"].(bool); quiet {
		v.warn(at, "Never Error is on for the call that reserves the key. When the ledger is busy its refusal looks like an answer without a status: the event goes the way of a copy and is lost.")
	}
	if n["onError"] == "continueRegularOutput" || n["continueOnFail"] == true {
		v.warn(at, "When the call that reserves the key fails, the run goes on as if it had been answered. Let it stop, or give errors an exit of their own.")
	}
	body := bodyOf(parameters)
	if !strings.Contains(body, "owner") && !strings.Contains(fmt.Sprint(parameters["url"]), "owner=") {
		v.warn(at, "The call that reserves the key sends no owner. When its answer is lost and the node tries again, it is told that somebody else has the key, and the event is lost. Send the id of the run.")
	}
	for _, hit := range keyed.FindAllStringSubmatch(body, -1) {
		if word := varying.FindString(hit[1]); word != "" {
			v.warn(at, "The key holds %s, which is another one in each run, so no copy is ever seen.", word)
		}
	}
	name, _ := n["name"].(string)
	if !v.reach(name, 3, asksForClaimed) {
		v.warn(at, "No If, Filter or Switch behind the call that reserves the key looks whether the status is claimed, so copies go on.")
	}
}

// bodyOf writes down what a call sends, in one text.
func bodyOf(parameters map[string]any) string {
	var b strings.Builder
	for _, name := range []string{"jsonBody", "body", "bodyParameters", "bodyParametersJson", "queryParameters"} {
		texts(parameters[name], func(text string) { b.WriteString(text + "\n") })
	}
	return b.String()
}

func asksForClaimed(n map[string]any) bool {
	kind, _ := n["type"].(string)
	if !slices.Contains([]string{"n8n-nodes-base.if", "n8n-nodes-base.switch", "n8n-nodes-base.filter", "n8n-nodes-base.code"}, kind) {
		return false
	}
	asks := false
	texts(n["parameters"], func(text string) {
		asks = asks || strings.Contains(text, "claimed") || strings.Contains(text, ".run")
	})
	return asks
}

// passwords finds what a header carries in plain text.
func (v *validator) passwords(parameters map[string]any, at string) {
	group, _ := parameters["headerParameters"].(map[string]any)
	list, _ := group["parameters"].([]any)
	for _, item := range list {
		h, _ := item.(map[string]any)
		name, _ := h["name"].(string)
		value, _ := h["value"].(string)
		if secretHeader(name) && value != "" && !strings.HasPrefix(value, "=") && !strings.Contains(value, "REPLACE_") {
			v.warn(at, "The header %s seems to hold a password. Take it out before you hand this file on, and use a credential.", name)
		}
	}
}

func secretHeader(name string) bool {
	return slices.Contains([]string{"authorization", "x-api-key", "apikey", "api-key", "x-auth-token"}, strings.ToLower(name))
}
