package dataverse

import (
	"dedupedesk/exporters"
	"dedupedesk/exporters/flowdef"
	"dedupedesk/exporters/powerautomate"
)

func (t target) duplicatesStep() exporters.Step {
	return exporters.Step{
		ID: "duplicates", Title: "Clear away what is double already",
		Where:    "Only if the column exists: Power Apps > Tables > the table > Data > sort by " + t.column + ", and look for groups of two and more. Give each row a value of its own, or delete the copy.",
		Warning:  "A deleted row is gone. Look which of two rows others refer to before you delete one.",
		Why:      "The index of the key cannot be built while one value stands there twice; its status becomes Failed.",
		NotFixed: "Rows without a key stay as they are. Whether several empty ones are allowed is not known to us.",
		Sources:  []exporters.Source{keysPage}, Tried: exporters.NotTried,
	}
}

func (t target) columnStep() exporters.Step {
	return exporters.Step{
		ID: "column", Title: "Add the column for the event key",
		Where: "Power Apps > Tables > the table > + New > Column. Display name: Event key. Data type: Text > Plain text. Advanced options > Schema name: paste, without the prefix that stands there. Maximum character count: 450. Enable column security: off. Save.",
		Value: t.column, ValueLabel: "Logical name of the column", Details: []string{columnField.Name},
		Why:      "The key gets a column of its own, so that no person's edit of another field can change it.",
		NotFixed: "A column alone refuses nothing. The next step does.",
		Sources:  []exporters.Source{keysPage}, Tried: exporters.NotTried,
	}
}

func (t target) keyStep() exporters.Step {
	return exporters.Step{
		ID: "alternate-key", Title: "Make it an alternate key",
		Where:    "Power Apps > Tables > the table > Keys > New key. Display name: Event key. Columns: tick Event key alone > Save.",
		Warning:  "A table has ten keys at most, and a virtual table none. While the key is there, every program that adds a row has to write the column, or leave it empty.",
		Why:      "Check and write become one act of the table, so two runs at the same moment cannot both write.",
		NotFixed: "It guards this table alone. A mail or a charge in the same run needs its own guard.",
		Sources:  []exporters.Source{makeKeyPage, keysPage}, Tried: exporters.NotTried,
	}
}

// keyName is how people see the column of the key and the key itself; failures name it.
const keyName = "Event key"

// activeWhere is where the state of the key is shown.
const activeWhere = "Power Apps > Tables > the table > Keys. Look at Status, press Refresh, and wait until it is Active."

func (t target) indexStep() exporters.Step {
	return exporters.Step{
		ID: "index", Title: "Wait until the key is Active",
		Where:    activeWhere,
		Warning:  "Do not switch the flow on before: while the status is Pending or In progress the table refuses nothing.",
		Why:      "The index is built in the background. It can take a while in a large table, and becomes Failed where one value stands twice: clear the copies away, delete the key and make it again.",
		NotFixed: "It has to be looked at again after the table was imported into another environment.",
		Sources:  []exporters.Source{keysPage}, Tried: exporters.NotTried,
	}
}

func (t target) createStep(withRule bool, blocked string) exporters.Step {
	s := exporters.Step{
		ID: "create", Title: "Let the flow add the row first, and only add",
		Where:    "Microsoft Dataverse > Add a new row, renamed to Create row > Show all > Event key. Move it up, before every step that another run must not repeat.",
		Warning:  "Do not use Update a row, with or without the key in Row ID: it makes the row where it is missing and changes it where it is there, and tells nobody which. Two runs would both go on.",
		Why:      "The row is the proof that this event is taken. What comes after it happens for the first run alone.",
		NotFixed: "If the run fails after the row was written, the row stays and a repeat is refused: somebody has to finish that run or delete its row.",
		Sources:  []exporters.Source{keysPage, upsertPage}, Tried: exporters.NotTried,
		Blocked: blocked,
	}
	if withRule && blocked == "" {
		s.Where = "Microsoft Dataverse > Add a new row, renamed to Create row > Show all > Event key > fx (Expression) > paste > Add. Move it up, before every step that another run must not repeat."
		s.Value, s.ValueLabel = "outputs('"+powerautomate.KeyName+"')", "Expression"
	}
	return s
}

func retryStep() exporters.Step {
	return exporters.Step{
		ID: "retry", Title: "Switch off the step's own retries",
		Where: "Create row > Settings > Networking > Retry policy > None.",
		Value: "None", ValueLabel: "Retry policy",
		Why:      "A copy comes back as 412, which is not tried again. But a row whose answer was lost would be: the second try meets the first one's row, and the run takes itself for a copy.",
		NotFixed: "A short disturbance of Dataverse now fails the run at once. Start it again from the run history, and look first whether the row is there.",
		Sources:  []exporters.Source{errorsPage}, Tried: exporters.NotTried,
	}
}

func (t target) runAfterStep(loop bool) exporters.Step {
	s := exporters.Step{
		ID: "run-after", Title: "End a copy quietly, and only a copy",
		Where: "Below Create row: + > Add a parallel branch > Condition; its Settings > Run after > Create row: has failed alone. In the condition, left side: fx (Expression) > paste; is equal to; true (as an expression). If yes: Terminate, Status Cancelled. If no: Terminate, Status Failed.",
		Value: flowdef.DuplicateTest("outputs('Create_row')", flowdef.DataverseCopy(), keyName, t.column), ValueLabel: "Expression of the condition", Details: []string{columnField.Name},
		Why:      "A copy is told from other failures by the codes of Dataverse: 0x80060892 for an alternate key, 0x80040237 for matching key values, together with the name " + keyName + ": another key of the table can refuse a row too, and that event is no copy. The status 412 alone is not enough, for it also means that somebody else changed the row.",
		NotFixed: "Without this step each stopped copy becomes an alert. If a copy ends as Failed because its failure names no key, take the way A table of event keys instead.",
		Sources:  []exporters.Source{errorsPage, clashPage},
		Tried:    "The expression was worked out here on failures from public reports. Not tried in Power Automate.",
	}
	if loop {
		s.Where = "Inside the loop, below Create row: + > Add a parallel branch > Condition; its Settings > Run after > Create row: has failed alone. In the condition, left side: fx (Expression) > paste; is equal to; true (as an expression). If yes: nothing, the line is done already. If no: Compose, with the expression int('not a copy'), which fails. No Terminate can stand in a loop."
	}
	return s
}

// webStep is for programs that write by the Web API.
func (t target) webStep(blocked string) exporters.Step {
	s := exporters.Step{
		ID: "web-api", Title: "For programs: create only, by the Web API",
		Where: "Send PATCH to this address with the header If-None-Match: * and the other columns as the body. EVENT_KEY stands for the key, encoded for addresses.",
		Why:   "PATCH alone makes or changes the row. With this header it only makes one, and answers 412 with code 0x80040237 where the key is there.", ValueLabel: "Address below the environment's own",
		NotFixed: "A program that writes the key must write it as the flow does, with a bar between the parts.",
		Sources:  []exporters.Source{conditionsPage, keysPage}, Tried: exporters.NotTried,
		Details: []string{tableField.Name, columnField.Name}, Blocked: blocked,
	}
	switch {
	case blocked != "":
	case t.table == "":
		s.Blocked = "Type the set name of the table first."
	default:
		s.Value = "/api/data/v9.2/" + t.table + "(" + t.column + "='EVENT_KEY')"
	}
	return s
}

func (t target) cleanStep() exporters.Step {
	return exporters.Step{
		ID: "clean", Title: "Say who looks after it",
		Where:    "Power Apps > Tables > the table > Views > New view, called Without a key: Edit filters > Event key does not contain data. In Power Automate: the flow > Analytics > Errors, once a week.",
		Why:      "Rows without a key are not guarded, and a run that failed after Create row has to be finished by a person. A row that is deleted lets its event run again.",
		NotFixed: "Nothing reminds you of it.",
		Sources:  []exporters.Source{keysPage}, Tried: exporters.NotTried,
	}
}

func (t target) proveStep(loop bool) exporters.Step {
	step := exporters.Step{
		ID: "prove", Title: "Prove it",
		Where:    "Run the flow once for a test event. Then open that run > Resubmit. Look at the table and at both runs.",
		Why:      "You should see one row with this key, the first run Succeeded and the second Cancelled, its Create row failed with 0x80060892. Two rows mean that the key is not Active or that the keys differ. A second run that Failed means that its failure has another code or names another key: see the step End a copy quietly, and only a copy.",
		NotFixed: "It shows a copy that comes later. Copies at the same moment rest on the table's own promise.",
		Sources:  []exporters.Source{keysPage, clashPage}, Tried: exporters.NotTried, Prove: true,
	}
	if loop {
		step.Why = "You should see one row for each line, the first run Succeeded, and in the second each Create row failed with 0x80060892, and the condition behind it went to If yes; whether Power Automate shows that run as Succeeded or Failed is not confirmed. Two rows with one key mean that the key is not Active or that the keys differ. A line whose condition went to If no means that its failure has another code or names another key: see the step End a copy quietly, and only a copy."
	}
	return step
}
