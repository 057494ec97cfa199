package openapi

import (
	"net/http"

	"dedupedesk/app/describe"
	"dedupedesk/app/guard"
)

// Routes returns the routes that serve the documents: on this computer alone, and
// without a password, since they tell nothing but what is in the program.
func (b Book) Routes() []guard.Route {
	return ownRoutes(func(pattern string) http.Handler {
		doc := b.OpenAPI
		if pattern == "GET /swagger.json" {
			doc = b.Swagger
		}
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			h := w.Header()
			h.Set("Content-Type", "application/json")
			h.Set("Cache-Control", "no-store")
			// A connection that went away has nobody left to be told.
			_, _ = w.Write(doc)
		})
	})
}

// ownRoutes are the routes of the documents, served by what serve returns; nil for
// a table that only tells of them.
func ownRoutes(serve func(pattern string) http.Handler) []guard.Route {
	route := func(pattern, id, title, text string) guard.Route {
		rt := guard.Route{Pattern: pattern, Access: guard.Open, Operation: describe.Operation{
			ID: id, Title: title, Group: "This description", Text: text,
			Answers: []describe.Answer{{Status: http.StatusOK, Text: "The document.", Bodies: []any{map[string]any{}}}},
		}}
		if serve != nil {
			rt.Handler = serve(pattern)
		}
		return rt
	}
	return []guard.Route{
		route("GET /openapi.json", "ShowOpenAPI", "As OpenAPI 3.1", "All routes, for tools that read OpenAPI."),
		route("GET /swagger.json", "ShowSwagger", "As OpenAPI 2.0", "What a custom connector of Power Automate needs, ready to be imported there."),
	}
}
