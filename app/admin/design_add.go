package admin

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// addSample reads what was pasted. What cannot be read stays in the form, with the
// place of the fault; of several deliveries the form asks which to take.
func (p *designer) addSample(t *turn) error {
	found, paste, err := pasted(t)
	if err != nil {
		return err
	}
	if found == nil {
		t.said.refused, t.said.paste = true, paste
		return nil
	}
	full, err := p.addAll(t, found)
	if full {
		paste.Fault = &page.PlaceView{Text: fullDraft}
		t.said.refused, t.said.paste = true, paste
		return err
	}
	t.draft.Pasted++ // what was pasted stands in a sample now, and the form is empty
	return err
}

var fullDraft = fmt.Sprintf("This rule has as many samples as it can keep: %d, or nearly 4 MB together. Remove one first.", rules.MaxSamples)

// addAll adds samples to the draft, or none where there is no room for all. One
// sample waits for the question which event it is; of several the house guesses, as
// each can be moved. Samples that have a group keep it.
func (p *designer) addAll(t *turn, found []rules.Sample) (full bool, err error) {
	d := t.draft
	before := *d
	before.Rule.Samples = slices.Clone(d.Rule.Samples)
	var sort *sorter
	var fresh []int // made an event of their own for want of a better guess
	for _, s := range found {
		if len(d.Rule.Samples) >= rules.MaxSamples {
			*d = before
			return true, nil
		}
		given := s.Group
		d.add(s)
		if len(found) == 1 && given == "" {
			break
		}
		last := &d.Rule.Samples[len(d.Rule.Samples)-1]
		if sort == nil && d.Asked {
			d.recognise()
			sort = p.newSorter(t.ctx, d)
		}
		var names sampleNames
		if sort != nil {
			event, err := last.Event()
			names = sort.namesOf(t.ctx, *last, event, err)
		}
		if last.Group == "" && sort != nil {
			if at, text := sort.find(names); at >= 0 && (text || !sort.thing) {
				last.Group = d.Rule.Samples[at].Group
			}
		}
		if last.Group == "" {
			last.Group = d.freeGroup()
			fresh = append(fresh, len(d.Rule.Samples)-1)
		}
		if sort != nil {
			sort.know(len(d.Rule.Samples)-1, names)
		}
		d.Asked = false
	}
	d.leaveOpen(fresh)
	text, err := d.write()
	if err != nil {
		return false, err
	}
	if len(text) > maxDraft {
		*d = before
		return true, nil
	}
	d.recognise()
	return false, nil
}

// add appends a sample. The first is event A; any other waits for the question
// which event it is.
func (d *draft) add(s rules.Sample) {
	d.settle()
	d.Rule.Samples = append(d.Rule.Samples, s)
	last := len(d.Rule.Samples) - 1
	if last == 0 && s.Group == "" {
		d.Rule.Samples[0].Group = "A"
	}
	d.Asked, d.Shown = last > 0 && s.Group == "", last
}

// settle makes a sample that still waits for the question a different event, unless
// its id speaks against it.
func (d *draft) settle() {
	if d.Asked {
		d.leaveOpen([]int{len(d.Rule.Samples) - 1})
		d.Asked = false
	}
}

// leaveOpen gives each of these samples an event of its own, but those that share an id
// with another one: whether they are copies of it a person has to say.
func (d *draft) leaveOpen(fresh []int) {
	if len(fresh) == 0 {
		return
	}
	samples := d.Rule.Samples
	fresh = slices.DeleteFunc(fresh, func(i int) bool {
		return samples[i].Group != "" && slices.ContainsFunc(samples[i+1:], func(s rules.Sample) bool { return s.Group == samples[i].Group })
	})
	for _, i := range fresh {
		samples[i].Group = ""
	}
	doubts := rules.NewTree(samples).Doubts()
	for _, i := range fresh {
		if !slices.ContainsFunc(doubts, func(q rules.Doubt) bool { return slices.Contains(q.Samples[1:], i) }) {
			samples[i].Group = d.freeGroup()
		}
	}
}

// freeGroup is the first of A, B, … Z, A2, B2, … that no sample has.
func (d *draft) freeGroup() string {
	for n := 0; ; n++ {
		name := string(rune('A' + n%26))
		if n >= 26 {
			name += strconv.Itoa(n/26 + 1)
		}
		if !slices.ContainsFunc(d.Rule.Samples, func(s rules.Sample) bool { return s.Group == name }) {
			return name
		}
	}
}

// anotherEvent stands in forms for an event that no sample belongs to yet.
const anotherEvent = "+"

// A guessed says which event the newest sample seems to be, and why; the group is ""
// where nothing tells.
type guessed struct{ group, why string }

// guess compares the newest sample with those before it: by its text, then by the
// id by which its sender names events, or that the other samples speak for.
func (p *designer) guess(ctx context.Context, d *draft) guessed {
	sort, newest := p.newSorter(ctx, d), d.Rule.Samples[len(d.Rule.Samples)-1]
	event, err := newest.Event()
	names := sort.namesOf(ctx, newest, event, err)
	switch at, text := sort.find(names); {
	case text:
		return guessed{d.Rule.Samples[at].Group, fmt.Sprintf("It is the same text as sample %d.", at+1)}
	case at >= 0:
		return guessed{d.Rule.Samples[at].Group, fmt.Sprintf("It has the same %s as sample %d, so it is probably a copy.", sort.names, at+1)}
	case sort.sure && names.key != "":
		return guessed{anotherEvent, fmt.Sprintf("No other sample has its %s, so it is probably a different event.", sort.names)}
	}
	return guessed{}
}

// idParts returns what names an event: as its sender says, else as the samples that
// are sorted already speak for. It is sure of the first, and of several events.
func (p *designer) idParts(d *draft) (parts []rules.Part, sure bool) {
	if parts := senderParts(d); parts != nil {
		return parts, true
	}
	sorted := d.Rule.Samples[:len(d.Rule.Samples)-1]
	return p.trees.of(sorted).Suggest(), countEvents(sorted) > 1
}

// senderParts returns what names an event as its sender says, nil where that is not
// known or names the items of a list.
func senderParts(d *draft) []rules.Part {
	preset, ok := presets.BySender(d.Rule.Sender)
	if !ok || preset.Rule.Each != "" {
		return nil
	}
	parts, _ := rules.Parts(preset.Rule.Key)
	return parts
}

// addSender adds a sender's own samples, sorted already.
func (p *designer) addSender(t *turn) error {
	preset, delivery, ok := senderDelivery(t.form.Get("sender"))
	if !ok {
		return problem.New(http.StatusBadRequest, "invalid", "There is no sender of that name.")
	}
	d, names := t.draft, map[string]string{}
	var found []rules.Sample
	d.settle()
	trial := draft{Rule: rules.Rule{Samples: slices.Clone(d.Rule.Samples)}}
	for _, s := range delivery.Rule.Samples {
		if names[s.Group] == "" {
			names[s.Group] = trial.freeGroup()
		}
		s.Group = names[s.Group]
		trial.Rule.Samples = append(trial.Rule.Samples, s)
		found = append(found, s)
	}
	full, err := p.addAll(t, found)
	if full {
		t.said.refused, t.said.toast = true, fullDraft
	} else if err == nil && d.Rule.Sender == "" {
		d.Rule.Sender = preset.Sender
	}
	return err
}

// senders lists the senders whose samples can be added to a draft.
func (p *designer) senders(w http.ResponseWriter, r *http.Request) error {
	list, err := senderViews()
	if err != nil {
		return err
	}
	return p.fragment(w, r, http.StatusOK, page.AddSenders(r.URL.Query().Get("draft"), list))
}

// senderDelivery finds one kind of delivery of a sender, as forms name it: stripe,
// or github/push.
func senderDelivery(name string) (presets.Preset, presets.Delivery, bool) {
	sender, kind, _ := strings.Cut(name, "/")
	preset, ok := presets.BySender(sender)
	if !ok || kind == preset.Kind {
		return preset, preset.Delivery, ok
	}
	for _, d := range preset.Others {
		if d.Kind == kind {
			return preset, d, true
		}
	}
	return preset, presets.Delivery{}, false
}

// firstSenders are offered before the others, in this order.
var firstSenders = [...]string{
	"stripe", "shopify", "github", "woocommerce", "hubspot", "typeform", "calendly", "slack", "sharepoint", "microsoft-forms", "airtable", "google-sheets",
}

// senderViews lists all deliveries of all senders, those most used first.
func senderViews() ([]page.StartView, error) {
	all, err := presets.All()
	if err != nil {
		return nil, err
	}
	place := func(p presets.Preset) int {
		if i := slices.Index(firstSenders[:], p.Sender); i >= 0 {
			return i
		}
		return len(firstSenders)
	}
	slices.SortStableFunc(all, func(a, b presets.Preset) int { return place(a) - place(b) })
	var out []page.StartView
	for _, p := range all {
		for _, d := range append([]presets.Delivery{p.Delivery}, p.Others...) {
			v := page.StartView{Sender: p.Sender, Title: p.Name, About: d.Title, First: place(p) < len(firstSenders) && d.Kind == ""}
			if d.Kind != "" {
				v.Sender += "/" + d.Kind
			}
			if !d.Facts.EventID.Confirmed {
				v.About += ", not confirmed"
			}
			out = append(out, v)
		}
	}
	return out, nil
}
