package makecom

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
)

// read is the part of a blueprint that these tests look at.
type read struct {
	Flow []readModule `json:"flow"`
}

type readModule struct {
	ID     int    `json:"id"`
	Module string `json:"module"`
	Mapper struct {
		URL     string
		Status  string
		Headers []struct{ Name, Key, Value string }
		Fields  []pair `json:"urlEncodedBodyContent"`
	} `json:"mapper"`
	Branches []struct{ Flow []readModule }
	Routes   []struct{ Flow []readModule }
	OnError  []readModule `json:"onerror"`
}

// all lists the modules in depth.
func all(flow []readModule) []readModule {
	var list []readModule
	for _, m := range flow {
		list = append(append(list, m), all(m.OnError)...)
		for _, b := range m.Branches {
			list = append(list, all(b.Flow)...)
		}
		for _, r := range m.Routes {
			list = append(list, all(r.Flow)...)
		}
	}
	return list
}

func blueprintOf(t interface{ Fatal(...any) }, s exporters.Setup) []readModule {
	c, err := New().Build(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Files) != 1 {
		reason, _ := c.Blocked()
		t.Fatal("no file: ", reason)
	}
	var b read
	if err := json.Unmarshal(c.Files[0].Data, &b); err != nil {
		t.Fatal(err)
	}
	return all(b.Flow)
}

func fieldsOf(m readModule, name string) []string {
	var values []string
	for _, f := range m.Mapper.Fields {
		if f.Name == name {
			values = append(values, f.Value)
		}
	}
	return values
}

// oddText draws text with everything that a file, a formula or a form could trip over.
func oddText(least int) *rapid.Generator[string] {
	return rapid.StringOfN(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("\"'`\n\r\\\\{}<>&:%;=$@[]().|")), rapid.RuneFrom([]rune("שלום\u202e🙂e\u0301 "))), least, 20, -1)
}

// TestTextSurvivesTheFile: whatever stands in a rule's name, a literal, a stand-in or
// the name of a field comes out of the file as it was, or is refused in words.
func TestTextSurvivesTheFile(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rule, literal, stand := oddText(1).Draw(rt, "rule"), oddText(1).Draw(rt, "literal"), oddText(1).Draw(rt, "stand-in")
		field, list := oddText(1).Draw(rt, "field"), oddText(1).Draw(rt, "list")
		setup := exporters.Setup{Rule: rule, Expressible: true, Lease: time.Hour, Details: far(nil), Each: []string{"body", list},
			Parts: []exporters.Part{{Literal: literal}, {Path: []string{"item", field}}, {Path: []string{"item", field, "missing"}, Default: &stand}}}
		c, err := New().Build(setup)
		if err != nil {
			rt.Fatal(err)
		}
		plain := func(text string) bool {
			return !strings.ContainsAny(text, "{}`") && !strings.ContainsFunc(text, unicode.IsControl)
		}
		if reason, blocked := c.Blocked(); blocked {
			quiet := plain(stand) && !strings.ContainsAny(stand, `"\`)
			if reason == "" || !doubleBraces(rule) && !doubleBraces(literal) && plain(field) && plain(list) && quiet {
				rt.Fatalf("refused: %s", reason)
			}
			return
		}
		var form map[string]string
		m := newSim(t)
		m.call = func(what string, sent map[string]string) (map[string]any, *simError) {
			if what == "claim" {
				form = sent
			}
			return map[string]any{"status": "claimed", "key": "k"}, nil
		}
		m.play(c.Files[0].Data, map[string]any{list: []any{map[string]any{field: "value"}}})
		for name, want := range map[string]string{"rule": rule, "part.1": literal, "part.2": "value", "part.3": stand, "owner": "run-1"} {
			if form[name] != want {
				rt.Fatalf("%s came out as %q, want %q", name, form[name], want)
			}
		}
	})
}

// TestRoundTrip: each file of each choice is sound to the validator, reads back as what
// was written, and says what was chosen.
func TestRoundTrip(t *testing.T) {
	choices := []exporters.Field{exporters.RetriesQuestion(), replyQuestion(), triggerField(), orderField()}
	total := 1
	for _, f := range choices {
		total *= len(f.Choices)
	}
	for n := range total {
		for _, route := range []string{exporters.RouteLedger, exporters.RouteStore} {
			details, rest := far(map[string]string{exporters.RouteDetail: route}), n
			for _, f := range choices {
				details[f.Name] = f.Choices[rest%len(f.Choices)].Value
				rest /= len(f.Choices)
			}
			setup := orderSetup(details)
			if n%2 == 1 {
				setup.IfUnreachable, setup.Each = "go_on", []string{"body", "lines"}
				setup.Parts = append(setup.Parts, exporters.Part{Path: []string{"item", "sku"}})
			}
			for _, f := range built(t, setup) {
				checkFile(t, fmt.Sprint(details), f, details)
			}
		}
	}
}

func checkFile(t *testing.T, name string, f exporters.File, details map[string]string) {
	t.Helper()
	resumes := details["retries"] == exporters.RetriesPlatform
	ordered := details[exporters.RouteDetail] == exporters.RouteStore && details["order"] == inOrder
	main := !strings.Contains(f.Name, "-care")
	for _, finding := range Validate(f.Data) {
		if !main || !resumes || !ordered || !strings.Contains(finding.Text, "one failed run stops") {
			t.Errorf("%s: %s: %+v", name, f.Name, finding)
		}
	}
	var b blueprint
	d := json.NewDecoder(bytes.NewReader(f.Data))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		t.Fatalf("%s: %s: %v", name, f.Name, err)
	}
	again, err := b.text()
	if err != nil {
		t.Fatal(err)
	}
	var first, second any
	unset := bytes.ReplaceAll(f.Data, []byte("\"mapper\": null,"), nil) // null is there for Make; it reads back as nothing
	if json.Unmarshal(unset, &first) != nil || json.Unmarshal(again, &second) != nil || !reflect.DeepEqual(first, second) {
		t.Errorf("%s: %s reads back as something else", name, f.Name)
	}
	want := scenario{Roundtrips: 1, MaxErrors: 3, AutoCommit: true, AutoCommitTriggerLast: true, DLQ: resumes && main, Sequential: ordered && main}
	if b.Metadata.Scenario != want || b.Metadata.Instant != (main && details["trigger"] != poll) || !strings.HasSuffix(b.Name, ": orders") {
		t.Errorf("%s: %s: %q %+v", name, f.Name, b.Name, b.Metadata)
	}
}

func senderSetup() exporters.Setup {
	return exporters.Setup{Rule: "orders", Expressible: true, Lease: time.Hour,
		Details: map[string]string{"computer": "always", "address": "https://dedupe.example.com"},
		Parts:   []exporters.Part{{Literal: "shop"}, {Path: []string{"body", "id"}}}}
}

// TestCallsCarryRuleKeyAndOwner looks at each call to the ledger.
func TestCallsCarryRuleKeyAndOwner(t *testing.T) {
	for _, retries := range []string{exporters.RetriesSender, exporters.RetriesPlatform} {
		s := senderSetup()
		s.Lease = 10 * time.Hour
		s.Details["retries"] = retries
		seen := map[string]int{}
		for _, m := range blueprintOf(t, s) {
			if m.Module != "http:MakeRequest" {
				continue
			}
			what := strings.TrimPrefix(m.Mapper.URL, "https://dedupe.example.com/v1/")
			seen[what]++
			if m.Mapper.Headers[0].Value != "Bearer "+exporters.Placeholder {
				t.Errorf("%s: header %q", what, m.Mapper.Headers[0].Value)
			}
			if got := fieldsOf(m, "owner"); len(got) != 1 || got[0] != "{{executionId}}" {
				t.Errorf("%s: owner %q", what, got)
			}
			if got := fieldsOf(m, "rule"); len(got) != 1 || got[0] != "orders" {
				t.Errorf("%s: rule %q", what, got)
			}
			if key := fieldsOf(m, "key"); (what == "claim") != (len(key) == 0) {
				t.Errorf("%s: key %q", what, key)
			}
			for _, f := range m.Mapper.Fields {
				if f.Name == "token" {
					t.Errorf("%s sends a token", what)
				}
			}
		}
		releases := 1
		if retries == exporters.RetriesPlatform {
			releases = 0 // the run that Make goes on with still holds its key
		}
		if seen["claim"] != 1 || seen["done"] != 1 || seen["release"] != releases || len(seen) != 2+releases {
			t.Errorf("%s: calls %v", retries, seen)
		}
	}
}

// TestTheSenderHearsBeforeTheKeyIsGivenBack: a ledger out of reach must not keep the
// failure from it.
func TestTheSenderHearsBeforeTheKeyIsGivenBack(t *testing.T) {
	for _, m := range blueprintOf(t, senderSetup()) {
		if m.ID == workID && (m.OnError[0].Module != "gateway:WebhookRespond" || !strings.HasSuffix(m.OnError[1].Mapper.URL, "/v1/release") || len(m.OnError[1].OnError) == 0) {
			t.Errorf("error route %+v", m.OnError)
		}
	}
}

func TestLeaseAgainstMakesTries(t *testing.T) {
	for _, tt := range []struct {
		retries string
		lease   time.Duration
		want    string
	}{
		{exporters.RetriesSender, 15 * time.Minute, exporters.Warn},
		{exporters.RetriesSender, 40 * time.Minute, exporters.OK},
		{exporters.RetriesPlatform, 7*time.Hour + 51*time.Minute, exporters.Fail},
		{exporters.RetriesPlatform, 10 * time.Hour, exporters.OK},
	} {
		s := senderSetup()
		s.Lease, s.Details["retries"] = tt.lease, tt.retries
		c, err := New().Build(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Steps[1].Checks[0]; got.Result != tt.want {
			t.Errorf("%s %s: %+v", tt.retries, tt.lease, got)
		}
		if _, blocked := c.Blocked(); blocked != (tt.want == exporters.Fail) || blocked != (len(c.Files) == 0) {
			t.Errorf("%s %s: blocked %v, %d files", tt.retries, tt.lease, blocked, len(c.Files))
		}
	}
}

func TestMappings(t *testing.T) {
	stand := "none"
	for _, tt := range []struct {
		part    exporters.Part
		arrival string
		want    string
	}{
		{exporters.Part{Literal: "a\"b"}, top, `a"b`},
		{exporters.Part{Path: []string{"body", "data", "id"}}, top, "{{1.data.id}}"},
		{exporters.Part{Path: []string{"body", "data", "id"}}, "body", "{{1.body.data.id}}"},
		{exporters.Part{Path: []string{"body", "[0]", "id"}}, "data", "{{1.data[1].id}}"},
		{exporters.Part{Path: []string{"body", "{VersionNumber}"}}, top, ""},
		{exporters.Part{Path: []string{"body", "@odata.etag"}}, top, "{{1.`@odata.etag`}}"},
		{exporters.Part{Path: []string{"body", "1st"}}, top, "{{1.`1st`}}"},
		{exporters.Part{Path: []string{"body", "a`b"}}, top, ""},
		{exporters.Part{Path: []string{"body", "a"}, Steps: []string{"upper", "lower"}}, top, "{{lower(upper(1.a))}}"},
		{exporters.Part{Path: []string{"body", "a"}, Default: &stand}, top, `{{ifempty(trim(1.a); "none")}}`},
		{exporters.Part{Path: []string{"headers", "X-GitHub-Delivery"}}, top, "{{get(map(1.`__IMTHEADERS__`; \"value\"; \"name\"; \"x-github-delivery\"); 1)}}"},
		{exporters.Part{Path: []string{"headers", `x"y`}}, top, ""},
		{exporters.Part{Path: []string{"body"}}, top, ""},
		{exporters.Part{Path: []string{"item", "sku"}}, top, ""},
		{exporters.Part{Path: []string{"query", "id"}}, top, ""},
		{exporters.Part{Path: []string{"body", "a"}, Steps: []string{"day:Europe/Warsaw"}}, top, ""},
		{exporters.Part{Path: []string{"body", "a"}, Steps: []string{"lower", "secret"}}, top, ""},
	} {
		got, err := reader{arrival: tt.arrival}.mapPart(0, tt.part)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%+v: %q, %v, want %q", tt.part, got, err, tt.want)
		}
	}
}

func TestFileNames(t *testing.T) {
	for rule, want := range map[string]string{
		"paid-invoices": "make-paid-invoices.blueprint.json", "Żółw/../x": "make----w----x.blueprint.json", strings.Repeat("a", 200): "make-" + strings.Repeat("a", 60) + ".blueprint.json",
	} {
		if got := fileName(rule, ""); got != want {
			t.Errorf("%q: %q, want %q", rule, got, want)
		}
	}
}

// TestIgnoredCapitalsAreLeftToTheRule: the server makes the key of the parts, and
// puts it into small letters there.
func TestIgnoredCapitalsAreLeftToTheRule(t *testing.T) {
	s := senderSetup()
	want, err := New().Build(s)
	if err != nil {
		t.Fatal(err)
	}
	s.FoldCase = true
	got, err := New().Build(s)
	if err != nil || string(got.Files[0].Data) != string(want.Files[0].Data) {
		t.Errorf("the scenario differs: %v", err)
	}
}
