package makecom

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dedupedesk/exporters"
)

// A sim runs a blueprint as Make's documents say that it runs: filters, routers, the
// first branch that holds, error routes and directives, bundles of an iterator, and the
// formulas that are written here. It is no Make: what those documents leave open stays
// open.
type sim struct {
	t      testing.TB
	run    string
	store  map[string]map[string]string
	call   func(what string, form map[string]string) (map[string]any, *simError)
	add    *simError // what AddRecord fails with
	work   *simError
	worked []string // what Your work saw
	status []string // what the sender heard
}

// A simError is how a module failed. Data is what was answered, where that is why.
type simError struct {
	Kind, Message string
	Data          map[string]any
}

// signal is how an error route ended.
type signal struct {
	name   string // "" none, Ignore, Resume, Rollback, Break
	mapper any
}

type simModule struct {
	ID       int
	Module   string
	Filter   *struct{ Conditions [][]test }
	Mapper   map[string]any
	Branches []struct {
		Type       string
		Conditions [][]test
		Flow       []simModule
	}
	Routes  []struct{ Flow []simModule }
	OnError []simModule
	Meta    struct{ Designer struct{ Name string } } `json:"metadata"`
}

// play runs the file once for an event that its first module hands on.
func (s *sim) play(file []byte, event any) signal {
	s.t.Helper()
	var b struct{ Flow []simModule }
	if err := json.Unmarshal(file, &b); err != nil {
		s.t.Fatal(err)
	}
	return s.flow(b.Flow, map[int]any{1: event})
}

// flow runs modules for one bundle. It ends with what an error route beyond it said.
func (s *sim) flow(flow []simModule, seen map[int]any) signal {
	for i, m := range flow {
		if m.Filter != nil && !s.holds(m.Filter.Conditions, seen) {
			return signal{}
		}
		if name, ok := strings.CutPrefix(m.Module, "builtin:"); ok {
			switch name {
			case "Ignore", "Resume", "Rollback", "Break":
				return signal{name, s.fill(m.Mapper, seen)}
			case "BasicRouter":
				s.onlyOne(m, seen)
				for _, r := range m.Routes {
					if got := s.flow(r.Flow, maps.Clone(seen)); got.name != "" {
						return got
					}
				}
				continue
			case "BasicIfElse":
				for _, b := range m.Branches {
					if b.Type == "else" || s.holds(b.Conditions, seen) {
						return s.flow(b.Flow, maps.Clone(seen))
					}
				}
				continue
			case "BasicFeeder":
				items, _ := s.value(m.Mapper["array"], seen).([]any)
				return s.each(items, m.ID, flow[i+1:], seen)
			}
		}
		if m.Module == "datastore:SearchRecord" {
			return s.each(s.search(m, seen), m.ID, flow[i+1:], seen)
		}
		out, fault := s.module(m, seen)
		if fault == nil {
			seen[m.ID] = out
			continue
		}
		seen[m.ID] = map[string]any{"error": map[string]any{"type": fault.Kind, "message": fault.Message}}
		switch got := s.flow(m.OnError, seen); got.name {
		case "Resume":
			seen[m.ID] = got.mapper
		case "Ignore":
			return signal{}
		case "":
			s.t.Fatalf("module %d (%s) failed with %+v, and nothing handled it", m.ID, m.Module, *fault)
		default:
			return got
		}
	}
	return signal{}
}

// each runs the rest of a flow once for each bundle.
func (s *sim) each(items []any, id int, rest []simModule, seen map[int]any) signal {
	for _, item := range items {
		inner := maps.Clone(seen)
		inner[id] = item
		if got := s.flow(rest, inner); got.name != "" {
			return got
		}
	}
	return signal{}
}

// onlyOne holds routes to their promise: whether a directive keeps the routes behind it
// from running is not documented, so one of them holds and no other.
func (s *sim) onlyOne(m simModule, seen map[int]any) {
	s.t.Helper()
	filters, held := 0, 0
	for _, r := range m.Routes {
		if f := r.Flow[0].Filter; f != nil {
			filters++
			if s.holds(f.Conditions, seen) {
				held++
			}
		}
	}
	if filters > 1 && held != 1 {
		s.t.Errorf("router %d: %d of %d routes hold", m.ID, held, filters)
	}
}

func (s *sim) search(m simModule, seen map[int]any) []any {
	var conditions [][]test
	text, err := json.Marshal(m.Mapper["filter"])
	if err != nil || json.Unmarshal(text, &conditions) != nil {
		s.t.Fatalf("search %v", m.Mapper)
	}
	var found []any
	for _, key := range slices.Sorted(maps.Keys(s.store)) {
		data := map[string]any{}
		for name, v := range s.store[key] {
			data[name] = v
		}
		for i := range conditions {
			for j, c := range conditions[i] {
				conditions[i][j].A = "{{99." + strings.TrimSuffix(strings.TrimPrefix(c.A, "{{99."), "}}") + "}}"
			}
		}
		inner := maps.Clone(seen)
		inner[99] = data
		if s.holds(conditions, inner) {
			found = append(found, map[string]any{"key": key, "data": data})
		}
	}
	return found
}

func (s *sim) module(m simModule, seen map[int]any) (any, *simError) {
	in, _ := s.fill(m.Mapper, seen).(map[string]any)
	text := func(name string) string { return asText(in[name]) }
	switch m.Module {
	case "gateway:CustomWebHook", "util:BasicTrigger":
		return seen[m.ID], nil
	case "util:SetVariables":
		out := map[string]any{}
		for _, item := range in["variables"].([]any) {
			v := item.(map[string]any)
			out[asText(v["name"])] = v["value"]
		}
		return out, nil
	case "util:ComposeTransformer":
		if m.Meta.Designer.Name == "Your mail" {
			s.worked = append(s.worked, asText(in["value"]))
		}
		if m.ID == workID {
			if s.work != nil {
				return nil, s.work
			}
			s.worked = append(s.worked, asText(s.formula("2.value", seen))+asText(s.formula("2.data.key", seen)))
		}
		return in, nil
	case "gateway:WebhookRespond":
		s.status = append(s.status, text("status"))
		return nil, nil
	case "json:ParseJSON":
		if !json.Valid([]byte(text("json"))) {
			return nil, &simError{Kind: "DataError", Message: "Source is not valid JSON."}
		}
		return nil, nil
	case "http:MakeRequest":
		form := map[string]string{}
		for _, item := range in["urlEncodedBodyContent"].([]any) {
			f := item.(map[string]any)
			form[asText(f["name"])] = asText(f["value"])
		}
		for _, item := range in["queryParameters"].([]any) {
			f := item.(map[string]any)
			form["?"+asText(f["name"])] = asText(f["value"])
		}
		_, what, _ := strings.Cut(text("url"), "/v1/")
		data, fault := s.call(what, form)
		if fault != nil && fault.Data != nil && in["stopOnHttpError"] == false {
			data, fault = fault.Data, nil
		}
		return map[string]any{"data": data}, fault
	}
	return s.record(m.Module, text("key"), in)
}

func (s *sim) record(module, key string, in map[string]any) (any, *simError) {
	data := map[string]string{}
	if fields, ok := in["data"].(map[string]any); ok {
		for name, v := range fields {
			data[name] = asText(v)
		}
	}
	record, there := s.store[key]
	switch module {
	case "datastore:AddRecord":
		switch {
		case key == "":
			s.t.Fatal("a record without a key")
		case in["overwrite"] == true:
		case s.add != nil:
			return nil, s.add
		case there:
			return nil, &simError{Kind: "DuplicateDataError", Message: "Key already exists."}
		}
		s.store[key] = data
	case "datastore:GetRecord":
		out := map[string]any{}
		for name, v := range record {
			out[name] = v
		}
		return out, nil
	case "datastore:UpdateRecord":
		if !there {
			return nil, &simError{Kind: "DataError", Message: "No such record."}
		}
		maps.Copy(record, data)
	case "datastore:DeleteRecord":
		delete(s.store, key)
	default:
		s.t.Fatalf("the sim knows no module %s", module)
	}
	return map[string]any{"key": key}, nil
}

func (s *sim) holds(conditions [][]test, seen map[int]any) bool {
	return slices.ContainsFunc(conditions, func(all []test) bool {
		return !slices.ContainsFunc(all, func(c test) bool {
			a, b := asText(s.value(c.A, seen)), asText(s.value(c.B, seen))
			switch c.O {
			case "text:equal":
				return a != b
			case "text:notequal":
				return a == b
			case "date:less":
				return a == "" || a >= b
			case "text:contain:ci":
				return !strings.Contains(strings.ToLower(a), strings.ToLower(b))
			case "text:notcontain:ci":
				return strings.Contains(strings.ToLower(a), strings.ToLower(b))
			}
			s.t.Fatalf("the sim knows no operator %s", c.O)
			return true
		})
	})
}

// fill works out all texts inside a mapper.
func (s *sim) fill(v any, seen map[int]any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, inner := range v {
			out[name] = s.fill(inner, seen)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = s.fill(v[i], seen)
		}
		return out
	}
	return s.value(v, seen)
}

// value works out one text. A text that is one formula keeps the kind of its value.
func (s *sim) value(v any, seen map[int]any) any {
	text, ok := v.(string)
	if !ok {
		return v
	}
	hits := iml.FindAllStringSubmatchIndex(text, -1)
	if len(hits) == 1 && hits[0][0] == 0 && hits[0][1] == len(text) {
		return s.formula(text[2:len(text)-2], seen)
	}
	return iml.ReplaceAllStringFunc(text, func(hit string) string { return asText(s.formula(hit[2:len(hit)-2], seen)) })
}

func asText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case map[string]any:
		return asText(v["value"]) + asText(v["key"])
	}
	return fmt.Sprint(v)
}

// simNow is when everything in a sim happens.
var simNow = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// built returns the files for a setup.
func built(t testing.TB, s exporters.Setup) []exporters.File {
	t.Helper()
	c, err := New().Build(s)
	if err != nil {
		t.Fatal(err)
	}
	if reason, blocked := c.Blocked(); blocked {
		t.Fatal(reason)
	}
	return c.Files
}
