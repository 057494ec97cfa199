package makecom

import "dedupedesk/exporters"

const (
	orderWhere  = "Scenario settings (the wheel) > Process data in order (also called Sequential processing)."
	orderLabel  = "Process data in order"
	storingText = "Allow storing of incomplete executions"
)

// settingsOnly is for people who need no key: one run at a time.
func settingsOnly(platform string) exporters.Checklist {
	return exporters.Checklist{
		Platform: platform, Title: "Make: process in order", Route: exporters.RouteNone,
		About: "For a scenario that looks a record up before it adds it. With one run at a time the look-up sees what the run before it has written.",
		Steps: []exporters.Step{
			copiesStep(),
			{
				ID: "order", Title: "Process data in order: on",
				Warning: "A webhook's events wait in a queue then. It holds 667 events for each 10,000 credits of a month, 10,000 at most, and what comes after that is refused. A scenario that is busier than one run at a time can handle loses events.",
				Where:   orderWhere, Value: "Yes", ValueLabel: orderLabel,
				Why:      "Webhook scenarios run side by side by default, so two runs look, both find nothing, and both write.",
				NotFixed: "A sender that repeats still starts a second run, and a copy of the scenario runs beside it. Only a key tells those apart.",
				Sources:  []exporters.Source{settingsPage, hookFactsPage}, Tried: exporters.NotTried,
			},
			{
				ID: "incomplete", Title: storingText + ": off",
				Warning: "With both settings on, one failed run stops the whole scenario until somebody resolves it, and new events pile up behind it.",
				Where:   "Scenario settings (the wheel) > " + storingText + ".", Value: "No", ValueLabel: storingText,
				Why:      "A failed run then ends, and the next event has its turn.",
				NotFixed: "The event of the failed run is not tried again by Make. Leave the setting on where no event may be skipped and somebody looks every day.",
				Sources:  []exporters.Source{settingsPage, incompletePage}, Tried: exporters.NotTried,
			},
			{
				ID: "errors", Title: "Give each module an error route",
				Where:    "Right-click each module behind the look-up > Add error handler > Rollback.",
				Why:      "A scenario that starts with a webhook is switched off at the first error that nobody handles. A run that ends with Rollback does not count towards that.",
				NotFixed: "What a module half did stays, except in data stores and databases.",
				Sources:  []exporters.Source{errorsPage, rollbackPage}, Tried: exporters.NotTried,
			},
			{
				ID: "prove", Title: "Prove it",
				Where:    "Send two different events to the webhook at once. Look at Scenario > History. Then send one of them again.",
				Why:      "The second run must begin when the first has ended, not before. The event that comes again must find what the first run wrote, and write nothing.",
				NotFixed: "It does not show what happens when a run fails.",
				Sources:  []exporters.Source{settingsPage}, Tried: exporters.NotTried, Prove: true,
			},
		},
		Covers: exporters.Covered(map[string]exporters.Cover{
			exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run."},
			exporters.SecondCopy:    {State: exporters.No, By: "A copy of the scenario has an order of its own."},
			exporters.SenderRetries: {State: exporters.Partly, By: "Only together with a look-up of the event in your data."},
			exporters.StepRetries:   {State: exporters.No, By: "Happens inside a run."},
			exporters.Replay:        {State: exporters.Partly, By: "Only together with a look-up of the event in your data."},
			exporters.Overlap:       {State: exporters.Yes, By: "The setting Process data in order."},
		}),
	}
}
