package rules

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// maxItems is how many items of each one event may have.
const maxItems = 500

// Program is a compiled rule. It is safe for concurrent use.
type Program struct {
	text            string // of the formula of the key
	key, each, when *formula
	fingerprint     []*formula
	foldCase        bool
	long            string
}

type formula struct {
	place   string
	program cel.Program
	paths   [][]string // the fields it reads
	outside [][]string // those of them that are not of the body, in loops too
}

// Keyed is what a rule makes of an event, or of one item of it.
type Keyed struct {
	Key         string
	Fingerprint string // v1: and 64 hex digits; "" if the rule has none
	Ignored     bool   // the condition (when) is false; there is no key
	Item        any    // with each: what the key is of, as [EncodeJSON] takes it
	Err         error  // of one item alone, the others stand; a *KeyError or as Keys says
}

// HasEach tells whether the rule makes a key for each item of a list.
func (p *Program) HasEach() bool { return p.each != nil }

// Keys returns the key of an event, or with each one [Keyed] for every item, in
// the order of the list.
//
// Without each, what is wrong is returned as a [*KeyError]. With each, it stands
// in the item's Err; Keys itself fails only if the list is missing, empty
// (no_items) or longer than 500 items (too_much_work). It takes 100 ms at most
// for an evaluation and 250 ms for an event, and stops when ctx does. An error that
// is no [*KeyError] says nothing of the event: it is that of ctx, or of the key of
// secret(x), see [WithSecret].
func (p *Program) Keys(ctx context.Context, e Event) ([]Keyed, error) {
	_, keyed, err := p.split(ctx, e)
	return keyed, err
}

// split also returns what each key is of: the item, or the body.
func (p *Program) split(ctx context.Context, e Event) (of []any, keyed []Keyed, err error) {
	s := &scope{body: e.Body, headers: e.Headers, query: e.Query, until: time.Now().Add(eventDeadline)}
	if p.each == nil {
		k := p.one(ctx, s)
		if k.Err != nil {
			return nil, nil, k.Err
		}
		return []any{e.Body}, []Keyed{k}, nil
	}
	if of, err = p.items(ctx, s); err != nil {
		return nil, nil, err
	}
	keyed = make([]Keyed, len(of))
	s.inEach = true
	for i, item := range of {
		s.item = item
		keyed[i] = p.one(ctx, s)
		keyed[i].Item = item
	}
	return of, keyed, nil
}

func (p *Program) items(ctx context.Context, s *scope) ([]any, error) {
	v, err := p.each.run(ctx, s)
	if err != nil {
		return nil, err
	}
	list, ok := v.(traits.Lister)
	if !ok {
		_, code := valueText(v)
		if !absent(code) {
			return nil, &KeyError{Path: p.each.path(), Code: KeyFormula, Msg: "The list to go through (each) is not a list in this event."}
		}
		return nil, &KeyError{Path: p.each.path(), Code: code, Msg: "The list to go through (each) is empty in this event."}
	}
	switch n := list.Size().(types.Int); {
	case n == 0:
		return nil, &KeyError{Path: p.each.path(), Code: KeyNoItems, Msg: "The list to go through (each) has no items in this event."}
	case n > maxItems:
		return nil, &KeyError{Path: p.each.path(), Code: KeyTooMuchWork, Msg: fmt.Sprintf("The list to go through (each) has %d items in this event; at most %d are allowed.", n, maxItems)}
	}
	if plain, ok := list.Value().([]any); ok {
		return plain, nil
	}
	if size(list, workBudget/2) >= workBudget/2 {
		return nil, tooMuch()
	}
	var out []any
	for it := list.Iterator(); it.HasNext() == types.True; {
		item, ok := native(it.Next())
		if !ok {
			return nil, &KeyError{Path: p.each.path(), Code: KeyFormula, Msg: "The list to go through (each) holds values that JSON does not have."}
		}
		out = append(out, item)
	}
	return out, nil
}

// one works out the key of one event or item.
func (p *Program) one(ctx context.Context, s *scope) Keyed {
	if p.when != nil {
		v, err := p.when.run(ctx, s)
		if err != nil {
			return Keyed{Err: err}
		}
		switch v {
		case types.True:
		case types.False:
			return Keyed{Ignored: true}
		default:
			return Keyed{Err: &KeyError{Path: p.when.path(), Code: KeyFormula, Msg: "The condition (when) is neither true nor false for this event."}}
		}
	}
	v, err := p.key.run(ctx, s)
	if err != nil {
		return Keyed{Err: err}
	}
	text, ok := v.(types.String)
	if !ok {
		return Keyed{Err: &KeyError{Code: KeyFormula, Msg: "The formula does not give text for this event. Use key(…)."}}
	}
	key, err := ReadyKey(string(text), p.foldCase, p.long)
	if err != nil {
		return Keyed{Err: err}
	}
	print, err := p.print(ctx, s)
	if err != nil {
		return Keyed{Err: err}
	}
	return Keyed{Key: key, Fingerprint: print}
}

// print is the SHA-256 of the fingerprint's values. A field that is missing
// counts as null: contents with and without it differ.
func (p *Program) print(ctx context.Context, s *scope) (string, error) {
	if len(p.fingerprint) == 0 {
		return "", nil
	}
	values, left := make([]any, len(p.fingerprint)), workBudget/2
	for i, f := range p.fingerprint {
		v, err := f.run(ctx, s)
		if fault, ok := errors.AsType[*KeyError](err); ok && absent(fault.Code) {
			continue
		}
		if err != nil {
			return "", err
		}
		if left -= size(v, left+1); left < 0 {
			return "", tooMuch()
		}
		value, ok := native(v)
		if !ok {
			return "", &KeyError{Path: f.path(), Code: KeyFormula, Msg: fmt.Sprintf("The value of %s is of a kind that cannot be compared.", f.place)}
		}
		values[i] = value
	}
	sum := sha256.Sum256(appendCanonical(nil, values))
	return "v1:" + hex.EncodeToString(sum[:]), nil
}

// path is the field that a formula reads, if it is one.
func (f *formula) path() string {
	if len(f.paths) == 1 {
		return pathText(f.paths[0])
	}
	return ""
}

// run evaluates within the bounds. Every error is a [*KeyError] but that of a
// context which ended before its time, and of a key of secret(x) that cannot be had.
func (f *formula) run(ctx context.Context, s *scope) (v ref.Val, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	limited, cancel := context.WithDeadline(ctx, s.end())
	defer cancel()
	s.work.left = workBudget
	defer func() {
		if r := recover(); r != nil {
			v, err = nil, &KeyError{Code: KeyFormula, Msg: "The formula cannot be worked out for this event."}
		}
	}()
	v, _, fault := f.program.ContextEval(limited, s)
	if fault == nil {
		return v, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if lost, ok := errors.AsType[*secretFault](fault); ok {
		return nil, lost
	}
	return nil, f.explain(s, fault)
}

func (f *formula) explain(s *scope, fault error) error {
	if own, ok := errors.AsType[*KeyError](fault); ok {
		return own
	}
	if _, ok := errors.AsType[interpreter.EvalCancelledError](fault); ok || stopped(fault) {
		return tooMuch()
	}
	for _, path := range f.paths {
		root, ok := s.ResolveName(path[0])
		if !ok {
			continue
		}
		if _, code := lookUp(root, path[1:]); code == KeyMissing || code == KeyNull {
			e := partFault(0, pathText(path), code)
			e.Msg += " The formula (" + f.place + ") needs it."
			return e
		}
	}
	return formulaFault(s, "The formula ("+f.place+")", 0, f.paths, fault)
}

func tooMuch() *KeyError {
	return &KeyError{Code: KeyTooMuchWork, Msg: "The formula needs too much time or memory for this event and was stopped. Use fewer loops, or shorter text."}
}

// scope holds the variables of one evaluation after the other.
type scope struct {
	body, item     any
	headers, query map[string]string
	inEach         bool
	work           work
	until          time.Time // for the whole event; zero = none
}

// end is when the evaluation that begins now is stopped.
func (s *scope) end() time.Time {
	if at := time.Now().Add(deadline); s.until.IsZero() || at.Before(s.until) {
		return at
	}
	return s.until
}

// ResolveName implements [interpreter.Activation].
func (s *scope) ResolveName(name string) (any, bool) {
	switch name {
	case "body":
		return s.body, true
	case "headers":
		return s.headers, true
	case "query":
		return s.query, true
	case "item":
		return s.item, s.inEach
	case workName:
		return &s.work, true
	}
	return nil, false
}

// Parent implements [interpreter.Activation].
func (s *scope) Parent() interpreter.Activation { return nil }
