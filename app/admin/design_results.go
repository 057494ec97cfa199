package admin

import (
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
		v := page.ResultPartView{Value: cutTo(s.PartValues[n], maxShownValue), From: p.Name(), Text: p.Path == nil}
		v.Differs = n < len(first.PartValues) && first.PartValues[n] != s.PartValues[n]
		out = append(out, v)
	}
	return out
}

// maxShownValue is how many characters of a value stand beside its key.
const maxShownValue = 200

// cutTo is a text of at most so many characters, with a mark where more came.
func cutTo(text string, most int) string {
	if cut := []rune(text); len(cut) > most {
		return string(cut[:most]) + "…"
	}
	return text
}

// maxBoxes bounds the picture of which samples share a key.
const maxBoxes = 40

// gridView puts samples that get one key into one box, and marks the boxes that are
// wrong by what became of the samples in them.
func gridView(j rules.Judgement) page.GridView {
	var v page.GridView
	at := map[string]int{}     // key to box
	copies := map[string]int{} // samples of an event so far
	homes := map[string]int{}  // event to the box of its first sample
	for _, s := range j.Samples {
		copies[s.Group]++
		name := sampleName(s, copies[s.Group])
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
		if _, ok := homes[s.Group]; !ok {
			homes[s.Group] = i
		}
		switch s.Outcome {
		case rules.OutcomeMerged:
			v.Boxes[i].Wrong = "different events share this key"
		case rules.OutcomeMissed:
			for _, box := range []int{homes[s.Group], i} {
				if v.Boxes[box].Wrong == "" {
					v.Boxes[box].Wrong = "copies of event " + s.Group + " have different keys"
				}
			}
		}
	}
	if len(v.Boxes) > maxBoxes {
		v.More = page.Count(int64(len(v.Boxes) - maxBoxes))
		v.Boxes = v.Boxes[:maxBoxes]
	}
	return v
}

// sampleName is a sample in a box: A1 is the first of event A, A2·1 that of event A2, and
// 7 the seventh, an event of its own.
func sampleName(s rules.SampleResult, copy int) string {
	switch {
	case s.Group == "":
		return strconv.Itoa(s.Index + 1)
	case strings.TrimRight(s.Group, "0123456789") == s.Group:
		return s.Group + strconv.Itoa(copy)
	}
	return s.Group + "·" + strconv.Itoa(copy)
}
