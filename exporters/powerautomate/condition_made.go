package powerautomate

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode"

	"dedupedesk/exporters/wdl"
)

// The outcomes that a made event can want.
const (
	run   = wdl.Run
	skip  = wdl.Skip
	fails = wdl.EvalError
)

// How a made event differs from the sample.
const (
	holds     = iota // the field holds a value
	missing          // the field is not there
	hollow           // what the field lies in is null
	flat             // what the field lies in came as text
	untouched        // the event is as in the sample
)

// A made event, before it is written.
type made struct {
	name string
	how  int
	set  any
	at   time.Time // the clock; the zero time for any
	want wdl.Outcome
}

// shapes are the events in which the field comes in a form that no line can bear.
func shapes(c clause) []made {
	list := []made{{name: "the field is a list", set: []any{"a", "b"}, want: fails}}
	if len(c.path) > 2 {
		list = append(list, made{name: "text came where an object should be", how: flat, set: "text", want: fails})
	}
	return list
}

// absent are the events without a value.
func absent(c clause, want wdl.Outcome) []made {
	list := []made{
		{name: "the field is empty (null)", want: want},
		{name: "the field is missing", how: missing, want: want},
	}
	if len(c.path) > 2 {
		list = append(list, made{name: "what it lies in is empty (null)", how: hollow, want: want})
	}
	return list
}

func join(lists ...[]made) []made {
	var all []made
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

func madeOwn(c clause) []made {
	other := "someone.else@example.com"
	switch {
	case !strings.Contains(c.value, "@"):
		other = "99999999-9999-9999-9999-999999999999"
	case other == c.value:
		other = "another.person@example.com"
	}
	if other == c.value {
		other = "88888888-8888-8888-8888-888888888888"
	}
	return join([]made{{name: "a change by the flow's own account", set: c.value, want: skip}},
		c.capitals("the same in capitals", skip),
		[]made{{name: "a change by somebody else", set: other, want: run}}, absent(c, run), shapes(c))
}

func madeSender(c clause) []made {
	list := madeOwn(c)
	for i := range list {
		list[i].name = strings.Replace(list[i].name, "a change by", "mail from", 1)
	}
	return append(list,
		made{name: "the flow's own address behind a name", set: "Orders <" + c.value + ">", want: skip},
		made{name: "an address that ends like it", set: "x" + c.value, want: run})
}

func madeIs(c clause) []made {
	switch c.kind {
	case "number":
		n, _ := wdl.Number(c.value)
		return join([]made{
			{name: "the value", set: number(n), want: run}, {name: "another number", set: number(oneMore(n)), want: skip},
			{name: "the number as text", set: n, want: skip},
		}, absent(c, skip))
	case "boolean":
		if s := strings.ToLower(c.value); s == "no" || s == "false" {
			return madeNotYes(c)
		}
		return madeYes(c)
	}
	return join([]made{
		{name: "the value", set: c.value, want: run},
		{name: "the value with spaces around it", set: " " + c.value + " ", want: run},
		{name: "another value", set: c.value + " not", want: skip},
	}, c.capitals("the value in capitals", run), absent(c, skip), shapes(c))
}

// capitals is the event with the value in capitals, where it has small letters
// that have some and come back from them: ı does not.
func (c clause) capitals(name string, want wdl.Outcome) []made {
	up, small := strings.ToUpper(c.value), strings.ToLower(c.value)
	back := strings.ToLower(up) // not the same as folding: ſ comes back as s
	if up == c.value || back != small {
		return nil
	}
	return []made{{name: name, set: up, want: want}}
}

func madeYes(c clause) []made {
	return join([]made{{name: "yes", set: true, want: run}, {name: "no", set: false, want: skip}}, absent(c, skip))
}

func madeNotYes(c clause) []made {
	return join([]made{{name: "yes", set: true, want: skip}, {name: "no", set: false, want: run}}, absent(c, run))
}

func madeReplies(c clause) []made {
	var list []made
	for _, p := range strings.Split(c.value, ", ") {
		list = append(list, made{name: "a subject that begins with " + strconv.Quote(p), set: capital(p) + " Order 41", want: skip})
	}
	return join(list, ownSubject(c.value), absent(c, run), shapes(c))
}

// ownSubject is a mail whose subject begins with none of the beginnings.
func ownSubject(beginnings string) []made {
	for _, subject := range []string{"Order 41", "A new order", "41 pieces"} {
		begins := false
		for _, p := range strings.Split(beginnings, ", ") {
			begins = begins || strings.HasPrefix(strings.ToLower(subject), p)
		}
		if !begins {
			return []made{{name: "a subject of its own", set: subject, want: run}}
		}
	}
	return nil
}

// capital writes the first letter large, as mail programs do.
func capital(s string) string {
	runes := []rune(s)
	if up := unicode.ToUpper(runes[0]); unicode.ToLower(up) == runes[0] {
		runes[0] = up
	}
	return string(runes)
}

func madeFilled(c clause, filled, empty wdl.Outcome) []made {
	list := []made{{name: "a value", set: "x", want: filled}, {name: "empty text", set: "", want: empty}}
	switch c.kind {
	case "text":
		list = append(list, made{name: "spaces alone", set: "  ", want: empty})
	case "list":
		list = []made{{name: "a list with an element", set: []any{"x"}, want: filled}, {name: "a list without elements", set: []any{}, want: empty}}
	case "object":
		list = []made{{name: "an object with a member", set: map[string]any{"Value": "x"}, want: filled}, {name: "an object without members", set: map[string]any{}, want: empty}}
	case "number":
		list = []made{{name: "a number", set: number("7"), want: filled}, {name: "zero", set: number("0"), want: filled}}
	case "boolean":
		list = []made{{name: "yes", set: true, want: filled}, {name: "no", set: false, want: filled}}
	}
	return join(list, absent(c, empty))
}

func madeMessage(c clause) []made {
	var list []made
	for _, m := range []string{"Create", "Update", "Delete"} {
		want := skip
		if strings.EqualFold(m, c.value) {
			want = run
		}
		list = append(list, made{name: "the kind " + m, set: m, want: want})
	}
	return join(list, absent(c, skip), shapes(c))
}

func madeAbove(c clause) []made {
	above, below := "9"+c.value, "-9"+strings.TrimPrefix(c.value, "-")
	if strings.HasPrefix(c.value, "-") {
		above = "0"
	}
	if c.kind == "text" {
		return join([]made{
			{name: "above the limit", set: above, want: run}, {name: "at the limit", set: c.value, want: skip}, {name: "below it", set: below, want: skip},
			{name: "empty text", set: "", want: c.zero()}, {name: "text that is no number", set: "many", want: fails},
		}, absent(c, c.zero()))
	}
	return join([]made{
		{name: "above the limit", set: number(above), want: run}, {name: "at the limit", set: number(c.value), want: skip}, {name: "below it", set: number(below), want: skip},
		{name: "the number as text", set: above, want: fails},
	}, absent(c, c.zero()))
}

// zero is what an empty amount comes to.
func (c clause) zero() wdl.Outcome {
	if strings.HasPrefix(c.value, "-") {
		return run
	}
	return skip
}

func madeDays(c clause) []made {
	place, ok := wdl.Location(c.value)
	if !ok {
		return nil // refused before
	}
	var list []made
	for day := range 7 {
		at := time.Date(2026, 10, 26+day, 0, 30, 0, 0, place) // the 26th is a Monday
		want := run
		if w := at.Weekday(); w == time.Saturday || w == time.Sunday {
			want = skip
		}
		list = append(list, made{name: "a " + at.Weekday().String() + ", half past midnight there", how: untouched, at: at, want: want})
	}
	return list
}

// A number is written with just these digits.
type number = json.Number

// oneMore writes another number: with a 1 before its digits.
func oneMore(n string) string {
	digits, minus := strings.CutPrefix(n, "-")
	if minus {
		return "-1" + digits
	}
	return "1" + digits
}
