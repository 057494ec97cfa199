package rules

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cel.dev/expr"
	_ "cel.dev/expr/conformance/proto2" // messages that the data name
	_ "cel.dev/expr/conformance/proto3"
	conformance "cel.dev/expr/conformance/test"
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/testing/protocmp"
)

// TestConformance runs the data that the makers of CEL publish with its definition
// against the language of formulas. What differs stands in differences with its
// reason: a difference that is not listed fails, and so does one that is no more.
func TestConformance(t *testing.T) {
	e := newEngine(t)
	files, err := filepath.Glob(filepath.Join(celSpec(t), "tests", "simple", "testdata", "*.textproto"))
	if err != nil || len(files) < 25 {
		t.Fatalf("%d files of data, %v", len(files), err)
	}
	met := map[string]int{}
	ran, messages, differs := 0, 0, 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".textproto")
		if leftOut[name] != "" {
			met[name]++
			continue
		}
		for _, c := range conformanceCases(t, file) {
			if c.ofMessages() {
				messages++
				continue
			}
			ran++
			says := c.difference(t.Context(), e)
			pattern := listedAs(c.name)
			if pattern != "" {
				met[pattern]++
			}
			switch {
			case says != "" && pattern == "":
				t.Errorf("%s: %s\n\t%s", c.name, c.test.GetExpr(), says)
			case says == "" && pattern != "":
				t.Errorf("%s does as CEL demands, and is listed as %s", c.name, pattern)
			case says != "":
				differs++
			}
		}
	}
	for _, list := range []map[string]string{leftOut, differences} {
		for pattern := range list {
			if met[pattern] == 0 {
				t.Errorf("%s is listed, and there is none", pattern)
			}
		}
	}
	if ran < 1000 {
		t.Errorf("only %d cases ran", ran)
	}
	t.Logf("%d cases, %d of them differ; %d more are of messages", ran, differs, messages)
}

// celSpec returns where the module with the data lies.
func celSpec(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "cel.dev/expr").Output()
	if err != nil {
		t.Fatalf("find the data: %v", err)
	}
	return strings.TrimSpace(string(out))
}

type conformanceCase struct {
	name string // file/section/test
	test *conformance.SimpleTest
}

func conformanceCases(t *testing.T, file string) []conformanceCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var data conformance.SimpleTestFile
	if err := prototext.Unmarshal(text, &data); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var out []conformanceCase
	for _, section := range data.GetSection() {
		for _, test := range section.GetTest() {
			out = append(out, conformanceCase{data.GetName() + "/" + section.GetName() + "/" + test.GetName(), test})
		}
	}
	return out
}

// ofMessages tells a case that needs messages of protocol buffers, which an event,
// being JSON, does not have.
func (c conformanceCase) ofMessages() bool {
	const pkg = "cel.expr.conformance"
	if strings.HasPrefix(c.test.GetContainer(), pkg) || strings.Contains(c.test.String(), "google.protobuf.") ||
		strings.Contains(c.test.GetExpr(), "TestAllTypes") {
		return true
	}
	return false
}

// listedAs returns the pattern under which a case is listed.
func listedAs(name string) string {
	if differences[name] != "" {
		return name
	}
	for _, pattern := range slices.Sorted(maps.Keys(differences)) {
		if ok, err := path.Match(pattern, name); ok && err == nil {
			return pattern
		}
	}
	return ""
}

// difference says in what a formula does otherwise than CEL demands, "" for nothing.
func (c conformanceCase) difference(ctx context.Context, e *Engine) string {
	got, err := c.run(ctx, e)
	want := c.test.GetValue()
	if r := c.test.GetTypedResult(); r != nil {
		want = r.GetResult()
	}
	switch c.test.GetResultMatcher().(type) {
	case nil:
		want = &expr.Value{Kind: &expr.Value_BoolValue{BoolValue: true}}
	case *conformance.SimpleTest_EvalError, *conformance.SimpleTest_AnyEvalErrors:
		if err == nil {
			return fmt.Sprintf("gives %v, want an error", got)
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	if c.test.GetCheckOnly() {
		return ""
	}
	given, err := cel.ValueAsProto(got)
	if err != nil {
		return err.Error()
	}
	return cmp.Diff(want, given, protocmp.Transform(), protocmp.SortRepeatedFields(&expr.MapValue{}, "entries"))
}

// run compiles and evaluates as Compile and Keys do, but with the names that a case
// brings along.
func (c conformanceCase) run(ctx context.Context, e *Engine) (ref.Val, error) {
	if c.test.GetDisableMacros() {
		return nil, fmt.Errorf("formulas always have macros")
	}
	env, err := c.environment(e)
	if err != nil {
		return nil, err
	}
	var issues []Issue
	if len(c.test.GetTypeEnv()) == 0 && len(c.test.GetBindings()) == 0 && c.test.GetContainer() == "" {
		issues = e.look("key", c.test.GetExpr(), env)
	}
	var f *formula
	if issues == nil {
		f, issues = e.plan("key", c.test.GetExpr(), env, nil)
	}
	if issues != nil {
		return nil, fmt.Errorf("does not compile: %s", issues[0])
	}
	vars := map[string]any{workName: &work{left: workBudget}}
	for name, value := range c.test.GetBindings() {
		if vars[name], err = cel.ProtoAsValue(types.DefaultTypeAdapter, value.GetValue()); err != nil {
			return nil, err
		}
	}
	activation, err := interpreter.NewActivation(vars)
	if err != nil {
		return nil, err
	}
	v, _, err := f.program.ContextEval(ctx, activation)
	return v, err
}

func (c conformanceCase) environment(e *Engine) (*cel.Env, error) {
	var options []cel.EnvOption
	if c.test.GetContainer() != "" {
		options = append(options, cel.Container(c.test.GetContainer()))
	}
	for _, d := range c.test.GetTypeEnv() {
		declared, err := cel.ProtoAsDeclaration(d)
		if err != nil {
			return nil, err
		}
		options = append(options, declared)
	}
	return e.plain.Extend(options...)
}
