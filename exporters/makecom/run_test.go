package makecom

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"dedupedesk/exporters"
)

// event is what the webhook hands on for a JSON body.
func event(t testing.TB, body string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func newSim(t testing.TB) *sim {
	return &sim{t: t, run: "run-1", store: map[string]map[string]string{}}
}

// outcome is what one run did and how it ended.
func (s *sim) outcome(end signal) string {
	out := fmt.Sprintf("heard %v, worked %d", s.status, len(s.worked))
	if end.name != "" {
		out += ", " + end.name
	}
	s.status, s.worked = nil, nil
	return out
}

func orderSetup(details map[string]string) exporters.Setup {
	return exporters.Setup{Rule: "orders", Expressible: true, Lease: 10 * time.Hour, Details: details,
		Parts: []exporters.Part{{Literal: "shop"}, {Path: []string{"body", "id"}}}}
}

// TestStoreStopsCopies drives the data store's scenario, as far as Make's documents say
// how it runs.
func TestStoreStopsCopies(t *testing.T) {
	first := event(t, `{"id":"A-1"}`)
	for _, tt := range []struct {
		name                                  string
		details                               map[string]string
		first, again, busy, fails, hole, down string
	}{
		{"after the work", nil, "heard [200], worked 1", "heard [200], worked 0", "heard [503], worked 0", "heard [500], worked 0, Rollback", "heard [422], worked 0", "heard [503], worked 0, Rollback"},
		{"at once", map[string]string{"reply": "at_once"}, "heard [200], worked 1", "heard [200], worked 0", "heard [503], worked 0", "heard [200], worked 0, Rollback", "heard [422], worked 0", "heard [503], worked 0, Rollback"},
		{"Make resumes", map[string]string{"retries": "platform"}, "heard [], worked 1", "heard [], worked 0", "heard [], worked 0", "heard [], worked 0, Break", "heard [], worked 0", "heard [], worked 0, Break"},
		{"nobody", map[string]string{"retries": "nobody"}, "heard [200], worked 1", "heard [200], worked 0", "heard [503], worked 0", "heard [500], worked 0, Rollback", "heard [422], worked 0", "heard [503], worked 0, Rollback"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := built(t, orderSetup(tt.details))[0].Data
			s := newSim(t)
			check := func(what string, want string, body any) {
				t.Helper()
				if got := s.outcome(s.play(file, body)); got != want {
					t.Errorf("%s: %s, want %s", what, got, want)
				}
			}
			check("first", tt.first, first)
			if got := s.store["shop:A-1"]; got["state"] != stateDone || got["run"] != "run-1" || got["done_at"] == "" {
				t.Errorf("record %v", s.store)
			}
			check("again", tt.again, first)
			s.store["shop:A-1"]["state"] = stateClaimed
			check("while another run is at it", tt.busy, first)
			for _, told := range []simError{{Kind: "DuplicateDataError", Message: "?"}, {Kind: "DataError", Message: "Record with this key ALREADY exists"}, {Kind: "RuntimeError", Message: "Duplicate key"}} {
				s.add = &told
				check("a copy told as "+told.Kind, tt.busy, first)
			}
			s.add = &simError{Kind: "ConnectionError", Message: "Service unavailable"}
			check("a store that is down", tt.down, event(t, `{"id":"A-2"}`))
			s.add, s.work = nil, &simError{Kind: "RuntimeError", Message: "no"}
			check("work that fails", tt.fails, event(t, `{"id":"A-3"}`))
			s.work = nil
			if _, kept := s.store["shop:A-3"]; kept != (tt.details["retries"] == "platform") {
				t.Errorf("the record of work that failed: kept %v", kept)
			}
			for _, hole := range []string{`{}`, `{"id":null}`, `{"id":""}`, `{"id":" \n "}`} {
				check("the hole "+hole, tt.hole, event(t, hole))
			}
			if s.store["no-key:run-1"]["state"] != stateNoKey || s.store["shop:"] != nil {
				t.Errorf("records %v", s.store)
			}
		})
	}
}

// TestStoreKeyIsTheRules: what Make's functions make, as documented, is the key that
// the rule makes, for composed text.
func TestStoreKeyIsTheRules(t *testing.T) {
	text := rapid.StringOfN(rapid.OneOf(rapid.RuneFrom([]rune(`ab:%"'\{}& <>`)), rapid.RuneFrom([]rune("\t\n\u00a0\u3000éżש🙂"))), 1, 12, -1)
	rapid.Check(t, func(rt *rapid.T) {
		a, b, fixed := text.Draw(rt, "a"), text.Draw(rt, "b"), text.Draw(rt, "literal")
		want := strings.Join([]string{exporters.KeyLiteral(fixed), exporters.KeyLiteral(strings.ToUpper(a)), exporters.KeyLiteral(b)}, ":")
		parts := []exporters.Part{{Literal: fixed}, {Path: []string{"body", "line items", "[1]", "@x"}, Steps: []string{"upper"}}, {Path: []string{"headers", "X-B"}}}
		fold := rapid.Bool().Draw(rt, "fold")
		if fold {
			want = strings.ToLower(want)
		}
		key, err := makeKey(parts, fold, reader{arrival: top})
		if err != nil {
			if !doubleBraces(fixed) && exporters.KeyLiteral(fixed) != "" {
				rt.Fatalf("literal %q: %v", fixed, err)
			}
			return
		}
		m, seen := newSim(t), map[int]any{1: map[string]any{
			"line items":     []any{nil, map[string]any{"@x": a}},
			"__IMTHEADERS__": []any{map[string]any{"name": "x-b", "value": b}},
		}}
		holes, whole := key.holes()
		hole := exporters.KeyLiteral(a) == "" || exporters.KeyLiteral(b) == ""
		if m.holds(holes, seen) != hole || m.holds([][]test{whole}, seen) == hole {
			rt.Fatalf("a %q, b %q: a hole is %v", a, b, hole)
		}
		if got := norm.NFC.String(asText(m.value(key.text, seen))); !hole && got != want {
			rt.Fatalf("key %q, want %q", got, want)
		}
	})
}

// TestAStandInIsTheRules: the rule has it for a value that is missing, empty or blank.
func TestAStandInIsTheRules(t *testing.T) {
	stand := "none"
	setup := orderSetup(nil)
	setup.Parts[1].Default = &stand
	file := built(t, setup)[0].Data
	for body, key := range map[string]string{`{}`: "none", `{"id":null}`: "none", `{"id":""}`: "none", `{"id":" \t "}`: "none", `{"id":" a "}`: "a", `{"id":0}`: "0"} {
		s := newSim(t)
		s.play(file, event(t, body))
		if s.store["shop:"+key] == nil {
			t.Errorf("%s: %v, want shop:%s", body, s.store, key)
		}
	}
}

// desk answers as the ledger does: a claim is held by the run that made it.
type desk struct {
	state  map[string]string
	down   *simError
	page   bool // a tunnel answers with a page of its own
	calls  []string
	forced string
	code   string // it refuses, as while a person keeps all grants paused
	text   bool   // and Make does not read the refusal as JSON
}

func (d *desk) answer(what string, form map[string]string) (map[string]any, *simError) {
	d.calls = append(d.calls, what)
	switch {
	case d.down != nil:
		return nil, d.down
	case d.page:
		return nil, nil
	case d.code != "" && d.text:
		return nil, &simError{Kind: "ConnectionError", Message: "[503]", Data: map[string]any{"value": `{"status":503,"code":"` + d.code + `"}`}}
	case d.code != "":
		return nil, &simError{Kind: "ConnectionError", Message: "[503]", Data: map[string]any{"status": "503", "code": d.code}}
	}
	key := form["key"]
	if what == "claim" {
		key = form["part.1"] + ":" + form["part.2"] + form["event"]
		if form["part.3"] != "" {
			key += ":" + form["part.3"]
		}
	}
	switch {
	case d.forced != "":
		return map[string]any{"status": d.forced, "key": key}, nil
	case strings.HasSuffix(key, ":"):
		return nil, &simError{Kind: "BundleValidationError", Message: "[400]", Data: map[string]any{"status": "400", "code": "invalid"}}
	case what == "release":
		delete(d.state, key)
		return map[string]any{"status": "released"}, nil
	case what == "done":
		d.state[key] = "done"
		return map[string]any{"status": "done"}, nil
	case d.state[key] == "":
		d.state[key] = "in_progress"
		return map[string]any{"status": "claimed", "key": key}, nil
	}
	return map[string]any{"status": d.state[key], "key": key}, nil
}

func far(details map[string]string) map[string]string {
	all := map[string]string{"computer": "always", "address": "dedupe.example.com"}
	maps.Copy(all, details)
	return all
}

// TestLedgerStopsCopies drives the scenario that asks the ledger.
func TestLedgerStopsCopies(t *testing.T) {
	first := event(t, `{"id":"A-1"}`)
	for _, tt := range []struct {
		name                            string
		details                         map[string]string
		goOn                            string
		first, again, busy, fails, hole string
		down, page, unreported          string
	}{
		{"after the work", nil, "", "heard [200], worked 1", "heard [200], worked 0", "heard [503], worked 0", "heard [500], worked 0, Rollback", "heard [503], worked 0, Rollback",
			"heard [503], worked 0, Rollback", "heard [503], worked 0, Rollback", "heard [200], worked 1, Rollback"},
		{"at once", map[string]string{"reply": "at_once"}, "", "heard [200], worked 1", "heard [200], worked 0", "heard [503], worked 0", "heard [200], worked 0, Rollback", "heard [503], worked 0, Rollback",
			"heard [503], worked 0, Rollback", "heard [503], worked 0, Rollback", "heard [200], worked 1, Rollback"},
		{"go on", nil, "go_on", "heard [200], worked 1", "heard [200], worked 0", "heard [503], worked 0", "heard [500], worked 0, Rollback", "heard [503], worked 0, Rollback",
			"heard [200], worked 1", "heard [200], worked 1", "heard [200], worked 1, Rollback"},
		{"Make resumes", map[string]string{"retries": "platform"}, "", "heard [], worked 1", "heard [], worked 0", "heard [], worked 0, Break", "heard [], worked 0, Break", "heard [], worked 0, Break",
			"heard [], worked 0, Break", "heard [], worked 0, Break", "heard [], worked 1, Break"},
		{"Make resumes, go on", map[string]string{"retries": "platform"}, "go_on", "heard [], worked 1", "heard [], worked 0", "heard [], worked 0, Break", "heard [], worked 0, Break", "heard [], worked 0, Break",
			"heard [], worked 1", "heard [], worked 1", "heard [], worked 1, Break"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			setup := orderSetup(far(tt.details))
			setup.IfUnreachable = tt.goOn
			file := built(t, setup)[0].Data
			d := &desk{state: map[string]string{}}
			s := newSim(t)
			s.call = d.answer
			check := func(what string, want string, body any) {
				t.Helper()
				if got := s.outcome(s.play(file, body)); got != want {
					t.Errorf("%s: %s, want %s", what, got, want)
				}
			}
			check("first", tt.first, first)
			if d.state["shop:A-1"] != "done" {
				t.Errorf("keys %v", d.state)
			}
			check("again", tt.again, first)
			d.state["shop:A-1"] = "in_progress"
			check("while another run is at it", tt.busy, first)
			for _, d.forced = range []string{"mismatch", "ignored"} {
				check(d.forced, tt.again, first)
			}
			d.forced = "held"
			check("one that a person decides on", tt.busy, first)
			d.forced = "new_word"
			check("a status that nobody knows", tt.hole, first)
			d.forced, d.code = "", "paused"
			for _, d.text = range []bool{false, true} {
				check("all grants are paused", tt.hole, first)
			}
			d.code, s.work = "", &simError{Kind: "RuntimeError", Message: "no"}
			check("work that fails", tt.fails, event(t, `{"id":"A-3"}`))
			if kept := d.state["shop:A-3"] != ""; kept != (tt.details["retries"] == "platform") {
				t.Errorf("the key of work that failed: kept %v", kept)
			}
			s.work = nil
			check("an empty part", tt.hole, event(t, `{}`))
			for _, kind := range []string{"ConnectionError", "ModuleTimeoutError"} {
				d.down = &simError{Kind: kind, Message: "no"}
				check("out of reach", tt.down, event(t, `{"id":"A-4"}`))
			}
			d.down, d.page = nil, true
			check("the page of a tunnel", tt.page, event(t, `{"id":"A-5"}`))
			d.page = false
			s.call = func(what string, form map[string]string) (map[string]any, *simError) {
				if what == "done" {
					return nil, &simError{Kind: "ConnectionError", Message: "no"}
				}
				return d.answer(what, form)
			}
			check("work that is not reported", tt.unreported, event(t, `{"id":"A-6"}`))
		})
	}
}

// TestLinesAreWorkedOnOneByOne: each item has a key, and the sender hears 200 when none
// of them is left.
func TestLinesAreWorkedOnOneByOne(t *testing.T) {
	order := event(t, `{"id":7,"line_items":[{"sku":"a"},{"sku":"b"},{"sku":"a"}]}`)
	for _, route := range []string{exporters.RouteLedger, exporters.RouteStore} {
		for _, tt := range []struct {
			details                   map[string]string
			first, again, busy, fails string
		}{
			{nil, "heard [200], worked 2", "heard [200], worked 0", "heard [503], worked 0, Rollback", "heard [500], worked 0, Rollback"},
			{map[string]string{"reply": "at_once"}, "heard [200], worked 2", "heard [200], worked 0", "heard [200], worked 0", "heard [200], worked 0, Rollback"},
			{map[string]string{"retries": "platform"}, "heard [], worked 2", "heard [], worked 0", "heard [], worked 0", "heard [], worked 0, Break"},
		} {
			setup := orderSetup(far(tt.details))
			setup.Details[exporters.RouteDetail] = route
			setup.Each = []string{"body", "line_items"}
			setup.Parts = append(setup.Parts, exporters.Part{Path: []string{"item", "sku"}})
			file := built(t, setup)[0].Data
			d := &desk{state: map[string]string{}}
			s := newSim(t)
			s.call = d.answer
			check := func(what, want string) {
				t.Helper()
				if got := s.outcome(s.play(file, order)); got != want {
					t.Errorf("%s %v, %s: %s, want %s", route, tt.details, what, got, want)
				}
			}
			check("first", tt.first)
			check("again", tt.again)
			if route == exporters.RouteLedger {
				d.state["shop:7:b"] = "in_progress"
			} else {
				s.store["shop:7:b"]["state"] = stateClaimed
			}
			if tt.details["retries"] == "platform" && route == exporters.RouteLedger {
				tt.busy += ", Break" // Make asks again
			}
			check("one is in progress", tt.busy)
			clear(d.state)
			clear(s.store)
			s.work = &simError{Kind: "RuntimeError", Message: "no"}
			check("work that fails", tt.fails)
			unreported := strings.Replace(tt.first, "worked 2", "worked 1", 1)
			if tt.details["retries"] != "platform" && route == exporters.RouteLedger {
				kept := maps.Clone(d.state)
				s.work, s.call = nil, func(what string, form map[string]string) (map[string]any, *simError) {
					if what == "done" {
						return nil, &simError{Kind: "ConnectionError", Message: "no"}
					}
					return d.answer(what, form)
				}
				if got := s.outcome(s.play(file, event(t, `{"id":8,"line_items":[{"sku":"a"}]}`))); got != unreported || d.state["shop:8:a"] != "in_progress" {
					t.Errorf("%v, work that is not reported: %s, want %s; keys %v", tt.details, got, unreported, d.state)
				}
				d.state = kept
			}
			keys := slices.Concat(slices.Sorted(maps.Keys(d.state)), slices.Sorted(maps.Keys(s.store)))
			if kept := slices.Equal(keys, []string{"shop:7:a"}); kept != (tt.details["retries"] == "platform") {
				t.Errorf("%s %v: keys after a failure %q", route, tt.details, keys)
			}
		}
	}
}

// TestCareFindsWhatGotStuck and takes out what was finished long ago, and nothing else.
func TestCareFindsWhatGotStuck(t *testing.T) {
	before := func(d time.Duration) string { return simNow.Add(-d).Format(time.RFC3339) }
	day := 24 * time.Hour
	s := newSim(t)
	s.store = map[string]map[string]string{
		"running":  {"state": stateClaimed, "claimed_at": before(9 * time.Hour), "run": "r"},
		"stuck":    {"state": stateClaimed, "claimed_at": before(11 * time.Hour), "run": "r"},
		"no-key:1": {"state": stateNoKey, "claimed_at": before(11 * time.Hour), "run": "r"},
		"done":     {"state": stateDone, "claimed_at": before(34 * day), "done_at": before(34 * day)},
		"old":      {"state": stateDone, "claimed_at": before(36 * day), "done_at": before(36 * day)},
		"ancient":  {"state": stateClaimed, "claimed_at": before(99 * day), "run": "r"},
	}
	if end := s.play(built(t, orderSetup(nil))[1].Data, nil); end.name != "" {
		t.Errorf("ended with %s", end.name)
	}
	if got := slices.Sorted(maps.Keys(s.store)); !slices.Equal(got, []string{"ancient", "done", "no-key:1", "running", "stuck"}) {
		t.Errorf("records %q", got)
	}
	if len(s.worked) != 3 || !strings.HasPrefix(s.worked[0], "Stuck: ancient, claimed since") || !strings.HasPrefix(s.worked[1], "Stuck: no-key:1, no_key since") || !strings.HasPrefix(s.worked[2], "Stuck: stuck, claimed since") {
		t.Errorf("mails %q", s.worked)
	}
}

// TestTheTriggersOwnFields: all parts are read from one module, which the person maps.
func TestTheTriggersOwnFields(t *testing.T) {
	for _, route := range []string{exporters.RouteLedger, exporters.RouteStore} {
		setup := orderSetup(far(map[string]string{"trigger": "poll", exporters.RouteDetail: route}))
		setup.Parts[1].Steps = []string{"lower"}
		d := &desk{state: map[string]string{}}
		s := newSim(t)
		s.call = d.answer
		file := built(t, setup)[0].Data
		for i, want := range []string{"heard [], worked 1", "heard [], worked 0"} {
			if got := s.outcome(s.play(file, map[string]any{"part2": "X"})); got != want {
				t.Errorf("%s, run %d: %s, want %s", route, i+1, got, want)
			}
		}
		if d.state["shop:x"] != "done" && s.store["shop:x"]["state"] != stateDone {
			t.Errorf("%s: %v, %v", route, d.state, s.store)
		}
	}
}

// TestTheWholeEventIsSent where the formula is more than parts.
func TestTheWholeEventIsSent(t *testing.T) {
	setup := orderSetup(far(nil))
	setup.Expressible, setup.Parts = false, nil
	d := &desk{state: map[string]string{}}
	s := newSim(t)
	s.call = d.answer
	body := `{"id": 820982911946154508, "note":"it's \"so\""}`
	if got := s.outcome(s.play(built(t, setup)[0].Data, map[string]any{"value": body})); got != "heard [200], worked 1" || d.state[":"+body] != "done" {
		t.Errorf("%s, keys %v", got, d.state)
	}
}
