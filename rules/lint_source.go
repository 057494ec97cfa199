package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// The lints of this file look at where the samples come from, and at what they are
// about: one message, or one thing.

// level is a formula and the keys that it gives for each sample, none where there is
// none.
type level struct {
	formula string
	keys    [][]string
}

// level works a formula out for every sample. A formula that is "", or that does not
// compile, gives no key.
func (t *trial) level(ctx context.Context, formula, each string) level {
	l := level{formula, make([][]string, len(t.results))}
	p, issues := t.engine.Compile(&Rule{Key: formula, Each: each, FoldCase: t.rule.FoldCase, LongKeys: "sha256"})
	if formula == "" || issues != nil {
		return l
	}
	for i, e := range t.events {
		if t.tree.errs[i] == nil {
			l.keys[i], _ = keysOf(ctx, p, e)
		}
	}
	return l
}

// keysOf is all keys of an event; none, and false, if one of them fails.
func keysOf(ctx context.Context, p *Program, e Event) ([]string, bool) {
	keyed, err := p.Keys(ctx, e)
	if err != nil {
		return nil, false
	}
	var keys []string
	for _, k := range keyed {
		if k.Err != nil {
			return nil, false
		}
		if !k.Ignored {
			keys = append(keys, k.Key)
		}
	}
	return keys, true
}

// same tells whether the samples have the same keys, and one at least.
func (l level) same(samples []int) bool {
	return !slices.ContainsFunc(samples, func(i int) bool { return l.keys[i] == nil || !slices.Equal(l.keys[i], l.keys[samples[0]]) })
}

// apart tells whether the samples have keys, and no two of them one in common.
func (l level) apart(samples []int) bool {
	seen := map[string]bool{}
	for _, i := range samples {
		if l.keys[i] == nil || slices.ContainsFunc(l.keys[i], func(k string) bool { return seen[k] }) {
			return false
		}
		for _, k := range l.keys[i] {
			seen[k] = true
		}
	}
	return true
}

// levels works out the two keys that the sender's documents, or else the names of
// fields, speak for.
func (t *trial) levels(ctx context.Context) {
	message, thing := "", ""
	if t.sender.Each == t.rule.Each {
		message, thing = t.sender.Key, t.sender.BusinessKey
	}
	if t.sender.Name == "" && t.rule.Each == "" && len(t.results) > 1 {
		message, thing = t.tree.guessed().message, t.tree.guessed().thing
	}
	t.message, t.thing = t.level(ctx, message, t.rule.Each), t.level(ctx, thing, t.rule.Each)
}

// sameThing finds messages that are different events with this key, and tell of one
// thing.
func (t *trial) sameThing() {
	first := map[string]int{}
	for i, row := range t.results {
		if len(row.Keys) == 0 {
			continue
		}
		for _, k := range t.thing.keys[i] {
			at, ok := first[k]
			switch {
			case !ok:
				first[k] = i
			case t.groups[at] != t.groups[i] && !slices.Equal(t.results[at].Keys, row.Keys):
				t.add(Verdict{Code: VerdictSameThing, Samples: []int{at, i}, Fix: &Fix{Label: thingLevel(t.thing.formula).use(), Formula: t.thing.formula},
					Text: fmt.Sprintf("Samples %d and %d are two messages about one thing, so the work would run for each of them. If it must happen once, use a key for the thing.", at+1, i+1)})
				return
			}
		}
	}
}

// severalHooks finds copies that came by different registrations at the sender.
func (t *trial) severalHooks() {
	for _, f := range t.tree.fields {
		if f.Kind == "object" || f.Kind == "list" || f.constant() || !nameOf(f.Path).ofHook() {
			continue
		}
		for _, samples := range t.tree.byEvent() {
			var values []string
			for _, i := range samples {
				if v := f.whole[i]; v != "" && !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
			if len(values) < 2 {
				continue
			}
			v := Verdict{Code: VerdictSeveralHooks, Samples: samples, Path: f.Text, Text: fmt.Sprintf(
				"Copies %s came by %d hooks: `%s` is %s. Each hook sends its own copy of every event. Remove all but one at the sender, or keep to a key that is the same from each.",
				numbers(samples), len(values), Part{Path: f.Path}.Name(), joinWords(values[:min(len(values), 3)], "and"))}
			if t.thing.same(samples) && t.thing.formula != t.rule.Key && !t.sameKeys(samples) {
				v.Fix = &Fix{Label: thingLevel(t.thing.formula).use(), Formula: t.thing.formula}
			}
			t.add(v)
			return
		}
	}
}

// ofHook tells X-GitHub-Hook-ID, webhook_id and subscriptionId.
func (n fieldName) ofHook() bool {
	return n.isID() && slices.ContainsFunc(n.words, func(w string) bool { return w == "hook" || w == "webhook" || w == "subscription" }) &&
		n.joined() != "webhookid" || n.root == "body" && n.joined() == "webhookid"
}

func (t *trial) sameKeys(samples []int) bool {
	return !slices.ContainsFunc(samples, func(i int) bool {
		return len(t.results[i].Keys) == 0 || !slices.Equal(t.results[i].Keys, t.results[samples[0]].Keys)
	})
}

// testButton finds samples that a sender's test button made.
func (t *trial) testButton() {
	for i := range t.results {
		if t.tree.errs[i] != nil || t.results[i].Ignored {
			continue
		}
		what, where := t.testMark(i)
		if what == "" {
			continue
		}
		by := "a test button"
		if t.sender.Title != "" {
			by = "the test button of " + t.sender.Title
		}
		v := Verdict{Code: VerdictTestButton, Samples: []int{i}, Path: where, Text: fmt.Sprintf(
			"Sample %d looks like one from %s: %s. Every press sends that again, so the second press counts as a copy. Prove the key with a real event.", i+1, by, what)}
		if t.rule.Each == "" {
			v.Fix = &Fix{Label: "Leave tests out", Formula: t.rule.Key, Setting: "when", Value: t.exceptTests(i, where)}
		}
		t.add(v)
		return
	}
}

// testMark says by what a sample is known as a test, "" if it is none.
func (t *trial) testMark(i int) (what, where string) {
	var said []string
	for _, id := range t.sender.TestIDs {
		paths := t.tree.places(i, id.Field, t.sender.Each)
		at := slices.IndexFunc(paths, func(p []string) bool { return t.tree.valueAt(i, p) == id.Value })
		if at < 0 {
			said = nil
			break
		}
		said = append(said, fmt.Sprintf("`%s` is %s", Part{Path: paths[at]}.Name(), id.Value))
		if where == "" {
			where = pathText(paths[at])
		}
	}
	if said != nil {
		return joinWords(said, "and"), where
	}
	for _, f := range t.tree.fields {
		if v := f.whole[i]; len(f.Path) != 2 || v != "true" && !zeroID(v) {
			continue
		}
		if n := nameOf(f.Path); f.whole[i] == "true" && n.last() == "test" || f.whole[i] != "true" && bareID(n) {
			return fmt.Sprintf("`%s` is %s", Part{Path: f.Path}.Name(), f.whole[i]), f.Text
		}
	}
	return "", ""
}

// zeroID tells evt_00000000000000.
func zeroID(v string) bool {
	return strings.HasSuffix(v, "00000000") && strings.Trim(v[strings.LastIndex(v, "_")+1:], "0-") == ""
}

// valueAt is a sample's value at a path as it stands in a key, "" if there is none.
func (t *Tree) valueAt(i int, path []string) string {
	var v any
	var code KeyCode
	switch path[0] {
	case "headers":
		v, code = lookUp(t.events[i].Headers, path[1:])
	case "query":
		v, code = lookUp(t.events[i].Query, path[1:])
	default:
		v, code = lookUp(t.events[i].Body, path[1:])
	}
	if code != "" {
		return ""
	}
	text, _ := partText(v)
	return text
}

// exceptTests is the rule's condition with tests left out.
func (t *trial) exceptTests(i int, where string) string {
	path, _ := parsePath(where)
	cond := "key(either(" + where + `, "-")) != ` + quote(escapePart(t.tree.valueAt(i, path)))
	if t.rule.When == "" {
		return cond
	}
	return "(" + t.rule.When + ") && " + cond
}
