package zapier

import (
	"fmt"
	"strings"

	"dedupedesk/exporters"
)

// tableSteps look the key up in a table and add it. It is partial, and says so.
func tableSteps(s exporters.Setup, w wish) []exporters.Step {
	list, err := picks(s, w)
	blocked := reason(err)
	if len(s.Each) > 0 {
		blocked = first(blocked, "The rule goes through a list. A queue inside a loop is not confirmed to keep runs apart, so the table is not offered for it. Take the counter.")
	}
	steps := append([]exporters.Step{copiesStep(), tableStep(s), triggerStep(w)}, whenSteps(s)...)
	for _, k := range list {
		if len(k.part.Path) > 0 {
			steps = append(steps, changes(k, tableFormats(s, k))...)
		}
	}
	steps = append(steps, wholeStep(s, list), queueStep(s), lookStep(s, list, blocked), newStep(), addStep(), workStep(false), tableDone())
	return append(steps, storeReplay(), errorsStep(), tableStuck(), tableAlert(), tableClean(s.KeepDays(1)), tableProve())
}

// tableFormats are the changes of a part that stands in the table's key: trimmed, and
// small where the rule ignores capitals.
func tableFormats(s exporters.Setup, k pick) []format {
	list := append(formats(k), format{name: "Trim Whitespace", apply: strings.TrimSpace, fault: "White space inside a value stays as it is, where the rule makes one space of it."})
	if s.FoldCase {
		list = append(list, caseFormats["lower"])
	}
	return list
}

func tableName(rule string) string { return "Claims " + rule }

func tableStep(s exporters.Setup) exporters.Step {
	return exporters.Step{
		ID: "table", Title: "Make a table for the event keys",
		Where: "Tables > Create > name: paste. Fields, all of the type Text: Key, State, Run; and Since of the type Date and time.",
		Value: tableName(s.Rule), ValueLabel: "Name of the table", Blocked: plainName(s.Rule), Details: []string{storeField().Name},
		Why:      "A record in it says that an event was taken.",
		NotFixed: "Zapier Tables have no field that refuses a second record with the same value, as far as their pages say. So two runs at one moment can both add one.",
		Sources:  []exporters.Source{tablesPage}, Tried: exporters.NotTried,
	}
}

// wholeStep stops an event whose key would have a hole, or would be another event's.
func wholeStep(s exporters.Setup, list []pick) exporters.Step {
	var fields []string
	for _, k := range list {
		if len(k.part.Path) > 0 {
			fields = append(fields, output(s, k))
		}
	}
	where := "+ > Filter by Zapier > Only continue if… > for each of these fields: Exists, And (Text) Does not contain > paste. Fields: " + strings.Join(fields, "; ") + "."
	return exporters.Step{
		ID: "whole", Title: "Go on only with a whole key",
		Where: where, Value: ":", ValueLabel: "Text that must not be in it", Details: []string{storeField().Name},
		Why:      "A key with a hole would be one key for all events without that field. A colon in a part could make one key of two events: the rule writes %3A for it, Formatter is not asked to.",
		NotFixed: "Such an event ends here as Filtered, without a mail: the step A view of what got stuck says where to look for it. Use the counter where colons are normal.",
		Sources:  []exporters.Source{filterPage}, Tried: exporters.NotTried,
	}
}

func output(s exporters.Setup, k pick) string {
	return fmt.Sprintf("Output of Part %d, change %d", k.number, len(tableFormats(s, k)))
}

func queueStep(s exporters.Setup) exporters.Step {
	return exporters.Step{
		ID: "queue", Title: "Keep runs apart",
		Where: "+ > Delay by Zapier > Event: Delay After Queue > Queue Title: paste; Time Delayed For: 1; unit: Minutes.",
		Value: tableName(s.Rule), ValueLabel: "Queue Title", Blocked: plainName(s.Rule), Details: []string{storeField().Name},
		Warning:  "Each event waits, and at most one a minute passes. A Zap that is switched off or changed loses the runs that wait.",
		Why:      "Runs go on one by one, a minute apart, so the look-up of one sees the record of the one before. All Zaps that share the table need the same queue title.",
		NotFixed: "It is a distance in time, not a lock: a step that takes longer than the minute is overtaken.",
		Sources:  []exporters.Source{delayPage}, Tried: exporters.NotTried,
	}
}

// lookStep searches for the key, which it writes in full.
func lookStep(s exporters.Setup, list []pick, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "look", Title: "Look the event key up",
		Where:    "+ > Zapier Tables > Event: Find Records > the table > search field Key, equals: paste, then put the output of each Formatter step in the place of its words in brackets. Tell the step to count as a success when nothing is found, or the run ends as Safely halted there. Rename the step to Look up.",
		Why:      "A record that is there means that the event was taken before.",
		NotFixed: "Looking and adding are two acts. Two runs that look at one moment both find nothing and both work.",
		Checks:   tableChecks(s, list),
		Sources:  []exporters.Source{tablesPage, statusPage}, Details: []string{storeField().Name, triggerField().Name},
		Tried: "The keys of your samples were worked out here as Formatter should make them. Not tried in Zapier.",
	}
	var pieces []string
	for _, k := range list {
		if len(k.part.Path) == 0 {
			pieces = append(pieces, tableLiteral(s, k))
			continue
		}
		pieces = append(pieces, "["+output(s, k)+"]")
	}
	step.Value, step.ValueLabel, step.Blocked = strings.Join(pieces, ":"), "Event key", blocked
	step.BlockByChecks()
	if step.Blocked != "" {
		step.Value, step.ValueLabel = "", ""
	}
	return step
}

func tableLiteral(s exporters.Setup, k pick) string {
	text := exporters.KeyLiteral(k.literal)
	if s.FoldCase {
		text = strings.ToLower(text)
	}
	return text
}

// tableChecks work the samples' keys out as Formatter should make them.
func tableChecks(s exporters.Setup, list []pick) []exporters.Check {
	if label, digits, lost := s.LostDigits(); lost {
		return []exporters.Check{{Result: exporters.Fail, Text: fmt.Sprintf("%s has the number %s in the key, longer than many programs can hold. If Zapier rounds it, two events get one key and one of them is lost.", label, digits)}}
	}
	checks, same := []exporters.Check{}, 0
	for i, sample := range s.Samples {
		if sample.Key == "" || list == nil {
			continue
		}
		got, ok := tableKey(s, list, sample)
		switch {
		case !ok:
			checks = append(checks, exporters.Check{Result: exporters.Warn, Text: sample.Label(i) + " would end at the Filter before: a part of its key is missing, is no text or number, or holds a colon."})
		case got != sample.Key:
			checks = append(checks, exporters.Check{Result: exporters.Fail, Text: fmt.Sprintf("%s would get the key %s in Zapier, where the rule makes %s. Formatter does not do all that the rule does with white space, accents and the per cent sign.", sample.Label(i), got, sample.Key)})
		default:
			same++
		}
	}
	if same > 0 {
		checks = append(checks, exporters.Check{Result: exporters.OK, Text: fmt.Sprintf("For %d of your samples Formatter should make the rule's own key.", same)})
	}
	return checks
}

func tableKey(s exporters.Setup, list []pick, sample exporters.Sample) (string, bool) {
	var pieces []string
	for _, k := range list {
		if len(k.part.Path) == 0 {
			pieces = append(pieces, tableLiteral(s, k))
			continue
		}
		text := plain(sample.Value(k.part))
		for _, f := range tableFormats(s, k) {
			text = f.apply(text)
		}
		if text == "" || strings.Contains(text, ":") {
			return "", false
		}
		pieces = append(pieces, text)
	}
	return strings.Join(pieces, ":"), true
}

// plain writes a value of a sample as a field of Zapier shows it; "" for what is no
// text and no number.
func plain(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case fmt.Stringer:
		return v.String()
	}
	return ""
}

func newStep() exporters.Step {
	return exporters.Step{
		ID: "unseen", Title: "Go on only when nothing was found",
		Where:    "+ > Filter by Zapier > Only continue if… > ID of the record of the step Look up > Does not exist.",
		Why:      "A copy ends here, quietly, as Filtered.",
		NotFixed: "If the look-up fails instead of finding nothing, the run stops before it. Replay it then.",
		Sources:  []exporters.Source{filterPage}, Tried: exporters.NotTried,
	}
}

func addStep() exporters.Step {
	return exporters.Step{
		ID: "claim", Title: "Add the event key",
		Where: "+ > Zapier Tables > Event: Create Record > the table > Key: choose what the step Look up searched for, or build it again; State: paste; Since: the time of the trigger. Rename the step to Add.",
		Value: "claimed", ValueLabel: "State", Details: []string{storeField().Name},
		Why:      "From here on a look-up of another run finds the record. Keep it the very next step behind the Filter.",
		NotFixed: "Nothing refuses a second record.",
		Sources:  []exporters.Source{tablesPage}, Tried: exporters.NotTried,
	}
}

func tableDone() exporters.Step {
	return exporters.Step{
		ID: "done", Title: "Mark the end",
		Where: "Behind your last step: + > Zapier Tables > Event: Update Record > the table > Record ID: choose ID of the step Add; State: paste; Run: the id of the record that your work made.",
		Value: "done", ValueLabel: "State", Details: []string{storeField().Name},
		Why:      "What is not marked got stuck, and can be looked for.",
		NotFixed: "A run that dies before this step leaves State at claimed.",
		Sources:  []exporters.Source{tablesPage}, Tried: exporters.NotTried,
	}
}

func tableStuck() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "A view of what got stuck",
		Where: "The table > Views > New view, named Stuck > Filter: State is > paste; Since is before: one day ago. Once a week also: Zap history > this Zap > status Filtered, for runs that ended at the Filter for a whole key.",
		Value: "claimed", ValueLabel: "State of the filter", Details: []string{storeField().Name},
		Why:      "Each of these events was taken and its work is perhaps not done; one without a whole key was not even taken. Look, then replay the run, or delete the record so that the event may come again.",
		NotFixed: "Nothing can tell by itself whether the work was done.",
		Sources:  []exporters.Source{tablesPage}, Tried: exporters.NotTried,
	}
}

func tableAlert() exporters.Step {
	return exporters.Step{
		ID: "alert", Title: "Be told of it",
		Where:    "A second Zap: Schedule by Zapier > Every Day; Zapier Tables > Find Records > State equals claimed, Since before yesterday; Filter: ID of the record Exists; a mail to whoever looks after it.",
		Why:      "A stuck key is an event whose work is missing, and no sender sends it again.",
		NotFixed: "It tells once a day. In the same Zap you can see two records with one Key only by looking.",
		Sources:  []exporters.Source{tablesPage}, Tried: exporters.NotTried,
	}
}

func tableClean(keepDays int) exporters.Step {
	return exporters.Step{
		ID: "clean", Title: "Take out what is old",
		Where:    fmt.Sprintf("The table > a view with the filter State is done, Since before %d days ago > select all > delete. Once a month.", keepDays),
		Warning:  "A deleted record is an event that may come again. Keep them for longer than the sender tries again.",
		Why:      "A look-up in a short table is quick. How many records a table of your plan may have is not confirmed; a full one would make each run fail.",
		NotFixed: "Nothing reminds you of it.",
		Sources:  []exporters.Source{tablesPage, tablesLimits}, Tried: exporters.NotTried,
	}
}

func tableProve() exporters.Step {
	return exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Switch the Zap on. Send one event, wait two minutes, and send the very same event again. Then send another one twice at the same moment. Look at the table and at Zap history.",
		Why:      "The table should have one record for each of the two events, State done, and the runs of the copies should be Filtered. The Key is the one that the rule shows. Two records of one Key mean that the queue did not keep the runs apart: take another way.",
		NotFixed: "One good try at the same moment is no proof. This way stays partial.",
		Sources:  []exporters.Source{tablesPage, delayPage}, Tried: exporters.NotTried, Prove: true,
	}
}

// ownSettings is what Zapier does by itself, without a key.
func ownSettings(c exporters.Checklist) exporters.Checklist {
	c.Title = "Zapier: what it does about copies by itself"
	c.About = "A trigger that polls hands each record on once. A webhook does not, and a second Zap has a memory of its own."
	polling := triggerStep(wish{trigger: triggerPolling})
	polling.Title, polling.Details = "Prefer a trigger that polls", nil
	errors := errorsStep()
	replay := storeReplay()
	replay.Why = "A replay goes on from the step that failed and does not repeat the trigger or what is finished. Replay entire Zap run does all of it again; details of that button are not confirmed."
	c.Steps = []exporters.Step{copiesStep(), polling, replay, errors, {
		ID: "prove", Title: "Prove it",
		Where:    "Zap history > this Zap. Look for two runs with the same Data in of the trigger.",
		Why:      "With a trigger that polls there should be none. Where you find some, the sender repeats or two Zaps run: use an event key.",
		NotFixed: "It shows the past, and nothing of what a sender will repeat.",
		Sources:  []exporters.Source{duplicatePage}, Tried: exporters.NotTried, Prove: true,
	}}
	c.Covers = exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run."},
		exporters.SecondCopy:    {State: exporters.No, By: "Each Zap remembers for itself. You can only look for the second one."},
		exporters.SenderRetries: {State: exporters.Partly, By: "Only with a trigger that polls, by the id of the record."},
		exporters.StepRetries:   {State: exporters.No, By: "Happens inside a run."},
		exporters.Replay:        {State: exporters.No, By: "A step that is replayed works again."},
		exporters.Overlap:       {State: exporters.No, By: "Runs of one Zap go side by side."},
	})
	return c
}
