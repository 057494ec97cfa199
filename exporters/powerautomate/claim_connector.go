package powerautomate

import (
	"net/url"
	"strings"

	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
)

// An openAPI is a description of a service in OpenAPI 2.0, the only version that custom
// connectors take. Shapes follow microsoft/PowerPlatformConnectors, read 2026-10-31.
type openAPI struct {
	Swagger  string                        `json:"swagger"`
	Info     apiInfo                       `json:"info"`
	Host     string                        `json:"host"`
	BasePath string                        `json:"basePath"`
	Schemes  []string                      `json:"schemes"`
	Consumes []string                      `json:"consumes"`
	Produces []string                      `json:"produces"`
	Secure   map[string]apiKey             `json:"securityDefinitions"`
	Security []map[string][]string         `json:"security"`
	Paths    map[string]map[string]apiCall `json:"paths"`
}

type apiInfo struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"`
}

type apiKey struct {
	Type string `json:"type"`
	In   string `json:"in"`
	Name string `json:"name"`
}

type apiCall struct {
	ID          string               `json:"operationId"`
	Summary     string               `json:"summary"`
	Description string               `json:"description"`
	Visibility  string               `json:"x-ms-visibility"`
	Parameters  []apiParameter       `json:"parameters"`
	Responses   map[string]apiAnswer `json:"responses"`
}

type apiParameter struct {
	Name     string     `json:"name"`
	In       string     `json:"in"`
	Required bool       `json:"required"`
	Type     string     `json:"type,omitempty"`
	Default  string     `json:"default,omitempty"`
	Shown    string     `json:"x-ms-visibility,omitempty"`
	Schema   *apiSchema `json:"schema,omitempty"`
}

type apiAnswer struct {
	Description string     `json:"description"`
	Schema      *apiSchema `json:"schema,omitempty"`
}

type apiSchema struct {
	Type       string               `json:"type,omitempty"`
	Summary    string               `json:"x-ms-summary,omitempty"`
	Text       string               `json:"description,omitempty"`
	Required   []string             `json:"required,omitempty"`
	Properties map[string]apiSchema `json:"properties,omitempty"`
	Items      *apiSchema           `json:"items,omitempty"`
}

// A connectorProperties is the file beside the description: how a connection is made.
type connectorProperties struct {
	Properties struct {
		Parameters   map[string]connectionParameter `json:"connectionParameters"`
		Color        string                         `json:"iconBrandColor"`
		Capabilities []string                       `json:"capabilities"`
		Policies     []struct{}                     `json:"policyTemplateInstances"`
	} `json:"properties"`
}

type connectionParameter struct {
	Type  string `json:"type"`
	Shown struct {
		Name        string `json:"displayName"`
		Description string `json:"description"`
		Tooltip     string `json:"tooltip"`
	} `json:"uiDefinition"`
}

func text(summary, about string) apiSchema {
	return apiSchema{Type: "string", Summary: summary, Text: about}
}

// connectorFiles describe reserve, finish and let it run again at address.
func connectorFiles(address string) ([]exporters.File, error) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	api, err := flowdef.Indented(openAPI{
		Swagger: "2.0", Host: at.Host, BasePath: "/" + strings.Trim(at.Path, "/"), Schemes: []string{at.Scheme},
		Info:     apiInfo{"Run once", "Gives each event key to exactly one run. Status claimed means that this run got it.", "1.0"},
		Consumes: []string{"application/json"}, Produces: []string{"application/json"},
		Secure:   map[string]apiKey{"api_key": {"apiKey", "header", "X-Api-Key"}},
		Security: []map[string][]string{{"api_key": {}}},
		Paths: map[string]map[string]apiCall{
			"/v1/claim":   {"post": reserveCall()},
			"/v1/done":    {"post": reportCall("Finish", "Finish", "Says that the work is done, so that no copy runs.", "result", text("Result", "The id of the record that was made."))},
			"/v1/release": {"post": reportCall("LetItRunAgain", "Let it run again", "Gives the key back after a failure.", "error", text("Error", "What went wrong, without data of the event."))},
		},
	})
	if err != nil {
		return nil, err
	}
	var p connectorProperties
	key := connectionParameter{Type: "securestring"}
	key.Shown.Name, key.Shown.Description, key.Shown.Tooltip = "Password", "The password of this program, from its page Connect.", "It may only reserve and report keys."
	p.Properties.Parameters = map[string]connectionParameter{"api_key": key}
	p.Properties.Color, p.Properties.Capabilities, p.Properties.Policies = "#8C3900", []string{}, []struct{}{}
	properties, err := flowdef.Indented(p)
	if err != nil {
		return nil, err
	}
	return []exporters.File{
		{Name: "apiDefinition.swagger.json", Data: api, About: "Description of the custom connector (OpenAPI 2.0). Holds no password."},
		{Name: "apiProperties.json", Data: properties, About: "How a connection of the custom connector is made, for the command line of Power Platform. Holds no password."},
	}, nil
}

func bodyOf(s apiSchema) apiParameter {
	return apiParameter{Name: "body", In: "body", Required: true, Schema: &s}
}

func reserveCall() apiCall {
	answer := apiSchema{Type: "object", Properties: map[string]apiSchema{
		"status": text("Status", "claimed: do the work. Anything else: do not."),
		"key":    text("Event key", "The key as it was made."),
		"reason": text("Reason", "Why, in a sentence."),
		"result": text("Result", "What the first run reported."),
	}}
	return apiCall{
		ID: "Claim", Summary: "Reserve the event key", Description: "Reserves the event key for one run.", Visibility: "important",
		Parameters: []apiParameter{
			{Name: "answer", In: "query", Required: true, Type: "string", Default: "branch", Shown: "internal"},
			bodyOf(apiSchema{Type: "object", Required: []string{"rule", "owner"}, Properties: map[string]apiSchema{
				"rule":    text("Rule", "The name of the rule."),
				"part":    {Type: "array", Summary: "Parts of the key", Text: "The values that make the key, in the rule's order.", Items: &apiSchema{}},
				"event":   {Type: "object", Summary: "Event", Text: "The event itself, in place of the parts."},
				"headers": {Type: "object", Summary: "Headers of the event"},
				"owner":   text("Run id", "The same for every try of one run."),
			}}),
		},
		Responses: map[string]apiAnswer{"200": {"The decision", &answer}, "default": {"No decision: do not work", nil}},
	}
}

func reportCall(id, title, about, more string, field apiSchema) apiCall {
	return apiCall{
		ID: id, Summary: title, Description: about, Visibility: "important",
		Parameters: []apiParameter{bodyOf(apiSchema{Type: "object", Required: []string{"rule", "key", "owner"}, Properties: map[string]apiSchema{
			"rule": text("Rule", "The name of the rule."), "key": text("Event key", "The key as the reservation answered it."),
			"owner": text("Run id", "The same as in the reservation."), more: field,
		}})},
		Responses: map[string]apiAnswer{"200": {"Noted", &apiSchema{Type: "object", Properties: map[string]apiSchema{"status": text("Status", "done or released.")}}}, "default": {"Not noted", nil}},
	}
}
