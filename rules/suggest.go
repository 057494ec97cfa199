package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxCandidates bounds the fields that are combined.
const maxCandidates = 24

// Suggest returns the shortest combination of fields that is the same on copies
// and different between events, after the text "event", which stands for the source.
// With samples of one event alone nothing can be told apart; then it is an id that by
// its name is the message's own, or the id of a thing together with what differs
// between two messages about it. It returns nil if no field is fit: a wrong guess
// drops events. It knows no senders; see [Engine.Suggestions].
func (t *Tree) Suggest() []Part {
	if t.Err() != nil {
		return nil
	}
	if keys := t.guessed().keys; len(keys) > 0 {
		return blocksOf(Part{Literal: "event"}, keys[0])
	}
	return nil
}

func blocksOf(source Part, fields []Field) []Part {
	parts := []Part{source}
	for _, f := range fields {
		parts = append(parts, Part{Path: f.Path})
	}
	return parts
}

// separates tells whether the fields together are the same on copies and
// different between events.
func separates(fields []Field, groups []int) bool {
	joined := Field{whole: make([]string, len(groups)), codes: make([]KeyCode, len(groups))}
	for i := range groups {
		for _, f := range fields {
			joined.whole[i] += escapePart(f.whole[i]) + ":"
		}
	}
	stable, apart := joined.compare(groups)
	return stable && apart
}

var (
	idName     = regexp.MustCompile(`(?i)^(id|uuid|guid|.*[_-](id|uuid|guid|no|number|key)|.*[a-z](Id|ID|Uuid|Guid|No|Number|Key)|number|reference|event_?id)$`)
	attemptish = regexp.MustCompile(`(?i)(attempt|retry|retries|delivery[_-]?(count|number)|run[_-]?id|execution[_-]?id|zap_meta|signature|hmac|nonce|webhook[_-]?timestamp|sent[_-]?at|triggered[_-]at|traceparent|request[_-]?id|content-length|^date$)`)
	timeish    = regexp.MustCompile(`(?i)(time|date|created|updated|modified|timestamp|_at$|[a-z]At$|^ts$)`)
)

// candidates returns the fields fit for a key, the likeliest first.
func candidates(fields []Field) []Field {
	var out []Field
	for _, f := range fields {
		fit := f.Kind == "text" || f.Kind == "number"
		switch {
		case !fit, len(f.Missing) > 0, f.Has(BadgeChanges), f.Has(BadgeSame), f.Has(BadgePersonal), f.Has(BadgeListPosition), changesByName(f, false), rowName(nameOf(f.Path).own), f.long():
			continue
		case f.Path[0] == "headers" && !idName.MatchString(f.Name):
			continue
		}
		out = append(out, f)
	}
	ranks := make(map[string]int, len(out))
	for i := range out {
		ranks[out[i].Text] = out[i].rank()
	}
	slices.SortStableFunc(out, func(a, b Field) int { return ranks[a.Text] - ranks[b.Text] })
	return out[:min(len(out), maxCandidates)]
}

func (f *Field) long() bool {
	return slices.ContainsFunc(f.whole, func(v string) bool { return utf8.RuneCountInString(v) > 120 })
}

// rank is low for what looks like an id near the top, high for times and text.
func (f *Field) rank() int {
	r := 2 * len(f.Path)
	switch role := f.Role(); {
	case role == RoleMessage:
	case role == RolePlace || role == RoleAmount || role == RoleKind:
		r += 50
	case strings.EqualFold(f.Name, "id"):
	case idName.MatchString(f.Name):
		r += 3
	case timeLike(f.Name, f.whole):
		r += 60
	default:
		r += 20
	}
	if slices.ContainsFunc(f.whole, func(v string) bool { return strings.ContainsAny(v, " /") }) {
		r += 30
	}
	return r
}

// timeLike tells a point in time by its value, and a number also by its name.
func timeLike(name string, values []string) bool {
	for _, v := range values {
		if _, err := ReadTime(v); err != nil {
			return false
		}
		if !strings.ContainsAny(v, "-:/") && !timeish.MatchString(name) {
			return false // ten digits may be anything
		}
	}
	return len(values) > 0
}

// combine tries one field, then two, then three.
func combine(fields []Field, groups []int) []Field {
	for size := 1; size <= 3; size++ {
		if found := choosing(fields, size, nil, groups); found != nil {
			return found
		}
	}
	return nil
}

// byChance tells fields that differ between two samples by chance alone: two
// accounts, two amounts, two states, two times.
func byChance(fields []Field) bool {
	return !slices.ContainsFunc(fields, func(f Field) bool {
		r := f.Role()
		return r != RoleAmount && r != RolePlace && r != RoleKind && r != RoleChange
	})
}

func choosing(fields []Field, size int, picked []Field, groups []int) []Field {
	if size == 0 {
		if !byChance(picked) && separates(picked, groups) {
			return slices.Clone(picked)
		}
		return nil
	}
	for i := range fields {
		if found := choosing(fields[i+1:], size-1, append(picked, fields[i]), groups); found != nil {
			return found
		}
	}
	return nil
}

// levelsByName returns the key of the message and that of the thing which the names
// of the fields speak for, each "" if there is none.
func (t *Tree) levelsByName(named oneEvent, record []Field) (message, thing string) {
	source := Part{Literal: "event"}
	if f, ok := named.message(); ok {
		message = Formula(blocksOf(source, []Field{f}))
	}
	tellsMessages := slices.ContainsFunc(t.fields, func(f Field) bool { return f.Role() == RoleMessage })
	if tellsMessages && record != nil {
		thing = Formula(blocksOf(source, record))
	}
	return message, thing
}
