package rules

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A resend is the next try of a delivery as its sender would make it: other times
// of sending, attempt counters and signatures, members in another order, other
// spacing. What names the event stays. It is made from one sample, so it proves
// nothing: it rests on what the sender documents, or on names.

// Resend makes the next try of a sample. It returns the body as text, the headers,
// and the fields that it changed, as they stand in a formula. The sender may be the
// zero value; then the fields are those whose names say that they change. A body
// that is no JSON is written as JSON of the same fields. It returns the error of a
// sample that cannot be read.
func Resend(s Sample, sender Sender) (Sample, []string, error) {
	t := NewTree([]Sample{s})
	if err := t.errs[0]; err != nil {
		return Sample{}, nil, err
	}
	changed := t.resendChanges(0, sender)
	e := t.events[0]
	for _, path := range changed {
		e = changeField(e, path)
	}
	out := s
	out.Name, out.Headers, out.Body = "simulated resend", e.Headers, string(appendResent(nil, e.Body, ""))
	if out.Headers["content-type"] != "" {
		out.Headers["content-type"] = "application/json"
	}
	return out, pathTexts(changed), nil
}

func pathTexts(paths [][]string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = pathText(p)
	}
	return out
}

// resendChanges lists what the next try of a sample changes.
func (t *Tree) resendChanges(sample int, sender Sender) [][]string {
	keep := fieldsIn(sender.Key)
	var out [][]string
	seen := map[string]bool{}
	add := func(path []string) {
		if text := pathText(path); !seen[text] && !slices.Contains(keep, text) {
			seen[text] = true
			out = append(out, path)
		}
	}
	for _, text := range sender.Changed {
		for _, path := range t.places(sample, text, sender.Each) {
			add(path)
		}
	}
	for _, f := range t.fields {
		scalar := f.Kind != "object" && f.Kind != "list"
		if scalar && !absent(f.codes[sample]) && changesByName(f, len(sender.Changed) > 0) && f.Role() != RoleMessage {
			add(f.Path)
		}
	}
	return out
}

// places turns a field of a sender's facts into paths of one sample: that of an item
// becomes one for each item.
func (t *Tree) places(sample int, text, each string) [][]string {
	path, ok := parsePath(text)
	if !ok || !roots[path[0]] {
		return nil
	}
	if path[0] != "item" {
		return [][]string{path}
	}
	list, ok := parsePath(each)
	if !ok {
		return nil
	}
	items, _ := walkTo(t.events[sample].Body, list[1:]).([]any)
	var out [][]string
	for i := range min(len(items), maxInList) {
		place := append(slices.Clone(list), fmt.Sprintf("[%d]", i))
		out = append(out, append(place, path[1:]...))
	}
	return out
}

// parsePath reads a field as it stands in a formula.
func parsePath(text string) ([]string, bool) {
	tree, errs := plainTree(text)
	if tree == nil || len(errs.GetErrors()) > 0 {
		return nil, false
	}
	return pathOf(tree.Expr())
}

var (
	// everyTry are names of what belongs to one try, whoever sends.
	everyTry = regexp.MustCompile(`(?i)(^zap_meta|signature|hmac|nonce|traceparent|^x-request-id$|content-length|^date$|(^|[_-])(attempt|retry)([_-]?(num|number|count|no))?$|^(attempts|retries)$|attemptnumber)`)
	// runNames name the run of an automation, where they stand near the top.
	runNames = regexp.MustCompile(`(?i)^(run|execution|workflow_?run|job)[_-]?id$`)
)

// nameOfTry is what a name says of a try.
type nameOfTry struct{ every, run, guess bool }

func tryName(name string) nameOfTry {
	return nameOfTry{everyTry.MatchString(name), runNames.MatchString(name), attemptish.MatchString(name)}
}

// byTry tells by a field's name, or that of an object around it, that it differs
// between tries: whoever sends, and as a guess.
func byTry(path []string, of func(string) nameOfTry) (sure, guess bool) {
	last := nameOfTry{}
	for i, name := range path[1:] {
		last = of(name)
		switch {
		case last.every,
			last.run && (i == 0 || i == 1 && runHolders[strings.ToLower(path[1])]),
			i == 0 && len(path) == 3 && (name == "execution" || name == "$execution" || name == "run") && strings.EqualFold(path[2], "id"):
			return true, true
		}
	}
	return false, last.guess && !last.run
}

// changesByName tells by names that a field differs between tries. Of a sender whose
// changes are known only what no sender repeats is taken.
func changesByName(f Field, known bool) bool {
	sure, guess := f.sureTry, f.guessTry
	if f.codes == nil { // no field of a tree
		sure, guess = byTry(f.Path, tryName)
	}
	return sure || guess && !known
}

// runHolders are objects in which tools tell of their own run.
var runHolders = words(`meta metadata context execution run $execution zap zap_meta`)

// changeField returns an event in which one field has another value. A field that
// is not there comes in, where the object around it is there.
func changeField(e Event, path []string) Event {
	switch path[0] {
	case "headers":
		e.Headers = maps.Clone(e.Headers)
		e.Headers[path[1]] = otherText(e.Headers[path[1]])
	case "query":
		e.Query = maps.Clone(e.Query)
		e.Query[path[1]] = otherText(e.Query[path[1]])
	case "body":
		e.Body = changeIn(e.Body, path[1:])
	}
	return e
}

func changeIn(v any, steps []string) any {
	if len(steps) == 0 {
		return otherValue(v)
	}
	switch at := v.(type) {
	case Object:
		if _, ok := at[steps[0]]; !ok && len(steps) > 1 {
			return v
		}
		out := maps.Clone(at)
		out[steps[0]] = changeIn(at[steps[0]], steps[1:])
		return out
	case []any:
		n, err := strconv.Atoi(strings.Trim(steps[0], "[]"))
		if err != nil || n >= len(at) {
			return v
		}
		out := slices.Clone(at)
		out[n] = changeIn(at[n], steps[1:])
		return out
	}
	return v
}

// otherValue is a value of the same kind that is not v.
func otherValue(v any) any {
	switch v := v.(type) {
	case nil:
		return int64(1)
	case bool:
		return !v
	case string:
		return otherText(v)
	case int64:
		if v < 1<<62 {
			return v + 1
		}
		return v - 1
	case Object:
		out := maps.Clone(v)
		for name := range out {
			out[name] = otherValue(out[name])
		}
		return out
	case []any:
		return append(slices.Clone(v), "again")
	}
	return int64(1)
}

// otherText changes the last digit, so that a time or a counter stays one, else the
// last letter.
func otherText(s string) string {
	b := []byte(s)
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] >= '0' && b[i] <= '9' {
			b[i] = '0' + (b[i]-'0'+1)%10
			return string(b)
		}
	}
	for i := len(b) - 1; i >= 0; i-- {
		if isWord(rune(b[i])) {
			b[i] ^= 0x20 // other case
			if strings.EqualFold(s, string(b)) {
				b[i] = 'a' + (b[i]|0x20-'a'+1)%26
			}
			return string(b)
		}
	}
	return s + "1"
}

// maxResent bounds the samples of which a resend is tried.
const maxResent = 12

// resend tries the rule on a simulated resend of every event that has no real copy.
func (t *trial) resend(ctx context.Context) {
	if t.program == nil {
		return
	}
	var stable []int
	var changed [][]string
	for _, samples := range t.keyedEvents() {
		if i := samples[0]; len(stable) < maxResent && !t.reallyCopied(samples) {
			paths := t.tree.resendChanges(i, t.sender)
			if !t.sameAfter(ctx, i, paths) {
				t.missedResend(ctx, i, paths)
				return
			}
			stable, changed = append(stable, i), append(changed, paths...)
		}
	}
	if len(stable) == 0 {
		return
	}
	which := "every sample keeps its key"
	if len(stable) == 1 {
		which = fmt.Sprintf("sample %d keeps its key", stable[0]+1)
	}
	t.add(Verdict{Code: VerdictStableOnResend, Samples: stable, Text: fmt.Sprintf(
		"Stable on a resend (simulated): with %s, %s. That is no proof; a real second delivery is.", changesText(changed), which)})
}

// reallyCopied tells whether an event has two samples that differ, as a real second
// try nearly always does. The same text pasted twice shows nothing.
func (t *trial) reallyCopied(samples []int) bool {
	first := t.tree.samples[samples[0]]
	return slices.ContainsFunc(samples[1:], func(i int) bool {
		s := t.tree.samples[i]
		return s.Body != first.Body || !maps.Equal(s.Headers, first.Headers)
	})
}

func (t *trial) sameAfter(ctx context.Context, i int, paths [][]string) bool {
	e, err := t.tree.resends.of(i, t.events[i], paths)
	if err != nil {
		return false
	}
	keys, ok := keysOf(ctx, t.program, e)
	return ok && slices.Equal(keys, t.results[i].Keys)
}

// missedResend says which of the changes is to blame.
func (t *trial) missedResend(ctx context.Context, i int, paths [][]string) {
	for _, p := range paths {
		text := pathText(p)
		if t.sameAfter(ctx, i, [][]string{p}) {
			continue
		}
		if t.blamed[text] || t.named(VerdictChangesOnEveryTry, text) {
			return // said already
		}
		v := Verdict{Code: VerdictMissesResend, Samples: []int{i}, Path: text, Fix: t.suggestion("Use another field"),
			Text: fmt.Sprintf("This key would miss a resend (simulated), because `%s` changes.", Part{Path: p}.Name())}
		for n, part := range t.parts {
			if part.Path != nil && pathText(part.Path) == text {
				v.Fix = t.without("Remove it", []int{n})
			}
		}
		if fix := t.leaveOut(paths); fix != nil {
			v.Fix = fix
		}
		t.add(v)
		return
	}
}

// leaveOut returns a fix for a key of the whole body: without the members that change.
// It is nil for any other key.
func (t *trial) leaveOut(changed [][]string) *Fix {
	var names []string
	for _, p := range changed {
		if p[0] == "body" && len(p) > 1 && !isIndex(p[1]) && !slices.Contains(names, quote(p[1])) {
			names = append(names, quote(p[1]))
		}
	}
	texts := make([]string, len(t.parts))
	found := false
	for n, p := range t.parts {
		texts[n] = p.Text()
		if len(p.Path) == 1 && p.Path[0] == "body" && slices.Equal(p.Steps, []string{"digest"}) {
			texts[n], found = "digest(omit(body, ["+strings.Join(names, ", ")+"]))", true
		}
	}
	if !found || len(names) == 0 {
		return nil
	}
	return &Fix{Label: "Leave it out", Formula: "key(" + strings.Join(texts, ", ") + ")"}
}

func (t *trial) named(code VerdictCode, path string) bool {
	return slices.ContainsFunc(t.out, func(v Verdict) bool { return v.Code == code && v.Path == path })
}

// changesText names what a resend changed, three fields at most.
func changesText(paths [][]string) string {
	var names []string
	for _, p := range paths {
		if name := "`" + (Part{Path: p}).Name() + "`"; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 3 {
		names = append(names[:3], fmt.Sprintf("%d more", len(names)-3))
	}
	return joinWords(append(names, "the order of members", "the spacing"), "and") + " changed"
}
