package openapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-openapi/loads"
	"github.com/go-openapi/strfmt"
	"github.com/go-openapi/validate"

	"dedupedesk/app/api"
	"dedupedesk/app/describe"
	"dedupedesk/app/describe/openapi"
	"dedupedesk/app/describe/openapi/openapitest"
	"dedupedesk/app/guard"
)

func book(t *testing.T, public ...string) openapi.Book {
	t.Helper()
	b, err := openapi.New(openapi.About{Version: "1.2.3", URL: "http://127.0.0.1:47821", Public: public}, api.Routes(nil, nil, nil, nil))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestOpenAPIIsValid: another's parser and OpenAPI's own schema take it, every schema
// in it compiles, and every example fits its schema.
func TestOpenAPIIsValid(t *testing.T) {
	b := book(t, "keys.example.com")
	c, err := openapitest.New(b.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	routes := append(api.Routes(nil, nil, nil, nil), b.Routes()...)
	var patterns []string
	for _, rt := range routes {
		patterns = append(patterns, rt.Pattern)
		op := c.Operation(rt.Pattern)
		if op["x-access"] != string(rt.Access) || op["x-published"] != rt.Published {
			t.Errorf("%s is described with the access %v, published %v", rt.Pattern, op["x-access"], op["x-published"])
		}
		if security := op["security"]; (security == nil) != (rt.Access == guard.Open) {
			t.Errorf("%s asks for %v", rt.Pattern, security)
		}
	}
	slices.Sort(patterns)
	if !slices.Equal(patterns, c.Routes()) {
		t.Errorf("described are\n%v, served are\n%v", c.Routes(), patterns)
	}
}

// TestTheContractBites: what the document does not say is told.
func TestTheContractBites(t *testing.T) {
	b := book(t)
	c, err := openapitest.New(b.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	const claim, released = "POST /v1/claim", `{"status":"released","rule":"r","key":"k","late":false,"already":false,"reason":"x"}`
	if _, err := c.Answer("POST /v1/release", 200, "application/json", []byte(released)); err != nil {
		t.Errorf("a true answer: %v", err)
	}
	for name, got := range map[string]struct {
		route  string
		status int
		kind   string
		body   string
	}{
		"an unknown status":  {claim, 418, "application/json", `{}`},
		"a wrong type":       {claim, 200, "text/html", `{}`},
		"another's answer":   {claim, 200, "application/json", released},
		"a member too many":  {"POST /v1/release", 200, "application/json", strings.Replace(released, `"rule"`, `"new":1,"rule"`, 1)},
		"a member too few":   {"POST /v1/release", 200, "application/json", strings.Replace(released, `"key":"k",`, ``, 1)},
		"a code not its own": {claim, 400, "application/problem+json", `{"type":"urn:x","title":"t","status":400,"code":"stale","detail":"d","run":false}`},
		"an error that runs": {claim, 400, "application/problem+json", `{"type":"urn:x","title":"t","status":400,"code":"invalid","detail":"d","run":true}`},
		"no time":            {"GET /v1/rules/{rule}", 200, "application/json", `{"rule":"r","title":"t","version":1,"changed_at":"now"}`},
	} {
		if _, err := c.Answer(got.route, got.status, got.kind, []byte(got.body)); err == nil {
			t.Errorf("%s passes", name)
		}
	}
	if err := c.Request(claim, []byte(`{"ke":"a"}`)); err == nil {
		t.Error("an unknown field passes")
	}
	broken := bytes.Replace(b.OpenAPI, []byte(`#/components/schemas/Claim"`), []byte(`#/components/schemas/Clam"`), 1)
	if _, err := openapitest.New(broken); err == nil {
		t.Error("a reference that leads nowhere passes")
	}
}

// TestSwaggerIsValid as OpenAPI 2.0.
func TestSwaggerIsValid(t *testing.T) {
	for _, public := range [][]string{nil, {"keys.example.com"}} {
		doc, err := loads.Analyzed(json.RawMessage(book(t, public...).Swagger), "2.0")
		if err != nil {
			t.Fatal(err)
		}
		if err := validate.Spec(doc, strfmt.Default); err != nil {
			t.Errorf("%v: %v", public, err)
		}
	}
}

// TestConnectorReadsSwagger: what a custom connector of Power Automate asks for
// beyond OpenAPI 2.0.
func TestConnectorReadsSwagger(t *testing.T) {
	b := book(t, "keys.example.com")
	doc, err := openapitest.Unfold(b.Swagger)
	if err != nil {
		t.Fatal(err)
	}
	if doc["host"] != "keys.example.com" || fmt.Sprint(doc["schemes"]) != "[https]" || len(b.Swagger) > 1<<20 {
		t.Errorf("host %v, schemes %v, %d bytes", doc["host"], doc["schemes"], len(b.Swagger))
	}
	paths, _ := doc["paths"].(map[string]any)
	var ids []string
	for path, item := range paths {
		for method, v := range item.(map[string]any) {
			op := v.(map[string]any)
			at := method + " " + path
			ids = append(ids, fmt.Sprint(op["operationId"]))
			if op["summary"] == op["description"] || !strings.HasSuffix(fmt.Sprint(op["description"]), ".") || op["x-ms-visibility"] == nil {
				t.Errorf("%s: %v, %v", at, op["summary"], op["description"])
			}
			for _, p := range op["parameters"].([]any) {
				labelled(t, at, p.(map[string]any))
			}
		}
	}
	slices.Sort(ids)
	if want := []string{"ClaimEvent", "ClaimKey", "FinishKey", "ReleaseKey", "RenewKey"}; !slices.Equal(ids, want) {
		t.Errorf("it offers %v, want %v", ids, want)
	}
	for name, v := range doc["definitions"].(map[string]any) {
		for member, p := range v.(map[string]any)["properties"].(map[string]any) {
			if m := p.(map[string]any); m["x-ms-summary"] == nil && m["$ref"] == nil {
				t.Errorf("%s.%s has no name for people", name, member)
			}
		}
	}
	for _, unknown := range []string{`"anyOf"`, `"oneOf"`, `"allOf"`, `"null"`, `"examples"`, `"const"`, `#/components`} {
		if bytes.Contains(b.Swagger, []byte(unknown)) {
			t.Errorf("%s is no word of OpenAPI 2.0 that a connector knows", unknown)
		}
	}
}

// labelled wants names for people on a parameter, and on the members of a body.
func labelled(t *testing.T, at string, p map[string]any) {
	t.Helper()
	if p["x-ms-summary"] == nil || p["x-ms-visibility"] == nil {
		t.Errorf("%s: %v has no name for people or no visibility", at, p["name"])
	}
	if p["in"] == "path" && p["x-ms-url-encoding"] != "single" {
		t.Errorf("%s: %v is not encoded in the address", at, p["name"])
	}
	schema, _ := p["schema"].(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	for name, v := range properties {
		m := v.(map[string]any)
		if m["x-ms-summary"] == nil || m["description"] == nil || m["type"] != "string" {
			t.Errorf("%s: %s is %v", at, name, m)
		}
	}
}

// TestNoRouteWithoutDescription: an engine that has one does not start.
func TestNoRouteWithoutDescription(t *testing.T) {
	bare := append(api.Routes(nil, nil, nil, nil), guard.Route{Pattern: "GET /v1/secret", Access: guard.Open})
	if _, err := openapi.New(openapi.About{URL: "http://127.0.0.1:47821"}, bare); err == nil || !strings.Contains(err.Error(), "GET /v1/secret") {
		t.Errorf("a bare route: %v", err)
	}
}

// TestTextIsDescribedToo, for what is no JSON.
func TestTextIsDescribedToo(t *testing.T) {
	routes := append(api.Routes(nil, nil, nil, nil), guard.Route{Pattern: "GET /text", Access: guard.Admin, Operation: describe.Operation{
		ID: "Text", Title: "Text", Text: "Text.", Group: "Text", Answers: []describe.Answer{{Status: 200, Text: "Text.", Type: "text/plain"}}}})
	b, err := openapi.New(openapi.About{URL: "http://127.0.0.1:47821"}, routes)
	if err != nil {
		t.Fatal(err)
	}
	c, err := openapitest.New(b.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Answer("GET /text", 200, "text/plain; version=0.0.4", []byte("a 1\n")); err != nil {
		t.Error(err)
	}
}

func TestDocumentsAreTheSameEachTime(t *testing.T) {
	a, b := book(t), book(t)
	if !bytes.Equal(a.OpenAPI, b.OpenAPI) || !bytes.Equal(a.Swagger, b.Swagger) {
		t.Error("two documents of the same routes differ")
	}
}
