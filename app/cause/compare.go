package cause

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// A Comparison is what two events tell.
type Comparison struct {
	Sender string   // who sent them, where it is known
	Facts  []string // in sentences
	Given  []Given  // the answers that follow from them
	Same   bool     // they are copies of one event
}

// A comparing is a comparison that is being made.
type comparing struct {
	ctx    context.Context
	engine *rules.Engine
	a, b   rules.Event
	sender rules.Sender
	tree   *rules.Tree
	out    Comparison
}

// Compare tells what two events have alike: their sender's own key, the ids in them, what
// changes when a sender tries again. It returns the error of a sample that cannot be read.
func Compare(ctx context.Context, engine *rules.Engine, first, second rules.Sample) (Comparison, error) {
	a, err := first.Event()
	if err != nil {
		return Comparison{}, fmt.Errorf("the first event: %w", err)
	}
	b, err := second.Event()
	if err != nil {
		return Comparison{}, fmt.Errorf("the second event: %w", err)
	}
	c := &comparing{ctx: ctx, engine: engine, a: a, b: b, tree: rules.NewTree([]rules.Sample{first, second})}
	sender, known := presets.Known("", a)
	if other, too := presets.Known("", b); known && too && other.Name == sender.Name {
		c.sender, c.out.Sender = sender, sender.Title
	}
	c.decide()
	return c.out, nil
}

func (c *comparing) fact(format string, args ...any) {
	c.out.Facts = append(c.out.Facts, fmt.Sprintf(format, args...))
}

func (c *comparing) give(question, answer string) {
	c.out.Given = append(c.out.Given, Given{question, answer})
}

// decide asks what names the event, then what names the thing.
func (c *comparing) decide() {
	deliveries := c.deliveries()
	if id, ok := c.test(); ok {
		c.fact("Both carry %s, which the sender's test button sends every time: of a test little can be told.", id)
		if len(deliveries) == 0 {
			return
		}
	}
	// Two events to compare are those of two runs.
	c.give("runs", "two")
	c.give("start", "event")
	eventA, eventB, hasEvent := c.keys(c.sender.Key)
	thingA, thingB, hasThing := c.keys(c.sender.BusinessKey)
	whole := bytes.Equal(c.a.JSON(), c.b.JSON())
	switch {
	case hasThing && thingA != thingB && !(whole && hasEvent):
		c.fact("They are about two different things: %s and %s.", thingA, thingB)
		c.give("same", "different")
		c.give("thing", "no")
	case hasEvent && eventA == eventB, !hasEvent && c.oneID():
		c.same(deliveries)
	case whole && len(deliveries) > 0:
		c.fact("They hold the same, to the last value, under two delivery ids (%s).", strings.Join(deliveries, ", "))
		c.give("same", "delivery")
		c.out.Same = true
	case hasEvent:
		c.fact("The event's id differs: %s and %s.", eventA, eventB)
		c.give("same", "different")
		if hasThing {
			c.fact("They are about the same thing: %s.", thingA)
			c.give("thing", "yes")
		}
	default:
		c.withoutID(whole)
	}
}

// test tells whether both are what a test button sends.
func (c *comparing) test() (string, bool) {
	for _, t := range c.sender.TestIDs {
		at := t.Field
		if rest, ok := strings.CutPrefix(at, "item"); ok && c.sender.Each != "" {
			at = c.sender.Each + "[0]" + rest
		}
		if f, ok := c.tree.Find(at); ok && len(f.Values) == 2 && f.Values[0] == f.Values[1] && f.Values[0] == t.Value {
			return t.Field + " " + t.Value, true
		}
	}
	return "", false
}

// same is one event that came twice: by two registrations, or on two tries.
func (c *comparing) same(deliveries []string) {
	c.out.Same = true
	c.fact("The event's id is the same in both.")
	if len(deliveries) > 0 {
		c.fact("It came under two delivery ids (%s): a sender that tries again keeps it, two registrations do not.", strings.Join(deliveries, ", "))
		c.give("same", "delivery")
		return
	}
	c.give("same", "same")
	if tries := c.tries(); len(tries) > 0 {
		c.fact("The second says that it is another try: %s.", strings.Join(tries, ", "))
		c.give("replayed", "no")
		c.give("log", "failed")
	}
}

// withoutID is what is left where nothing names the event.
func (c *comparing) withoutID(whole bool) {
	records := c.alike(rules.RoleRecord)
	differ := c.fields(rules.RoleRecord)
	switch {
	case len(differ) > 0:
		c.fact("They are about two different things: %s differs.", strings.Join(differ, ", "))
		c.give("thing", "no")
	case len(records) > 0:
		c.fact("They are about the same thing (%s), and nothing in them names the event.", strings.Join(records, ", "))
		c.give("thing", "yes")
	case whole:
		c.fact("They hold the same, and no field names the event or the thing: one that came twice and two that are equal look alike here.")
	default:
		c.fact("No field names the event or the thing, so they cannot be told apart or together. Look at the sender's page for an id.")
	}
}

// keys are the keys of both events by a formula of the sender; false where one has none.
func (c *comparing) keys(formula string) (a, b string, ok bool) {
	if formula == "" {
		return "", "", false
	}
	program, _ := c.engine.Compile(&rules.Rule{Rule: "compare", Key: formula, Each: c.sender.Each})
	if program == nil {
		return "", "", false
	}
	of := func(e rules.Event) string {
		made, err := program.Keys(c.ctx, e)
		if err != nil {
			return ""
		}
		var all []string
		for _, k := range made {
			if k.Err != nil {
				return ""
			}
			if !k.Ignored {
				all = append(all, k.Key)
			}
		}
		return strings.Join(all, ", ")
	}
	a, b = of(c.a), of(c.b)
	return a, b, a != "" && b != ""
}

// oneID tells whether a field that names a message is the same in both.
func (c *comparing) oneID() bool {
	return len(c.alike(rules.RoleMessage)) > 0 && len(c.fields(rules.RoleMessage)) == 0
}

// fields lists the fields of a role that differ.
func (c *comparing) fields(role rules.Role) (list []string) {
	for _, f := range c.tree.Fields() {
		if f.Role() == role && differs(f) {
			list = append(list, f.Name)
		}
	}
	return list
}

// deliveries lists the headers that name the delivery and differ.
func (c *comparing) deliveries() (list []string) {
	for _, f := range c.tree.Fields() {
		names := f.Role() == rules.RoleMessage || strings.Contains(f.Name, "delivery") || strings.HasSuffix(f.Name, "webhook-id")
		if f.Path[0] == "headers" && names && differs(f) {
			list = append(list, f.Name)
		}
	}
	return list
}

func differs(f rules.Field) bool { return len(f.Values) == 2 && f.Values[0] != f.Values[1] }

func (c *comparing) alike(role rules.Role) (list []string) {
	for _, f := range c.tree.Fields() {
		if f.Role() == role && len(f.Values) == 2 && f.Values[0] == f.Values[1] && f.Values[0] != "" {
			list = append(list, f.Name)
		}
	}
	return list
}

// triesWords are in the names of fields that count tries.
var triesWords = []string{"attempt", "retry", "retries", "redeliver", "try_count", "delivery_status"}

// tries lists the fields that differ and count tries.
func (c *comparing) tries() (list []string) {
	for _, f := range c.tree.Fields() {
		changed := len(f.Missing) == 1 || differs(f)
		named := slices.ContainsFunc(triesWords, func(w string) bool { return strings.Contains(strings.ToLower(f.Name), w) })
		if changed && named && f.Kind != "object" && f.Kind != "list" {
			list = append(list, f.Name)
		}
	}
	return list
}
