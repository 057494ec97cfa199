package admin

import (
	"slices"
	"strconv"
	"strings"

	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// resultViews shows what each sample gets, and from which field each part of its key
// came. Equal keys have equal numbers.
func resultViews(j rules.Judgement, parts []rules.Part) []page.ResultView {
	var out []page.ResultView
	boxes := map[string]int{}
	first := map[string]rules.SampleResult{} // of each event
	for _, s := range j.Samples {
		v := page.ResultView{Number: strconv.Itoa(s.Index + 1), Event: s.Group, Key: s.Key, Outcome: page.Outcome(string(s.Outcome), strconv.Itoa(s.Same+1))}
		switch {
		case s.Err != nil:
			v.Key, v.Why = "", s.Err.Msg
		case s.Key != "":
			if boxes[s.Key] == 0 {
				boxes[s.Key] = len(boxes) + 1
			}
			v.Box = strconv.Itoa(boxes[s.Key])
			if _, seen := first[s.Group]; !seen || s.Group == "" {
				first[s.Group] = s
			}
			v.Parts = partViews(s, first[s.Group], parts)
		case s.Ignored:
			v.Why = "The rule's condition leaves this event out."
		}
		out = append(out, v)
	}
	return out
}

// partViews says of each part of a sample's key where it came from, and marks what
// differs from the first copy of the event. A formula beyond blocks has none.
func partViews(s, first rules.SampleResult, parts []rules.Part) []page.ResultPartView {
	if len(parts) == 0 || len(s.PartValues) != len(parts) {
		return nil
	}
	var out []page.ResultPartView
	for n, p := range parts {
		v := page.ResultPartView{Value: s.PartValues[n], From: p.Name(), Text: p.Path == nil}
		v.Differs = n < len(first.PartValues) && first.PartValues[n] != v.Value
		out = append(out, v)
	}
	return out
}

// maxBoxes bounds the picture of which samples share a key.
const maxBoxes = 40

// gridView puts samples that get one key into one box.
func gridView(j rules.Judgement) page.GridView {
	var v page.GridView
	at := map[string]int{}     // key to box
	copies := map[string]int{} // samples of an event so far
	homes := map[string]int{}  // event to the box of its first sample
	events := map[int][]string{}
	split := map[int]bool{}
	for _, s := range j.Samples {
		copies[s.Group]++
		name := s.Group + strconv.Itoa(copies[s.Group])
		event := s.Group
		if s.Group == "" {
			name = strconv.Itoa(s.Index + 1)
			event = "sample " + name
		}
		if s.Key == "" || s.Err != nil {
			v.None = append(v.None, name)
			continue
		}
		i, ok := at[s.Key]
		if !ok {
			i = len(v.Boxes)
			at[s.Key] = i
			v.Boxes = append(v.Boxes, page.BoxView{Number: strconv.Itoa(i + 1)})
		}
		v.Boxes[i].Samples = append(v.Boxes[i].Samples, name)
		if !slices.Contains(events[i], event) {
			events[i] = append(events[i], event)
		}
		if home, ok := homes[event]; !ok {
			homes[event] = i
		} else if home != i {
			split[home], split[i] = true, true
		}
	}
	for i := range v.Boxes {
		switch {
		case len(events[i]) > 1:
			v.Boxes[i].Wrong = "different events share this key"
		case split[i]:
			v.Boxes[i].Wrong = "copies of event " + strings.Join(events[i], "") + " have different keys"
		}
	}
	if len(v.Boxes) > maxBoxes {
		v.More = page.Count(int64(len(v.Boxes) - maxBoxes))
		v.Boxes = v.Boxes[:maxBoxes]
	}
	return v
}
