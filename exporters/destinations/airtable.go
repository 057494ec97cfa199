package destinations

import (
	"bytes"
	"encoding/json"

	"dedupedesk/exporters"
)

// keyHere stands where the event key is put.
const keyHere = "THE EVENT KEY"

// An upsert is the body of Airtable's Update multiple records.
type upsert struct {
	PerformUpsert mergeOn  `json:"performUpsert"`
	Records       []record `json:"records"`
}

type mergeOn struct {
	FieldsToMergeOn []string `json:"fieldsToMergeOn"`
}

type record struct {
	Fields map[string]string `json:"fields"`
}

func upsertBody(name string) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	if err := e.Encode(upsert{mergeOn{[]string{name}}, []record{{map[string]string{name: keyHere}}}}); err != nil {
		return "" // text and maps of text always encode
	}
	return string(bytes.TrimSpace(out.Bytes()))
}

func airtableSteps(s exporters.Setup, t target) []exporters.Step {
	made := []string{destinationField().Name, nameField().Name}
	kind := []string{destinationField().Name}
	steps := []exporters.Step{
		fitStep(s, limit{place: "A field of the type Single line text", longest: 255, capitals: true, source: airtableUpsert, unknown: "The longest value that Airtable compares is not confirmed; 255 is a careful guess of ours."}),
		keyStep(s, airtableUpsert),
		wholeStep(airtableUpsert),
		{
			ID: "field", Title: "Add a field for the event key",
			Where: "The table > + > Single line text > name: paste.",
			Value: t.name, ValueLabel: "Name of the field", Details: made,
			Why:      "Records are found by it.",
			NotFixed: "Airtable has no field that refuses a second record with the same value, as far as its pages say.",
			Sources:  []exporters.Source{airtableUpsert}, Tried: exporters.NotTried,
		},
		{
			ID: "upsert", Title: "Create or update by the event key",
			Where: "A step that sends requests: PATCH https://api.airtable.com/v0/ with the ids of your base and table, Content-Type application/json, body: paste. Put the event key in place of the words " + keyHere + ", made safe for JSON by your tool, and add your own fields beside it.",
			Value: upsertBody(t.name), ValueLabel: "Body of the request", Details: made,
			Why:      "Airtable looks for records with that key (1 to 3 fields can be compared): none, and it creates one; one, and it updates that; several, and the request fails.",
			NotFixed: "It searches and then creates. Nothing says that this is one act, so two runs at one moment can both create a record. A copy overwrites what people changed in those fields meanwhile.",
			Sources:  []exporters.Source{airtableUpsert}, Tried: exporters.NotTried,
		},
		{
			ID: "copy", Title: "Let only the first run go on",
			Where: "Behind the request: go on only when the answer's list has an entry: paste. An entry in updatedRecords instead is a copy: end the run quietly. A request that failed is a real failure.",
			Value: "createdRecords", ValueLabel: "List of the answer", Details: kind,
			Why:      "The answer says which records were created and which were there already.",
			NotFixed: "A run whose answer was lost sees its own record as a copy, and its work is left undone: the view Made, not finished shows it. What an empty value in the field to compare does is not confirmed.",
			Sources:  []exporters.Source{airtableUpsert}, Tried: exporters.NotTried,
		},
	}
	steps = append(steps, doneSteps("The table > + > Checkbox > with the name below.", t.name+"Done", "The table > a view with the filters "+t.name+" is not empty, "+t.name+"Done", airtableUpsert, made)...)
	return append(steps, []exporters.Step{
		{
			ID: "clean", Title: "Look for doubles",
			Where:    "The table > a view, named Doubles, grouped by " + t.name + ", sorted by the number of records. Once a week: delete the later record of each group of two.",
			Warning:  "Look which of the two others refer to before you delete one.",
			Why:      "After two records with one key, each further request for it fails, because several match.",
			NotFixed: "It finds copies after the harm is done.",
			Sources:  []exporters.Source{airtableUpsert}, Tried: exporters.NotTried,
		},
		{
			ID: "strict", Title: "Where a copy costs money, reserve the key first",
			Where:    "Settings steps > your tool > ask this program before the work, or a store of the tool.",
			Why:      "Only something that refuses the second one at the same moment keeps copies apart.",
			NotFixed: "Without it this way stays partial.",
			Sources:  []exporters.Source{airtableUpsert}, Tried: exporters.NotTried,
		},
		{
			ID: "prove", Title: "Prove it",
			Where:    "Run your automation twice for one test event, a minute apart. Then twice at the same moment for another one. Look at the view Doubles.",
			Why:      "The first test leaves one record, and the second run ended behind the request. The second test may leave two: that is what this way cannot stop.",
			NotFixed: "One good try at the same moment is no proof.",
			Sources:  []exporters.Source{airtableUpsert}, Tried: exporters.NotTried, Prove: true,
		},
	}...)
}

func airtableCovers() []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.Partly, By: "A second request finds the record. Mails and charges are not covered."},
		exporters.SecondCopy:    {State: exporters.Partly, By: "A copy that comes later finds the record. One at the same moment may not."},
		exporters.SenderRetries: {State: exporters.Partly, By: "A repeat that comes later finds the record. One at the same moment may not."},
		exporters.StepRetries:   {State: exporters.Partly, By: "A request that is repeated updates the record, and takes itself for a copy."},
		exporters.Replay:        {State: exporters.Partly, By: "A run that is started again finds the record and ends. A replay of a later step alone is not stopped."},
		exporters.Overlap:       {State: exporters.Partly, By: "Search and create are two acts."},
	})
}
