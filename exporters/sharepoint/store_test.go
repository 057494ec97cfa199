package sharepoint

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
	"dedupedesk/exporters/flowdef/flowtest"
)

func claimsSetup() exporters.Setup {
	return exporters.Setup{Rule: "orders", Expressible: true, Lease: 2 * time.Hour,
		Parts:   []exporters.Part{{Literal: "shop"}, {Path: []string{"body", "id"}}},
		Details: map[string]string{"guard": "other", "site": "https://example.sharepoint.com/sites/ops"}}
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

// A list is a SharePoint list whose titles are unique, capitals aside.
type list struct {
	rows map[string]map[string]any // by title in small letters
	next int
	busy bool
}

func (l *list) connect(operation string, p map[string]any) flowtest.Answer {
	if l.busy {
		return flowtest.Answer{Status: 503, Body: []byte(`{"status":503,"message":"The server is busy."}`)}
	}
	title := strings.ToLower(fmt.Sprint(p["item/Title"]))
	switch operation {
	case "PostItem":
		if l.rows[title] != nil {
			return flowtest.Answer{Status: 400, Body: []byte(`{"status":400,"message":"The list item could not be added or updated because duplicate values were found in the following field(s) in the list: [Title]."}`)}
		}
		l.next++
		row := map[string]any{"ID": l.next, "Title": p["item/Title"], "Status": p["item/Status"], "RunId": p["item/RunId"]}
		l.rows[title] = row
		data, err := json.Marshal(row)
		if err != nil {
			panic(err)
		}
		return flowtest.Answer{Status: 201, Body: data}
	case "PatchItem", "DeleteItem":
		for name, row := range l.rows {
			if fmt.Sprint(row["ID"]) != fmt.Sprint(p["id"]) {
				continue
			}
			if operation == "DeleteItem" {
				delete(l.rows, name)
			} else {
				row["Status"], row["Result"] = p["item/Status"], p["item/Result"]
			}
			return flowtest.Answer{Status: 200, Body: []byte(`{}`)}
		}
	}
	return flowtest.Answer{Status: 404, Body: []byte(`{"message":"Item not found."}`)}
}

// run drives the pasted scope once.
func run(t *testing.T, l *list, pasted, id, trigger string, work func(any) (any, error)) *flowtest.Run {
	t.Helper()
	var clip struct {
		Name  string          `json:"nodeId"`
		Scope json.RawMessage `json:"serializedOperation"`
	}
	if err := json.Unmarshal([]byte(pasted), &clip); err != nil {
		t.Fatal(err)
	}
	r := &flowtest.Run{ID: id, Trigger: []byte(trigger), Connect: l.connect, Work: work}
	if err := r.Do([]byte(`{"actions":{"` + clip.Name + `":` + string(clip.Scope) + `}}`)); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPeers71TheClaimsListStopsCopies: copies, a failure, a new try, and a list that does
// not answer.
func TestPeers71TheClaimsListStopsCopies(t *testing.T) {
	pasted := stepsOf(t, claimsSetup())["paste-new"].Value
	l, works := &list{rows: map[string]map[string]any{}}, 0
	work := func(any) (any, error) { works++; return "PO-1", nil }
	broken := func(any) (any, error) { works++; return nil, errors.New("fails") }
	event := `{"body":{"id":"a:7"}}`

	l.busy = true
	if r := run(t, l, pasted, "r0", event, work); r.Status != "Failed" || r.Error != "no_answer" || works != 0 {
		t.Errorf("busy list: %s %s, %d works", r.Status, r.Error, works)
	}
	l.busy = false
	if r := run(t, l, pasted, "r1", event, broken); r.Status != "Failed" || r.Error != "work_failed" || len(l.rows) != 0 {
		t.Errorf("failure: %s %s, rows %v", r.Status, r.Error, l.rows)
	}
	if r := run(t, l, pasted, "r2", event, work); r.Status != "Succeeded" || works != 2 {
		t.Errorf("new try: %s, %d works", r.Status, works)
	}
	row := l.rows["shop:a%3a7"]
	if row["Status"] != "Done" || row["Result"] != "PO-1" || row["RunId"] != "r2" {
		t.Errorf("row %v", row)
	}
	if r := run(t, l, pasted, "r3", event, work); r.Status != "Cancelled" || works != 2 {
		t.Errorf("copy: %s, %d works", r.Status, works)
	}
	if r := run(t, l, pasted, "r4", `{"body":{"id":null}}`, work); r.Status != "Failed" || works != 2 || len(l.rows) != 1 {
		t.Errorf("empty part: %s, %d works, rows %v", r.Status, works, l.rows)
	}
}

// TestLinesInTheClaimsList: each line has its row.
func TestLinesInTheClaimsList(t *testing.T) {
	s := claimsSetup()
	s.Each = []string{"body", "lines"}
	s.Parts = []exporters.Part{{Path: []string{"body", "id"}}, {Path: []string{"item", "sku"}}}
	s.Samples = []exporters.Sample{{Key: "7:A", Body: []byte(`{"id":7,"lines":[{"sku":"A"}]}`), Item: []byte(`{"sku":"A"}`)}}
	pasted := stepsOf(t, s)["paste-new"].Value
	l, worked := &list{rows: map[string]map[string]any{}}, ""
	work := func(item any) (any, error) {
		sku := item.(map[string]any)["sku"].(string)
		worked += sku
		if sku == "B" && !strings.Contains(worked, "C") {
			return nil, errors.New("fails")
		}
		return sku, nil
	}
	event := `{"body":{"id":7,"lines":[{"sku":"A"},{"sku":"B"},{"sku":"A"}]}}`
	if r := run(t, l, pasted, "r1", event, work); r.Status != "Failed" || worked != "AB" || len(l.rows) != 1 {
		t.Errorf("%s, worked %s, rows %v", r.Status, worked, l.rows)
	}
	worked = "C"
	if r := run(t, l, pasted, "r2", event, work); r.Status != "Succeeded" || worked != "CB" || len(l.rows) != 2 {
		t.Errorf("%s, worked %s, rows %v", r.Status, worked, l.rows)
	}
}

// TestStoreTextsSurvive: names in a key come out of the pasted scope as they were.
func TestStoreTextsSurvive(t *testing.T) {
	letters := rapid.StringOfN(rapid.RuneFrom([]rune("aZ\"'\\{}<>&:%@$ ż🙂א")), 1, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		literal, field := letters.Draw(t, "literal"), letters.Draw(t, "field")
		if strings.TrimSpace(literal) == "" || strings.Join(strings.Fields(literal), " ") != literal {
			return
		}
		s := claimsSetup()
		s.Parts = []exporters.Part{{Literal: literal}, {Path: []string{"body", field}}}
		step := stepsOf(t, s)["paste-classic"]
		if findings := flowdef.Validate([]byte(step.Value)); step.Blocked != "" || len(findings) > 0 {
			t.Fatalf("%s %+v", step.Blocked, findings)
		}
		var clip struct {
			Scope json.RawMessage `json:"operationDefinition"`
		}
		body, err := json.Marshal(map[string]any{"body": map[string]any{field: "x"}})
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(step.Value), &clip); err != nil {
			t.Fatal(err)
		}
		got := ""
		r := flowtest.Run{ID: "1", Trigger: body, Connect: func(_ string, p map[string]any) flowtest.Answer {
			got, _ = p["item/Title"].(string)
			return flowtest.Answer{Lost: true}
		}}
		if err := r.Do([]byte(`{"actions":{"s":` + string(clip.Scope) + `}}`)); err != nil {
			t.Fatal(err)
		}
		if want := strings.NewReplacer("%", "%25", ":", "%3A").Replace(literal) + ":x"; got != want {
			t.Fatalf("key %q, want %q", got, want)
		}
	})
}

// TestBatchIsABatch: read back, it adds four columns to the list.
func TestBatchIsABatch(t *testing.T) {
	body := stepsOf(t, claimsSetup())["rest-columns"].Value
	outer, err := multipart.NewReader(strings.NewReader(body), boundary).NextPart()
	if err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(outer.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	set, names := multipart.NewReader(outer, params["boundary"]), ""
	for {
		part, err := set.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		request, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		head, payload, ok := strings.Cut(string(request), "\n\n")
		var column struct{ Title string }
		if !ok || !strings.HasPrefix(head, "POST https://example.sharepoint.com/sites/ops/_api/web/lists/getbytitle('Claims')/fields HTTP/1.1\n") || json.Unmarshal([]byte(payload), &column) != nil {
			t.Errorf("request %q", request)
		}
		names += column.Title + " "
	}
	if names != "Status RunId ClaimedAt Result " {
		t.Errorf("columns %s", names)
	}
}

func TestBadSitesAreRefused(t *testing.T) {
	for _, typed := range []string{"http://example.sharepoint.com/sites/ops", "https://u:p@example.sharepoint.com", "ops", "https://example.sharepoint.com/sites/ops/Lists/Orders/AllItems.aspx", "https://example.sharepoint.com/sites/ops?x=1", "https://example.sharepoint.com/a b"} {
		_, err := readSite(typed)
		var input *exporters.InputError
		if !errors.As(err, &input) || input.Field != "site" {
			t.Errorf("%q: %v", typed, err)
		}
	}
	if site, err := readSite(" example.sharepoint.com/sites/ops/ "); err != nil || site != "https://example.sharepoint.com/sites/ops" {
		t.Errorf("%q, %v", site, err)
	}
}

// TestAListOfKeysOrAColumn: what must not come twice decides.
func TestAListOfKeysOrAColumn(t *testing.T) {
	for guard, want := range map[string]string{"row": exporters.RouteDestination, "other": exporters.RouteStore} {
		s := claimsSetup()
		s.Details["guard"] = guard
		if way, ok := exporters.Advised(New().Ways(s)); !ok || way.Route != want {
			t.Errorf("%s: %+v", guard, way)
		}
	}
}
