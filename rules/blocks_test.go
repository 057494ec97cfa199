package rules

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestParts(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, tt := range []struct {
		formula string
		want    []Part
	}{
		{`key("stripe", body.data.object.id, lower(body.type))`, []Part{{Literal: "stripe"}, {Path: []string{"body", "data", "object", "id"}}, {Path: []string{"body", "type"}, Steps: []string{"lower"}}}},
		{`key("github", header("X-GitHub-Delivery"))`, []Part{{Literal: "github"}, {Path: []string{"headers", "x-github-delivery"}}}},
		{`key(headers["x-a"], query.source, item.id)`, []Part{{Path: []string{"headers", "x-a"}}, {Path: []string{"query", "source"}}, {Path: []string{"item", "id"}}}},
		{`key(body["odd name"].in["{VersionNumber}"])`, nil}, // in is no member name after a dot
		{`key(body["odd name"]["in"]["{VersionNumber}"])`, []Part{{Path: []string{"body", "odd name", "in", "{VersionNumber}"}}}},
		{`key(body.items[0].id, body)`, []Part{{Path: []string{"body", "items", "[0]", "id"}}, {Path: []string{"body"}}}},
		{`key(day(time(body.at), "Europe/Berlin"))`, []Part{{Path: []string{"body", "at"}, Steps: []string{"time", "day:Europe/Berlin"}}}},
		{`key(upper(either(body.a, "none")))`, []Part{{Path: []string{"body", "a"}, Default: text("none"), Steps: []string{"upper"}}}},
		{`key('one', 42, "\u00e9\n")`, []Part{{Literal: "one"}, {Literal: "42"}, {Literal: "é\n"}}},
		{`key(either(lower(body.a), "x"))`, nil},
		{`key(either(body.a, body.b))`, nil},
		{`key(body.?a)`, nil}, {`key(body["[0]"])`, nil}, {`key(body.a + "x")`, nil}, {`key(lower("x"))`, nil},
		{`key(key(body.a))`, nil}, {`key(x.id)`, nil}, {`key(body.a.trim())`, nil}, {`key()`, nil}, {`body.id`, nil},
		{`"a"`, nil}, {`key(`, nil}, {``, nil}, {`key(body[-1])`, nil}, {`key(true)`, nil}, {`x.key("a")`, nil},
	} {
		got, ok := Parts(tt.formula)
		if ok != (tt.want != nil) {
			t.Errorf("%s: blocks %v, want %v", tt.formula, got, tt.want)
			continue
		}
		if diff := cmp.Diff(tt.want, got); ok && diff != "" {
			t.Errorf("%s: %s", tt.formula, diff)
		}
	}
}

// TestBlocksAndFormulaAreTwoViewsOfOneThing: blocks to text to blocks is identity,
// and the text compiles.
func TestBlocksAndFormulaAreTwoViewsOfOneThing(t *testing.T) {
	e := newEngine(t)
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.Custom(drawPart), 1, 5).Draw(t, "parts")
		formula := Formula(parts)
		got, ok := Parts(formula)
		if diff := cmp.Diff(parts, got); !ok || diff != "" {
			t.Fatalf("%s: %v %s", formula, ok, diff)
		}
		if again := Formula(got); again != formula {
			t.Fatalf("%s became %s", formula, again)
		}
		if _, issues := e.Compile(&Rule{Key: formula, Each: "body.x"}); issues != nil {
			t.Fatalf("%s: %v", formula, issues)
		}
	})
}

func drawPart(t *rapid.T) Part {
	word := rapid.OneOf(
		rapid.SampledFrom([]string{"id", "data", "First Name", "event-data", "{VersionNumber}", "Editor#Claims", "a.b", "", "in", "true", "package", "é", "😀", "\"", "\\", "\n\r\t", "\u202e", "_", "9a", "[x]", "[-1]", "[01]", "lower", "key"}),
		rapid.StringN(0, 8, -1).Filter(func(s string) bool { return !isIndex(s) }))
	if rapid.Bool().Draw(t, "literal") {
		return Part{Literal: word.Draw(t, "text")}
	}
	root := rapid.SampledFrom([]string{"body", "headers", "query", "item"}).Draw(t, "root")
	p := Part{Path: []string{root}}
	switch root {
	case "headers", "query":
		p.Path = append(p.Path, word.Draw(t, "name"))
	default:
		for range rapid.IntRange(0, 4).Draw(t, "depth") {
			step := word
			if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
				step = rapid.SampledFrom([]string{"[0]", "[12]"})
			}
			p.Path = append(p.Path, step.Draw(t, "step"))
		}
	}
	if rapid.Bool().Draw(t, "has default") {
		d := word.Draw(t, "default")
		p.Default = &d
	}
	step := rapid.OneOf(
		rapid.SampledFrom([]string{"lower", "upper", "fold", "time", "digest", "secret", "day:UTC", "day:Europe/Berlin"}),
		rapid.Map(word, func(zone string) string { return "day:" + zone }))
	if steps := rapid.SliceOfN(step, 0, 3).Draw(t, "steps"); len(steps) > 0 {
		p.Steps = steps
	}
	return p
}

// TestTheNameOfABlock is what the screen shows.
func TestTheNameOfABlock(t *testing.T) {
	for _, tt := range []struct{ formula, want string }{
		{`key(body.data.object.id)`, "data.object.id"},
		{`key(body["First Name"])`, `["First Name"]`},
		{`key(headers["x-id"])`, "x-id"},
		{`key(query.source)`, "query.source"},
		{`key(body)`, "body"},
		{`key("x")`, ""},
	} {
		parts, ok := Parts(tt.formula)
		if !ok || parts[0].Name() != tt.want {
			t.Errorf("%s: %q, want %q", tt.formula, parts[0].Name(), tt.want)
		}
	}
}

// TestAFormulaBuildsWhatJoinPartsBuilds: a key is the same whether a caller sends its
// parts or the event, whatever the values are.
func TestAFormulaBuildsWhatJoinPartsBuilds(t *testing.T) {
	p := mustCompile(t, newEngine(t), &Rule{Key: `key(body.a, body.b, body.c)`})
	value := rapid.OneOf(
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Float64(), func(f float64) any { return f }),
		rapid.SampledFrom([]any{nil, true, false, "", " ", "a:b", "100%", "e\u0301", "\u202e", uint64(1) << 63, Number("1e-7"), Number("123456789012345678901234567890"), []any{}, Object{}}))
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(value, 3, 3).Draw(t, "parts")
		want, wantErr := JoinParts(parts, false, "")
		keyed, err := p.Keys(context.Background(), Event{Body: Object{"a": parts[0], "b": parts[1], "c": parts[2]}})
		if (err == nil) != (wantErr == nil) || err == nil && keyed[0].Key != want {
			t.Fatalf("%v, %v; by parts %q, %v", keyed, err, want, wantErr)
		}
	})
}
