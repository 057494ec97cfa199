package makecom

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"dedupedesk/exporters"
)

func warn(format string, args ...any) exporters.Check {
	return exporters.Check{Result: exporters.Warn, Text: fmt.Sprintf(format, args...)}
}

// flowChecks say what the scenario of either way does that the person has to know.
func flowChecks(s exporters.Setup, w wish) []exporters.Check {
	var checks []exporters.Check
	switch {
	case w.poll && w.resumes:
		checks = append(checks, warn("Make tries again by itself. When it gives up, the run waits under Incomplete executions for a person."))
	case w.poll:
		checks = append(checks, warn("Nobody is told of a failure. Whether the trigger offers a record again after a failed run is not known to us, so look at Scenario > History."))
	case w.resumes:
		checks = append(checks, warn("The sender hears 200 from Make at once, for Make itself tries again. The question when the sender gets its answer changes nothing here."))
	case w.reply == exporters.ReplyAtOnce:
		checks = append(checks, warn("The sender hears 200 before the work and never of a later failure. What fails then is not sent again: let Make try again, or look at Scenario > History."))
	default:
		checks = append(checks, warn("The sender waits for the answer until the work is over. One that waits for a few seconds only (Shopify: 5) takes that for a failure and sends again; the repeats hear 503 until the first run is over. Make is said to answer 200 by itself when the work takes more than 3 minutes; not confirmed by us."))
	}
	if len(s.Parts) > 0 {
		checks = append(checks, warn("Each part of the key has to be one value. How Make writes a list or a group of fields as text is not known to us: many events could get one key by it, and all but the first would be taken for copies. The rule makes no key of such a part."))
	}
	if len(s.Each) > 0 && !w.resumes {
		checks = append(checks, warn("When the work on one item fails, the run ends there. The items behind it wait until the whole event comes again; those that are finished are stopped as copies then."))
	}
	return checks
}

// ledgerChecks say what the scenario that asks this program does and does not do.
func ledgerChecks(s exporters.Setup, w wish) []exporters.Check {
	checks := flowChecks(s, w)
	if label, digits, lost := s.LostDigits(); lost && !beyond(s) {
		checks = append(checks, warn("%s has the number %s, longer than many programs can hold. Whether Make keeps all its digits is not known to us: compare the key of a real run with the rule's before you rely on it, or use a field that carries it as text.", label, digits))
	}
	if s.IfUnreachable == "go_on" {
		checks = append(checks, warn("The rule says to run anyway: when nobody answers for this program the scenario works without a key. Nothing is written down of such a run: a copy that comes in that time works too, and so does the first copy that comes afterwards. An answer of this program that is no yes, for an empty part, a wrong password, or because somebody paused it, still stops the run."))
	}
	if beyond(s) {
		return append(checks, s.WhenChecks()...)
	}
	return append(checks, warn("Not tried: whether Make sends a form field whose value is empty. Sent or left out, this program refuses the call: a part is empty then, or fewer parts come than the rule has. The run ends before your work, and its failed call says why."))
}

// storeChecks say where the key of the data store may be another than the rule's, and
// what of the way is not confirmed.
func storeChecks(s exporters.Setup, w wish) []exporters.Check {
	checks := flowChecks(s, w)
	if s.IfUnreachable == "go_on" {
		checks = append(checks, warn("This way does not ask this program, so it does not matter here what the rule says for when that is out of reach. A data store that fails stops the run."))
	}
	checks = append(checks, warn("Which type of error Make's data store gives for a key that is there already is not confirmed. The scenario takes DuplicateDataError, or a message with \"already exist\" or \"duplicate\". Anything else stops the run before your work: the proof below shows which it is."))
	if label, value, differs := uncomposed(s); differs {
		return append(checks, warn("%s has the value %q, whose accents are signs of their own. The rule joins them with their letters and Make does not, so Make's key is another one there. Copies that are written alike still meet.", label, value))
	}
	return append(checks, warn("The key is made by Make's own functions and was not tried there by us. It can differ from the rule's for accents that are signs of their own, for capitals beyond plain letters where the rule ignores capitals, and for numbers with more than 15 digits. A key of more than 255 characters has none here and one there."))
}

// uncomposed finds the first value of a sample's key that Unicode would compose.
func uncomposed(s exporters.Setup) (label, value string, found bool) {
	for i, sample := range s.Samples {
		for _, p := range s.Parts {
			text, _ := sample.Value(p).(string)
			if !norm.NFC.IsNormalString(text) {
				return sample.Label(i), text, true
			}
		}
	}
	return "", "", false
}

// partNames says which line of the module Fields of the key takes which field.
func partNames(s exporters.Setup) string {
	var lines []string
	for i, p := range s.Parts {
		if len(p.Path) > 1 && p.Path[0] == "body" {
			lines = append(lines, fieldName(i)+" = "+strings.Join(p.Path[1:], "."))
		}
	}
	return strings.Join(lines, ", ")
}
