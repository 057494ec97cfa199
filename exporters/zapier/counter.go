package zapier

import (
	"strings"

	"dedupedesk/exporters"
)

// secretCode opens the store.
const secretCode = `
SECRET = "` + exporters.Placeholder + `"
if SECRET.startswith("REPLACE"):
    raise Exception("Put your own UUID4 in place of the placeholder first.")
FINISHED = 1000000

def add(short, amount):
    count = StoreClient(SECRET).increment_by(short, amount)
    if isinstance(count, bool) or not isinstance(count, (int, float)):
        raise Exception("The store gave no count back, so nobody can tell whether this run is the first.")
    return count
`

// counterCode lets the first run for a key pass. A copy ends quietly only when the first
// run has marked its end: until then, nobody knows whether the work will be done.
func counterCode(s exporters.Setup, w wish) (string, error) {
	lines, err := keyLines(s, w)
	if err != nil {
		return "", err
	}
	return lines + secretCode + `
import hashlib

short = hashlib.sha256((` + py(s.Rule+"\n") + ` + KEY).encode("utf-8")).hexdigest()[:31]
count = add(short, 1)
if 1 < count < FINISHED:
    raise Exception("Another run has taken the event " + KEY + " and has not finished it. Look whether its work was done.")
return {"status": "claimed" if count == 1 else "copy", "key": KEY, "short": short, "count": count}`, nil
}

// finishedCode marks the end of the work in the count.
var finishedCode = strings.TrimPrefix(secretCode, "\n") + `
if input_data.get("status") != "claimed":
    return {"status": "nothing to report"}
return {"count": add(input_data["short"], FINISHED)}`

// counterSteps let a Code step count the event key in Zapier's own store.
func counterSteps(s exporters.Setup, w wish) []exporters.Step {
	list, listErr := picks(s, w)
	steps := []exporters.Step{copiesStep(), triggerStep(w)}
	steps = append(append(steps, loopSteps(s, list)...), whenSteps(s)...)
	code, err := counterCode(s, w)
	count := codeStep("count", "Count the event key", claimStepName, "the UUID4 of the step before", inputRows(list, w), code, first(reason(listErr), reason(err)))
	count.Warning = "The store holds 500 keys for one secret, and forgets a key 3 months after its last use. Use this for few events: with more than about 5 a day the store is full before the old keys are gone, and the step fails."
	count.Why = "It makes the same event key as the rule and adds 1 to its count in one act. The first run counts 1 and gets status claimed. A copy gets status copy when the first run is finished, and fails before that, for nobody knows yet whether the work will be done. The key is stored as a short code of 31 characters, for the store takes fewer than 32."
	count.NotFixed = "Not confirmed: that the count comes back from the call. If none does, the step fails and nothing runs. If the answer of the store is lost and the step is replayed, it fails, and a person has to look. A run that dies behind this step keeps its key, and its event is not let in again by itself."
	count.Sources = []exporters.Source{storePage, codePage, codeLimits}
	count.Details = []string{triggerField().Name, storeField().Name}
	if !w.raw {
		count.Checks = valueChecks(s, w)
		if label, digits, lost := s.LostDigits(); lost {
			count.Blocked = first(count.Blocked, label+" has the number "+digits+" in the key, longer than many programs can hold. If Zapier rounds it, two events get one key and one of them is lost. Use a field that carries it as text, or let this program make the key.")
		}
	}
	if count.Blocked != "" {
		count.Value = ""
	}
	steps = append(steps, secretStep(), count, gateStep(s, w), workStep(w.raw), counterDone(), storeReplay(), errorsStep())
	return append(steps, counterStuck(), counterAlert(), counterClean(), counterProve())
}

func secretStep() exporters.Step {
	return exporters.Step{
		ID: "secret", Title: "Make a secret for the store",
		Where:    "Make a UUID4 with a generator of your choice and keep it where passwords are kept. Put it into the code of the steps " + claimStepName + " and " + doneStepName + ", in place of " + exporters.Placeholder + ".",
		Why:      "All who know it read and write the same counts: give it to each Zap that must know of the others, and to nobody else.",
		NotFixed: "A new secret is a new, empty store: every event is let in once more.",
		Sources:  []exporters.Source{storePage}, Tried: exporters.NotTried,
	}
}

func counterDone() exporters.Step {
	step := codeStep("done", "Mark the end", doneStepName, "the UUID4", []string{"status: choose Status of the step " + claimStepName, "short: choose Short of the step " + claimStepName}, finishedCode, "")
	step.Where = "Behind your last step: " + step.Where
	step.Why = "Only then does a copy end quietly. Without this step each copy fails, so that no event is lost without a word."
	step.NotFixed = "A run that dies before this step leaves its event unfinished, for a person to look at."
	step.Sources = []exporters.Source{storePage, codePage}
	step.Details = []string{storeField().Name}
	return step
}

func counterStuck() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "Look for runs that got stuck",
		Where:    "Zap history > this Zap > status Errored and Safely halted.",
		Why:      "A run that failed behind the step " + claimStepName + " has taken its key, and its work is not done: look whether it was, then replay the step that failed. A run that failed in that step itself tells of such an event; if no other run of it waits, its store's answer was lost: do the work by hand.",
		NotFixed: "The store has no list to look at. Zap history alone tells what got stuck, for as long as your plan keeps it.",
		Sources:  []exporters.Source{statusPage, storePage}, Tried: exporters.NotTried,
	}
}

func counterAlert() exporters.Step {
	return exporters.Step{
		ID: "alert", Title: "Be told of it",
		Where:    "A second Zap: Zapier Manager > trigger New Zap Error > this Zap; action: a mail to whoever looks after it.",
		Why:      "A run that got stuck is an event whose work is missing, and no sender sends it again.",
		NotFixed: "With Autoreplay on, the mail comes after the last try, some hours later.",
		Sources:  []exporters.Source{replayPage}, Tried: exporters.NotTried,
	}
}

func counterClean() exporters.Step {
	return exporters.Step{
		ID: "clean", Title: "Make room before the store is full",
		Where:    "Every 3 months, or when the counting step fails: at a quiet hour, with the Zap off, put a new UUID4 in place of the old one in all Zaps that share it.",
		Warning:  "A new secret forgets all events at once. A copy of an older event, sent after that, is let in. Do it when nobody has sent for longer than the sender tries again.",
		Why:      "Keys cannot be taken out by age here; they go 3 months after their last use.",
		NotFixed: "A busy Zap is full sooner. Let this program keep the keys then.",
		Sources:  []exporters.Source{storePage}, Tried: exporters.NotTried,
	}
}

func counterProve() exporters.Step {
	return exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Switch the Zap on. Send one event, and when its run is over the very same event again. Look at Zap history, at the step " + claimStepName + " of both runs.",
		Why:      "The first run shows count 1 and status claimed and is Successful, the second count 1000002 and status copy and is Filtered. Key is the event key that the rule shows for this event. If the step fails because no count came back, this way does not work in Zapier: take another.",
		NotFixed: "It shows a copy that comes later. Two copies at one moment rest on the vendor's word; one of the two runs is Errored then, and that is meant.",
		Sources:  []exporters.Source{storePage, filterPage}, Tried: exporters.NotTried, Prove: true,
	}
}
