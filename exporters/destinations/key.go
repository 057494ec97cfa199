package destinations

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"dedupedesk/exporters"
)

// A limit is what a destination can hold and tell apart.
type limit struct {
	place    string // the header, the field
	longest  int
	runes    bool // characters count, not UTF-16 units
	ascii    bool // other letters are not confirmed
	capitals bool // values that differ in capitals alone are one
	source   exporters.Source
	unknown  string // what is not known, a sentence
}

func (l limit) length(key string) int {
	if l.runes {
		return utf8.RuneCountInString(key)
	}
	return len(utf16.Encode([]rune(key)))
}

// fitStep checks the keys of the samples against l.
func fitStep(s exporters.Setup, l limit) exporters.Step {
	step := exporters.Step{
		ID: "fits", Title: "Does the key fit?",
		Where:    "Nothing to click. This is worked out from the keys of your samples.",
		Why:      fmt.Sprintf("%s takes up to %d characters. A key that is cut or refused would let a copy through, or stop a real event.", l.place, l.longest),
		NotFixed: "It can only judge the samples that are there. " + l.unknown,
		Sources:  []exporters.Source{l.source}, Tried: "Lengths and capitals were checked here. Nothing was tried at the vendor's.",
		Checks: fitChecks(s.Samples, l), Details: []string{destinationField().Name},
	}
	step.BlockByChecks()
	return step
}

func fitChecks(samples []exporters.Sample, l limit) []exporters.Check {
	var checks []exporters.Check
	keys, longest := 0, 0
	folded := map[string]string{}
	for i, s := range samples {
		if s.Key == "" {
			continue
		}
		keys++
		n := l.length(s.Key)
		longest = max(longest, n)
		if n > l.longest {
			checks = append(checks, exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("%s has a key of %d characters, more than %d. Set long keys to short codes (sha256) in the rule.", s.Label(i), n, l.longest)})
		}
		if l.ascii && strings.ContainsFunc(s.Key, func(r rune) bool { return r < ' ' || r > '~' }) {
			checks = append(checks, exporters.Check{Result: exporters.Warn, Text: s.Label(i) + " has letters in its key that a header may not carry. Use a short code (digest) of that part in the rule."})
		}
		fold := strings.ToLower(strings.ToUpper(s.Key))
		other, seen := folded[fold]
		if seen && other != s.Key && l.capitals {
			checks = append(checks, exporters.Check{Result: exporters.Warn, Text: fmt.Sprintf("%s and %s differ in capitals alone. Whether they are told apart here is not confirmed or depends on the field. Use a short code (digest) of that part in the rule.", other, s.Key)})
		}
		if !seen {
			folded[fold] = s.Key
		}
	}
	switch {
	case keys == 0:
		return []exporters.Check{{Result: exporters.Warn, Text: fmt.Sprintf("There is no key to check. %s takes up to %d characters; make sure yourself that no key is longer.", l.place, l.longest)}}
	case len(checks) == 0:
		checks = append(checks, exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("%s takes up to %d characters; the longest of %d sample keys has %d.", l.place, l.longest, keys, longest)})
	}
	return checks
}

// keyStep says where the event key comes from.
func keyStep(s exporters.Setup, source exporters.Source) exporters.Step {
	step := exporters.Step{
		ID: "key", Title: "Get the event key",
		Where:    "Settings steps > your tool. Where this program is asked first, the key is the field key of its answer. Where a store of the tool or a unique column is used, it is the event key that those steps make.",
		Why:      "All who write must write the same key for the same event. The run's own id must not be in it.",
		NotFixed: "An event whose key would be empty must end before it is written here.",
		Sources:  []exporters.Source{source}, Tried: exporters.NotTried,
	}
	if len(s.Each) > 0 {
		step.Where += " The rule has a key for each item of a list, so this step belongs into the loop."
	}
	if s.Rule != "" && (!s.Expressible || len(s.Parts) == 0) {
		step.Blocked = "The formula of this rule does more than a list of fields can say, so a tool cannot write its key. Only this program can make it: ask it first, and put the key of its answer here."
	}
	return step
}

// wholeStep stops what has no key before it is written.
func wholeStep(source exporters.Source) exporters.Step {
	return exporters.Step{
		ID: "whole", Title: "Stop an event without a key",
		Where:    "In your tool, just before the write: a condition or filter: each field that the key is made of is not empty. Where one is empty, let the run end as an error, and have the tool write you a mail of failed runs.",
		Why:      "An empty key, or one with a hole, is the same for many events: the second of them would be taken for a copy and lost. Nothing here refuses an empty key for you. Where this program is asked first, it has refused such an event already.",
		NotFixed: "Fields of spaces alone count as filled in many tools.",
		Sources:  []exporters.Source{source}, Tried: exporters.NotTried,
	}
}

// doneSteps make visible what was written and never finished: a run that ended quietly as
// a copy may have been the first one, whose answer was lost.
func doneSteps(where, field, view string, source exporters.Source, details []string) []exporters.Step {
	return []exporters.Step{
		{
			ID: "done", Title: "Mark the end of the work",
			Where: where + " In your tool, behind its last step: a step that updates this record: " + field + " is true.",
			Value: field, ValueLabel: "Name of the field", Details: details,
			Why:      "A record with a key and without this mark is an event whose work was begun and not finished.",
			NotFixed: "A run that dies before this step leaves the mark off, though its work may be done.",
			Sources:  []exporters.Source{source}, Tried: exporters.NotTried,
		},
		{
			ID: "stuck", Title: "A view of what was made and not finished",
			Where:    view + " is not true, and created before today; name it Made, not finished.",
			Why:      "When the answer of the write is lost, the tool tries again, is refused by its own record and ends as a copy. The mail and the charge behind it never ran, and no run is Failed. This view shows such events.",
			NotFixed: "Nothing can tell by itself whether the work was done: look, finish it by hand, then set the mark.",
			Sources:  []exporters.Source{source}, Tried: exporters.NotTried,
		},
		{
			ID: "alert", Title: "Be told of it",
			Where:    "In your tool, a second automation, once a day: look for records as in that view; where there are any, a mail to whoever looks after them.",
			Why:      "Nobody looks at a view every day.",
			NotFixed: "It tells once a day.",
			Sources:  []exporters.Source{source}, Tried: exporters.NotTried,
		},
	}
}

func fieldCovers(title string) []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.Partly, By: title + " refuses the second record. Mails and charges have no such field."},
		exporters.SecondCopy:    {State: exporters.Yes, By: title + " refuses the copy's record, if the copy makes the same key."},
		exporters.SenderRetries: {State: exporters.Yes, By: title + " refuses the record of the repeat, if create comes first."},
		exporters.StepRetries:   {State: exporters.Partly, By: title + " refuses the second record. After a lost answer the run is refused by its own record and ends as a copy; the view Made, not finished shows it."},
		exporters.Replay:        {State: exporters.Yes, By: title + " refuses the record of a run that is started again. A replay of a later step alone is not stopped."},
		exporters.Overlap:       {State: exporters.Yes, By: "Check and write are one act of " + title + "."},
	})
}
