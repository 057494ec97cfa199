package rules

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"
)

const (
	maxNesting    = 40                     // brackets in one another
	maxNodes      = 2000                   // of a formula, macros replaced
	deadline      = 100 * time.Millisecond // of one evaluation
	eventDeadline = 250 * time.Millisecond // of all evaluations for one event
	checkEvery    = 64                     // rounds of a loop between looks at the clock
	maxLoopNest   = 2                      // loops in one another
)

// Engine compiles rules. Make it once: it is safe for concurrent use.
type Engine struct {
	plain, each *cel.Env // each also knows item
	overloads   map[string]*functions.Overload
	weights     map[string]weigh
	macros      map[string]bool
	names       []string // of functions, to guess from
	forms       map[string]form
	secret      secretKey
	sender      func(name string, e Event) (Sender, bool)
}

// New returns an engine. An error is a fault of the house.
func New(options ...Option) (*Engine, error) {
	e := &Engine{overloads: map[string]*functions.Overload{}, weights: weights(), macros: map[string]bool{}, forms: map[string]form{}}
	for _, option := range options {
		option(e)
	}
	plain, err := cel.NewEnv(e.environment()...)
	if err != nil {
		return nil, fmt.Errorf("make the environment of formulas: %w", err)
	}
	each, err := plain.Extend(cel.Variable("item", cel.DynType))
	if err != nil {
		return nil, fmt.Errorf("make the environment of formulas with item: %w", err)
	}
	e.plain, e.each = plain, each
	for name := range e.weights {
		f, ok := plain.Functions()[name]
		if !ok {
			return nil, fmt.Errorf("guard the function %q: there is none", name)
		}
		found, err := f.Bindings()
		if err != nil {
			return nil, fmt.Errorf("guard the function %q: %w", name, err)
		}
		for _, o := range found {
			e.overloads[name+" "+o.Operator] = o
		}
	}
	for name, f := range plain.Functions() {
		for _, o := range f.OverloadDecls() {
			how := e.forms[name]
			e.forms[name] = form{how.global || !o.IsMemberFunction(), how.member || o.IsMemberFunction()}
		}
		if !strings.ContainsAny(name, "@_!-") { // operators and what macros leave
			e.names = append(e.names, name)
		}
	}
	for _, m := range plain.Macros() {
		e.macros[m.Function()] = true
		how := e.forms[m.Function()]
		e.forms[m.Function()] = form{how.global || !m.IsReceiverStyle(), how.member || m.IsReceiverStyle()}
		name := m.Function()
		if name == "least" || name == "greatest" {
			name = "math." + name // CEL expands them whatever stands before the dot
		}
		if !slices.Contains(e.names, name) {
			e.names = append(e.names, name)
		}
	}
	slices.Sort(e.names)
	return e, nil
}

// environment pins the version of every extension: a key made last year must be
// made the same way today.
func (e *Engine) environment() []cel.EnvOption {
	text := cel.MapType(cel.StringType, cel.StringType)
	return []cel.EnvOption{
		cel.CustomTypeAdapter(adapter{}),
		cel.Variable("body", cel.DynType),
		cel.Variable("headers", text),
		cel.Variable("query", text),
		cel.OptionalTypes(cel.OptionalTypesVersion(2)),
		ext.Strings(ext.StringsVersion(4)),
		ext.Lists(ext.ListsVersion(3)),
		ext.Math(ext.MathVersion(2)),
		ext.Regex(ext.RegexVersion(0)),
		cel.Lib(keyLib{secret: &e.secret, zones: &zones{}}),
		cel.ParserExpressionSizeLimit(MaxFormula),
		cel.ParserRecursionLimit(maxNesting * 4),
		cel.ExpressionNodeLimit(maxNodes),
		cel.ASTValidators(
			cel.ValidateComprehensionNestingLimit(maxLoopNest),
			cel.ValidateRegexLiterals(),
			cel.ValidateTimestampLiterals(),
			cel.ValidateDurationLiterals(),
		),
	}
}

// Compile checks a rule's formulas and values. It returns a program, or nil and
// at least one issue.
func (e *Engine) Compile(r *Rule) (*Program, []Issue) {
	var issues []Issue
	for _, f := range r.faults() {
		issues = append(issues, Issue{Place: f.field, Msg: f.msg})
	}
	p := &Program{text: r.Key, foldCase: r.FoldCase, long: r.LongKeys}
	env := e.plain
	if r.Each != "" {
		p.each = e.formula("each", r.Each, e.plain, &issues, types.ListType)
		env = e.each
	}
	if r.When != "" {
		p.when = e.formula("when", r.When, env, &issues, types.BoolType)
	}
	p.key = e.formula("key", r.Key, env, &issues, types.StringType)
	for i, text := range r.Fingerprint {
		if r.fingerprintFault() != "" {
			break
		}
		p.fingerprint = append(p.fingerprint, e.formula(fmt.Sprintf("fingerprint[%d]", i), text, env, &issues, nil))
	}
	if len(issues) > 0 {
		return nil, issues
	}
	return p, nil
}

// formula compiles one formula, adding to issues what is wrong with it. want is
// the type it must have, nil for any.
func (e *Engine) formula(place, text string, env *cel.Env, issues *[]Issue, want *types.Type) (f *formula) {
	defer func() {
		// The parser and checker are not ours; their panic is an issue, not a crash.
		if r := recover(); r != nil {
			f = nil
			*issues = append(*issues, issueAt(place, text, 0, 1, "The formula cannot be read."))
		}
	}()
	found := e.look(place, text, env)
	if len(found) == 0 {
		f, found = e.plan(place, text, env, want)
	}
	*issues = append(*issues, found...)
	return f
}

// look finds what can be said in plain words before CEL's checker runs.
func (e *Engine) look(place, text string, env *cel.Env) []Issue {
	if len(text) > MaxFormula {
		return []Issue{issueAt(place, text, 0, 1, "The formula is longer than %d characters.", MaxFormula)}
	}
	if depth, at := deepest(text); depth > maxNesting {
		return []Issue{issueAt(place, text, at, 1, "Brackets lie more than %d deep in one another.", maxNesting)}
	}
	if strings.TrimSpace(text) == "" {
		return []Issue{issueAt(place, text, 0, 1, "There is no formula yet.")}
	}
	if found := foreignPaths(place, text); found != nil {
		return found
	}
	tree, errs := plainTree(text)
	if tree == nil || len(errs.GetErrors()) > 0 {
		return []Issue{syntaxIssue(place, text, errs.GetErrors()[0])}
	}
	c := nameCheck{place: place, text: text, tree: tree, known: e.names, forms: e.forms, fields: []string{"body", "headers", "query"},
		functions: func(name string) bool {
			return env.HasFunction(name) || e.macros[name[strings.LastIndex(name, ".")+1:]]
		}}
	if env == e.each {
		c.fields = append(c.fields, "item")
	}
	c.walk(tree.Expr(), nil)
	return c.issues
}

func (e *Engine) plan(place, text string, env *cel.Env, want *types.Type) (*formula, []Issue) {
	tree, issues := env.Compile(text)
	if issues.Err() != nil {
		plain, _ := plainTree(text)
		return nil, checkIssues(place, text, issues, plain)
	}
	if got := tree.OutputType(); want != nil && got.Kind() != want.Kind() && got.Kind() != types.DynKind {
		return nil, []Issue{issueAt(place, text, 0, len(text), "%s", wantSentence(want))}
	}
	program, err := env.Program(tree,
		cel.CustomDecoratorV2(e.planNode),
		cel.CostLimit(costLimit),
		cel.InterruptCheckFrequency(checkEvery),
	)
	if err != nil {
		why := "It cannot be made ready to run. Write it in a simpler way."
		if own, ok := errors.AsType[*callError](err); ok {
			why = own.msg
		}
		return nil, []Issue{issueAt(place, text, 0, utf8.RuneCountInString(text), "%s", why)}
	}
	expr := tree.NativeRep().Expr()
	return &formula{place: place, program: program, paths: pathsIn(expr), outside: outsideOf(expr)}, nil
}

func wantSentence(want *types.Type) string {
	switch want {
	case types.BoolType:
		return "The condition must be true or false, such as body.type == \"order\"."
	case types.ListType:
		return "The list to go through must be a list, such as body.line_items."
	}
	return "The formula must give text. Use key(…), which also checks its parts."
}

// planNode puts the house's nodes in place of the planner's.
func (e *Engine) planNode(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	call, ok := i.(interpreter.InterpretableCall)
	if !ok {
		return i, nil
	}
	args := call.Args()
	switch call.Function() {
	case "@part":
		n, paths := constants(args)
		return &partNode{id: call.ID(), part: n, paths: paths, value: args[len(args)-1]}, nil
	case "@either":
		_, paths := constants(args)
		return &eitherNode{id: call.ID(), paths: paths, first: args[1], second: args[2]}, nil
	}
	weigh, ok := e.weights[call.Function()]
	if !ok {
		return i, nil
	}
	g := &guarded{id: call.ID(), name: call.Function(), args: args, weigh: weigh}
	if g.run = e.overloads[g.name+" "+call.OverloadID()]; g.run == nil {
		g.run = e.overloads[g.name+" "+g.name]
	}
	if g.run == nil {
		return nil, fmt.Errorf("the function %s has no guard", g.name)
	}
	return g, g.compilePattern()
}

// compilePattern compiles the constant regular expression of matches once.
func (g *guarded) compilePattern() error {
	if g.name != "matches" || len(g.args) != 2 {
		return nil
	}
	c, ok := g.args[1].(interpreter.InterpretableConst)
	if !ok {
		return nil
	}
	text, ok := c.Value().(types.String)
	if !ok {
		return nil
	}
	states := patternSize(string(text))
	if states > regexStates {
		return &callError{fmt.Sprintf("The regular expression %.40q is too large.", text)}
	}
	pattern, err := regexp.Compile(string(text))
	if err != nil {
		return &callError{fmt.Sprintf("The regular expression %.40q cannot be read.", text)}
	}
	g.pattern = pattern
	g.weigh = func(args []ref.Val) int { return weighSearch(length(args[0]), states) }
	return nil
}

// constants reads what the macros wrote before the arguments.
func constants(args []interpreter.InterpretableV2) (part int, paths [][]string) {
	for _, a := range args[:len(args)-1] {
		c, ok := a.(interpreter.InterpretableConst)
		if !ok {
			continue
		}
		switch v := c.Value().(type) {
		case types.Int:
			part = int(v)
		case types.String:
			if paths == nil {
				paths = decodePaths(string(v))
			}
		}
	}
	return part, paths
}
