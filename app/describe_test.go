package main_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"dedupedesk/app/describe/openapi/openapitest"
)

// TestEngineServesItsDescription: both documents, on this computer alone, and every
// call in them is there and as well guarded as they say.
func TestEngineServesItsDescription(t *testing.T) {
	h := newHouse(t)
	ask := func(method, path string, header ...string) (int, []byte) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, h.engine.API+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, body
	}
	for _, path := range []string{"/openapi.json", "/swagger.json"} {
		if code, _ := ask(http.MethodGet, path); code != http.StatusOK {
			t.Errorf("%s: %d", path, code)
		}
		if code, _ := ask(http.MethodGet, path, "X-Forwarded-For", "203.0.113.9"); code != http.StatusNotFound {
			t.Errorf("%s under a public name: %d", path, code)
		}
	}
	_, document := ask(http.MethodGet, "/openapi.json")
	c, err := openapitest.New(document)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Routes()) < 16 {
		t.Errorf("described are only %v", c.Routes())
	}
	for _, route := range c.Routes() {
		method, path, _ := strings.Cut(route, " ")
		path = strings.ReplaceAll(path, "{rule}", "default")
		want := http.StatusUnauthorized
		if c.Operation(route)["x-access"] == "open" {
			want = http.StatusOK
		}
		if code, body := ask(method, path); code != want {
			t.Errorf("%s without a password: %d %.200s, want %d", route, code, body, want)
		}
		published := c.Operation(route)["x-published"] == true
		if code, _ := ask(method, path, "X-Forwarded-For", "203.0.113.9"); (code == http.StatusNotFound) == published {
			t.Errorf("%s under a public name: %d, described as published: %v", route, code, published)
		}
	}
	_, swagger := ask(http.MethodGet, "/swagger.json")
	doc, err := openapitest.Unfold(swagger)
	if err != nil {
		t.Fatal(err)
	}
	if host := strings.TrimPrefix(h.engine.API, "http://"); doc["host"] != host {
		t.Errorf("the connector calls %v, the engine is at %s", doc["host"], host)
	}
}
