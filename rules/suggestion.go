package rules

import (
	"context"
	"fmt"
	"slices"
)

// A Level says what has one key: a message, or the thing that messages are about.
type Level string

// The levels; "" where nothing tells which of the two it is.
const (
	LevelMessage Level = "message" // stops repeats of one message
	LevelThing   Level = "thing"   // once per order, charge or item, however many messages tell of it
	LevelChange  Level = "change"  // once per change of such a thing: the key moves with each
)

// thingLevel is LevelThing, or LevelChange for a key that holds a time or version which
// moves with each change of the thing.
func thingLevel(formula string) Level {
	tree, errs := plainTree(formula)
	if tree == nil || len(errs.GetErrors()) > 0 {
		return LevelThing
	}
	if slices.ContainsFunc(pathsIn(tree.Expr()), func(p []string) bool { return len(p) > 1 && nameOf(p).moves() }) {
		return LevelChange
	}
	return LevelThing
}

// use is what a button says that takes a key of the level.
func (l Level) use() string {
	switch l {
	case LevelThing:
		return "Use once per order"
	case LevelChange:
		return "Use once per change"
	}
	return "Use once per message"
}

// Suggestion is a key that could be used, and why.
type Suggestion struct {
	Level   Level
	Formula string
	Parts   []Part // the same as blocks, nil if blocks cannot show it
	Each    string // the list that the formula goes through; "" for none
	When    string // the condition that goes with it; "" for none
	Why     string // one or two sentences
	Known   bool   // the sender documents it; otherwise it is a guess from names and samples
	Fits    bool   // the samples do not speak against it
}

// maxSuggestions bounds the keys that are suggested.
const maxSuggestions = 4

// Suggestions ranks keys for samples, the best first, four at most: what the sender
// documents for messages and for things, and where none of that fits, what the groups
// and the fields' names speak for. A documented key that the samples speak against
// comes last, and says so. It returns none where no field is fit: a
// wrong guess drops events. Of r only the sender's name counts.
func (e *Engine) Suggestions(ctx context.Context, r *Rule, samples *Tree) []Suggestion {
	return e.trial(ctx, &Rule{Sender: r.Sender}, samples).suggestions(ctx)
}

func (t *trial) suggestions(ctx context.Context) []Suggestion {
	if len(t.results) == 0 || t.tree.Err() != nil {
		return nil
	}
	var out []Suggestion
	add := func(s Suggestion) {
		if len(out) < maxSuggestions && !slices.ContainsFunc(out, func(o Suggestion) bool { return o.Formula == s.Formula }) {
			out = append(out, s)
		}
	}
	for _, s := range t.documented(ctx) {
		add(s)
	}
	if !slices.ContainsFunc(out, func(s Suggestion) bool { return s.Fits }) {
		for _, fields := range t.tree.guessed().keys {
			add(t.guess(fields))
		}
	}
	slices.SortStableFunc(out, func(a, b Suggestion) int { return rankFit(a) - rankFit(b) })
	return out
}

func rankFit(s Suggestion) int {
	if s.Fits {
		return 0
	}
	return 1
}

// documented are the keys that the sender's documents speak for.
func (t *trial) documented(ctx context.Context) []Suggestion {
	var out []Suggestion
	for _, s := range []Suggestion{
		{Level: LevelMessage, Formula: t.sender.Key, Why: "The sender names its messages so."},
		{Level: LevelThing, Formula: t.sender.BusinessKey, Why: "Names the thing that the message is about: it runs once, however many messages tell of it."},
	} {
		l := t.level(ctx, s.Formula, t.sender.Each)
		if s.Formula == "" || slices.ContainsFunc(l.keys, func(keys []string) bool { return keys == nil }) {
			continue // not in every sample
		}
		if s.Level == LevelThing && thingLevel(s.Formula) == LevelChange {
			s.Level, s.Why = LevelChange, "Names one change of the thing that the message is about: each change runs once, however many messages tell of it."
		}
		if s.Level != LevelMessage && t.sender.Choose != "" {
			s.Why += " " + t.sender.Choose
		}
		s.Each, s.When, s.Known = t.sender.Each, t.sender.When, true
		s.Parts, _ = Parts(s.Formula)
		proof := ""
		s.Fits, proof = t.against(l)
		s.Why += " " + proof
		out = append(out, s)
	}
	return out
}

// against says what the samples say of a key.
func (t *trial) against(l level) (fits bool, sentence string) {
	var firsts []int
	copies := false
	for _, samples := range t.tree.byEvent() {
		firsts = append(firsts, samples[0])
		copies = copies || len(samples) > 1
		if !l.same(samples) {
			return false, fmt.Sprintf("These samples speak against it: copies %s of event %s get different keys.", numbers(samples), t.eventName(samples[0]))
		}
	}
	switch {
	case !l.apart(firsts):
		return false, "These samples speak against it: different events get one key."
	case len(firsts) == 1:
		return true, "Add a copy and a different event to be sure."
	case !copies:
		return true, "The samples differ; add a copy of one to be sure."
	}
	return true, "Here copies share a key, and different events do not."
}

// byEvent lists the samples of each event that can be read.
func (t *Tree) byEvent() [][]int {
	by := make([][]int, len(t.groups))
	for i, g := range t.groups {
		if t.errs[i] == nil {
			by[g] = append(by[g], i)
		}
	}
	return slices.DeleteFunc(by, func(samples []int) bool { return len(samples) == 0 })
}

// guesses are what the groups and the names of the fields speak for, whoever sends.
type guesses struct {
	keys           [][]Field // the best first
	message, thing string    // formulas; "" if there is none
	fit            []Field   // for a key, the likeliest first
	doubts         []Doubt   // while there are any, no key is guessed
}

// guess works the guesses out.
func (t *Tree) guess() guesses {
	if len(t.groups) == 0 {
		return guesses{}
	}
	named := newOneEvent(t.fields)
	g := guesses{}
	record := named.record()
	g.message, g.thing = t.levelsByName(named, record)
	g.fit = candidates(t.fields)
	if g.doubts = t.doubts(named); g.doubts != nil {
		return g
	}
	if slices.Max(t.groups) == 0 {
		if best := named.key(); best != nil {
			g.keys = append(g.keys, best)
			if record != nil {
				g.keys = append(g.keys, record)
			}
		}
		return g
	}
	for _, f := range g.fit {
		if one := []Field{f}; len(g.keys) < 2 && !byChance(one) && separates(one, t.groups) {
			g.keys = append(g.keys, one)
		}
	}
	if g.keys == nil {
		if best := combine(g.fit, t.groups); best != nil {
			g.keys = append(g.keys, best)
		}
	}
	return g
}

// guess makes a suggestion of fields.
func (t *trial) guess(fields []Field) Suggestion {
	source := "event"
	if t.sender.Name != "" {
		source = t.sender.Name
	}
	parts := blocksOf(Part{Literal: source}, fields)
	s := Suggestion{Formula: Formula(parts), Parts: parts, Fits: true}
	var names []string
	for _, f := range fields {
		names = append(names, "`"+Part{Path: f.Path}.Name()+"`")
		switch role := f.Role(); {
		case role == RoleMessage:
			s.Level = LevelMessage
		case role == RoleRecord && s.Level == "":
			s.Level = LevelThing
		}
	}
	if s.Level == LevelThing {
		s.Level = thingLevel(s.Formula)
	}
	what, is, differ := joinWords(names, "and"), "is", "different"
	if len(fields) > 1 {
		is, differ = "are", "together different"
	}
	switch events := slices.Max(t.groups) + 1; {
	case events == len(t.groups) && events > 1:
		s.Why = fmt.Sprintf("%s %s %s between events. No event has a copy here, so nothing shows that a copy has the same. Add one.", what, is, differ)
		return s
	case events > 1:
		s.Why = fmt.Sprintf("%s %s the same on every copy, and %s between events.", what, is, differ)
		return s
	}
	s.Why = fmt.Sprintf("By name, %s %s what names %s. Add a copy and a different event to be sure.", what, is, aboutLevel(s.Level))
	return s
}

func aboutLevel(l Level) string {
	switch l {
	case LevelMessage:
		return "this one message"
	case LevelChange:
		return "one change of what the message is about"
	}
	return "what the message is about"
}
