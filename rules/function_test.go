package rules

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestFunctionsAreAllThereIs: the list that the editor offers and the language
// know the same calls, and every example gives what it says.
func TestFunctionsAreAllThereIs(t *testing.T) {
	e := secretEngine(t, zeros)
	known := map[string]bool{"in": true} // an operator
	for _, name := range e.names {
		known[name] = true
	}
	listed := map[string]bool{"in": true}
	for _, f := range Functions() {
		if listed[f.Name] {
			t.Errorf("%s is listed twice", f.Name)
		}
		listed[f.Name] = true
		if !known[f.Name] {
			t.Errorf("%s is listed, and no formula knows it", f.Name)
		}
		if f.Group == "" || !strings.HasSuffix(f.Help, ".") || strings.Count(f.Help, ". ") > 0 || !strings.Contains(f.Example, f.Name) || f.Gives == "" {
			t.Errorf("%s lacks its group, a sentence or an example: %+v", f.Name, f)
		}
		formula := f.Example
		if f.Name != "key" {
			formula = "key(" + formula + ")"
		}
		key, code := keyOf(t, e, &Rule{Key: formula}, Sample{Body: `{}`})
		if got, err := url.PathUnescape(key); err != nil || code != "" || got != f.Gives {
			t.Errorf("%s gives %q %s, want %q", f.Example, got, code, f.Gives)
		}
	}
	for name := range known {
		if !listed[name] {
			t.Errorf("formulas know %s, and the editor does not offer it", name)
		}
	}
}

func TestFunctionsTellMethodsApart(t *testing.T) {
	for name, method := range map[string]bool{"key": false, "trim": true, "math.round": false, "regex.extract": false, "size": true, "lists.range": false} {
		i := slices.IndexFunc(Functions(), func(f Function) bool { return f.Name == name })
		if i < 0 || Functions()[i].Method != method {
			t.Errorf("%s: at %d, want a method: %v", name, i, method)
		}
	}
}
