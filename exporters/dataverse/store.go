package dataverse

import (
	"fmt"
	"time"

	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
	"dedupedesk/exporters/powerautomate"
)

// Columns of the table of keys, without its prefix.
const (
	keyColumn    = "eventkey"
	statusColumn = "status"
	runColumn    = "runid"
	sinceColumn  = "claimedat"
	resultColumn = "result"

	inProgress = "In progress"
	done       = "Done"
)

// rowID is the expression of the id of the reserved row.
func (d store) rowID() string { return powerautomate.ReservedBody(d.table + "id") }

// calls are the three steps that write into the table. Rows are added and never updated
// to reserve them.
func (d store) calls() powerautomate.Store {
	call := func(operation string, more map[string]any) flowdef.Connection {
		more["entityName"] = d.set()
		return flowdef.Connected(flowdef.Dataverse, operation, more)
	}
	item := func(name string) string { return "item/" + d.column(name) }
	id := "@" + d.rowID()
	return powerautomate.Store{
		About: "Adds the event key to the table before the work, and reports the work afterwards.",
		Reserve: call("CreateRecord", map[string]any{
			item(keyColumn): "@outputs('" + powerautomate.KeyName + "')", item(statusColumn): inProgress, item(runColumn): powerautomate.RunID, item(sinceColumn): "@utcNow()",
		}),
		Finish: call("UpdateRecord", map[string]any{
			"recordId": id, item(statusColumn): done, item(resultColumn): flowdef.WorkResult,
		}),
		Release: call("DeleteRecord", map[string]any{"recordId": id}),
		Copy:    flowdef.DataverseCopy(),
	}
}

func (x exporter) buildStore(s exporters.Setup) (exporters.Checklist, error) {
	d, err := readStore(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	steps, err := d.steps(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	return exporters.Checklist{
		Platform: x.Name(),
		Title:    "Dataverse: run once per event",
		About:    "The flow adds the event key to the table " + d.table + " before its work. The table refuses the same key a second time, and that run stops.",
		Route:    exporters.RouteStore,
		Steps:    steps,
		Covers: append(exporters.Covered(map[string]exporters.Cover{
			exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run. Only a key at the destination refuses it."},
			exporters.SecondCopy:    {State: exporters.Yes, By: "Both flows add the same key to the same table, if both are built this way."},
			exporters.SenderRetries: {State: exporters.Yes, By: "The table refuses the key of the repeat."},
			exporters.StepRetries:   {State: exporters.Partly, By: "Reserve is sent once. If its answer is lost, the run stops, and its row stays In progress until a person looks at the view Stuck. Your own steps need a key of their own."},
			exporters.Replay:        {State: exporters.Yes, By: "A run that is started again finds its key, unless it failed and gave it back."},
			exporters.Overlap:       {State: exporters.Yes, By: "Check and write are one act of the table, once the index of the key is Active."},
		}), powerautomate.StartsItself()),
	}, nil
}

// steps walk from the table to the proof.
func (d store) steps(s exporters.Setup) ([]exporters.Step, error) {
	fits := fitStep(s)
	t := target{d.set(), d.column(keyColumn)}
	steps := append(powerautomate.WhenSteps(s), fits, d.tableStep(), t.keyStep(), t.indexStep())
	keys := powerautomate.KeysByHand(powerautomate.KeySteps(s, swaps()...))
	key, each := keys[len(keys)-1], ""
	if len(keys) > 1 {
		each = keys[0].Value
	}
	blocked := fits.Blocked
	if blocked == "" {
		blocked = key.Blocked
	}
	p := powerautomate.Paste{
		Seed: d.table, Blocked: blocked, Details: []string{claimsField.Name}, Checks: powerautomate.StopsOnly(s),
		After:    "In Reserve, Finish and Let it run again choose your Dataverse connection, and the table again where its box stands empty. Look then that Event key in Reserve still holds its expression: choosing a table can clear it.",
		Why:      "One scope with everything in the right order: the key, Reserve before the work, Finish behind it, Let it run again when the work fails. A copy ends as Cancelled, which is no alert; in a loop a line that is a copy is left out.",
		NotFixed: "If it cannot be pasted, the steps below build the same by hand.",
		Driven:   "Driven here with copies and failures against a table that refuses them.",
	}
	if blocked == "" {
		p.Scope = d.calls().Scope(key.Value, each)
	}
	paste, err := powerautomate.PasteSteps(p)
	if err != nil {
		return nil, err
	}
	steps = append(append(append(steps, paste...), keys...), d.handSteps(blocked)...)
	return append(steps, powerautomate.WorkStep("In Finish set "+d.column(resultColumn)+" to the id of the record that was made."),
		d.stuckStep(), d.alertStep(s.Lease), d.cleanStep(s.KeepDays(90)), d.proveStep(len(s.Each) > 0)), nil
}

func (d store) tableStep() exporters.Step {
	return exporters.Step{
		ID: "table", Title: "Make the table of keys",
		Where: "Power Apps > Tables > New table > Set advanced properties. Display name: Event claim, Schema name so that the logical name is the one of this step. Primary column: Display name Event key, Schema name " + keyColumn + ", Maximum character count 450 > Save. " +
			"Then + New > Column, four times: " + statusColumn + ", " + runColumn + ", " + resultColumn + " (Text > Plain text), " + sinceColumn + " (Date and time, Time zone adjustment: UTC or Time zone independent). Last: three dots > Tools > Copy set name; it must be " + d.set() + ", else choose the table by hand after pasting.",
		Value: d.table, ValueLabel: "Logical name of the table", Details: []string{claimsField.Name},
		Warning:  "Nobody should edit the event key by hand; a changed key lets its event run again. Give the table no other alternate key: it would make copies of events that are none.",
		Why:      "The primary column holds the event key. The others say who holds it, since when, and what came of it.",
		NotFixed: "The table alone refuses nothing. The next step does.",
		Sources:  []exporters.Source{keysPage}, Tried: exporters.NotTried,
	}
}

// handSteps build the scope by hand, or check what was pasted.
func (d store) handSteps(blocked string) []exporters.Step {
	reserve := exporters.Step{
		ID: "reserve", Title: "By hand: reserve the key",
		Where: "Below Event key: Microsoft Dataverse > Add a new row, renamed to Reserve. Table name: Event claims. " + statusColumn + ": " + inProgress + ". Event key: fx (Expression) > paste. Then its Settings > Networking > Retry policy > None.",
		Value: "outputs('" + powerautomate.KeyName + "')", ValueLabel: "Expression of Event key", Blocked: blocked,
		Warning:  "Add a new row, never Update a row: an update makes the row where it is missing and tells nobody, so two runs would both go on.",
		Why:      "The row is the proof that this event is taken. Without retries, for the second try of a call whose answer was lost would meet its own row.",
		NotFixed: "A short disturbance of Dataverse fails the run at once, before the work. Start it again from the run history, and look first whether the row is there.",
		Sources:  []exporters.Source{keysPage, upsertPage}, Tried: exporters.NotTried,
	}
	report := exporters.Step{
		ID: "report", Title: "By hand: report the end",
		Where: "In Did it work, If yes: Update a row, Row ID: fx (Expression) > paste, " + statusColumn + ": " + done + ", " + resultColumn + ": the id of the record that was made. If no: Delete a row, Row ID: paste; then Terminate, Status Failed. In a loop no Terminate can stand: put Compose with the expression int('the work failed') there, which fails.",
		Value: d.rowID(), ValueLabel: "Expression of Row ID", Details: []string{claimsField.Name},
		Why:      "Done tells everybody that the event was handled. After a failure the row goes, so that Resubmit gets the key again.",
		NotFixed: "A run that dies before this leaves its row In progress; the view Stuck shows it.",
		Sources:  []exporters.Source{errorsPage}, Tried: exporters.NotTried,
	}
	steps := append([]exporters.Step{reserve}, d.calls().ByHand(runColumn, sinceColumn, "Dataverse", clashPage)...)
	return append(steps, report)
}

func (d store) stuckStep() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "A view of stuck keys",
		Where: "Power Apps > Tables > Event claim > Views > New view, called Stuck. Edit filters: " + statusColumn + " Equals: paste, and " + sinceColumn + " Older than X days: 1. Save and publish.",
		Value: inProgress, ValueLabel: "Filter of " + statusColumn,
		Why:      "A row that is In progress for longer than a day is of a run that died, or of one that still waits, for an approval for instance. Look the run up by its " + runColumn + " first: is it Running, leave the row. Has it ended and the work was done, set " + statusColumn + " to " + done + "; was it not, delete the row and press Resubmit.",
		NotFixed: "Nothing can tell by itself whether the work was done.",
		Sources:  []exporters.Source{keysPage}, Tried: exporters.NotTried,
	}
}

func (d store) alertStep(lease time.Duration) exporters.Step {
	if lease <= 0 {
		lease = 24 * time.Hour
	}
	return exporters.Step{
		ID: "alert", Title: "Be told of stuck keys",
		Where: "A new Scheduled cloud flow, once a day > List rows, renamed to List rows in any language, Table name: Event claims, Filter rows: paste > Condition: fx > length(outputs('List_rows')?['body/value']); is greater than; 0. If yes: Send me an email notification, with a link to the view Stuck.",
		Value: fmt.Sprintf("%s eq '%s' and %s lt @{addMinutes(utcNow(),-%d)}", d.column(statusColumn), inProgress, d.column(sinceColumn), int(lease.Minutes())), ValueLabel: "Filter rows",
		Details:  []string{claimsField.Name},
		Why:      "Nobody looks at a view every day. The time in it is the rule's time allowed for one run.",
		NotFixed: "It tells of keys that are stuck, not of events that never came.",
		Sources:  []exporters.Source{rowsPage}, Tried: exporters.NotTried,
	}
}

func (d store) cleanStep(days int) exporters.Step {
	return exporters.Step{
		ID: "clean", Title: "Clear old keys away",
		Warning: "A key that is deleted lets its event run again. Keep it longer than the sender sends again and than a run can be started again, which is 30 days. Never delete rows that are " + inProgress + " this way.",
		Where:   "A new Scheduled cloud flow, once a week > List rows, Table name: Event claims, Filter rows: paste > Apply to each over its value > Delete a row.",
		Value:   fmt.Sprintf("%s eq '%s' and %s lt @{addDays(utcNow(),-%d)}", d.column(statusColumn), done, d.column(sinceColumn), days), ValueLabel: "Filter rows",
		Details:  []string{claimsField.Name},
		Why:      "Storage of Dataverse is paid for, and old keys are of no use.",
		NotFixed: "List rows gives 5,000 rows at most in one go; the next week takes the rest.",
		Sources:  []exporters.Source{rowsPage}, Tried: exporters.NotTried,
	}
}

func (d store) proveStep(loop bool) exporters.Step {
	step := exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Let one event start the flow. When its run is over: the flow > 28-day run history > that run > Resubmit. Look at the table and at both runs. Then let the work fail once on purpose.",
		Why:      "You should see one row with this key, " + done + ", the first run Succeeded and the second Cancelled, its Reserve failed with 0x80060892. Two rows mean that the key is not Active. A second run that Failed means that the code is another: take it into the condition if its message says that the key is there already. After the failure on purpose the row must be gone.",
		NotFixed: "It shows a copy that comes later. Copies at the same moment rest on the table's own promise.",
		Sources:  []exporters.Source{keysPage, clashPage}, Tried: exporters.NotTried, Prove: true,
	}
	if loop {
		step.Why = "You should see one row for each line, " + done + ", both runs Succeeded, and in the second no step of Work for any line: open For each line and step through. Two rows with one key mean that the key is not Active. A line whose Is it a copy went to If no means that the code is another: take it into the condition if its message says that the key is there already. After the failure on purpose the row of that line must be gone."
	}
	return step
}
