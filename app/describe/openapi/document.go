// Package openapi writes what the routes say of themselves as documents that tools
// read: OpenAPI 3.1 for everything, and OpenAPI 2.0 for a custom connector of Power
// Automate.
//
// # What it promises
//
// Both documents are made of the route table and of the types that the handlers
// write. The same table gives the same bytes.
//
// # Errors
//
// What cannot be described is an error of the program; [New] returns it.
//
// # Concurrency
//
// A [Book] may be read by any number of goroutines at once.
package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"dedupedesk/app/describe"
	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
)

// About is what the documents say of the program.
type About struct {
	Version string
	URL     string   // of the endpoint on this computer
	Public  []string // host names under which it is published, may be none
}

// A Book holds both documents, as they are served.
type Book struct {
	OpenAPI []byte // 3.1
	Swagger []byte // 2.0
}

// New returns the documents of routes, and those of its own routes, which
// [Book.Routes] serves. A route without a description is an error, so an engine that
// has one does not start.
func New(about About, routes []guard.Route) (Book, error) {
	routes = append(slices.Clone(routes), ownRoutes(nil)...)
	full, err := document(about, routes)
	if err != nil {
		return Book{}, fmt.Errorf("describe the routes: %w", err)
	}
	connector, err := swagger(about, routes)
	if err != nil {
		return Book{}, fmt.Errorf("describe the connector: %w", err)
	}
	return Book{OpenAPI: full, Swagger: connector}, nil
}

// What the document says before its first route.
const (
	title = "Dedupe Desk"
	lead  = "Gives each event key to exactly one run.\n\n" +
		"Ask `/v1/claim` before the work. `claimed` means: you got it, do the work; everything else means stop. Then tell `/v1/done`, or `/v1/release` where the work failed.\n\n" +
		"A finished key is known for the keep time of its rule, 35 days where the rule says nothing; `kept_until` tells until when. What is not finished is never forgotten by itself.\n\n" +
		"Fields may be sent as JSON, as a form, or in the address; they mean the same. A field that a route does not know is refused by its name. JSON numbers keep all their digits. Durations are seconds as a number, or text such as `90s`, `15m`, `35d`. Times are RFC 3339 in UTC with milliseconds.\n\n" +
		"A decision is a claim answer, whatever its HTTP status; the answer profile of the rule chooses that. An error is problem details (RFC 9457) with a `code` to compare and `run: false`. An address that is not listed is 404, another method 405."
)

// document returns OpenAPI 3.1.
func document(about About, routes []guard.Route) ([]byte, error) {
	w := &writer{schemas: huma.NewMapRegistry("#/components/schemas/", schemaName), responses: map[string]*huma.Response{}}
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info:    &huma.Info{Title: title, Version: about.Version, Description: lead},
		Servers: servers(about),
		Paths:   map[string]*huma.PathItem{},
		Components: &huma.Components{
			Schemas: w.schemas, Responses: w.responses,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"bearer":  {Type: "http", Scheme: "bearer", Description: "Authorization: Bearer dd_…"},
				"api_key": {Type: "apiKey", In: "header", Name: "X-Api-Key", Description: "The same password in a header of its own."},
			},
		},
	}
	for _, rt := range routes {
		if o := rt.Operation; o.ID == "" || o.Title == "" || o.Text == "" || o.Group == "" || len(o.Answers) == 0 {
			return nil, fmt.Errorf("%s does not say what it is for", rt.Pattern)
		}
		method, path, _ := strings.Cut(rt.Pattern, " ")
		item := doc.Paths[path]
		if item == nil {
			item = &huma.PathItem{}
			doc.Paths[path] = item
		}
		op := w.operation(rt)
		switch method {
		case http.MethodGet:
			item.Get = op
		case http.MethodPost:
			item.Post = op
		case http.MethodPut:
			item.Put = op
		case http.MethodDelete:
			item.Delete = op
		default:
			return nil, fmt.Errorf("%s: no such method is described", rt.Pattern)
		}
		if !slices.ContainsFunc(doc.Tags, func(t *huma.Tag) bool { return t.Name == rt.Operation.Group }) {
			doc.Tags = append(doc.Tags, &huma.Tag{Name: rt.Operation.Group})
		}
	}
	notNull(w.schemas)
	data, err := doc.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return indented(data)
}

func servers(about About) []*huma.Server {
	all := []*huma.Server{{URL: about.URL, Description: "This computer alone."}}
	for _, name := range about.Public {
		all = append(all, &huma.Server{URL: "https://" + name, Description: "As it is published, with the routes that x-published marks."})
	}
	return all
}

// A writer turns operations into OpenAPI, sharing what they have in common.
type writer struct {
	schemas   huma.Registry
	responses map[string]*huma.Response
}

func (w *writer) operation(rt guard.Route) *huma.Operation {
	o := rt.Operation
	op := &huma.Operation{
		OperationID: o.ID, Summary: o.Title, Description: o.Text + " " + Access(rt), Tags: []string{o.Group},
		Responses: w.answers(rt), RequestBody: w.body(o),
		Extensions: map[string]any{"x-access": string(rt.Access), "x-published": rt.Published, "x-max-body-bytes": bound(rt)},
	}
	for _, f := range o.Path {
		op.Parameters = append(op.Parameters, parameter(f, "path"))
	}
	for _, f := range o.Query {
		op.Parameters = append(op.Parameters, parameter(f, "query"))
	}
	if o.Body == describe.Fields {
		for _, f := range o.Fields {
			p := parameter(f, "query")
			p.Required = false // it may stand in the body
			op.Parameters = append(op.Parameters, p)
		}
	}
	for _, f := range o.Headers {
		op.Parameters = append(op.Parameters, parameter(f, "header"))
	}
	if rt.Access != guard.Open {
		op.Security = []map[string][]string{{"bearer": {}}, {"api_key": {}}}
	}
	return op
}

// Access says in one sentence who may call a route.
func Access(rt guard.Route) string {
	who := map[guard.Access]string{
		guard.Open: "Needs no password", guard.Claim: "Needs any password", guard.Admin: "Needs a password of scope admin",
	}[rt.Access]
	if rt.Published {
		return who + "."
	}
	return who + ", and answers on this computer alone."
}

func bound(rt guard.Route) int64 {
	if rt.MaxBody == 0 {
		return guard.MaxClaimBody
	}
	return rt.MaxBody
}

func parameter(f describe.Field, in string) *huma.Param {
	p := &huma.Param{Name: f.Name, In: in, Description: f.Text, Required: f.Needed || in == "path", Schema: plain(f)}
	if f.Kind == describe.Parts {
		p.Schema = &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}}
	} else if f.Example != nil && f.Kind != describe.Any && f.Kind != describe.Map && f.Kind != describe.List {
		p.Example = f.Example
	}
	return p
}

func (w *writer) body(o describe.Operation) *huma.RequestBody {
	switch o.Body {
	case describe.Fields:
		return &huma.RequestBody{Description: "The fields. They may stand in the address instead.", Content: map[string]*huma.MediaType{
			"application/json":                  {Schema: members(o.Fields, typed), Examples: examples(o, "application/json")},
			"application/x-www-form-urlencoded": {Schema: members(o.Fields, plain), Examples: examples(o, "application/x-www-form-urlencoded")},
		}}
	case describe.Event:
		anything := &huma.Schema{}
		return &huma.RequestBody{Description: "The event as its sender sent it.", Content: map[string]*huma.MediaType{
			"application/json":                  {Schema: anything, Examples: examples(o, "application/json")},
			"application/x-www-form-urlencoded": {Schema: &huma.Schema{Type: huma.TypeObject}},
			"multipart/form-data":               {Schema: &huma.Schema{Type: huma.TypeObject}},
		}}
	case describe.Object:
		whole := members(o.Fields, typed)
		for _, f := range o.Fields {
			if f.Needed {
				whole.Required = append(whole.Required, f.Name)
			}
		}
		return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/json": {Schema: whole, Examples: examples(o, "application/json")},
			"application/yaml": {Schema: &huma.Schema{Type: huma.TypeString, Description: "The same members as YAML."}},
		}}
	}
	return nil
}

func examples(o describe.Operation, kind string) map[string]*huma.Example {
	all := map[string]*huma.Example{}
	for _, e := range o.Examples {
		if e.Kind != kind || e.Body == "" {
			continue
		}
		value := any(e.Body)
		if kind == "application/json" {
			value = json.RawMessage(e.Body)
		}
		all[e.Name] = &huma.Example{Summary: e.Title, Value: value}
	}
	return all
}

// answers returns what the handler and the guard may answer, by status.
func (w *writer) answers(rt guard.Route) map[string]*huma.Response {
	all := map[string]*huma.Response{}
	for _, a := range Answers(rt) {
		status := strconv.Itoa(a.Status)
		shown := map[string]*huma.Example{}
		for _, e := range rt.Operation.Examples {
			if e.Status == a.Status {
				shown[e.Name] = &huma.Example{Summary: e.Title, Value: json.RawMessage(e.Answer)}
			}
		}
		if len(a.Bodies) == 0 && a.Type == "" && len(a.Codes) > 0 && len(shown) == 0 {
			all[status] = w.shared(a)
			continue
		}
		all[status] = w.response(a)
		kind := "application/json"
		if len(a.Bodies) == 0 {
			kind = "application/problem+json"
		}
		if len(shown) > 0 {
			all[status].Content[kind].Examples = shown
		}
	}
	return all
}

// Answers returns what the handler and the guard may answer, one for each status, in
// the order of the statuses.
func Answers(rt guard.Route) []describe.Answer {
	var all []describe.Answer
	for _, a := range slices.Concat(rt.Operation.Answers, guard.Refusals(rt)) {
		i := slices.IndexFunc(all, func(b describe.Answer) bool { return b.Status == a.Status })
		if i < 0 {
			all = append(all, a)
			continue
		}
		b := &all[i]
		b.Type += a.Type // one of them has none
		b.Bodies, b.Headers = slices.Concat(b.Bodies, a.Bodies), union(b.Headers, a.Headers)
		if codes := union(b.Codes, a.Codes); len(codes) > len(b.Codes) || len(a.Bodies) > 0 {
			b.Codes, b.Text = codes, b.Text+" "+a.Text
		}
	}
	slices.SortStableFunc(all, func(a, b describe.Answer) int { return a.Status - b.Status })
	return all
}

// union returns the texts of a and b, sorted.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// shared returns a reference to the one description of a's problem.
func (w *writer) shared(a describe.Answer) *huma.Response {
	codes := union(a.Codes, nil)
	name := fmt.Sprintf("%d.%s", a.Status, strings.Join(codes, "."))
	for n := 2; w.responses[name] != nil && w.responses[name].Description != a.Text; n++ {
		name = fmt.Sprintf("%d.%s.%d", a.Status, strings.Join(codes, "."), n)
	}
	if w.responses[name] == nil {
		w.responses[name] = w.response(a)
	}
	return &huma.Response{Ref: "#/components/responses/" + name}
}

func (w *writer) response(a describe.Answer) *huma.Response {
	r := &huma.Response{Description: a.Text}
	r.Content = map[string]*huma.MediaType{}
	if a.Type != "" {
		r.Content[a.Type] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	}
	if len(a.Bodies) > 0 {
		r.Content["application/json"] = &huma.MediaType{Schema: w.either(a.Bodies)}
	}
	if len(a.Codes) > 0 {
		r.Content["application/problem+json"] = &huma.MediaType{Schema: w.problem(a)}
	}
	for _, name := range a.Headers {
		if r.Headers == nil {
			r.Headers = map[string]*huma.Header{}
		}
		r.Headers[name] = &huma.Header{Description: headers[name], Schema: &huma.Schema{Type: huma.TypeString}}
	}
	return r
}

// headers says what the headers of answers mean.
var headers = map[string]string{
	"Retry-After":         "Whole seconds to wait before the next call.",
	"Idempotent-Replayed": "true where a finished run's result is answered again, under the profile strict.",
}

// problem narrows problem details down to a's status and codes.
func (w *writer) problem(a describe.Answer) *huma.Schema {
	codes := make([]any, len(a.Codes))
	for i, code := range union(a.Codes, nil) {
		codes[i] = code
	}
	return &huma.Schema{AllOf: []*huma.Schema{
		w.schemaOf(problem.Body{}),
		{Properties: map[string]*huma.Schema{"status": {Enum: []any{a.Status}}, "code": {Enum: codes}}},
	}}
}

func indented(data []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
