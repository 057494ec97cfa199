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

func fieldCovers(title string) []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.Partly, By: title + " refuses the second record. Mails and charges have no such field."},
		exporters.SecondCopy:    {State: exporters.Yes, By: title + " refuses the copy's record, if the copy makes the same key."},
		exporters.SenderRetries: {State: exporters.Yes, By: title + " refuses the record of the repeat, if create comes first."},
		exporters.StepRetries:   {State: exporters.Partly, By: title + " refuses the second record. After a lost answer the rest of the run is left undone; look at failed runs."},
		exporters.Replay:        {State: exporters.Yes, By: title + " refuses the record of a run that is started again. A replay of a later step alone is not stopped."},
		exporters.Overlap:       {State: exporters.Yes, By: "Check and write are one act of " + title + "."},
	})
}
