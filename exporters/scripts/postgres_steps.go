package scripts

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"dedupedesk/exporters"
)

const ranSQL = "Run here by us in a real PostgreSQL, with writers side by side."

// postgresSteps walk from the table to the proof.
func postgresSteps(s exporters.Setup, file exporters.File, blocked string) []exporters.Step {
	steps := []exporters.Step{tableStep(s, file, blocked), rowStep(s, blocked), longStep(s, blocked)}
	return append(steps, pgStuckStep(), pgAlertStep(), pgCleanStep(s.KeepDays(1)), pgProveStep())
}

func tableStep(s exporters.Setup, file exporters.File, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "table", Title: "Make the table of keys",
		Where:    "psql of your database, as an owner who may create a schema: run the file of this step once. It needs PostgreSQL 13 or newer with the encoding UTF8.",
		Why:      "It holds one row per event key, and a function that makes the key of an event as the rule does. An event without a part of the key stops the statement with an error.",
		NotFixed: "It guards what is written by the statements of the next steps. Statements of others go past it.",
		Sources:  []exporters.Source{insertPage}, Tried: ranSQL + " The keys were compared with the rule's on made values.", Blocked: blocked,
		Checks: letterCheck(s, "PostgreSQL"),
	}
	step.Checks = append(step.Checks, exporters.Check{Result: exporters.Warn, Text: "A key of more than 255 characters stops the statement, also where the rule would store a short code of it."})
	if blocked == "" {
		step.File = file.Name
	}
	return step
}

// keyCall writes the call of the key's function, or of the one with that ending, and the
// number of the next argument of a statement.
func keyCall(s exporters.Setup, ending string) (call, next string) {
	arguments, next := "$1::jsonb", "$2"
	if readsHeaders(s) {
		arguments, next = "$1::jsonb, $2::jsonb", "$3"
	}
	return "dedupe." + functionName(s.Rule) + ending + "(" + arguments + ")", next
}

// arguments says what a statement is given.
func arguments(s exporters.Setup) string {
	if readsHeaders(s) {
		return "$1 is the event as JSON, $2 a JSON object of its headers with their names in small letters."
	}
	return "$1 is the event as JSON."
}

func readsHeaders(s exporters.Setup) bool {
	return slices.ContainsFunc(s.Parts, func(p exporters.Part) bool { return len(p.Path) > 0 && p.Path[0] == "headers" })
}

// asksHeaders tells that any formula of the rule reads a header.
func asksHeaders(s exporters.Setup) bool {
	return readsHeaders(s) || slices.ContainsFunc(s.Outside, func(path []string) bool { return path[0] == "headers" })
}

// rowStep writes the row and its key in one transaction.
func rowStep(s exporters.Setup, blocked string) exporters.Step {
	step := exporters.Step{
		ID: "row", Title: "Write the row and its key together",
		Where:      "In your program, in place of the statement that writes the row. " + arguments(s) + " Put your own table and columns in.",
		ValueLabel: "Statement", Blocked: blocked,
		Why:      "Key and row are one statement, so they cannot come apart: if the row fails, its key is gone as well, and a retry may write both. One row back means that it was written, none that this is a copy. Two writers at the same moment wait for one another here.",
		NotFixed: "A mail or a charge in the same run is not part of the transaction: see the next step.",
		Sources:  []exporters.Source{insertPage}, Tried: ranSQL,
	}
	rule, err := sql(s.Rule)
	if blocked != "" || err != nil {
		step.ValueLabel = ""
		return step
	}
	if len(s.Each) > 0 {
		items, _ := keyCall(s, "_items")
		step.Value = "WITH mine AS (\n  INSERT INTO dedupe.keys (rule, key, state, done_at)\n  SELECT " + rule + ", i.key, 'done', clock_timestamp() FROM " + items + " AS i ORDER BY i.key\n  ON CONFLICT DO NOTHING RETURNING key)\nINSERT INTO your_table (event_key)\nSELECT m.key FROM mine AS m\nJOIN (SELECT DISTINCT ON (key) key, item FROM " + items + " ORDER BY key, number) AS i ON i.key = m.key\nRETURNING *;"
		step.Why += " Each item of the list is a row of its own, and i.item is the item; items that are there already are left out."
		return step
	}
	key, _ := keyCall(s, "")
	step.Value = "WITH mine AS (\n  INSERT INTO dedupe.keys (rule, key, state, done_at)\n  VALUES (" + rule + ", " + key + ", 'done', clock_timestamp())\n  ON CONFLICT DO NOTHING RETURNING key)\nINSERT INTO your_table (event_key)\nSELECT m.key FROM mine AS m\nRETURNING *;"
	return step
}

// longStep is for work that is no row of the database.
func longStep(s exporters.Setup, blocked string) exporters.Step {
	key, owner := keyCall(s, "")
	step := exporters.Step{
		ID: "long", Title: "For work outside of the database: claim, do, report",
		Where:      "Only if the run also sends or charges something. Each line is a transaction of its own: the claim before the work and before the statement of the row, one of the others behind both. " + arguments(s) + " " + owner + " is an id that you make once for each run.",
		ValueLabel: "Statements", Blocked: blocked,
		Why:      "Only claimed means: do the work, also where the statement of the row gives no row back then: an earlier run wrote it and did not come to the work. in_progress and done are copies, held waits for a person. The id of the run lets it ask again after a lost answer. Its keys stand under a name of their own, beside those of the rows.",
		NotFixed: "If the run dies after its work and before the report, a person has to look: see what got stuck.",
		Sources:  []exporters.Source{insertPage}, Tried: ranSQL,
	}
	// Keys of their own, or each statement would take the other's key for a copy.
	rule, err := sql(s.Rule + " (work)")
	if blocked != "" || err != nil || len(s.Each) > 0 {
		step.ValueLabel = ""
		if len(s.Each) > 0 && blocked == "" {
			items, _ := keyCall(s, "_items")
			step.Where = "Only if the run also sends or charges something. Call dedupe.claim, dedupe.done and dedupe.release for each key of " + items + ", as the file describes them, under another rule name than that of the rows, such as the value below."
			step.Value, step.ValueLabel = s.Rule+" (work)", "Rule name"
		}
		return step
	}
	ask := ""
	if s.OnExpiry == "ask" {
		ask = ", ask => true"
	}
	step.Value = "SELECT dedupe.claim(" + rule + ", " + key + ", " + owner + ", interval '" + strconv.Itoa(int(s.Lease/time.Second)) + " seconds'" + ask + ");\n" +
		"SELECT dedupe.done(" + rule + ", " + key + ", " + owner + ", 'the id of what was made');\n" +
		"SELECT dedupe.release(" + rule + ", " + key + ", " + owner + ", 'what went wrong');"
	return step
}

func pgStuckStep() exporters.Step {
	return exporters.Step{
		ID: "stuck", Title: "See what got stuck",
		Where: "psql: run the statement below. Look whether the work was done; then call dedupe.done or dedupe.release with the owner that stands there.",
		Value: "SELECT * FROM dedupe.stuck;", ValueLabel: "Statement",
		Why:      "A run that died between claim and report leaves a key that nobody closes, and work that failed and was not done again is a missing event.",
		NotFixed: "Nothing can tell by itself whether the work was done. Rows that are written together with their key never stand here.",
		Sources:  []exporters.Source{insertPage}, Tried: ranSQL,
	}
}

func pgAlertStep() exporters.Step {
	return exporters.Step{
		ID: "alert", Title: "Be told of it",
		Where: "Whatever watches your database: raise an alarm where the statement below gives more than 0.",
		Value: "SELECT count(*) FROM dedupe.stuck;", ValueLabel: "Statement",
		Why:      "Nobody looks at a view every day.",
		NotFixed: "It tells of what this table knows. A run that never asked is not in it.",
		Sources:  []exporters.Source{insertPage}, Tried: ranSQL,
	}
}

func pgCleanStep(days int) exporters.Step {
	return exporters.Step{
		ID: "clean", Title: "Clean up",
		Where: "Once a day, by your scheduler.",
		Value: fmt.Sprintf("DELETE FROM dedupe.keys WHERE state = 'done' AND done_at < now() - interval '%d days';", days), ValueLabel: "Statement",
		Warning:  "A copy that comes after its key was deleted is written again. Keep keys longer than the sender repeats. A change of the time for which the rule keeps keys does not reach your scheduler.",
		Why:      "The table grows with each event.",
		NotFixed: "Keys that are not finished are kept, for a person.",
		Sources:  []exporters.Source{insertPage}, Tried: ranSQL,
	}
}

func pgProveStep() exporters.Step {
	return exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Run the statement of the row for one event twice.",
		Why:      "The first gives one row back, the second none. dedupe.keys holds one row for the event, and its key is the one that the rule shows for this event.",
		NotFixed: "It shows a copy that comes later. Writers at the same moment were tried by us.",
		Sources:  []exporters.Source{insertPage}, Tried: ranSQL, Prove: true,
	}
}

func postgresCovers() []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.Yes, By: "The second row for the same key is left out. Work outside of the database repeats."},
		exporters.SecondCopy:    {State: exporters.Yes, By: "All writers meet the same key in the same table."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The repeat meets the key of the first."},
		exporters.StepRetries:   {State: exporters.Yes, By: "A statement whose answer was lost meets its own key, and writes nothing."},
		exporters.Replay:        {State: exporters.Yes, By: "A run that is started again meets the key of the first."},
		exporters.Overlap:       {State: exporters.Yes, By: "Check and write are one act of the database."},
	})
}
