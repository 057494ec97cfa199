package rules

import (
	"slices"
	"strings"
)

// With one event alone every field that stays the same could be the key. What is
// suggested then rests on names, and a wrong guess drops events. So this file
// takes an id of the message itself; an id of a thing only together with what
// tells its messages apart; and nothing where neither is there.

// kindOrder lists the names that say what happened, the clearest first.
var kindOrder = strings.Fields(`eventtype eventname webhookevent triggerevent triggertype topic event action trigger operation op notificationtype detailtype sdkmessage recordtype type kind objectkind`)

// stateOrder lists the names that say it where no other does.
var stateOrder = strings.Fields(`status smsstatus messagestatus paymentstatus state`)

// holders are the objects that senders wrap a thing in.
var holders = strings.Fields(`data payload record object resource event entity item content detail details recording`)

// oneEvent holds the fields that may stand in a key.
type oneEvent struct {
	fields []Field
	names  []fieldName // of fields
	all    []Field
}

func newOneEvent(fields []Field) oneEvent {
	e := oneEvent{all: fields}
	for _, f := range fields {
		fit := f.Kind == "text" || f.Kind == "number"
		if fit && len(f.Missing) == 0 && !f.Has(BadgeChanges) && !f.Has(BadgePersonal) && !f.Has(BadgeListPosition) && !f.long() && !changesByName(f, false) {
			e.fields, e.names = append(e.fields, f), append(e.names, nameOf(f.Path))
		}
	}
	return e
}

// key returns the fields suggested for samples of a single event, nil if none is safe.
func (e oneEvent) key() []Field {
	if f, ok := e.message(); ok {
		return []Field{f}
	}
	if f, ok := e.mail(); ok {
		kind, change := e.kind(f, true), e.change(f, true)
		if change == nil && e.reports() {
			return nil
		}
		return e.add(e.add([]Field{f}, kind), change)
	}
	if f, ok := e.envelope(); ok {
		return e.add([]Field{f}, e.kind(f, false))
	}
	return e.record()
}

// add appends a field unless it is none.
func (e oneEvent) add(key []Field, f *Field) []Field {
	if f == nil {
		return key
	}
	return append(key, *f)
}

// first returns the first field that fits.
func (e oneEvent) first(is func(Field, fieldName) bool) (Field, bool) {
	for i := range e.fields {
		if is(e.fields[i], e.names[i]) {
			return e.fields[i], true
		}
	}
	return Field{}, false
}

// message finds the id of the message; a key made for that purpose comes first.
func (e oneEvent) message() (Field, bool) {
	if f, ok := e.first(func(_ Field, n fieldName) bool { return n.message() && slices.Contains(n.words, "idempotency") }); ok {
		return f, true
	}
	return e.first(func(f Field, n fieldName) bool { return n.message() || f.Role() == RoleMessage })
}

func (e oneEvent) mail() (Field, bool) {
	return e.first(func(_ Field, n fieldName) bool { return n.mail() && n.depth <= 2 })
}

// reports tells news of a mail, of which there is one for each recipient.
func (e oneEvent) reports() bool {
	return slices.ContainsFunc(e.all, func(f Field) bool {
		return len(f.Path) == 2 && slices.Contains(nameOf(f.Path).own, "recipient")
	})
}

// envelope finds a top id beside a kind and an object with an id of its own: then
// the top id is the message's.
func (e oneEvent) envelope() (Field, bool) {
	top, ok := e.first(func(f Field, n fieldName) bool { return f.Path[0] == "body" && n.depth == 1 && bareID(n) })
	if !ok || e.kind(top, false) == nil {
		return Field{}, false
	}
	inner := slices.ContainsFunc(e.all, func(f Field) bool {
		return len(f.Path) > 2 && f.Path[0] == "body" && slices.Contains(holders, f.Path[1]) && !isIndex(f.Path[2]) && nameOf(f.Path).isID()
	})
	return top, inner
}

// bareID tells id, uid and uuid without a word before.
func bareID(n fieldName) bool { return len(n.own) == 1 && idWords[n.own[0]] }

// record finds the one thing that the event is about, and what tells its messages
// apart: a time or version of its change, or a kind that a thing has once.
func (e oneEvent) record() []Field {
	f, ok := e.thing()
	if !ok {
		return nil
	}
	kind, change := e.kind(f, true), e.change(f, false)
	if change == nil && (kind == nil || !onceWords.MatchString(kind.whole[0])) {
		return nil
	}
	return e.add(e.add([]Field{f}, kind), change)
}

// thing finds the thing's id. Two things that could both be meant are none.
func (e oneEvent) thing() (Field, bool) {
	at := func(depth int, is func(Field, fieldName) bool) []Field {
		var out []Field
		for i, f := range e.fields {
			n := e.names[i]
			if f.Path[0] == "body" && n.depth == depth && !n.denied() && !n.message() && is(f, n) {
				out = append(out, f)
			}
		}
		return out
	}
	bare := func(_ Field, n fieldName) bool { return bareID(n) }
	if found := at(1, bare); len(found) > 0 {
		return found[0], true
	}
	for _, holder := range holders {
		inside := func(is func(fieldName) bool) []Field {
			return at(2, func(f Field, n fieldName) bool { return f.Path[1] == holder && is(n) })
		}
		if found := inside(bareID); len(found) > 0 {
			return found[0], true
		}
		if found := inside(fieldName.isID); len(found) == 1 {
			return found[0], true
		}
	}
	for _, found := range [][]Field{
		at(1, func(_ Field, n fieldName) bool { return n.isID() }),
		at(2, bare),
		at(1, func(_ Field, n fieldName) bool { return n.numbered() }),
	} {
		if len(found) > 0 {
			return found[0], len(found) == 1
		}
	}
	return Field{}, false
}

// kind finds what happened: at the top, in a header, in the object of the event's
// own facts, and beside the id. With state a mere state will do.
func (e oneEvent) kind(id Field, state bool) *Field {
	beside := id.Path[:len(id.Path)-1]
	places := []func(Field) bool{
		func(f Field) bool { return f.Path[0] == "body" && len(f.Path) == 2 },
		func(f Field) bool { return f.Path[0] == "headers" },
		func(f Field) bool {
			return len(f.Path) == 3 && slices.Contains([]string{"meta", "metadata", "event", "envelope", "header"}, f.Path[1])
		},
		func(f Field) bool { return len(f.Path) == len(id.Path) && slices.Equal(f.Path[:len(f.Path)-1], beside) },
	}
	orders := [][]string{kindOrder}
	if state {
		orders = append(orders, stateOrder)
	}
	for _, order := range orders {
		for _, here := range places {
			for _, name := range order {
				f, ok := e.first(func(f Field, n fieldName) bool { return here(f) && f.isKind(n, name) })
				if ok {
					return &f
				}
			}
		}
	}
	return nil
}

// isKind tells whether the field has that name, or is a header that ends with it,
// and holds a word.
func (f Field) isKind(n fieldName, name string) bool {
	named := n.joined() == name
	if f.Path[0] == "headers" {
		named = (name == "topic" || name == "event") && n.last() == name
	}
	return named && !slices.ContainsFunc(f.whole, func(v string) bool { return strings.Contains(v, "://") })
}

// change finds what moves with each change of the thing: beside its id or among
// its fields, else the time of the event. With eventAlone only the latter.
func (e oneEvent) change(id Field, eventAlone bool) *Field {
	beside := id.Path[:len(id.Path)-1]
	if !eventAlone {
		for _, in := range []string{"", "attributes", "fields", "properties"} {
			place := beside
			if in != "" {
				place = append(slices.Clone(beside), in)
			}
			f, ok := e.first(func(f Field, n fieldName) bool {
				return slices.Equal(f.Path[:len(f.Path)-1], place) && n.changes() && !n.happens() && f.movesAsTime()
			})
			if ok {
				return &f
			}
		}
	}
	f, ok := e.first(func(f Field, n fieldName) bool {
		near := len(f.Path) == 2 || len(f.Path) == len(id.Path) && slices.Equal(f.Path[:len(beside)], beside)
		return f.Path[0] == "body" && near && n.happens() && f.movesAsTime()
	})
	if !ok {
		return nil
	}
	return &f
}
