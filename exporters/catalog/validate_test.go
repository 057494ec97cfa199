package catalog

import (
	"maps"
	"strings"
	"testing"

	"dedupedesk/exporters"
)

// TestOwnFilesAreRecognised: whatever is generated is known again and has no fault.
func TestOwnFilesAreRecognised(t *testing.T) {
	known := map[string]bool{}
	for _, x := range All() {
		s := setups()["all typed"]
		for _, route := range []string{exporters.RouteLedger, exporters.RouteStore, exporters.RouteDestination, exporters.RouteNone} {
			s.Details = maps.Clone(setups()["all typed"].Details)
			maps.Copy(s.Details, map[string]string{"computer": "always", "address": "https://dedupe.example.com", exporters.RouteDetail: route})
			for _, f := range x.Fields() {
				if f.Name == "plan" {
					s.Details["plan"] = values(f)[len(f.Choices)-1]
				}
			}
			c, err := x.Build(s)
			if err != nil {
				continue // a way that it does not have
			}
			handed := map[string]string{}
			for _, f := range c.Files {
				handed[f.Name] = string(f.Data)
			}
			for _, step := range c.Steps {
				handed["step "+step.ID] = step.Value
			}
			for what, text := range handed {
				kind, findings := Validate([]byte(text))
				if kind == "" {
					continue // a line, a script, or another file that is no automation
				}
				known[kind] = true
				for _, finding := range findings {
					if finding.Result == exporters.Fail {
						t.Errorf("%s, %s: %s, %s: %s", x.Name(), route, what, finding.Where, finding.Text)
					}
				}
			}
		}
	}
	for _, k := range kinds() {
		if !known[k.name] {
			t.Errorf("no file of ours was recognised as %s", k.title)
		}
	}
}

func TestForeignFilesAreToldApart(t *testing.T) {
	for name, tt := range map[string]struct{ data, kind, words string }{
		"blueprint":         {`{"name":"x","flow":[]}`, KindBlueprint, ""},
		"workflow":          {`{"nodes":[],"connections":{}}`, KindWorkflow, ""},
		"workflow in list":  {`[{"name":"x","nodes":[],"connections":{}}]`, KindWorkflow, ""},
		"flow":              {`{"definition":{"triggers":{},"actions":{}}}`, KindFlow, ""},
		"with a byte order": {"\ufeff" + `{"name":"x","flow":[]}`, KindBlueprint, ""},
		"zaps":              {`{"metadata":{},"zaps":[]}`, "", "export of Zaps"},
		"outputs":           {`{"headers":{},"body":{}}`, "", "what a trigger sent"},
		"a number":          {`7`, "", "none of the files"},
		"cut off":           {"{\n \"flow\": [", "", "line 2, character"},
		"nothing":           {" \n", "", "nothing in it"},
		"packed":            {"PK\x03\x04abc", "", "packed file"},
		"a flow as text":    {`{"flow":"x"}`, "", "none of the files"},
	} {
		t.Run(name, func(t *testing.T) {
			kind, findings := Validate([]byte(tt.data))
			text := ""
			for _, f := range findings {
				text += f.Text + "\n"
			}
			if kind != tt.kind || !strings.Contains(text, tt.words) || (kind == "") != (KindTitle(kind) == "") {
				t.Errorf("kind %q, want %q: %s", kind, tt.kind, text)
			}
			if kind == "" && len(findings) != 1 {
				t.Errorf("%d findings, want one", len(findings))
			}
		})
	}
}

func FuzzValidate(f *testing.F) {
	for _, seed := range []string{`{"flow":[{"id":1}]}`, `{"nodes":[{}],"connections":{"a":{"main":[[null]]}}}`, `{"definition":{"triggers":{"a":1},"actions":{"b":[]}}}`, `[[]]`, `null`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		kind, findings := Validate(data)
		if kind == "" && len(findings) != 1 {
			t.Fatalf("%d findings for an unknown file", len(findings))
		}
		for _, x := range findings {
			if x.Text == "" || (x.Result != exporters.Fail && x.Result != exporters.Warn) {
				t.Fatalf("finding %+v", x)
			}
		}
	})
}
