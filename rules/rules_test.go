package rules

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func newEngine(tb testing.TB) *Engine {
	tb.Helper()
	e, err := New()
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func mustCompile(tb testing.TB, e *Engine, r *Rule) *Program {
	tb.Helper()
	p, issues := e.Compile(r)
	if issues != nil {
		tb.Fatalf("compile %q: %v", r.Key, issues)
	}
	return p
}

// keyOf returns the key of a sample, or the code of what is in the way.
func keyOf(tb testing.TB, e *Engine, r *Rule, s Sample) (key, code string) {
	tb.Helper()
	event, err := s.Event()
	if err != nil {
		return "", "bad_sample"
	}
	keyed, err := mustCompile(tb, e, r).Keys(tb.Context(), event)
	if err != nil {
		return "", codeOf(tb, err)
	}
	return keyed[0].Key, ""
}

func codeOf(tb testing.TB, err error) string {
	tb.Helper()
	fault, ok := errors.AsType[*KeyError](err)
	if !ok {
		tb.Fatalf("%v is a %T, want a *KeyError", err, err)
	}
	return string(fault.Code)
}

func mustRule(tb testing.TB, file string) *Rule {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "import", file))
	if err != nil {
		tb.Fatal(err)
	}
	r, err := Parse(data)
	if err != nil {
		tb.Fatalf("%s: %v", file, err)
	}
	return r
}

// pair is a folder of testdata/pairs.
type pair struct {
	samples [2]Sample
	expect  struct {
		Kind         string   `json:"kind"`
		SameEvent    bool     `json:"same_event"`
		Rule         string   `json:"rule"`
		ExpectedKeys []string `json:"expected_keys"`
		BusinessRule string   `json:"business_rule"`
		BusinessKeys []string `json:"business_keys"`
	}
}

func mustPair(tb testing.TB, dir string) pair {
	tb.Helper()
	var p pair
	read := func(name string, into any) bool {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) {
			return false
		}
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			tb.Fatalf("%s/%s: %v", dir, name, err)
		}
		return true
	}
	for i, name := range []string{"first", "second"} {
		body, err := os.ReadFile(filepath.Join(dir, name+".json"))
		if err != nil {
			tb.Fatal(err)
		}
		p.samples[i].Body = string(body)
		var file struct {
			Headers map[string]string `json:"headers"`
		}
		if read(name+".headers.json", &file) {
			p.samples[i].Headers = file.Headers
		}
	}
	if !read("expect.json", &p.expect) {
		tb.Fatalf("%s has no expect.json", dir)
	}
	return p
}
