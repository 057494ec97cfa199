package rules_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"

	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// corpusCase is case.yaml of a file of testdata/samples.
type corpusCase struct {
	Sender  string
	Origin  string // copied, reshaped or ours; see testdata/README.md
	Message *corpusLevel
	Thing   *corpusLevel
	Ignored bool     // the condition leaves the delivery out: it is no event
	Refused string   // the event gets no key, with this sentence
	Unread  string   // the body cannot be read, with this sentence
	NoKey   bool     `yaml:"no_safe_key"` // nothing in the delivery names the event
	Preset  []string // the keys of the sender's preset, where it names the event in another way
}

type corpusLevel struct {
	Each, When, Key string
	Keys            []string
	Advice          []string // what is rightly said against this key
	Merged          bool     // items of the delivery are about one thing
}

func (l corpusLevel) rule(s ...rules.Sample) *rules.Rule {
	return &rules.Rule{Key: l.Key, Each: l.Each, When: l.When, Samples: s}
}

func readCase(t *testing.T, file string, into any) map[string]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range txtar.Parse(data).Files {
		parts[f.Name] = string(f.Data)
	}
	d := yaml.NewDecoder(strings.NewReader(parts["case.yaml"]))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return parts
}

// delivery makes a sample of a case's parts. The archive ends every part with a line
// break, which a form does not have.
func delivery(t *testing.T, parts map[string]string, body, headers, group string) rules.Sample {
	t.Helper()
	s := rules.Sample{Group: group, Body: parts[body]}
	if text := parts[headers]; text != "" {
		if err := json.Unmarshal([]byte(text), &s.Headers); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(s.Headers["Content-Type"], "urlencoded") {
		s.Body = strings.TrimSuffix(s.Body, "\n")
	}
	return s
}

func corpusEngine(t *testing.T) *rules.Engine {
	t.Helper()
	e, err := rules.New(rules.WithSenders(presets.Known))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestCorpus holds every delivery to the keys that its sender's documents speak for,
// at both levels; or to the sentence with which it is refused. Advice has nothing
// against these keys but what the case names, and a simulated resend keeps them.
func TestCorpus(t *testing.T) {
	e := corpusEngine(t)
	n := map[string]int{}
	err := filepath.WalkDir("testdata/samples", func(file string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".txtar" || strings.Contains(file, "pairs") {
			return err
		}
		t.Run(strings.TrimPrefix(file, "testdata/samples/"), func(t *testing.T) {
			var c corpusCase
			parts := readCase(t, file, &c)
			n[c.Origin]++
			c.check(t, e, delivery(t, parts, "body", "headers.json", "A"))
		})
		return nil
	})
	if total := n["copied"] + n["reshaped"] + n["ours"]; err != nil || total != 83 || n["copied"] != 34 {
		t.Errorf("%d deliveries %v, want 83 of which 34 are copied; %v", total, n, err)
	}
}

func (c corpusCase) check(t *testing.T, e *rules.Engine, s rules.Sample) {
	t.Helper()
	switch {
	case c.Unread != "":
		if _, err := s.Event(); err == nil || !strings.Contains(err.Error(), c.Unread) {
			t.Errorf("read with %v, want %q", err, c.Unread)
		}
	case c.NoKey:
		if got := e.Suggestions(t.Context(), &rules.Rule{}, rules.NewTree([]rules.Sample{s})); slices.ContainsFunc(got, func(g rules.Suggestion) bool { return !g.Known }) {
			t.Errorf("a key is guessed: %+v", got)
		}
	case c.Message == nil:
		t.Error("the case says nothing")
	default:
		c.levels(t, e, s)
	}
}

func (c corpusCase) levels(t *testing.T, e *rules.Engine, s rules.Sample) {
	t.Helper()
	j := e.Judge(t.Context(), c.Message.rule(s))
	row := j.Samples[0]
	switch {
	case c.Ignored:
		if row.Outcome != rules.OutcomeIgnored {
			t.Errorf("is not left out: %+v %+v", row, j.Verdicts)
		}
	case c.Refused != "":
		if row.Err == nil || !strings.Contains(row.Err.Msg, c.Refused) {
			t.Errorf("refused with %v, want %q", row.Err, c.Refused)
		}
	default:
		c.Message.holds(t, j, true)
		c.preset(t, e, s)
	}
	if c.Thing != nil {
		c.Thing.holds(t, e.Judge(t.Context(), c.Thing.rule(s)), false)
	}
}

// preset holds the preset that the delivery is recognised by to the same event keys.
// The name of the source before them is the preset's own.
func (c corpusCase) preset(t *testing.T, e *rules.Engine, s rules.Sample) {
	t.Helper()
	event, err := s.Event()
	if err != nil {
		t.Fatal(err)
	}
	sender, ok := presets.Known("", event)
	if !ok || sender.Name != c.Sender {
		t.Errorf("recognised as %q %v, want %q", sender.Name, ok, c.Sender)
		return
	}
	want := c.Message.Keys
	if c.Preset != nil {
		want = c.Preset
	}
	row := e.Judge(t.Context(), &rules.Rule{Key: sender.Key, Each: sender.Each, When: sender.When, Samples: []rules.Sample{s}}).Samples[0]
	if got := tails(row.Keys); !slices.Equal(got, tails(want)) {
		t.Errorf("%s, of the preset, gives %q %v, want %q", sender.Key, got, row.Err, want)
	}
}

// tails cuts the name of the source off.
func tails(keys []string) []string {
	out := make([]string, len(keys))
	for i, k := range keys {
		_, out[i], _ = strings.Cut(k, ":")
	}
	return out
}

// holds checks the keys of the one sample, and what is said of them.
func (l corpusLevel) holds(t *testing.T, j rules.Judgement, message bool) {
	t.Helper()
	row := j.Samples[0]
	if row.Err != nil || !slices.Equal(row.Keys, l.Keys) || len(l.Keys) == 0 {
		t.Errorf("%s gives %q %v, want %q", l.Key, row.Keys, row.Err, l.Keys)
	}
	var advice []string
	stable := false
	for _, v := range j.Verdicts {
		switch {
		case v.Code == rules.VerdictStableOnResend:
			stable = true
		case v.Code == rules.VerdictFewSamples, l.Merged && v.Code == rules.VerdictEventsMerged:
		default:
			advice = append(advice, string(v.Code))
			if !slices.Contains(l.Advice, string(v.Code)) {
				t.Errorf("%s: false alarm %s: %s", l.Key, v.Code, v.Text)
			}
		}
	}
	if !stable && message {
		t.Errorf("%s is not stable on a resend: %+v", l.Key, j.Verdicts)
	}
	if len(advice) != len(l.Advice) {
		t.Errorf("%s: advice is %q, want %q", l.Key, advice, l.Advice)
	}
}
