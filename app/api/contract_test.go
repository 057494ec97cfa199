package api_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"dedupedesk/app/api"
	"dedupedesk/app/describe/openapi"
	"dedupedesk/app/describe/openapi/openapitest"
)

// A table is the description of the routes, and a mux that finds the route of a call.
type table struct {
	book     openapi.Book
	contract *openapitest.Contract
	mux      *http.ServeMux
}

// described is the one table that every house is held against.
var described = sync.OnceValues(func() (table, error) {
	routes := api.Routes(nil, nil, nil, nil)
	book, err := openapi.New(openapi.About{Version: "test", URL: "http://127.0.0.1:47821"}, routes)
	if err != nil {
		return table{}, err
	}
	contract, err := openapitest.New(book.OpenAPI)
	if err != nil {
		return table{}, err
	}
	mux := http.NewServeMux()
	for _, rt := range append(routes, book.Routes()...) {
		mux.Handle(rt.Pattern, http.NotFoundHandler())
	}
	return table{book, contract, mux}, nil
})

// routeOf returns the pattern that a call goes to, "" for none.
func (tb table) routeOf(method, path string) string {
	at, err := url.Parse(path)
	if err != nil || method == http.MethodHead {
		return ""
	}
	_, pattern := tb.mux.Handler(&http.Request{Method: method, URL: at})
	return pattern
}

// hold holds every answer of every test against the description: its status, its
// type, its members, its code; and of a call that was taken, its body.
func (h *house) hold(c call, a answer) {
	h.t.Helper()
	tb, err := described()
	if err != nil {
		h.t.Fatal(err)
	}
	route := tb.routeOf(c.method, c.path)
	if route == "" {
		return
	}
	kind, err := tb.contract.Answer(route, a.code, a.header.Get("Content-Type"), []byte(a.raw))
	if err != nil {
		h.t.Errorf("not as it is described: %v", err)
		return
	}
	if h.told != nil {
		h.told[kind] = true
	}
	body := tb.contract.Operation(route)["requestBody"]
	isJSON := c.kind == "application/json" && json.Valid([]byte(c.body))
	// A list with a wrong item is taken for the sake of the others.
	if body != nil && isJSON && kind.Code == "" && !strings.Contains(a.raw, `"status":"invalid"`) {
		if err := tb.contract.Request(route, []byte(c.body)); err != nil {
			h.t.Errorf("not as it is described: %v", err)
		}
	}
	for _, name := range []string{"Retry-After", "Idempotent-Replayed"} {
		if a.header.Get(name) != "" && !slices.Contains(tb.headers(route, a.code), name) {
			h.t.Errorf("%s answered %d with %s, which is not described", route, a.code, name)
		}
	}
}

// headers returns the names of the headers that an answer may carry.
func (tb table) headers(route string, status int) []string {
	for _, rt := range append(api.Routes(nil, nil, nil, nil), tb.book.Routes()...) {
		if rt.Pattern != route {
			continue
		}
		for _, a := range openapi.Answers(rt) {
			if a.Status == status {
				return a.Headers
			}
		}
	}
	return nil
}

// tooLong is a header that no listener reads to its end.
var tooLong = strings.Repeat("a", 20<<10)
