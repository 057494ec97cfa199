package destinations

import "dedupedesk/exporters"

// salesforceClashCode is the code of Salesforce's error for a value that is there.
const salesforceClashCode = "DUPLICATE_VALUE"

func salesforceSteps(s exporters.Setup, t target) []exporters.Step {
	api := t.name + "__c"
	made := []string{destinationField().Name, nameField().Name}
	steps := []exporters.Step{
		fitStep(s, limit{place: "A field of the type Text", longest: 255, capitals: true, source: salesforceField, unknown: "Choose that ABC and abc are different values, or two events can be one to Salesforce."}),
		keyStep(s, salesforceField),
		wholeStep(salesforceField),
		{
			ID: "field", Title: "Add a field that is unique and an external ID",
			Where: "Setup > Object Manager > the object > Fields & Relationships > New > Text. Field Label and Field Name: paste. Length: 255. Tick Unique (Do not allow duplicate values), Treat \"ABC\" and \"abc\" as different values, and External ID. Leave Required unticked. No default value.",
			Value: t.name, ValueLabel: "Field Name", Details: made,
			Warning:  "An object has a limited number of such fields: pages name 25, older ones 7. Clear away double values first if the field exists, or it cannot be made unique. With Required ticked, everybody else who makes such a record, people, web forms and other tools, is refused from that moment: tick it only where this automation alone makes them.",
			Why:      "Salesforce refuses a second record with the same value, however it is written. External ID alone does not: it must be Unique too.",
			NotFixed: "It guards this object alone, and no record that is made without the key: the view Without a key shows those. An e-mail address is no substitute: it is not unique in Salesforce.",
			Sources:  []exporters.Source{salesforceField, salesforceMail}, Tried: exporters.NotTried,
		},
		{
			ID: "create", Title: "Create the record with the key",
			Where: "In your tool: the step Create Record > the field with the API name: paste > the event key. Not Upsert. Move it before every step that another run must not repeat.",
			Value: api, ValueLabel: "API name", Details: made,
			Why:      "The insert is the claim: one run gets through, the other is refused. An upsert finds the record of the first run and updates it, so both runs go on to the mail and the charge.",
			NotFixed: "A run that fails after the record was created leaves it there, and a repeat is refused: a person has to finish that run, or delete the record. An upsert by a field that is not unique answers 300 when several records have the value, and changes nothing.",
			Sources:  []exporters.Source{salesforceUpsert, salesforceField}, Tried: exporters.NotTried,
		},
		{
			ID: "copy", Title: "End a copy quietly, and only a copy",
			Where: "In the error route of Create Record: the error contains > paste, and it contains " + api + ". Then end the run without an alarm. Every other error is a real one.",
			Value: salesforceClashCode, ValueLabel: "Code of the error", Details: []string{destinationField().Name},
			Why:      "The text reads \"duplicate value found: " + api + " duplicates value on record with id: …\". Another unique field of the object has the same code, so the name of the field counts too. Two upserts at one moment can get the same error.",
			NotFixed: "Duplicate rules of your own have other texts, such as DUPLICATES_DETECTED. They mean a look-alike, not a copy.",
			Sources:  []exporters.Source{salesforceClash, salesforceRace}, Tried: exporters.NotTried,
		},
	}
	steps = append(steps, doneSteps("Setup > Object Manager > the object > Fields & Relationships > New > Checkbox, unchecked by default, with the name below.", t.name+"Done", "Salesforce > the object > a list view with the filters "+t.name+" not equal to (empty), "+t.name+"Done", salesforceField, made)...)
	return append(steps, []exporters.Step{
		cleanStep("Salesforce", "the object > a list view with the filter "+t.name+" equals (empty), named Without a key", salesforceField),
		{
			ID: "prove", Title: "Prove it",
			Where:    "In a sandbox: run your automation twice for one test event. Look at the records, and at the error of the second run.",
			Why:      "There is one record with this " + t.name + ", and the second run was refused with " + salesforceClashCode + ". Two records mean that the field is not unique or that the keys differ.",
			NotFixed: "It shows a copy that comes later. Copies at the same moment rest on Salesforce's own promise.",
			Sources:  []exporters.Source{salesforceField, salesforceClash}, Tried: exporters.NotTried, Prove: true,
		},
	}...)
}
