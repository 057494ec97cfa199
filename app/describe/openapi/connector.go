package openapi

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"dedupedesk/app/describe"
	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
)

// The parts of an OpenAPI 2.0 document that a custom connector reads.
type (
	connector struct {
		Swagger     string                           `json:"swagger"`
		Info        connectorInfo                    `json:"info"`
		Host        string                           `json:"host"`
		BasePath    string                           `json:"basePath"`
		Schemes     []string                         `json:"schemes"`
		Consumes    []string                         `json:"consumes"`
		Produces    []string                         `json:"produces"`
		Secure      map[string]any                   `json:"securityDefinitions"`
		Security    []map[string][]string            `json:"security"`
		Paths       map[string]map[string]*connectOp `json:"paths"`
		Definitions map[string]any                   `json:"definitions"`
	}
	connectorInfo struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Version     string `json:"version"`
	}
	connectOp struct {
		ID          string                   `json:"operationId"`
		Summary     string                   `json:"summary"`
		Description string                   `json:"description"`
		Visibility  describe.Shown           `json:"x-ms-visibility"`
		Parameters  []map[string]any         `json:"parameters"`
		Responses   map[string]connectAnswer `json:"responses"`
	}
	connectAnswer struct {
		Description string         `json:"description"`
		Schema      map[string]any `json:"schema,omitempty"`
	}
)

// swagger returns OpenAPI 2.0 with what a custom connector needs. Such a connector
// knows one type for a value and one body for an answer, so it is a plainer text
// than [document]: JSON alone, and each decision as a claim answer.
func swagger(about About, routes []guard.Route) ([]byte, error) {
	at, err := url.Parse(about.URL)
	if err != nil {
		return nil, err
	}
	doc := connector{
		Swagger: "2.0",
		Info: connectorInfo{Title: title, Version: about.Version,
			Description: "Gives each event key to exactly one run. Claim a key before the work; status claimed means you got it, do the work. Then say that it is done."},
		Host: at.Host, BasePath: "/", Schemes: []string{at.Scheme},
		Consumes: []string{"application/json"}, Produces: []string{"application/json"},
		Secure:   map[string]any{"api_key": map[string]any{"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
		Security: []map[string][]string{{"api_key": {}}},
		Paths:    map[string]map[string]*connectOp{},
	}
	if len(about.Public) > 0 {
		doc.Host, doc.Schemes = about.Public[0], []string{"https"}
	}
	w := &writer{schemas: huma.NewMapRegistry("#/definitions/", schemaName)}
	w.schemaOf(problem.Body{})
	for _, rt := range routes {
		if !rt.Operation.Connector {
			continue
		}
		method, path, _ := strings.Cut(rt.Pattern, " ")
		if doc.Paths[path] == nil {
			doc.Paths[path] = map[string]*connectOp{}
		}
		doc.Paths[path][strings.ToLower(method)] = w.connect(rt)
	}
	notNull(w.schemas)
	if doc.Definitions, err = definitions(w.schemas); err != nil {
		return nil, err
	}
	data, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	return indented(data)
}

func (w *writer) connect(rt guard.Route) *connectOp {
	o := rt.Operation
	op := &connectOp{ID: o.ID, Summary: o.Title, Description: o.Text, Visibility: describe.Important, Responses: map[string]connectAnswer{}}
	for _, f := range o.Path {
		op.Parameters = append(op.Parameters, with(asked(f), "in", "path", "required", true, "x-ms-url-encoding", "single"))
	}
	for _, f := range o.Query {
		if f.Shown != describe.Hidden {
			op.Parameters = append(op.Parameters, with(asked(f), "in", "query", "required", false))
		}
	}
	op.Parameters = append(op.Parameters, map[string]any{
		"name": "body", "in": "body", "required": true, "x-ms-summary": "Body", "x-ms-visibility": describe.Important, "schema": connectBody(o),
	})
	for _, a := range Answers(rt) {
		answer := connectAnswer{Description: a.Text}
		switch {
		case len(a.Bodies) > 0:
			ref := w.schemaOf(a.Bodies[0])
			answer.Schema = map[string]any{"$ref": ref.Ref}
		case len(a.Codes) > 0:
			answer.Schema = map[string]any{"$ref": "#/definitions/Problem"}
		}
		op.Responses[strconv.Itoa(a.Status)] = answer
	}
	return op
}

// asked returns a field as a form of the connector asks for it.
func asked(f describe.Field) map[string]any {
	p := map[string]any{"name": f.Name, "type": "string", "description": f.Text, "x-ms-summary": f.Title, "x-ms-visibility": f.Shown}
	if len(f.Choices) > 0 {
		p["enum"] = f.Choices
	}
	return p
}

// with returns p with names and values added.
func with(p map[string]any, pairs ...any) map[string]any {
	for i := 0; i+1 < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		p[name] = pairs[i+1]
	}
	return p
}

// connectBody returns the schema of a body: the fields that a connector offers, or
// any object for an event.
func connectBody(o describe.Operation) map[string]any {
	if o.Body == describe.Event {
		return map[string]any{"type": "object", "x-ms-summary": "Event", "description": "The event as it came."}
	}
	properties := map[string]any{}
	var needed []string
	for _, f := range o.Fields {
		if f.Shown == describe.Hidden {
			continue
		}
		p := asked(f)
		delete(p, "name")
		properties[f.Name] = p
		if f.Name == "key" {
			needed = append(needed, f.Name)
		}
	}
	return map[string]any{"type": "object", "required": needed, "properties": properties}
}

// definitions returns the schemas in the words of OpenAPI 2.0.
func definitions(schemas huma.Registry) (map[string]any, error) {
	data, err := json.Marshal(schemas.Map())
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	for name, def := range all {
		if object, ok := def.(map[string]any); ok {
			all[name] = plainer(object, "")
		}
	}
	return all, nil
}

// plainer takes out of a schema what OpenAPI 2.0 does not know, and gives each
// member a short name for people.
func plainer(s map[string]any, name string) map[string]any {
	delete(s, "examples")
	delete(s, "additionalProperties") // a connector refuses an answer with a member that is new
	if name == "http" {
		s["x-ms-summary"] = "HTTP status"
	} else if name != "" {
		s["x-ms-summary"] = strings.ToUpper(name[:1]) + strings.ReplaceAll(name[1:], "_", " ")
	}
	if s["$ref"] != nil {
		return map[string]any{"$ref": s["$ref"]} // nothing may stand beside it
	}
	if of, ok := s["items"].(map[string]any); ok {
		s["items"] = plainer(of, "")
	}
	properties, _ := s["properties"].(map[string]any)
	for member, p := range properties {
		if object, ok := p.(map[string]any); ok {
			properties[member] = plainer(object, member)
		}
	}
	return s
}
