package wdl

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

// now is the fixed clock of these tests.
func now() time.Time { return time.Date(2026, 10, 31, 8, 0, 0, 0, time.UTC) }

type conditionCase struct {
	ID      string          `json:"id"`
	Outputs json.RawMessage `json:"outputs"`
	Lines   []string        `json:"lines"`
	Expect  string          `json:"expect"`
	Note    string          `json:"note"`
}

func conditionCases(t *testing.T) []conditionCase {
	t.Helper()
	data, err := os.ReadFile("testdata/conditions.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []conditionCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 56 {
		t.Fatalf("%d cases, want ms01 to ms56", len(cases))
	}
	return cases
}

// TestMS01To56 runs the reference cases of the condition checker by their ids.
func TestMS01To56(t *testing.T) {
	for _, c := range conditionCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			r, err := Test(c.Outputs, c.Lines, Options{Now: now()})
			if err != nil {
				t.Fatal(err)
			}
			got := string(r.Outcome)
			if c.Expect == "no-run" && (r.Outcome == Skip || r.Outcome == EvalError) {
				got = "no-run"
			}
			if got != c.Expect {
				t.Errorf("%s\n%s\ngot %s, want %s: %+v", c.Note, strings.Join(c.Lines, "\n"), got, c.Expect, r.Lines)
			}
			for _, l := range r.Lines {
				if l.Reason == "" || !strings.HasSuffix(l.Reason, ".") {
					t.Errorf("reason %q is no sentence", l.Reason)
				}
				if faulty := l.Outcome == BadSyntax || l.Outcome == EvalError; faulty != (l.Offset >= 0) {
					t.Errorf("%s has offset %d", l.Outcome, l.Offset)
				}
			}
		})
	}
}

// TestMSFaultsArePointedAt checks where the reference's faulty lines are shown
// to be wrong, and that the sentence names the cure.
func TestMSFaultsArePointedAt(t *testing.T) {
	for _, tt := range []struct {
		id     string
		offset int
		reason string
	}{
		{"ms04", 20, "coalesce"},
		{"ms07", 34, "leave this step of the path out"},
		{"ms19", 0, "does not begin with @"},
		{"ms20", 0, "space before the @"},
		{"ms21", 32, "single quotes"},
		{"ms22", 32, "typographic"},
		{"ms23", 8, "second @"},
		{"ms24", 22, "two question marks"},
		{"ms25", 35, "closing bracket"},
		{"ms26", 36, "too many"},
		{"ms27", 13, "and(first, second)"},
		{"ms28", 25, "equals(first, second)"},
		{"ms30", 35, "O''Brien"},
		{"ms34", 1, "equals(toLower"},
		{"ms37", 10, "coalesce"},
		{"ms39", 22, "?["},
		{"ms40", 1, "int("},
		{"ms51", 23, "not an object"},
		{"ms55", 1, "at least 1"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			for _, c := range conditionCases(t) {
				if c.ID != tt.id {
					continue
				}
				r, err := Test(c.Outputs, c.Lines, Options{Now: now()})
				if err != nil {
					t.Fatal(err)
				}
				l := r.Lines[0]
				if l.Offset != tt.offset || !strings.Contains(l.Reason, tt.reason) {
					t.Errorf("%s\nat %d: %s\nwant %d: … %s …", l.Line, l.Offset, l.Reason, tt.offset, tt.reason)
				}
			}
		})
	}
}

// TestMSWarnings checks the hints that come with a line that is well written and
// still not what its author meant.
func TestMSWarnings(t *testing.T) {
	for _, tt := range []struct{ id, warning string }{
		{"ms02", "toLower"},
		{"ms05", "Did you mean its Value?"},
		{"ms08", "no warning"},
		{"ms11", "not(equals(…,true))"},
		{"ms13", "Order_x0020_Status"},
		{"ms15", "outer spaces"},
		{"ms35", "empty(…)"},
		{"ms56", "list of objects"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			for _, c := range conditionCases(t) {
				if c.ID != tt.id {
					continue
				}
				r, err := Test(c.Outputs, c.Lines, Options{Now: now()})
				if err != nil {
					t.Fatal(err)
				}
				all := strings.Join(r.Lines[0].Warnings, "\n")
				if tt.warning == "no warning" {
					if all != "" {
						t.Errorf("warnings %q, want none", all)
					}
				} else if !strings.Contains(all, tt.warning) {
					t.Errorf("warnings %q do not tell of %q", all, tt.warning)
				}
			}
		})
	}
}

func TestElevenLinesAreWarnedOf(t *testing.T) {
	lines := strings.Split(strings.Repeat("@true\n", 11), "\n")[:11]
	r, err := Test([]byte(`{"body":{}}`), lines, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Outcome != Run || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "at most 10") {
		t.Errorf("%s, warnings %q", r.Outcome, r.Warnings)
	}
}

func TestLineOver8192IsRefused(t *testing.T) {
	for _, tt := range []struct {
		size int
		want Outcome
	}{{maxLine, NotBoolean}, {maxLine + 1, BadSyntax}} {
		line := "@'" + strings.Repeat("ż", tt.size-3) + "'"
		r, err := Test([]byte(`{"body":{}}`), []string{line}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != tt.want {
			t.Errorf("a line of %d characters: %s, want %s", tt.size, r.Outcome, tt.want)
		}
	}
}

func TestOutputsThatAreNoObject(t *testing.T) {
	for _, outputs := range []string{"", "[]", "null", "{", `{"a":1} x`, "{\"a\":\"\xff\"}", `{"a":1e999999999}`, strings.Repeat("[", 100)} {
		if _, err := Test([]byte(outputs), []string{"@true"}, Options{}); err == nil {
			t.Errorf("outputs %.20q were taken", outputs)
		}
	}
}

// TestClassicTakesASlashPathAsOneName shows the two generations of triggers.
func TestClassicTakesASlashPathAsOneName(t *testing.T) {
	const line = "@equals(triggerOutputs()?['body/Editor/Email'],'ana@example.com')"
	outputs := []byte(`{"body":{"Editor":{"Email":"ana@example.com"}}}`)
	literal := []byte(`{"body":{"Editor":{"Email":"x"}},"body/Editor/Email":"ana@example.com"}`)
	for _, tt := range []struct {
		name    string
		outputs []byte
		classic bool
		want    Outcome
	}{
		{"current", outputs, false, Run},
		{"classic", outputs, true, Skip},
		{"a member of that very name comes first", literal, false, Run},
		{"also in the classic kind", literal, true, Run},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := Test(tt.outputs, []string{line}, Options{Classic: tt.classic})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != tt.want {
				t.Errorf("%s, want %s: %+v", r.Outcome, tt.want, r.Lines)
			}
		})
	}
}

// TestEachPartIsShown checks the values that tell why.
func TestEachPartIsShown(t *testing.T) {
	r, err := Test([]byte(`{"body":{"Status":{"Id":9007199254740993,"Value":"New"}}}`),
		[]string{"@equals(triggerBody()?['Status']?['Id'],9007199254740992)"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []SubValue{
		{"triggerBody()", `{"Status":{"Id":9007199254740993,"Value":"New"}}`, "object"},
		{"triggerBody()?['Status']", `{"Id":9007199254740993,"Value":"New"}`, "object"},
		{"triggerBody()?['Status']?['Id']", "9007199254740993", "number"},
		{"equals(triggerBody()?['Status']?['Id'],9007199254740992)", "false", "boolean"},
	}
	got := r.Lines[0].Steps
	if len(got) != len(want) {
		t.Fatalf("%d steps: %+v", len(got), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("step %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}
