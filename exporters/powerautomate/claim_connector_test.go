package powerautomate

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// TestConnectorHoldsTheThreeCalls at the address with its path.
func TestConnectorHoldsTheThreeCalls(t *testing.T) {
	files, err := connectorFiles("https://example.com/dedupe")
	if err != nil {
		t.Fatal(err)
	}
	var api struct {
		Swagger, Host, BasePath string
		Schemes                 []string
		Paths                   map[string]map[string]struct{ OperationID string }
		Secure                  map[string]map[string]string `json:"securityDefinitions"`
	}
	if err := json.Unmarshal(files[0].Data, &api); err != nil {
		t.Fatal(err)
	}
	if api.Swagger != "2.0" || api.Host != "example.com" || api.BasePath != "/dedupe" || api.Schemes[0] != "https" || api.Secure["api_key"]["name"] != "X-Api-Key" {
		t.Errorf("%+v", api)
	}
	for path, id := range map[string]string{"/v1/claim": "Claim", "/v1/done": "Finish", "/v1/release": "LetItRunAgain"} {
		if api.Paths[path]["post"].OperationID != id {
			t.Errorf("%s: %+v", path, api.Paths[path])
		}
	}
}

// TestPartListGivesTheParts: the connector's expression comes to the same as the list in
// the flow.
func TestPartListGivesTheParts(t *testing.T) {
	letters := rapid.StringOfN(rapid.RuneFrom([]rune("aZ\"'\\{}<>&:%@$, ż🙂")), 1, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		literal, v := letters.Draw(t, "literal"), letters.Draw(t, "value")
		values, err := partValues([]exporters.Part{{Literal: literal}, {Path: []string{"body", "x"}}}, "")
		if err != nil {
			t.Fatal(err)
		}
		trigger, err := json.Marshal(map[string]any{"body": map[string]any{"x": v}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := wdl.Evaluate(trigger, (&wish{claim: claim{parts: values}}).partList(), wdl.Options{})
		if err != nil || !got.OK {
			t.Fatalf("%+v, %v", got, err)
		}
		var list []string
		if err := json.Unmarshal([]byte(got.Text), &list); err != nil || len(list) != 2 || list[0] != literal || list[1] != v {
			t.Fatalf("%s, %v", got.Text, err)
		}
	})
}
