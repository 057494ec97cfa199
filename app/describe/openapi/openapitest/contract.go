// Package openapitest holds an OpenAPI 3.1 document against what is really sent. It
// reads the document with parsers that have nothing to do with its writer.
//
// Errors say what differs. A [Contract] may be used by any number of goroutines.
package openapitest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pb33f/libopenapi"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Contract is a document that holds for every call.
type Contract struct {
	doc      any
	routes   map[string]map[string]any // "POST /v1/claim" to its operation
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
}

const place = "house:///openapi.json"

// New reads a document. It returns an error where OpenAPI's own schema refuses it,
// or where a reference leads nowhere.
func New(document []byte) (*Contract, error) {
	parsed, err := libopenapi.NewDocument(document)
	if err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	if _, err := parsed.BuildV3Model(); err != nil {
		return nil, fmt.Errorf("build the model: %w", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, err
	}
	if err := validate(parsed.GetSpecInfo().APISchema, doc); err != nil {
		return nil, fmt.Errorf("OpenAPI's schema refuses it: %w", err)
	}
	c := &Contract{doc: doc, routes: map[string]map[string]any{}, compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	c.compiler.AssertFormat()
	if err := c.compiler.AddResource(place, doc); err != nil {
		return nil, err
	}
	for path, item := range at(doc, "paths") {
		for method, op := range asMap(item) {
			c.routes[strings.ToUpper(method)+" "+path] = asMap(op)
		}
	}
	return c, c.compileAll()
}

// validate holds v against a JSON schema.
func validate(schema string, v any) error {
	s, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", s); err != nil {
		return err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return err
	}
	return compiled.Validate(v)
}

// compileAll compiles every schema of the document and tries its examples.
func (c *Contract) compileAll() error {
	var faults []error
	walk(c.doc, "#", func(pointer string, v map[string]any) {
		schema, ok := v["schema"].(map[string]any)
		if !ok {
			return
		}
		compiled, err := c.compile(pointer + "/schema")
		if err != nil {
			faults = append(faults, err)
			return
		}
		examples := []any{}
		if e, there := v["example"]; there {
			examples = append(examples, e)
		}
		for _, e := range asMap(v["examples"]) {
			examples = append(examples, asMap(e)["value"])
		}
		for member, p := range asMap(schema["properties"]) {
			for _, e := range asList(asMap(p)["examples"]) {
				examples = append(examples, map[string]any{member: e})
			}
		}
		for _, e := range examples {
			if text, form := e.(string); form && schema["type"] == "object" {
				_ = text // a form's text, which its own route tries
				continue
			}
			if err := compiled.Validate(e); err != nil && !missing(err) {
				faults = append(faults, fmt.Errorf("an example at %s: %w", pointer, err))
			}
		}
	})
	return errors.Join(faults...)
}

// missing tells whether all that is wrong with a part is that other members are not there.
func missing(err error) bool {
	v, ok := errors.AsType[*jsonschema.ValidationError](err)
	return ok && strings.Contains(v.Error(), "missing propert") && len(v.Causes) == 1
}

// Routes returns the patterns of all routes, sorted.
func (c *Contract) Routes() []string { return slices.Sorted(maps.Keys(c.routes)) }

// Operation returns what the document says of a route, nil for nothing.
func (c *Contract) Operation(route string) map[string]any { return c.routes[route] }

// A Kind is one thing that a route may answer.
type Kind struct {
	Route  string
	Status int
	Code   string // of a problem, "" for an answer
}

// Kinds returns everything that the document says a route may answer.
func (c *Contract) Kinds(route string) []Kind {
	var all []Kind
	for status := range asMap(c.routes[route]["responses"]) {
		n, _ := strconv.Atoi(status)
		response, _ := c.response(route, n)
		content := asMap(response["content"])
		if _, there := content["application/problem+json"]; !there || len(content) > 1 {
			all = append(all, Kind{route, n, ""})
		}
		for _, part := range asList(asMap(asMap(content["application/problem+json"])["schema"])["allOf"]) {
			for _, code := range asList(asMap(asMap(asMap(part)["properties"])["code"])["enum"]) {
				all = append(all, Kind{route, n, fmt.Sprint(code)})
			}
		}
	}
	return all
}

// response returns a response, and where it stands.
func (c *Contract) response(route string, status int) (map[string]any, string) {
	method, path, _ := strings.Cut(route, " ")
	pointer := "#/paths/" + escape(path) + "/" + strings.ToLower(method) + "/responses/" + strconv.Itoa(status)
	r := asMap(asMap(c.routes[route]["responses"])[strconv.Itoa(status)])
	if ref, ok := r["$ref"].(string); ok {
		return at(c.doc, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...), ref
	}
	return r, pointer
}

// Answer returns what an answer is, or in what it differs from the document.
func (c *Contract) Answer(route string, status int, kind string, body []byte) (Kind, error) {
	k := Kind{Route: route, Status: status}
	response, pointer := c.response(route, status)
	if response == nil {
		return k, fmt.Errorf("%s answered %d, which is not described", route, status)
	}
	content := asMap(response["content"])
	if len(content) == 0 {
		return k, nil
	}
	if media, _, err := mime.ParseMediaType(kind); err == nil {
		kind = media
	}
	if content[kind] == nil {
		return k, fmt.Errorf("%s answered %d with %s, which is not described", route, status, kind)
	}
	if !strings.HasSuffix(kind, "json") {
		return k, nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return k, fmt.Errorf("%s: %w in %s", route, err, body)
	}
	schema, err := c.compile(pointer + "/content/" + escape(kind) + "/schema")
	if err != nil {
		return k, err
	}
	if err := schema.Validate(v); err != nil {
		return k, fmt.Errorf("%s answered %d %s: %w", route, status, body, err)
	}
	k.Code, _ = asMap(v)["code"].(string)
	return k, nil
}

// Request returns in what a JSON body differs from the document.
func (c *Contract) Request(route string, body []byte) error {
	method, path, _ := strings.Cut(route, " ")
	content := asMap(asMap(c.routes[route]["requestBody"])["content"])
	if content["application/json"] == nil {
		return fmt.Errorf("%s is not described as taking JSON", route)
	}
	schema, err := c.compile("#/paths/" + escape(path) + "/" + strings.ToLower(method) + "/requestBody/content/application~1json/schema")
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	if err := schema.Validate(v); err != nil {
		return fmt.Errorf("%s took %s: %w", route, body, err)
	}
	return nil
}

func (c *Contract) compile(pointer string) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := c.compiler.Compile(place + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(pointer))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pointer, err)
	}
	c.schemas[pointer] = s
	return s, nil
}

func escape(s string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(s) }

func asMap(v any) map[string]any { m, _ := v.(map[string]any); return m }
func asList(v any) []any         { l, _ := v.([]any); return l }

// at returns the object at a path of names.
func at(v any, names ...string) map[string]any {
	for _, n := range names {
		v = asMap(v)[n]
	}
	return asMap(v)
}

// walk calls f with every object in v and its pointer, but not inside schemas and
// examples.
func walk(v any, pointer string, f func(string, map[string]any)) {
	for name, sub := range asMap(v) {
		if name != "schema" && name != "examples" && name != "schemas" {
			walk(sub, pointer+"/"+escape(name), f)
		}
	}
	for i, sub := range asList(v) {
		walk(sub, pointer+"/"+strconv.Itoa(i), f)
	}
	if m := asMap(v); m != nil {
		f(pointer, m)
	}
}

// Unfold returns document as a map, for tests that look at it closer.
func Unfold(document []byte) (map[string]any, error) {
	var m map[string]any
	err := json.Unmarshal(document, &m)
	return m, err
}
