package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// pairCase is case.yaml of two deliveries in testdata/samples/pairs.
type pairCase struct {
	Sender, Origin, Why string
	SameEvent           bool `yaml:"same_event"`
	Each, Key           string
	Keys                []string // of the first and the second
	Trap                struct {
		Key, Says string
		Code      string
		Fix       string // the formula that one click makes; "add" for any
	}
}

// TestCorpusPairs judges two deliveries of one event, or of two that look alike. The
// right key passes; the key that people take at first gets the verdict that tells
// them, and one click makes a key that passes.
func TestCorpusPairs(t *testing.T) {
	e := corpusEngine(t)
	files, err := filepath.Glob("testdata/samples/pairs/*.txtar")
	done, _ := os.ReadDir("testdata/pairs")
	if err != nil || len(files) != 15 || len(done) != 10 {
		t.Errorf("%d pairs here and %d of TestPairs, want 25 in all; %v", len(files), len(done), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			var c pairCase
			parts := readCase(t, file, &c)
			group := "B"
			if c.SameEvent {
				group = "A"
			}
			s := []rules.Sample{delivery(t, parts, "first", "first.headers.json", "A"), delivery(t, parts, "second", "second.headers.json", group)}
			if c.Key != "" {
				c.right(t, e, s)
			}
			c.trap(t, e, s)
		})
	}
}

func (c pairCase) right(t *testing.T, e *rules.Engine, s []rules.Sample) {
	t.Helper()
	j := e.Judge(t.Context(), &rules.Rule{Key: c.Key, Each: c.Each, Samples: s})
	if got := []string{j.Samples[0].Key, j.Samples[1].Key}; !slices.Equal(got, c.Keys) {
		t.Errorf("keys are %q, want %q", got, c.Keys)
	}
	want := rules.OutcomeKeptApart
	if c.SameEvent {
		want = rules.OutcomeCopyStopped
	}
	if got := j.Samples[1].Outcome; got != want || fails(j) {
		t.Errorf("the second is %s, want %s: %+v", got, want, j.Verdicts)
	}
}

func (c pairCase) trap(t *testing.T, e *rules.Engine, s []rules.Sample) {
	t.Helper()
	r := &rules.Rule{Key: c.Trap.Key, Each: c.Each, Samples: s}
	j := e.Judge(t.Context(), r)
	i := slices.IndexFunc(j.Verdicts, func(v rules.Verdict) bool {
		return string(v.Code) == c.Trap.Code && strings.Contains(v.Text, c.Trap.Says)
	})
	if i < 0 {
		t.Fatalf("%s: no verdict %s that says %q: %+v", c.Trap.Key, c.Trap.Code, c.Trap.Says, j.Verdicts)
	}
	v := j.Verdicts[i]
	if c.Trap.Fix == "" {
		return
	}
	if v.Fix == nil || c.Trap.Fix != "add" && v.Fix.Formula != c.Trap.Fix {
		t.Fatalf("%s: the fix is %+v, want %s", c.Trap.Key, v.Fix, c.Trap.Fix)
	}
	r.Key = v.Fix.Formula
	if j = e.Judge(t.Context(), r); fails(j) {
		t.Errorf("the fix %s does not mend it: %+v", r.Key, j.Verdicts)
	}
}

func fails(j rules.Judgement) bool {
	return slices.ContainsFunc(j.Verdicts, func(v rules.Verdict) bool { return v.Fail })
}
