package destinations

import (
	"strings"

	"dedupedesk/exporters"
)

func hubspotSteps(s exporters.Setup, t target) []exporters.Step {
	name := strings.ToLower(t.name)
	made := []string{destinationField().Name, nameField().Name}
	steps := []exporters.Step{
		fitStep(s, limit{place: "A unique property", longest: 255, capitals: true, source: hubspotUnique, unknown: "How long a unique value may be in HubSpot is not confirmed; 255 characters is a careful guess of ours. Whether capitals count is not confirmed."}),
		keyStep(s, hubspotByID),
		wholeStep(hubspotByID),
		{
			ID: "property", Title: "Add a property with unique values",
			Where: "Settings > Properties > choose the object (Contacts, Companies, Deals, Tickets) > Create property. Property label and internal name: paste. Field type: Single-line text. Rules: Require unique values for this property. Create.",
			Value: name, ValueLabel: "Internal name", Details: made,
			Warning:  "A property can be made unique only when it is created, its internal name cannot be changed, and an object has 10 unique properties at most.",
			Why:      "HubSpot then refuses a second record with the same value, for all who write through its API.",
			NotFixed: "Rules of a property are not enforced for workflows of HubSpot and for old forms. Imports were left out at first. Records without a value are not guarded.",
			Sources:  []exporters.Source{hubspotUnique, hubspotRules}, Tried: exporters.NotTried,
		},
		{
			ID: "create", Title: "Create the record with the key",
			Where: "In your tool: the step that creates the record > the property " + name + " > the event key. Take Create, not Create or update, and move it before every step that another run must not repeat.",
			Value: name, ValueLabel: "Property", Details: made,
			Why:      "The record is the proof that this event is taken. Create or update tells no difference between the first run and a copy, so both go on.",
			NotFixed: "A run that fails after the record was created leaves it there, and a repeat is refused: a person has to finish that run, or delete the record.",
			Sources:  []exporters.Source{hubspotUnique}, Tried: exporters.NotTried,
		},
		{
			ID: "copy", Title: "End a copy quietly, and only a copy",
			Where: "In the error route of Create: the message of the error contains > paste, and it names the property " + name + ". Then end the run without an alarm. Every other error is a real one.",
			Value: "already", ValueLabel: "A word of the text", Details: []string{destinationField().Name},
			Why:      "A copy has to be told from a connection that expired, or events are lost. For a contact with a known e-mail address the text is \"Contact already exists. Existing ID: …\", category CONFLICT, code 409.",
			NotFixed: "Not confirmed: the text for a property of your own. Read it in the last step, and take its words instead.",
			Sources:  []exporters.Source{hubspotClash}, Tried: exporters.NotTried,
		},
	}
	steps = append(steps, doneSteps("Settings > Properties > the object > Create property, of the type Single checkbox, with the name below.", name+"done", "HubSpot > the object > a view with the filters "+name+" is known, "+name+"done", hubspotUnique, made)...)
	return append(steps, []exporters.Step{
		cleanStep("HubSpot", "the object > a view with the filter "+name+" is unknown, named Without a key", hubspotUnique),
		{
			ID: "prove", Title: "Prove it",
			Where:    "Run your automation twice for one test event. Look at the records, and at the error of the second run.",
			Why:      "There is one record with this " + name + ". The second run failed at Create with a text that names the property: take its words into the condition. Two records mean that the property is not unique or that the keys differ.",
			NotFixed: "It shows a copy that comes later. Copies at the same moment rest on HubSpot's own promise.",
			Sources:  []exporters.Source{hubspotUnique}, Tried: exporters.NotTried, Prove: true,
		},
	}...)
}

// cleanStep says who looks after what a unique field leaves open.
func cleanStep(title, view string, source exporters.Source) exporters.Step {
	return exporters.Step{
		ID: "clean", Title: "Say who looks after it",
		Where:    title + ": " + view + ". In your tool: the failed runs, once a week.",
		Why:      "Records without a key are not guarded, and a run that failed after Create has to be finished by a person: see the view Made, not finished. A record that is deleted lets its event run again.",
		NotFixed: "Nothing reminds you of it.",
		Sources:  []exporters.Source{source}, Tried: exporters.NotTried,
	}
}
