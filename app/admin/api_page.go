package admin

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"dedupedesk/app/describe"
	"dedupedesk/app/describe/openapi"
	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
)

func apiRoutes(d Desk) []guard.Route {
	return []guard.Route{{Pattern: "GET /connect/api", Access: guard.Look, Handler: d.handle(d.api)}}
}

// api shows one call of the claim endpoint as its route describes itself.
func (d Desk) api(w http.ResponseWriter, r *http.Request) error {
	shown := d.Endpoint[0]
	for _, rt := range d.Endpoint {
		if rt.Operation.ID == r.FormValue("call") {
			shown = rt
		}
	}
	v := page.APIView{OpenAPI: d.APIURL + "/openapi.json", Swagger: d.APIURL + "/swagger.json", Call: d.apiCall(shown)}
	for _, rt := range d.Endpoint {
		o := rt.Operation
		i := slices.IndexFunc(v.Groups, func(g page.APIGroupView) bool { return g.Title == o.Group })
		if i < 0 {
			i = len(v.Groups)
			v.Groups = append(v.Groups, page.APIGroupView{Title: o.Group})
		}
		method, _, _ := strings.Cut(rt.Pattern, " ")
		v.Groups[i].Calls = append(v.Groups[i].Calls, page.APILinkView{ID: o.ID, Title: o.Title, Method: method, Active: o.ID == shown.Operation.ID})
	}
	return d.show(w, r, http.StatusOK, place{Title: "API: " + shown.Operation.Title, Active: "connect"}, page.API(v))
}

func (d Desk) apiCall(rt guard.Route) page.APICallView {
	o := rt.Operation
	method, path, _ := strings.Cut(rt.Pattern, " ")
	v := page.APICallView{ID: o.ID, Title: o.Title, Method: method, Path: path, Text: o.Text, Access: openapi.Access(rt), Body: bodies[o.Body]}
	beside := "in the address"
	if o.Body == describe.NoBody {
		beside = "" // where all of them are
	}
	for _, from := range []struct {
		fields []describe.Field
		place  string
	}{{o.Path, "in the path"}, {o.Fields, ""}, {o.Query, beside}, {o.Headers, "header"}} {
		for _, f := range from.fields {
			v.Fields = append(v.Fields, page.APIFieldView{Name: f.Name, Place: from.place, Kind: held(f), Text: f.Text, Needed: f.Needed})
		}
	}
	for _, a := range openapi.Answers(rt) {
		v.Answers = append(v.Answers, page.APIAnswerView{Status: strconv.Itoa(a.Status), Text: a.Text, Codes: a.Codes})
	}
	for i, e := range o.Examples {
		v.Examples = append(v.Examples, page.APIExampleView{
			ID: e.Name, Title: e.Title, Request: e.Curl(d.APIURL, method, rt.Access != guard.Open),
			Status: strconv.Itoa(e.Status), Answer: readable(json.RawMessage(e.Answer)), Open: i == 0,
		})
	}
	return v
}

// bodies says how the fields of a call are sent.
var bodies = map[describe.Body]string{
	describe.NoBody: "They stand in the address.",
	describe.Fields: "As JSON, as a form, or in the address.",
	describe.Event:  "The body is the event as its sender sent it; these stand beside it.",
	describe.Object: "As JSON or YAML.",
}

// kinds says what a field holds.
var kinds = map[describe.Kind]string{
	describe.Text: "text", describe.Duration: "a time: 90s, 15m, 35d, or seconds", describe.Whole: "a whole number", describe.Moment: "a moment in UTC",
	describe.Flag: "true or false", describe.Parts: "a list of values, or one", describe.Map: "an object", describe.List: "a list of objects", describe.Any: "any JSON",
}

func held(f describe.Field) string {
	if f.Kind != describe.Choice {
		return kinds[f.Kind]
	}
	var words []string
	for _, c := range f.Choices {
		words = append(words, or(c, "nothing"))
	}
	return strings.Join(words, ", ")
}
