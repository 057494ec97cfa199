package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
)

// Judgement is what a rule makes of its samples.
type Judgement struct {
	Samples  []SampleResult
	Verdicts []Verdict // what fails first, then advice; all_good first if OK
	Issues   []Issue   // of a rule that does not compile
	Absent   []Issue   // of one that compiles: fields that no sample has, each with one that was likely meant, and fields joined by hand
	OK       bool      // nothing fails, two events at least have keys of their own, and not by chance
}

// SampleResult is the row of one sample.
type SampleResult struct {
	Index      int
	Group      string
	Name       string
	Key        string   // with each: the keys of the items, joined with " · "
	Keys       []string // one for each item; one without each
	Err        *KeyError
	Ignored    bool
	Same       int // index of the first sample with one of these keys, -1 if none
	Outcome    Outcome
	PartValues []string // of the key's parts, as they stand in the key; with each: of the first item
}

// Verdict is one finding, in a plain sentence.
type Verdict struct {
	Code    VerdictCode
	Fail    bool
	Text    string
	Samples []int
	Path    string // the field meant, as it stands in a formula; "" if none
	Fix     *Fix
}

// trial is a judgement in the making.
type trial struct {
	engine  *Engine
	sender  Sender // the zero value if unknown
	rule    *Rule
	program *Program
	events  []Event
	results []SampleResult
	groups  []int
	parts   []Part // nil if blocks cannot show the formula
	tree    *Tree
	blamed  map[string]bool // fields a failing verdict already names
	absent  []Issue
	near    map[string]Issue // the same by field
	better  func() []Part    // the suggested blocks, worked out once
	out     []Verdict

	message, thing level // what else the key could be

	wasted time.Duration // on samples for which the formula was stopped
}

// Judge runs a rule on its samples and says what is wrong with it. It does not
// fail: a formula that does not compile is the verdict formula_error, and a
// sample that cannot be read is bad_sample.
func (e *Engine) Judge(ctx context.Context, r *Rule) Judgement {
	return e.JudgeTree(ctx, r, NewTree(r.Samples))
}

// JudgeTree is [Engine.Judge] for samples that are read already: those of the tree
// count, r.Samples is not looked at. An editor that keeps the tree while only the
// formula changes answers sooner. Targets are where the key will be stored.
func (e *Engine) JudgeTree(ctx context.Context, r *Rule, samples *Tree, targets ...Target) Judgement {
	t := e.trial(ctx, r, samples)
	t.parts, _ = Parts(r.Key)
	var issues []Issue
	t.program, issues = e.Compile(r)
	for i := range t.results {
		t.key(ctx, i)
	}
	if t.program != nil {
		for n, f := range e.partFormulas(r) {
			t.values(ctx, n, f)
		}
	}
	t.compare()
	for _, i := range issues {
		text := i.String()
		switch i.Place {
		case "key":
		case "when":
			text = "In the condition: " + text
		case "each":
			text = "In the list of items: " + text
		default:
			text = i.Place + ": " + text
		}
		t.add(Verdict{Code: VerdictFormulaError, Fail: true, Text: text})
	}
	if len(issues) == 0 {
		t.levels(ctx)
		t.absentFields(ctx)
		t.arithmetic()
		t.advice(targets)
		t.resend(ctx)
	}
	return t.judgement(issues)
}

// trial reads the samples and finds their sender.
func (e *Engine) trial(ctx context.Context, r *Rule, samples *Tree) *trial {
	t := &trial{engine: e, rule: r, tree: samples, groups: samples.groups, blamed: map[string]bool{}, near: map[string]Issue{}}
	t.sender = e.senderOf(r.Sender, samples)
	t.better = sync.OnceValue(func() []Part {
		for _, s := range t.suggestions(ctx) {
			if s.Fits && s.Parts != nil && s.Each == r.Each {
				return s.Parts
			}
		}
		return nil
	})
	t.read()
	return t
}

func (t *trial) add(v Verdict) {
	if v.Path != "" && v.Fail {
		t.blamed[v.Path] = true
	}
	t.out = append(t.out, v)
}

func (t *trial) judgement(issues []Issue) Judgement {
	doubtful := slices.ContainsFunc(t.out, func(v Verdict) bool { return v.Fail || v.Code == VerdictOnlyAmount || v.Code == VerdictSharedID })
	ok := !doubtful && len(t.keyedEvents()) > 1
	if ok {
		t.out = slices.Insert(t.out, 0, Verdict{Code: VerdictAllGood, Text: t.goodText()})
	}
	slices.SortStableFunc(t.out, func(a, b Verdict) int {
		return cmp.Or(weight(a)-weight(b), len(b.Samples)-len(a.Samples))
	})
	return Judgement{Samples: t.results, Verdicts: t.out, Issues: issues, Absent: t.absent, OK: ok}
}

// verdictOrder is what a person should read first, among what does not fail.
var verdictOrder = []VerdictCode{
	VerdictAllGood, VerdictSharedID, VerdictMissesResend, VerdictChangesOnEveryTry, VerdictDeliveryID, VerdictWholeBody,
	VerdictOnlyAmount, VerdictOnlyPlace, VerdictOnlyTime, VerdictRowNumber, VerdictListPosition, VerdictSeveralHooks,
	VerdictTestButton, VerdictSameThing, VerdictPersonalData, VerdictJoined, VerdictTooLong, VerdictDataverse, VerdictFewSamples,
	VerdictOnlyCase, VerdictFreeText, VerdictNoSourcePrefix, VerdictStableOnResend,
}

// failOrder is what a person should read first among what fails: what stops the whole
// rule, then events that are lost without a word, then those that run twice. What is
// refused is seen by whoever sends it, and comes last.
var failOrder = []VerdictCode{VerdictFormulaError, VerdictConstantKey, VerdictEventsMerged, VerdictCopiesMissed, VerdictBatch}

// weight is low for what comes first: what fails, then the rest.
func weight(v Verdict) int {
	if !v.Fail {
		return slices.Index(verdictOrder, v.Code)
	}
	if n := slices.Index(failOrder, v.Code); n >= 0 {
		return n - len(failOrder) - 1
	}
	return -1
}

// read makes a row for each sample.
func (t *trial) read() {
	t.events = t.tree.events
	for i, s := range t.tree.samples {
		row := SampleResult{Index: i, Group: s.Group, Name: s.Name, Same: -1}
		if err := t.tree.errs[i]; err != nil {
			row.Err = &KeyError{Code: KeyBadSample, Msg: err.Error()}
		}
		t.results = append(t.results, row)
	}
}

// key works out one sample's keys.
func (t *trial) key(ctx context.Context, i int) {
	row := &t.results[i]
	if row.Err != nil {
		return
	}
	if t.program == nil {
		row.Err = &KeyError{Code: KeyFormula, Msg: "The formula has an error."}
		return
	}
	notRead := &KeyError{Code: KeyTooMuchWork, Msg: "The check was stopped before this sample."}
	if t.wasted > eventDeadline {
		row.Err = notRead
		return
	}
	began := time.Now()
	keyed, err := t.program.Keys(ctx, t.events[i])
	row.Ignored = err == nil
	for _, k := range keyed {
		row.Ignored = row.Ignored && k.Ignored
		if k.Err != nil && err == nil {
			err = k.Err
		}
		if k.Key != "" {
			row.Keys = append(row.Keys, k.Key)
		}
	}
	if err != nil {
		fault, ok := errors.AsType[*KeyError](err)
		switch {
		case ok:
		case noSecret(err):
			fault = &KeyError{Code: KeyFormula, Msg: "The key of secret(…) cannot be read just now. Try again."}
		default:
			fault = notRead
		}
		if meant := nearestField(t.events[i], fault.Path); fault.Code == KeyMissing && meant != "" {
			hinted := *fault
			hinted.Msg += " Did you mean " + meant + "?"
			fault = &hinted
		}
		if fault.Code == KeyTooMuchWork {
			t.wasted += time.Since(began)
		}
		row.Err, row.Keys = fault, nil
	}
	row.Key = strings.Join(row.Keys, " · ")
}

// partFormulas compiles each argument of key(…) by itself, to show which value
// each part of a key came from.
func (e *Engine) partFormulas(r *Rule) []*formula {
	tree, errs := plainTree(r.Key)
	if tree == nil || len(errs.GetErrors()) > 0 || tree.Expr().Kind() != ast.CallKind || tree.Expr().AsCall().FunctionName() != "key" {
		return nil
	}
	env := e.plain
	if r.Each != "" {
		env = e.each
	}
	var out []*formula
	for _, arg := range tree.Expr().AsCall().Args() {
		text, err := cel.ExprToString(arg, tree.SourceInfo())
		if err != nil {
			return nil
		}
		var issues []Issue
		f := e.formula("key", "key("+text+")", env, &issues, types.StringType)
		if len(issues) > 0 {
			return nil
		}
		out = append(out, f)
	}
	return out
}

// values fills the n-th part value of every sample.
func (t *trial) values(ctx context.Context, n int, f *formula) {
	for i := range t.results {
		row := &t.results[i]
		row.PartValues = append(row.PartValues, "")
		if row.Err != nil && (row.Err.Code == KeyBadSample || row.Err.Code == KeyTooMuchWork) {
			continue
		}
		s := &scope{body: t.events[i].Body, headers: t.events[i].Headers, query: t.events[i].Query}
		if t.program.each != nil {
			items, err := t.program.items(ctx, s)
			if err != nil {
				continue
			}
			s.item, s.inEach = items[0], true
		}
		if v, err := f.run(ctx, s); err == nil {
			text, _ := v.(types.String)
			row.PartValues[n] = string(text)
		}
	}
}

// compare gives every sample its outcome.
func (t *trial) compare() {
	first := map[string]int{}
	seen := map[int]bool{} // events that have a key already
	any := false
	for i := range t.results {
		row := &t.results[i]
		switch {
		case row.Err != nil:
			row.Outcome = OutcomeRefused
			continue
		case row.Ignored || len(row.Keys) == 0:
			row.Outcome = OutcomeIgnored
			continue
		}
		merged := false
		for _, k := range row.Keys {
			at, ok := first[k]
			if !ok {
				first[k] = i
				continue
			}
			if row.Same < 0 || at < row.Same {
				row.Same = at
			}
			merged = merged || t.groups[at] != t.groups[i] && !t.doubted(at, i)
		}
		row.Outcome = outcome(merged, row.Same >= 0, seen[t.groups[i]], any)
		any, seen[t.groups[i]] = true, true
	}
}

func outcome(merged, same, copyOfOne, notFirst bool) Outcome {
	switch {
	case merged:
		return OutcomeMerged
	case same:
		return OutcomeCopyStopped
	case copyOfOne:
		return OutcomeMissed
	case notFirst:
		return OutcomeKeptApart
	}
	return OutcomeFirst
}

// keyedEvents lists the events of which a sample has a key, with those samples.
func (t *trial) keyedEvents() [][]int {
	var out [][]int
	at := map[int]int{}
	for i, row := range t.results {
		if len(row.Keys) == 0 {
			continue
		}
		g, ok := at[t.groups[i]]
		if !ok {
			g = len(out)
			at[t.groups[i]] = g
			out = append(out, nil)
		}
		out[g] = append(out[g], i)
	}
	return out
}

// eventName names a sample's event in a sentence.
func (t *trial) eventName(i int) string {
	if g := t.results[i].Group; g != "" {
		return g
	}
	return fmt.Sprintf("sample %d", i+1)
}

// goodText says what the samples prove.
func (t *trial) goodText() string {
	var sentences, names []string
	for _, samples := range t.keyedEvents() {
		name := t.eventName(samples[0])
		names = append(names, name)
		switch n := len(samples); {
		case n == 2:
			sentences = append(sentences, fmt.Sprintf("Both copies of %s share one key.", name))
		case n > 2:
			sentences = append(sentences, fmt.Sprintf("All %d copies of %s share one key.", n, name))
		}
	}
	switch n := len(names); {
	case n == 2:
		sentences = append(sentences, fmt.Sprintf("%s and %s differ.", names[0], names[1]))
	case n > 2:
		sentences = append(sentences, fmt.Sprintf("All %d events differ.", n))
	}
	return strings.Join(sentences, " ")
}
