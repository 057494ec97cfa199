package dataverse

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
	"dedupedesk/exporters/flowdef/flowtest"
)

func setup(guard string) exporters.Setup {
	return exporters.Setup{Rule: "orders", Expressible: true, Lease: 2 * time.Hour,
		Parts:   []exporters.Part{{Literal: "stripe"}, {Path: []string{"body", "id"}}},
		Samples: []exporters.Sample{{Name: "an event", Key: "stripe:evt_1", Body: []byte(`{"id":"evt_1"}`)}},
		Details: map[string]string{"guard": guard, "table": "new_orders"}}
}

func stepsOf(t interface{ Fatal(...any) }, s exporters.Setup) map[string]exporters.Step {
	c, err := New().Build(s)
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string]exporters.Step{}
	for _, step := range c.Steps {
		steps[step.ID] = step
	}
	return steps
}

// bad are the characters that break a look-up by an alternate key.
const bad = `/<>*%&:\?+`

// TestK13NoColonReachesDataverse, and the step that makes the key says what it gives.
func TestK13NoColonReachesDataverse(t *testing.T) {
	steps := stepsOf(t, setup("row"))
	if got := spelled("stripe:evt_1"); got != "stripe|evt_1" {
		t.Errorf("key %q", got)
	}
	key := steps["key"]
	if key.Blocked != "" || !strings.Contains(key.Checks[0].Text, "stripe|evt_1, the rule's key") {
		t.Errorf("blocked %q, %+v", key.Blocked, key.Checks)
	}
	if !strings.Contains(steps["fits"].Checks[0].Text, "stripe|evt_1") {
		t.Errorf("%+v", steps["fits"].Checks)
	}
}

// TestKeysStayApart: two keys of a rule that differ still differ, and hold nothing that
// Dataverse cannot look up.
func TestKeysStayApart(t *testing.T) {
	part := rapid.StringOfN(rapid.RuneFrom([]rune(`aA1~|%/<>*&:\?+ -_ż`)), 1, 8, -1)
	escape := strings.NewReplacer("%", "%25", ":", "%3A")
	rapid.Check(t, func(t *rapid.T) {
		key := func(name string) string {
			return escape.Replace(part.Draw(t, name+"1")) + ":" + escape.Replace(part.Draw(t, name+"2"))
		}
		a, b := key("a"), key("b")
		if (a == b) != (spelled(a) == spelled(b)) {
			t.Fatalf("%q and %q become %q and %q", a, b, spelled(a), spelled(b))
		}
		if strings.ContainsAny(spelled(a), bad) {
			t.Fatalf("%q still holds one of %s", spelled(a), bad)
		}
	})
}

// TestTheExpressionSpellsTheKey: what our evaluator makes of it is the rule's key after
// the swaps, whatever stands in an event.
func TestTheExpressionSpellsTheKey(t *testing.T) {
	letters := rapid.StringOfN(rapid.RuneFrom([]rune(`aZ9~|%/<>*&:\?+'"@{}`)), 1, 10, -1)
	escape := strings.NewReplacer("%", "%25", ":", "%3A")
	rapid.Check(t, func(t *rapid.T) {
		literal, v := letters.Draw(t, "literal"), letters.Draw(t, "value")
		body, err := json.Marshal(map[string]any{"id": v})
		if err != nil {
			t.Fatal(err)
		}
		s := setup("row")
		s.Parts[0].Literal = literal
		s.Samples = []exporters.Sample{{Key: escape.Replace(literal) + ":" + escape.Replace(v), Body: body}}
		if strings.HasPrefix(v, "{") && strings.HasSuffix(v, "}") {
			return // cannot be told from a group of fields, and the run stops
		}
		if step := stepsOf(t, s)["key"]; step.Blocked != "" {
			t.Fatalf("%s\n%s", step.Blocked, step.Value)
		}
	})
}

func TestKeysThatDoNotFit(t *testing.T) {
	long := strings.Repeat("/", 150) // three characters each
	for name, tt := range map[string]struct {
		keys []string
		want string
	}{
		"450 characters":         {[]string{long}, exporters.OK},
		"K14 453 characters":     {[]string{long + "/"}, exporters.Fail},
		"K03 capitals alone":     {[]string{"mail:AAMkAbC=", "mail:AAMkaBc="}, exporters.Fail},
		"the same key is a copy": {[]string{"a:1", "a:1"}, exporters.OK},
		"nothing to check":       {[]string{""}, exporters.Warn},
	} {
		var s exporters.Setup
		for _, k := range tt.keys {
			s.Samples = append(s.Samples, exporters.Sample{Key: k})
		}
		step := fitStep(s)
		if step.Checks[0].Result != tt.want || (step.Blocked != "") != (tt.want == exporters.Fail) {
			t.Errorf("%s: %+v", name, step.Checks)
		}
	}
}

// A table refuses a second row of one key, as an Active alternate key does.
type table struct {
	rows map[string]map[string]any // by id
	next int
	busy bool
}

func (d *table) connect(operation string, p map[string]any) flowtest.Answer {
	if d.busy {
		return flowtest.Answer{Status: 412, Body: []byte(`{"error":{"code":"0x80060882","message":"The version of the existing record doesn't match the RowVersion property provided."}}`)}
	}
	id := fmt.Sprint(p["recordId"])
	switch operation {
	case "CreateRecord":
		for _, row := range d.rows {
			if row["new_eventkey"] == p["item/new_eventkey"] {
				return flowtest.Answer{Status: 412, Body: []byte(`{"error":{"code":"0x80060892","message":"Entity Key Event key violated."}}`)}
			}
		}
		d.next++
		id = fmt.Sprintf("00000000-0000-0000-0000-%012d", d.next)
		row := map[string]any{"new_eventclaimid": id, "new_eventkey": p["item/new_eventkey"], "new_status": p["item/new_status"], "new_runid": p["item/new_runid"]}
		d.rows[id] = row
		data, err := json.Marshal(row)
		if err != nil {
			panic(err)
		}
		return flowtest.Answer{Status: 201, Body: data}
	case "UpdateRecord":
		if d.rows[id] == nil {
			d.rows[id] = map[string]any{} // it makes what is missing
		}
		d.rows[id]["new_status"], d.rows[id]["new_result"] = p["item/new_status"], p["item/new_result"]
	case "DeleteRecord":
		delete(d.rows, id)
	}
	return flowtest.Answer{Status: 200, Body: []byte(`{}`)}
}

// TestPeers71TheTableOfKeysStopsCopies: copies, a failure, a new try, and 412 for another
// reason.
func TestPeers71TheTableOfKeysStopsCopies(t *testing.T) {
	step := stepsOf(t, setup("other"))["paste-new"]
	if findings := flowdef.Validate([]byte(step.Value)); len(findings) > 0 {
		t.Fatal(findings)
	}
	var clip struct {
		Scope json.RawMessage `json:"serializedOperation"`
	}
	if err := json.Unmarshal([]byte(step.Value), &clip); err != nil {
		t.Fatal(err)
	}
	d, works := &table{rows: map[string]map[string]any{}}, 0
	run := func(id string, fails bool) *flowtest.Run {
		r := &flowtest.Run{ID: id, Trigger: []byte(`{"body":{"id":"evt/1"}}`), Connect: d.connect, Work: func(any) (any, error) {
			works++
			if fails {
				return nil, errors.New("fails")
			}
			return "PO-1", nil
		}}
		if err := r.Do([]byte(`{"actions":{"s":` + string(clip.Scope) + `}}`)); err != nil {
			t.Fatal(err)
		}
		return r
	}
	d.busy = true
	if r := run("r0", false); r.Status != "Failed" || r.Error != "no_answer" || works != 0 {
		t.Errorf("412 for a lock: %s %s, %d works", r.Status, r.Error, works)
	}
	d.busy = false
	if r := run("r1", true); r.Status != "Failed" || len(d.rows) != 0 {
		t.Errorf("failure: %s, rows %v", r.Status, d.rows)
	}
	if r := run("r2", false); r.Status != "Succeeded" || works != 2 {
		t.Errorf("new try: %s, %d works", r.Status, works)
	}
	for _, row := range d.rows {
		if row["new_eventkey"] != "stripe|evt~2F1" || row["new_status"] != "Done" || row["new_result"] != "PO-1" || row["new_runid"] != "r2" {
			t.Errorf("row %v", row)
		}
	}
	if r := run("r3", false); r.Status != "Cancelled" || works != 2 || len(d.rows) != 1 {
		t.Errorf("copy: %s, %d works, rows %v", r.Status, works, d.rows)
	}
}

func TestNames(t *testing.T) {
	for typed, want := range map[string]string{"": defaultClaims, " New_EventClaim ": "new_eventclaim", "cr123_claims": "cr123_claims"} {
		d, err := readStore(exporters.Setup{Details: map[string]string{"claims": typed}})
		if err != nil || d.table != want {
			t.Errorf("%q: %q, %v", typed, d.table, err)
		}
	}
	for _, details := range []map[string]string{{"claims": "claims"}, {"column": "Event Key"}, {"table": "new_orders'"}, {"claims": "new_" + strings.Repeat("a", 50)}} {
		_, errStore := readStore(exporters.Setup{Details: details})
		_, errTarget := readTarget(exporters.Setup{Details: details})
		var input *exporters.InputError
		if !errors.As(errors.Join(errStore, errTarget), &input) || details[input.Field] == "" {
			t.Errorf("%v: %v %v", details, errStore, errTarget)
		}
	}
	if got := (store{"new_box"}).set(); got != "new_boxes" {
		t.Errorf("set %q", got)
	}
	if t1, err := readTarget(exporters.Setup{Details: map[string]string{"table": "accounts"}}); err != nil || t1.table != "accounts" {
		t.Errorf("%+v, %v", t1, err)
	}
}
