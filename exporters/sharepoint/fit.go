package sharepoint

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"dedupedesk/exporters"
)

// maxKey is what a single line of text holds, in UTF-16 units.
const maxKey = 255

// fitStep checks the keys of the samples against what the column can hold.
func fitStep(s exporters.Setup) exporters.Step {
	step := exporters.Step{
		ID:       "fits",
		Title:    "Does the key fit into the column?",
		Where:    "Nothing to click. This is worked out from the keys of your samples.",
		Why:      "A single line of text holds 255 characters, and the comparison ignores capitals. Two keys that differ in capitals alone are one to the list, and the second event would be refused though it is a real one.",
		NotFixed: "It can only judge the samples that are there. Whether blanks and accents are told apart is not known to us.",
		Sources:  []exporters.Source{uniquePage},
		Tried:    "Lengths and capitals were checked here. Nothing was tried in SharePoint.",
		Checks:   fitChecks(s.Samples),
	}
	step.BlockByChecks()
	return step
}

func fitChecks(samples []exporters.Sample) []exporters.Check {
	var checks []exporters.Check
	longest, keys := 0, 0
	folded := map[string]string{} // folded key -> the key that had it first
	for i, s := range samples {
		if s.Key == "" {
			continue
		}
		keys++
		n := len(utf16.Encode([]rune(s.Key)))
		longest = max(longest, n)
		if n > maxKey {
			checks = append(checks, exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("%s has a key of %d characters, more than the column's %d. Make the key of shorter fields, or take the way of Power Automate that asks this program.", s.Label(i), n, maxKey)})
		}
		f := fold(s.Key)
		if other, ok := folded[f]; ok && other != s.Key {
			checks = append(checks, exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("%s and %s differ in capitals alone. The list takes them for one key and would refuse a real event. Use a field that differs in more than capitals, or take the way of Power Automate that asks this program.", other, s.Key)})
		} else if !ok {
			folded[f] = s.Key
		}
	}
	switch {
	case keys == 0:
		return []exporters.Check{{Result: exporters.Warn, Text: "There is no key to check. Make sure yourself that no key is longer than 255 characters and that capitals never matter."}}
	case len(checks) == 0:
		checks = append(checks,
			exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("The longest of %d sample keys has %d of %d characters.", keys, longest, maxKey)},
			exporters.Check{Result: exporters.OK, Text: "No two different sample keys differ in capitals alone."})
	}
	return checks
}

// fold gives one text for all that differ in capitals alone.
func fold(s string) string { return strings.ToLower(strings.ToUpper(s)) }
