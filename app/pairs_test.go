package main_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// importRules imports rule files as a person would.
func (h *house) importRules(names ...string) {
	h.t.Helper()
	for _, name := range names {
		h.must("rule", "import", filepath.Join("..", "rules", "testdata", "import", name))
	}
}

// A pair is two deliveries, and whether they are one event.
type pair struct {
	Rule  string   `json:"rule"` // the file in rules/testdata/import that proves it
	Same  bool     `json:"same_event"`
	Keys  []string `json:"expected_keys"`
	Why   string   `json:"why"`
	bodys [2]string
	heads [2]map[string]string
}

func readPair(t *testing.T, dir string) pair {
	t.Helper()
	var p pair
	data, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &p); err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	for i, name := range []string{"first", "second"} {
		body, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		p.bodys[i] = string(body)
		p.heads[i] = readHeaders(t, filepath.Join(dir, name+".headers.json"))
	}
	return p
}

func readHeaders(t *testing.T, path string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var h struct{ Headers map[string]string }
	if err := json.Unmarshal(data, &h); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return h.Headers
}

// TestPairsOverHTTP drives imported rules with real deliveries: of copies exactly
// one is claimed, of different events each is, and the keys are the expected ones.
func TestPairsOverHTTP(t *testing.T) {
	dirs, err := filepath.Glob("../rules/testdata/pairs/*")
	if err != nil {
		t.Fatal(err)
	}
	senders := map[string]bool{}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		p := readPair(t, dir)
		senders[p.Rule] = true
		t.Run(filepath.Base(dir), func(t *testing.T) {
			eachBackend(t, func(t *testing.T, h *house) { drivePair(t, h, p) })
		})
	}
	for _, want := range []string{"stripe.yaml", "shopify.yaml", "github.yaml", "sharepoint.yaml"} {
		if !senders[want] {
			t.Errorf("no pair is driven through %s", want)
		}
	}
}

func drivePair(t *testing.T, h *house, p pair) {
	h.importRules(p.Rule)
	name := h.onlyRule()
	claimed := 0
	for i := range p.bodys {
		var header []string
		for k, v := range p.heads[i] {
			if k != "Content-Type" && k != "content-type" && k != "Host" && k != "Content-Length" {
				header = append(header, k, v)
			}
		}
		a := h.call(http.MethodPost, "/v1/rules/"+name+"/claim", "application/json", p.bodys[i], header...)
		if a.Code != http.StatusOK {
			t.Fatalf("delivery %d: %d %s", i+1, a.Code, a.Raw)
		}
		if a.text("key") != p.Keys[i] {
			t.Errorf("delivery %d: key %q, want %q", i+1, a.text("key"), p.Keys[i])
		}
		if a.Body["run"] == true {
			claimed++
		}
	}
	want := 2
	if p.Same {
		want = 1
	}
	if claimed != want {
		t.Errorf("%d of 2 deliveries were claimed, want %d: %s", claimed, want, p.Why)
	}
}

// onlyRule returns the one rule besides default.
func (h *house) onlyRule() string {
	h.t.Helper()
	a := h.call(http.MethodGet, "/v1/rules", "", "", "Authorization", "Bearer "+h.admin)
	list, _ := a.Body["rules"].([]any)
	for _, entry := range list {
		if name, _ := entry.(map[string]any)["rule"].(string); name != "default" {
			return name
		}
	}
	h.t.Fatalf("no rule was imported: %s", a.Raw)
	return ""
}
