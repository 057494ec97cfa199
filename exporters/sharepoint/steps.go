package sharepoint

import (
	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
)

// duplicateText is what SharePoint's failure says when a value is there already.
const duplicateText = "duplicate values were found"

func duplicatesStep(t target) exporters.Step {
	return exporters.Step{
		ID:       "duplicates",
		Title:    "Clear away what is double already",
		Where:    "Only if the column exists: click its header > Group by " + t.column + ", or sort by it, and look for groups of two and more. Give each row a value of its own, or delete the copy.",
		Warning:  "Deleted rows go to the site's recycle bin and not back by themselves. Look which of two rows others refer to before you delete one.",
		Why:      "Unique values cannot be switched on while one value stands there twice.",
		NotFixed: "Rows without a key stay as they are. Whether several empty ones are allowed is not known to us.",
		Sources:  []exporters.Source{uniquePage},
		Tried:    exporters.NotTried,
	}
}

func columnStep(t target) exporters.Step {
	return exporters.Step{
		ID:         "column",
		Title:      "Add the column with unique values",
		Where:      "List > Add column > Text > Name: paste > More options > Enforce unique values: Yes > OK when asked for an index > Save. A column that is there: its header > Column settings > Edit > More options. Classic: Settings > List settings > the column > Enforce unique values: Yes.",
		Value:      t.column,
		ValueLabel: "Name of the column",
		Details:    []string{columnField.Name},
		Warning:    "Take a column of its own for the key, with a single line of text and no default value: a default makes the second row fail. The index cannot be removed while the values are unique, and a list has 20 indexes at most. Do this while the list is small; over 5,000 rows it may be refused.",
		Why:        "Check and write become one act of the list, so two runs at the same moment cannot both write.",
		NotFixed:   "It guards this list alone. A mail or a charge in the same run needs its own guard.",
		Sources:    []exporters.Source{uniquePage},
		Tried:      "What unique values do is from the vendor's page, which is of an old version. Where they are switched on today is not from a page of Microsoft, and not tried by us.",
	}
}

func createStep(t target, withRule bool, blocked string) exporters.Step {
	s := exporters.Step{
		ID:       "create",
		Title:    "Let the flow write the key first",
		Where:    "Create item > Show all > " + t.column + ". Move Create item up, before every step that another run must not repeat.",
		Why:      "The row is the proof that this event is taken. What comes after it happens for the first run alone.",
		NotFixed: "If the run fails after the row was written, the row stays and a repeat is refused: somebody has to finish that run or delete its row.",
		Sources:  []exporters.Source{uniquePage},
		Tried:    exporters.NotTried,
		Blocked:  blocked,
	}
	if withRule && blocked == "" {
		s.Where = "Create item, renamed to Create item in any language, for later steps read it by that name > Show all > " + t.column + " > fx (Expression) > paste > Add. Move Create item up, before every step that another run must not repeat."
		s.Value, s.ValueLabel = "outputs('Event_key')", "Expression"
	}
	return s
}

func retryStep() exporters.Step {
	return exporters.Step{
		ID:         "retry",
		Title:      "Switch off the step's own retries",
		Where:      "Create item > Settings > Networking > Retry policy > None.",
		Value:      "None",
		ValueLabel: "Retry policy",
		Why:        "SharePoint reports a value that is there already as error 500, which Power Automate tries again by default: up to 12 times for nothing.",
		NotFixed:   "A short disturbance of SharePoint now fails the run at once. Start it again from the run history.",
		Sources:    []exporters.Source{errorsPage, clashPage},
		Tried:      exporters.NotTried,
	}
}

func runAfterStep(t target, loop bool) exporters.Step {
	s := exporters.Step{
		ID:         "run-after",
		Title:      "End a copy quietly, and only a copy",
		Where:      "Below Create item: + > Add a parallel branch > Condition; its Settings > Run after > Create item: has failed alone. In the condition, left side: fx (Expression) > paste; is equal to; true (as an expression). If yes: Terminate, Status Cancelled. If no: Terminate, Status Failed.",
		Value:      flowdef.DuplicateTest("outputs('Create_item')", flowdef.SharePointCopy(), "["+t.column+"]", "["+t.column+",", ", "+t.column+"]", ", "+t.column+","),
		Details:    []string{columnField.Name},
		ValueLabel: "Expression of the condition",
		Why:        "A copy is told from other failures by the text \"" + duplicateText + "\", or by the name of the fault where the site speaks another language, together with the name of the column in square brackets: another column with unique values can refuse a row too, and that event is no copy. Treating each failure as a copy would lose events whenever SharePoint is busy or a connection has expired. Without this step each stopped copy becomes an alert.",
		NotFixed:   "Whether Create item hands on the name of the fault on a site in another language, and the column each time, is not confirmed. If a copy ends as Failed, read its failure: put its words in place of those of this line only if they name " + t.column + ". If they name no column, take the way A list of event keys instead.",
		Sources:    []exporters.Source{errorsPage, clashPage},
		Tried:      "The expression was worked out here on failures from public reports. Not tried in Power Automate.",
	}
	if loop {
		s.Where = "Inside the loop, below Create item: + > Add a parallel branch > Condition; its Settings > Run after > Create item: has failed alone. In the condition, left side: fx (Expression) > paste; is equal to; true (as an expression). If yes: nothing, the line is done already. If no: Compose, with the expression int('not a copy'), which fails. No Terminate can stand in a loop."
	}
	return s
}

func cleanStep(t target) exporters.Step {
	return exporters.Step{
		ID:       "clean",
		Title:    "Say who looks after it",
		Where:    "List > All items > Filter by " + t.column + " is empty, saved as a view called Without a key. In Power Automate: the flow > Analytics > Errors, once a week.",
		Why:      "Rows without a key are not guarded, and a run that failed after Create item has to be finished by a person. A row that is deleted lets its event run again.",
		NotFixed: "Nothing reminds you of it.",
		Sources:  []exporters.Source{uniquePage},
		Tried:    exporters.NotTried,
	}
}

func proveStep(t target, loop bool) exporters.Step {
	step := exporters.Step{
		ID:       "prove",
		Title:    "Prove it",
		Where:    "Run the flow once for a test event. Then open that run > Resubmit. Look at the list and at both runs.",
		Why:      "You should see one row with this " + t.column + ", the first run Succeeded and the second Cancelled, its Create item failed with \"" + duplicateText + "\". Two rows mean that the values are not unique or that the keys differ. A second run that Failed means that the text is another: see the step End a copy quietly, and only a copy.",
		NotFixed: "It shows a copy that comes later. Copies at the same moment rest on the list's own promise.",
		Sources:  []exporters.Source{uniquePage, clashPage},
		Tried:    exporters.NotTried,
		Prove:    true,
	}
	if loop {
		step.Why = "You should see one row for each line, the first run Succeeded, and in the second each Create item failed with \"" + duplicateText + "\", and the condition behind it went to If yes; whether Power Automate shows that run as Succeeded or Failed is not confirmed. Two rows with one " + t.column + " mean that the values are not unique or that the keys differ. A line whose condition went to If no means that the text is another: see the step End a copy quietly, and only a copy."
	}
	return step
}
