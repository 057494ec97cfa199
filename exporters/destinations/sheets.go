package destinations

import "dedupedesk/exporters"

func sheetSteps(kind string) []exporters.Step {
	details := []string{destinationField().Name}
	where := "Google Sheets > select the rows > Format > Conditional formatting > Custom formula is > paste, where the event key stands in column A."
	if kind == excel {
		where = "Excel > select the rows > Home > Conditional Formatting > New Rule > Use a formula > paste, where the event key stands in column A."
	}
	return []exporters.Step{
		{
			ID: "why", Title: "What a sheet does not do",
			Where:    "Nothing to click.",
			Why:      "A rule of Data validation is asked when a person types. A row that a program adds is not a person's typing, and a look-up before it is two acts: two runs look, both find nothing, and both add a row.",
			NotFixed: "No page of either vendor says in so many words that the rule is not asked for such rows, so that is not confirmed. The look-up before is no guard in any case.",
			Sources:  []exporters.Source{sheetsRule}, Tried: exporters.NotTried,
		},
		{
			ID: "guard", Title: "Reserve the event key before the row is added",
			Where:    "Settings steps > your tool > ask this program before the work, or a store of the tool. Or write the row to a SharePoint list, whose unique column refuses a copy, and let the sheet read that.",
			Why:      "Only that stops a copy. The row is then added by the one run that got the key.",
			NotFixed: "Rows that people type or paste are not guarded.",
			Sources:  []exporters.Source{sheetsRule}, Tried: exporters.NotTried,
		},
		{
			ID: "stuck", Title: "Make copies visible",
			Where: where,
			Value: "=($A1<>\"\")*(SUMPRODUCT(--($A$1:$A$5000=$A1))>1)", ValueLabel: "Formula", Details: details,
			Why:      "Rows with an event key that stands there twice get a colour. It holds no comma, so that sheets of any country take it; in an Excel of another language write SUMPRODUCT as it is called there (German: SUMMENPRODUKT). COUNTIF rounds long numbers and takes * and ? for any text.",
			NotFixed: "It shows a copy and stops none. Keys that differ in capitals alone get a colour too: look before you delete. Format column A as plain text first, or long numbers lose digits when they are written. Beyond 5,000 rows make the range longer; a large sheet gets slow.",
			Sources:  []exporters.Source{sheetsLong}, Tried: exporters.NotTried,
		},
		{
			ID: "prove", Title: "Prove it",
			Where:    "Run your automation twice for one test event. Look at the sheet.",
			Why:      "Without the guard there are two coloured rows: that is the harm. With it there is one row.",
			NotFixed: "The colour alone is no guard.",
			Sources:  []exporters.Source{sheetsLong}, Tried: exporters.NotTried, Prove: true,
		},
	}
}

func sheetCovers() []exporters.Cover {
	no := exporters.Cover{State: exporters.No, By: "A sheet takes each row that is added."}
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: no, exporters.SecondCopy: no, exporters.SenderRetries: no,
		exporters.StepRetries: no, exporters.Replay: no,
		exporters.Overlap: {State: exporters.No, By: "Two runs that look first both find nothing and both add a row."},
	})
}
