package scripts

import (
	"fmt"

	"dedupedesk/exporters"
)

const ran = "Run here by us against this program, with copies side by side and work that fails."

// ranBy says who tried a file of a language.
func ranBy(language string) string {
	switch language {
	case powershellLanguage:
		return "Not run by us: there is no PowerShell here. The calls that it makes were tried in the form that PowerShell sends."
	case appsScriptLanguage:
		return "Read by a JavaScript parser here, not run in Apps Script by us."
	}
	return ran
}

func sourceOf(language string) exporters.Source {
	switch language {
	case pythonLanguage:
		return pythonPage
	case nodeLanguage:
		return nodePage
	case powershellLanguage:
		return powershellPage
	case appsScriptLanguage:
		return webAppPage
	}
	return curlPage
}

// ledgerSteps walk from the file to the proof, for a script that asks this program.
func ledgerSteps(s exporters.Setup, w wish, file exporters.File, blocked string) []exporters.Step {
	steps := []exporters.Step{leaseStep(s, w)}
	if w.far() {
		name := exporters.NameStep(w.address, sourceOf(w.language))
		name.Details = append(name.Details, whereQuestion().Name, languageQuestion().Name)
		if w.language != appsScriptLanguage {
			name.Where += " If no tunnel or gateway stands before it, add --api 0.0.0.0:47821, and let your firewall take calls to that port from the script's computer alone."
		}
		steps = append(steps, name)
	}
	return append(steps, fileStep(s, w, file, blocked), passwordStep(w), workStep(w), startStep(s, w, file), stuckStep(w), proveStep(w, file))
}

func leaseStep(s exporters.Setup, w wish) exporters.Step {
	step := exporters.Step{
		ID: "lease", Title: "Check the time allowed for one run",
		Where:    "In this program: Design a key > the rule > Time allowed for one run.",
		Why:      "The script asks for more time while it works. When it dies, the next copy may take the key after that time.",
		NotFixed: "A script that hangs for ever asks for more time for ever. Give your work an end of its own.",
		Sources:  []exporters.Source{sourceOf(w.language)}, Tried: "Worked out here.", Details: []string{languageQuestion().Name},
	}
	if w.language == shellLanguage {
		step.NotFixed += " Work that goes on when the script itself was killed (kill -9) is not seen: the next copy may begin beside it."
	}
	if w.language != appsScriptLanguage {
		step.Checks = []exporters.Check{{Result: exporters.OK, Text: fmt.Sprintf("The rule allows %s; the %s script asks for more every %d seconds.", exporters.Spell(s.Lease), nameOf(w.language), beat(s.Lease))}}
		return step
	}
	step.Why = "When the time is over, the next copy may take the key. A run of Apps Script may last 6 minutes, and it does not ask for more time."
	step.Sources = append(step.Sources, quotaPage)
	if s.Lease < longestAppsScript {
		step.Checks = []exporters.Check{{Result: exporters.Warn, Text: fmt.Sprintf("The rule allows %s for one run. A run of Apps Script may last 6 minutes; allow more than that.", exporters.Spell(s.Lease))}}
	} else {
		step.Checks = []exporters.Check{{Result: exporters.OK, Text: fmt.Sprintf("The rule allows %s, longer than a run of Apps Script may last.", exporters.Spell(s.Lease))}}
	}
	return step
}

func fileStep(s exporters.Setup, w wish, file exporters.File, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "file", Title: "Take the file",
		Where:    "Save the file of this step where your script lives.",
		Why:      "It sends the event as it came and lets this program make the key, so no digit is lost and any formula fits. It goes on only where it was told claimed.",
		NotFixed: "It guards this file's work alone. Another script that does the same must ask for the same rule.",
		Sources:  []exporters.Source{sourceOf(w.language)}, Tried: ranBy(w.language), Blocked: blocked,
		Details: []string{languageQuestion().Name, exporters.AddressDetail},
	}
	if w.language == appsScriptLanguage {
		step.Where = "script.google.com > **New project** > paste the file of this step over what stands there > Save."
	}
	if s.IfUnreachable == "go_on" {
		step.Checks = append(step.Checks, exporters.Check{Result: exporters.Warn, Text: "The rule says to run anyway where this program cannot be reached. The script does so where nobody answers, and copies run as well in that time. It stops where this program answers and refuses."})
	}
	step.Checks = append(step.Checks, s.WhenChecks()...)
	if blocked == "" {
		step.File = file.Name
	}
	return step
}

func passwordStep(w wish) exporters.Step {
	step := exporters.Step{
		ID: "password", Title: "Hand the password over",
		Where: "Set the environment variable of the value below to the password of this program, where the script is started: in the unit file, the crontab's caller, or the scheduler.",
		Value: "DEDUPE_TOKEN", ValueLabel: "Name of the variable",
		Why:      "The file holds no password, so that it can be kept with your other sources. Make one for this script alone, under Connect, that may only reserve and report keys.",
		NotFixed: "Whoever may read the environment of the script can read the password. Revoke it under Connect when it leaks.",
		Sources:  []exporters.Source{sourceOf(w.language)}, Tried: ranBy(w.language),
	}
	if w.language == appsScriptLanguage {
		step.Where = "Project Settings (the wheel) > Script Properties > **Add script property**. Property: paste the value below. Value: the password of this program."
		step.ValueLabel = "Name of the property"
		step.NotFixed = "Whoever may edit the project can read the password. Revoke it under Connect when somebody leaves."
	}
	return step
}

func workStep(w wish) exporters.Step {
	where := "In the file: the function **work**. Put your work there. Where it makes a record, hand back the record's id."
	switch w.language {
	case shellLanguage:
		where = "In the file: the function **work**. $1 is the event's file. Where it makes a record, write the record's id into the file $3."
	case powershellLanguage:
		where = "In the file: the block **$Work**. Where it makes a record, its last output is the record's id."
	}
	return exporters.Step{
		ID: "work", Title: "Put your work in", Where: where,
		Why:      "Until then the work fails, so that no event is reported Finished of which nothing was done. The id stands beside the key, so a person can look the record up.",
		NotFixed: "If the work fails half way, the next run does that half again. Give what it calls a key of the destination's own, such as an idempotency key.",
		Sources:  []exporters.Source{sourceOf(w.language)}, Tried: ranBy(w.language),
	}
}

func startStep(s exporters.Setup, w wish, file exporters.File) exporters.Step {
	step := exporters.Step{
		ID: "start", Title: "Start it for each event",
		Where:      "Where events arrive, write each to a file and start the line below. If the rule reads a header, the file of the headers is needed too, as a JSON object with their names in small letters; the script stops without it.",
		ValueLabel: "How to start it", Details: []string{languageQuestion().Name},
		Why:      "The exit code tells the caller what happened: 0 the work was done or this was a copy, 1 a person has to decide or the work failed, 2 the key could not be asked for or reported, 75 another run is at it. A caller that tries again on anything but 0, for longer than the time allowed for one run, loses nothing: after a run that died its key is free again only then, or a person decides.",
		NotFixed: "A caller that does not try again after 75 loses the event if the run that was at it fails. Look at Keys once a day.",
		Sources:  []exporters.Source{sourceOf(w.language)}, Tried: ranBy(w.language),
	}
	name := file.Name
	switch w.language {
	case shellLanguage:
		step.Value = "sh " + name + " event.json"
		step.Why += " Where this program itself is installed, dedupe run KEY -- COMMAND does the same without a file."
	case pythonLanguage:
		step.Value = "python3 " + name + " event.json"
	case nodeLanguage:
		step.Value = "node " + name + " event.json"
	case powershellLanguage:
		step.Value = `.\` + name + " event.json"
	default:
		step.Where = "Call the value below from your own trigger, or Deploy > **New deployment** > **Web app** and give its address to the sender. Look under Triggers (the clock) that no trigger stands there twice: a trigger that was made twice runs twice."
		step.Value = "handleEvent(text)"
		step.Why = "A run that fails is listed under Executions. A web app answers the sender with a page of Google's then."
		step.NotFixed = "Whether a sender takes that page for a failure is not known to us. A copy that comes while the first run is at work fails too, for that one may yet fail. Look under Executions once a day."
	}
	if asksHeaders(s) {
		step.Value += " headers.json"
	}
	if name == "" {
		step.Value, step.ValueLabel = "", ""
		step.Blocked = "There is no file yet; see the step Take the file."
	}
	return step
}

func stuckStep(w wish) exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "Look after keys that got stuck",
		Where:    "In this program: Keys > Needs a decision.",
		Why:      "A script that died between its work and the report leaves a key that nobody closes. A person has to look whether the work was done.",
		NotFixed: "Nothing can tell by itself whether the work was done.",
		Sources:  []exporters.Source{sourceOf(w.language)}, Tried: exporters.NotTried,
	}
}

func proveStep(w wish, file exporters.File) exporters.Step {
	return exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Start it for one event, and when it has ended for the very same event again. Then look at Keys in this program.",
		Why:      "The first does the work, the second ends at once with exit code 0 and does nothing. Keys shows one key, Finished, with one copy stopped. Then let the work fail once on purpose: Keys shows Failed, waiting for another try, and the next start does the work.",
		NotFixed: "It shows a copy that comes later. Copies at the same moment were tried by us.",
		Sources:  []exporters.Source{sourceOf(w.language)}, Tried: ranBy(w.language), Prove: true,
	}
}

func ledgerCovers() []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.No, By: "What the work itself repeats is not seen. Only a key at the destination refuses it."},
		exporters.SecondCopy:    {State: exporters.Yes, By: "All copies of the script, on whatever computer, ask for the same key of the same rule."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The repeat is told that the key is taken."},
		exporters.StepRetries:   {State: exporters.Partly, By: "The calls to this program may be repeated safely. What the work calls needs a key of its own."},
		exporters.Replay:        {State: exporters.Yes, By: "A script that is started again finds the key Finished."},
		exporters.Overlap:       {State: exporters.Yes, By: "One of the runs gets the key, the others do not."},
	})
}

// oneAtATime is for people who need no key: no overlap with a script's own last run.
func oneAtATime(platform string) exporters.Checklist {
	return exporters.Checklist{
		Platform: platform, Title: "Scripts: one run at a time", Route: exporters.RouteNone,
		About: "For a script that is started by the clock and now and then takes longer than the time between two starts.",
		Steps: []exporters.Step{
			{
				ID: "flock", Title: "On Linux: start it under a lock",
				Where: "In the crontab or the unit file, put the words below before the command, with a file of your own as the lock.",
				Value: "flock -n /run/lock/my-script.lock", ValueLabel: "Before the command",
				Why:      "A second start finds the lock taken and ends at once. The system lets go of it when the first ends, however that happens.",
				NotFixed: "It holds on one computer alone, and stops nothing that comes when the first has ended.",
				Sources:  []exporters.Source{flockPage}, Tried: exporters.NotTried,
			},
			{
				ID: "scheduler", Title: "On Windows: do not start a second one",
				Where: "Task Scheduler > the task > Properties > Settings > If the task is already running, then the following rule applies: **Do not start a new instance**.",
				Value: "Do not start a new instance", ValueLabel: "Rule",
				Why:      "A second start is left out while the first still runs.",
				NotFixed: "A start by hand, or on another computer, is not stopped.",
				Sources:  []exporters.Source{powershellPage}, Tried: exporters.NotTried,
			},
			{
				ID: "prove", Title: "Prove it",
				Where:    "Start it by hand while it runs.",
				Why:      "The second start must end at once and do nothing.",
				NotFixed: "It does not show what happens to an event that comes twice.",
				Sources:  []exporters.Source{flockPage}, Tried: exporters.NotTried, Prove: true,
			},
		},
		Covers: exporters.Covered(map[string]exporters.Cover{
			exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run."},
			exporters.SecondCopy:    {State: exporters.Partly, By: "On the same computer, if it takes the same lock."},
			exporters.SenderRetries: {State: exporters.No, By: "A repeat that comes later runs again."},
			exporters.StepRetries:   {State: exporters.No, By: "Happens inside a run."},
			exporters.Replay:        {State: exporters.No, By: "A start that comes later runs again."},
			exporters.Overlap:       {State: exporters.Yes, By: "The second start ends at once."},
		}),
	}
}
