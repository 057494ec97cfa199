package dataverse

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"dedupedesk/exporters"
	"dedupedesk/exporters/powerautomate"
)

// separator stands between the parts of a key, in place of the rule's colon.
const separator = "|"

// maxKey is what an alternate key of one text column holds, in UTF-16 units: 900 bytes.
const maxKey = 450

// swaps take out of a key what Dataverse cannot have in a look-up: / < > * % & : \ ? +, by
// its page on alternate keys. The rule writes %25 and %3A for what stands inside a part,
// so its percent sign becomes the sign of these codes; the sign itself goes first.
func swaps() []powerautomate.Swap {
	return []powerautomate.Swap{
		{From: "~", To: "~7E"}, {From: separator, To: "~7C"}, {From: "%", To: "~"},
		{From: "/", To: "~2F"}, {From: "<", To: "~3C"}, {From: ">", To: "~3E"}, {From: "*", To: "~2A"},
		{From: "&", To: "~26"}, {From: `\`, To: "~5C"}, {From: "?", To: "~3F"}, {From: "+", To: "~2B"},
		{From: ":", To: separator},
	}
}

// spelled is the rule's key as Dataverse gets it.
func spelled(key string) string { return powerautomate.Swapped(key, swaps()) }

// fitStep checks the keys of the samples against what the column can hold.
func fitStep(s exporters.Setup) exporters.Step {
	step := exporters.Step{
		ID: "fits", Title: "Does the key fit into the column?",
		Where:    "Nothing to click. This is worked out from the keys of your samples.",
		Why:      "A colon, a slash and eight other characters break the look-up by an alternate key, so the key has a bar between its parts here, and codes such as ~2F for the others. An alternate key holds 450 characters.",
		NotFixed: "The key in Dataverse is written in another way than the rule's. The step that makes it does this; write no key by hand.",
		Sources:  []exporters.Source{keysPage},
		Tried:    "Lengths and capitals were checked here. Nothing was tried in Dataverse.",
		Checks:   fitChecks(s.Samples),
	}
	step.BlockByChecks()
	return step
}

func fitChecks(samples []exporters.Sample) []exporters.Check {
	var checks []exporters.Check
	fail := func(format string, args ...any) {
		checks = append(checks, exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf(format, args...)})
	}
	example, longest := "", 0
	folded := map[string]string{}
	for i, s := range samples {
		if s.Key == "" {
			continue
		}
		key := spelled(s.Key)
		n := len(utf16.Encode([]rune(key)))
		if n > maxKey {
			fail("%s has a key of %d characters as Dataverse gets it, more than %d. Make the key of shorter fields, or take the way of Power Automate that asks this program.", s.Label(i), n, maxKey)
		}
		if longest = max(longest, n); example == "" {
			example = key
		}
		f := strings.ToLower(strings.ToUpper(key))
		if other, ok := folded[f]; ok && other != key {
			fail("%s and %s differ in capitals alone, and sources disagree whether Dataverse tells them apart. Use a field that differs in more than capitals, let the rule ignore capitals, or take the way of Power Automate that asks this program.", other, key)
		}
		folded[f] = key
	}
	switch {
	case example == "":
		return []exporters.Check{{Result: exporters.Warn, Text: "There is no key to check. Make sure yourself that no key is longer than 450 characters and that capitals never matter."}}
	case len(checks) == 0:
		checks = append(checks,
			exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("The first sample's key is written as %s.", example)},
			exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("The longest has %d of %d characters, and no two differ in capitals alone.", longest, maxKey)})
	}
	return checks
}
