package admin

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// A step is a draft as it stood before a change, or after one that was undone. The
// texts of its samples lie in the draft once, whatever the number of steps.
type step struct {
	What    string       `json:"what"` // the change, in words for a button
	At      time.Time    `json:"at"`
	Rule    rules.Rule   `json:"rule"` // without samples
	Samples []keptSample `json:"samples,omitempty"`
	Blocks  string       `json:"blocks,omitempty"`
	Asked   bool         `json:"asked,omitempty"`
	Shown   int          `json:"shown,omitempty"`
}

// A keptSample is a sample of a step; Sum names its text.
type keptSample struct {
	Group string `json:"group,omitempty"`
	Name  string `json:"name,omitempty"`
	Sum   string `json:"sum"`
}

// maxPast is how many changes of a draft can be undone.
const maxPast = 50

// typingPause parts two changes of one formula by typing: until then they are undone
// together.
const typingPause = 10 * time.Second

// A summed is a text with its name, so that a large one is named once a request.
type summed struct {
	sample rules.Sample
	sum    string
}

// sumOf names the text of a sample.
func (d *draft) sumOf(s rules.Sample) string {
	for _, known := range d.sums {
		if known.sample.Body == s.Body && maps.Equal(known.sample.Headers, s.Headers) {
			return known.sum
		}
	}
	named := summed{s, sumOf(s)}
	d.sums = append(d.sums, named)
	return named.sum
}

func sumOf(s rules.Sample) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		sum.Write([]byte(name + "\x00" + s.Headers[name] + "\x00"))
	}
	sum.Write([]byte(s.Body))
	return hex.EncodeToString(sum.Sum(nil)[:12])
}

// now is the draft as a step.
func (d *draft) now(what string, at time.Time) step {
	s := step{What: what, At: at, Rule: d.Rule, Blocks: d.Blocks, Asked: d.Asked, Shown: d.Shown}
	s.Rule.Samples = nil
	for _, sample := range d.Rule.Samples {
		s.Samples = append(s.Samples, keptSample{Group: sample.Group, Name: sample.Name, Sum: d.sumOf(sample)})
	}
	return s
}

// same tells whether two steps are the same draft, whichever sample is shown.
func (s step) same(other step) bool {
	return reflect.DeepEqual(s.Rule, other.Rule) && slices.Equal(s.Samples, other.Samples) && s.Asked == other.Asked
}

// remember keeps what stood before a change, so that it can be undone. Letters typed
// one after the other are one change.
func (d *draft) remember(before step, samples []rules.Sample) {
	after := d.now("", before.At)
	if before.same(after) {
		return
	}
	last := len(d.Past) - 1
	together := last >= 0 && len(d.Future) == 0 && strings.HasPrefix(before.What, typedWhat) && d.Past[last].What == before.What && before.At.Sub(d.TypedAt) < typingPause
	d.TypedAt = before.At
	d.Future = nil
	if !together {
		d.Past = append(d.Past, before)
	}
	if len(d.Past) > maxPast {
		d.Past = slices.Clone(d.Past[len(d.Past)-maxPast:])
	}
	d.gather(samples)
}

// typedWhat begins the words of a change that is made by typing.
const typedWhat = "typing in "

// gather keeps the texts that steps need and the draft does not have.
func (d *draft) gather(samples []rules.Sample) {
	texts := maps.Clone(d.Texts)
	if texts == nil {
		texts = map[string]rules.Sample{}
	}
	for _, s := range samples {
		texts[d.sumOf(s)] = rules.Sample{Headers: s.Headers, Body: s.Body}
	}
	for _, s := range d.Rule.Samples {
		delete(texts, d.sumOf(s))
	}
	needed := map[string]bool{}
	for _, s := range slices.Concat(d.Past, d.Future) {
		for _, k := range s.Samples {
			needed[k.Sum] = true
		}
	}
	maps.DeleteFunc(texts, func(sum string, _ rules.Sample) bool { return !needed[sum] })
	d.Texts = texts
}

// forgetOldest drops the older half of what can be undone, or else what can be done
// again. It returns false where nothing is left to drop.
func (d *draft) forgetOldest() bool {
	switch {
	case len(d.Past) > 0:
		d.Past = slices.Clone(d.Past[(len(d.Past)+1)/2:])
	case len(d.Future) > 0:
		d.Future = nil
	default:
		return false
	}
	d.gather(nil)
	return true
}

// back makes a step the draft.
func (d *draft) back(to step) {
	before := d.Rule.Samples
	texts := map[string]rules.Sample{}
	maps.Copy(texts, d.Texts)
	for _, s := range before {
		texts[d.sumOf(s)] = s
	}
	name := d.Rule.Rule
	d.Rule, d.Blocks, d.Asked = to.Rule, to.Blocks, to.Asked
	if d.Of != "" {
		d.Rule.Rule = name
	}
	for _, k := range to.Samples {
		s := texts[k.Sum]
		d.Rule.Samples = append(d.Rule.Samples, rules.Sample{Group: k.Group, Name: k.Name, Headers: s.Headers, Body: s.Body})
	}
	d.Shown = max(0, min(to.Shown, len(d.Rule.Samples)-1))
	d.gather(before)
}

// undo takes the last change back.
func (p *designer) undo(t *turn) error {
	d := t.draft
	last := len(d.Past) - 1
	if last < 0 {
		return errMoved
	}
	to := d.Past[last]
	d.Past = d.Past[:last]
	d.Future = append(d.Future, d.now(to.What, p.Clock.Now()))
	d.back(to)
	t.said.toast = "Taken back: " + to.What + "."
	return nil
}

// redo makes the change that was taken back last again.
func (p *designer) redo(t *turn) error {
	d := t.draft
	last := len(d.Future) - 1
	if last < 0 {
		return errMoved
	}
	to := d.Future[last]
	d.Future = d.Future[:last]
	d.Past = append(d.Past, d.now(to.What, p.Clock.Now()))
	d.back(to)
	t.said.toast = "Done again: " + to.What + "."
	return nil
}

// whats are the changes in words, by the path of their form.
var whats = [...]struct{ path, what string }{
	{"samples/add", "adding a sample"}, {"samples/sender", "adding a sender's samples"}, {"catch/look", "taking a real event"}, {"samples/group", "sorting a sample"}, {"samples/remove", "removing a sample"}, {"samples", "a change of the samples"},
	{"field", "choosing a field"}, {"part", "a change of the blocks"}, {"suggest", "using a suggestion"}, {"only", "adding a condition"}, {"settings", "a change of the settings"},
	{"bring", "bringing a version back"},
}

// whatOf says what a form changes.
func whatOf(path string, t *turn) string {
	if path == "formula" && t.form.Has("fix") {
		return "mending the formula"
	}
	if path == "formula" {
		switch t.form.Get("place") {
		case "each":
			return typedWhat + "the list of items"
		case "when":
			return typedWhat + "the condition"
		}
		return typedWhat + "the formula"
	}
	for _, w := range whats {
		if strings.HasPrefix(path, w.path) {
			return w.what
		}
	}
	return "the last change"
}

// stale refuses a change of a draft that another tab, or another person, changed
// since the page was drawn. The page offers to send it all the same.
func (d *draft) stale(t *turn) error {
	rev := t.form.Get("rev")
	if rev == "" || rev == d.rev() || t.form.Get("over") != "" {
		return nil
	}
	return problem.New(http.StatusConflict, "overtaken", "This draft was changed in another tab or by another person. Your change was not saved.")
}

// pastView is what can be undone and done again.
func pastView(d *draft) page.PastView {
	v := page.PastView{Rev: d.rev()}
	if n := len(d.Past); n > 0 {
		v.Undo = d.Past[n-1].What
	}
	if n := len(d.Future); n > 0 {
		v.Redo = d.Future[n-1].What
	}
	return v
}
