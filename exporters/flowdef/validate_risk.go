package flowdef

import (
	"maps"
	"regexp"
	"strings"

	"dedupedesk/exporters"
)

// unrepeatable finds functions that give another value at each try.
var unrepeatable = regexp.MustCompile(`(?i)\b(guid|utcNow|rand|workflow)\s*\(`)

// bearer finds a password in a header.
var bearer = regexp.MustCompile(`(?i)^bearer\s+\S{8,}$`)

// risks finds what runs twice, or loses events.
func (v *validator) risks(step map[string]any, at string) {
	inputs := inner(step, "inputs")
	kind, _ := step["type"].(string)
	switch {
	case kind == "Http":
		v.httpRisks(inputs, at)
	case kind == "OpenApiConnection" || kind == "ApiConnection":
		write := maps.Clone(step)
		write["at"] = at
		v.writes = append(v.writes, write)
		v.connectorRisks(step, inputs, at)
	}
}

func (v *validator) httpRisks(inputs map[string]any, at string) {
	uri, _ := inputs["uri"].(string)
	method, _ := inputs["method"].(string)
	headers := inner(inputs, "headers")
	for _, name := range sorted(headers) {
		text, _ := headers[name].(string)
		if bearer.MatchString(text) && !strings.Contains(text, exporters.Placeholder) {
			v.warn(at, "A password stands in the header %s. Whoever gets this file can use it.", name)
		}
	}
	path, _, _ := strings.Cut(uri, "?")
	switch {
	case strings.HasSuffix(path, "/claim"):
		v.claim(inner(inputs, "body"), at)
		if inputs["retryPolicy"] == nil {
			v.warn(at, "No retry policy is set, so a reservation that gets no answer is sent again up to 12 times, which can take hours. Set a fixed interval and a few tries.")
		}
	case strings.HasSuffix(path, "/done"), strings.HasSuffix(path, "/release"), strings.HasSuffix(path, "/renew"):
	case strings.EqualFold(method, "POST") && retried(inputs) && !idempotent(headers):
		v.warn(at, "This request is sent again after a time-out or an error from 500, by default up to 12 times, and the first may have worked. Set its retry policy to none, or send an Idempotency-Key that the receiver knows.")
	}
}

// claim checks a call that reserves a key.
func (v *validator) claim(body map[string]any, at string) {
	v.claims = append(v.claims, at)
	owner, _ := body["owner"].(string)
	switch {
	case owner == "":
		v.warn(at, "The reservation names no owner. Power Automate sends it again when the answer is lost, and the run would be told that its own key is taken: the event is never handled. Send workflow()?['run']?['name'] as owner.")
	case regexp.MustCompile(`(?i)\b(guid|utcNow|rand)\s*\(`).MatchString(owner):
		v.warn(at, "The owner is another one at each try. Send workflow()?['run']?['name'].")
	}
	for _, member := range []string{"key", "part", "event"} {
		if hit := firstText(body[member], unrepeatable.MatchString); hit != "" {
			v.warn(at, "The key is made of %s, which is another value for each run, so no copy is ever found.", short(hit))
		}
	}
}

func (v *validator) connectorRisks(step, inputs map[string]any, at string) {
	api, _ := inner(inputs, "host")["apiId"].(string)
	if operation(step) == "Claim" {
		v.claims = append(v.claims, at)
	}
	if operation(step) == "PostItem" && strings.Contains(api, "sharepoint") && retried(inputs) && retried(step) {
		v.warn(at, "Where a column of the list is unique, SharePoint reports a copy as error 500, which is tried again by default, up to 12 times for nothing. Set the retry policy of this step to none.")
	}
	if operation(step) == "UpdateRecord" && firstText(inner(inputs, "parameters")["recordId"], func(s string) bool { return strings.Contains(s, "=") }) != "" {
		v.warn(at, "Update a row makes the row where it is missing, and never says that it was there: two runs both go on. To keep copies out use Add a new row.")
	}
}

// retried reports whether the platform sends the request again by itself.
func retried(inputs map[string]any) bool {
	kind, _ := inner(inputs, "retryPolicy")["type"].(string)
	return !strings.EqualFold(kind, "none")
}

func idempotent(headers map[string]any) bool {
	for name := range headers {
		if strings.EqualFold(name, "Idempotency-Key") {
			return true
		}
	}
	return false
}

// firstText returns the first text inside of value for which ok holds, or "".
func firstText(value any, ok func(string) bool) string {
	switch value := value.(type) {
	case string:
		if ok(value) {
			return value
		}
	case []any:
		for _, item := range value {
			if hit := firstText(item, ok); hit != "" {
				return hit
			}
		}
	case map[string]any:
		for _, name := range sorted(value) {
			if hit := firstText(value[name], ok); hit != "" {
				return hit
			}
		}
	}
	return ""
}
