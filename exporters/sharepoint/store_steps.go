package sharepoint

import (
	"fmt"
	"time"

	"dedupedesk/exporters"
	"dedupedesk/exporters/powerautomate"
)

// pasteSteps hand over the whole scope. key and each are expressions.
func (l store) pasteSteps(s exporters.Setup, key, each, blocked string) ([]exporters.Step, error) {
	if blocked == "" && l.site == "" {
		blocked = "Type the address of the site first."
	}
	p := powerautomate.Paste{
		Seed: l.site + l.list, Blocked: blocked, Details: []string{claimsField.Name, siteField.Name}, Checks: powerautomate.StopsOnly(s),
		After:    "In Reserve, Finish and Let it run again choose your SharePoint connection, and the list again where its box stands empty. Look then that Title in Reserve and in Finish still holds its expression: choosing a list can clear it.",
		Why:      "One scope with everything in the right order: the key, Reserve before the work, Finish behind it, Let it run again when the work fails. A copy ends as Cancelled, which is no alert; in a loop a line that is a copy is left out.",
		NotFixed: "If it cannot be pasted, the steps below build the same by hand.",
		Driven:   "Driven here with copies and failures against a list that refuses them.",
	}
	if blocked == "" {
		p.Scope = l.calls().Scope(key, each)
	}
	return powerautomate.PasteSteps(p)
}

// handSteps build the same by hand, or check what was pasted.
func (l store) handSteps(blocked string) []exporters.Step {
	reserve := exporters.Step{
		ID: "reserve", Title: "By hand: reserve the key",
		Where: "Below Event key: SharePoint > Create item, renamed to Reserve. List Name: " + l.list + ". " + statusColumn + ": " + inProgress + ". Title: fx (Expression) > paste. Then its Settings > Networking > Retry policy > None.",
		Value: "outputs('" + powerautomate.KeyName + "')", ValueLabel: "Expression of Title", Blocked: blocked,
		Why:      "The row is the proof that this event is taken. Without retries, for SharePoint reports a title that is there already as error 500, which would be tried again up to 12 times for nothing.",
		NotFixed: "A short disturbance of SharePoint fails the run at once, before the work. Start it again from the run history, and look first whether the row is there.",
		Sources:  []exporters.Source{errorsPage, clashPage}, Tried: exporters.NotTried,
	}
	report := exporters.Step{
		ID: "report", Title: "By hand: report the end",
		Where: "In Did it work, If yes: Update item, Id: fx (Expression) > paste, Title: the same as in Reserve, " + statusColumn + ": " + done + ", " + resultColumn + ": the id of the record that was made. If no: Delete item, Id: paste; then Terminate, Status Failed. In a loop no Terminate can stand: put Compose with the expression int('the work failed') there, which fails.",
		Value: rowID(), ValueLabel: "Expression of Id",
		Why:      "Done tells everybody that the event was handled. After a failure the row goes, so that Resubmit gets the key again.",
		NotFixed: "A run that dies before this leaves its row In progress; the view Stuck shows it.",
		Sources:  []exporters.Source{errorsPage}, Tried: exporters.NotTried,
	}
	steps := append([]exporters.Step{reserve}, l.calls().ByHand(runColumn, sinceColumn, "SharePoint", clashPage)...)
	return append(steps, report)
}

func (l store) stuckStep() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "A view of stuck keys",
		Where: "The list " + l.list + " > All items > Add view > Name: Stuck, Show as: List > Create. Then its name > Edit current view > Filter: " + statusColumn + " is equal to " + inProgress + ", And " + sinceColumn + " is less than: paste.",
		Value: "[Today]-1", ValueLabel: "Filter of " + sinceColumn,
		Why:      "A row that is In progress for longer than a day is of a run that died, or of one that still waits, for an approval for instance. Look the run up by its " + runColumn + " first: is it Running, leave the row. Has it ended and the work was done, set " + statusColumn + " to " + done + "; was it not, delete the row and press Resubmit.",
		NotFixed: "Nothing can tell by itself whether the work was done.",
		Sources:  []exporters.Source{viewsPage}, Tried: exporters.NotTried,
	}
}

func (l store) alertStep(lease time.Duration) exporters.Step {
	if lease <= 0 {
		lease = 24 * time.Hour
	}
	return exporters.Step{
		ID: "alert", Title: "Be told of stuck keys",
		Where: "A new Scheduled cloud flow, once a day > Get items, renamed to Get items in any language, List Name: " + l.list + ", Filter Query: paste > Condition: fx > length(outputs('Get_items')?['body/value']); is greater than; 0. If yes: Send me an email notification, with a link to the view Stuck.",
		Value: fmt.Sprintf("%s eq '%s' and %s lt '@{addMinutes(utcNow(),-%d)}'", statusColumn, inProgress, sinceColumn, int(lease.Minutes())), ValueLabel: "Filter Query",
		Why:      "Nobody looks at a view every day. The time in it is the rule's time allowed for one run.",
		NotFixed: "It tells of keys that are stuck, not of events that never came.",
		Sources:  []exporters.Source{filterPage}, Tried: exporters.NotTried,
	}
}

func (l store) cleanStep(days int) exporters.Step {
	return exporters.Step{
		ID: "clean", Title: "Clear old keys away",
		Warning: "A key that is deleted lets its event run again. Keep it longer than the sender sends again and than a run can be started again, which is 30 days. Never delete rows that are " + inProgress + " this way.",
		Where:   "A new Scheduled cloud flow, once a week > Get items, List Name: " + l.list + ", Filter Query: paste, Top Count: 5000 > Apply to each over its value > Delete item.",
		Value:   fmt.Sprintf("%s eq '%s' and %s lt '@{addDays(utcNow(),-%d)}'", statusColumn, done, sinceColumn, days), ValueLabel: "Filter Query",
		Why:      "Lists over 5,000 rows get slow and refuse new settings.",
		NotFixed: "Deleted rows lie in the recycle bin of the site for a time. That does not matter for the keys.",
		Sources:  []exporters.Source{filterPage, thresholdPage}, Tried: exporters.NotTried,
	}
}

func (l store) proveStep(loop bool) exporters.Step {
	step := exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Let one event start the flow. When its run is over: the flow > 28-day run history > that run > Resubmit. Look at the list " + l.list + " and at both runs. Then let the work fail once on purpose.",
		Why:      "You should see one row with this key, " + done + ", the first run Succeeded and the second Cancelled, its Reserve failed with \"" + duplicateText + "\". Two rows mean that the titles are not unique. A second run that Failed means that its failure has other words: take those into the condition that say it is there already, and no others. After the failure on purpose the row must be gone.",
		NotFixed: "It shows a copy that comes later. Copies at the same moment rest on the list's own promise.",
		Sources:  []exporters.Source{uniquePage, clashPage}, Tried: exporters.NotTried, Prove: true,
	}
	if loop {
		step.Why = "You should see one row for each line, " + done + ", both runs Succeeded, and in the second no step of Work for any line: open For each line and step through. Two rows with one key mean that the titles are not unique. A line whose Is it a copy went to If no means that the failure has other words: take those into the condition that say it is there already, and no others. After the failure on purpose the row of that line must be gone."
	}
	return step
}
