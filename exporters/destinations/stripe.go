package destinations

import "dedupedesk/exporters"

// changedText is what Stripe says when a key comes again with other parameters, by
// public reports.
const changedText = "Keys for idempotent requests can only be used with the same parameters they were first used with."

// stripeBegin is what the key of a request begins with: two rules may have the same event
// key, and Stripe takes their requests for one.
func stripeBegin(s exporters.Setup) string {
	if s.Rule == "" {
		return "charge:"
	}
	return s.Rule + ":charge:"
}

func stripeSteps(s exporters.Setup) []exporters.Step {
	begin := stripeBegin(s)
	return []exporters.Step{
		fitStep(s, limit{place: "Behind " + begin + " the header", longest: 255 - len([]rune(begin)), runes: true, ascii: true, source: stripePage, unknown: "Stripe advises against e-mail addresses and other personal data in this key."}),
		keyStep(s, stripePage),
		wholeStep(stripePage),
		{
			ID: "header", Title: "Send the key with the request",
			Where: "The step that calls Stripe, which has to be one that sends requests (HTTP, Webhooks): method POST, Headers > name: paste; value: as the next step says.",
			Value: "Idempotency-Key", ValueLabel: "Name of the header",
			Why:      "Stripe keeps the first answer for the key, good or bad, and gives it again instead of charging again.",
			NotFixed: "Whether the ready-made Stripe steps of your tool can set this header is not confirmed. If they cannot, reserve the event key before the step. This is about the addresses of Stripe that begin with /v1.",
			Sources:  []exporters.Source{stripePage}, Tried: exporters.NotTried,
		},
		{
			ID: "ending", Title: "One key for each work and each request",
			Where: "The value of that header: paste, then put the event key in place of the words " + keyHere + ". For another request of the same run put another word in place of charge, the same in every run.",
			Value: begin + keyHere, ValueLabel: "Value of the header",
			Why:      "Two rules may make the same event key, such as a deposit and a fee of one order. Without the rule's name Stripe takes the second for a copy of the first and refuses it. A key that was used for one address of Stripe is refused for another one, too.",
			NotFixed: "The whole value must have no more than 255 characters. Two automations that shall be one work need the same beginning.",
			Sources:  []exporters.Source{stripeOtherURL}, Tried: exporters.NotTried,
		},
		{
			ID: "same", Title: "Send the same contents for the same key",
			Where:    "In the body of the request: nothing that changes from run to run, such as the time now, the run's id, or a text with a date, not in metadata either.",
			Why:      "Stripe compares the contents with those of the first request, and refuses a request that differs.",
			NotFixed: "Amounts that really changed are refused too. That is right, and a person has to look which of the two is meant: see the next step.",
			Sources:  []exporters.Source{stripePage}, Tried: exporters.NotTried,
		},
		{
			ID: "copy", Title: "Tell a copy from a failure",
			Where: "In the error route of the step: the message of the error contains > paste. Then end the run as an error and write a mail to a person: the event came again with other contents. The person looks at Stripe > Payments which of the two is meant. Every other error ends the run as an error as well.",
			Value: changedText, ValueLabel: "Text of a copy with other contents", Details: []string{destinationField().Name},
			Why:      "A copy with the same contents is no error: it gets the first answer, with the same id of the charge. A copy with other contents is refused with this text. A request that comes while the first is still at work is refused too, and may be sent again. All other errors are real ones.",
			NotFixed: "A copy with the same contents goes on to your next steps like a first run: guard the mail and the row behind it too. A first request that failed is answered with that failure again, for 24 hours. The text is from public reports and may change.",
			Sources:  []exporters.Source{stripePage, stripeChanged}, Tried: exporters.NotTried,
		},
		{
			ID: "day", Title: "Guard what comes later than a day",
			Where:    "Settings steps > your tool > ask this program before the work, with a rule that forgets no earlier than the sender gives up.",
			Why:      "Stripe may forget a key when it is 24 hours old. Stripe's own events are sent again for up to 3 days, and a run can be replayed by hand after weeks.",
			NotFixed: "Without it, a copy after a day charges again.",
			Sources:  []exporters.Source{stripePage}, Tried: exporters.NotTried,
		},
		{
			ID: "prove", Title: "Prove it",
			Where:    "With the test keys of Stripe: run the step twice for one test event. Then Stripe > test mode > Payments.",
			Why:      "There is one payment, and both answers have the same id. Then change the amount and run it once more: the step fails with the text above.",
			NotFixed: "It shows the first 24 hours.",
			Sources:  []exporters.Source{stripePage}, Tried: exporters.NotTried, Prove: true,
		},
	}
}

func stripeCovers() []exporters.Cover {
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.Partly, By: "A call with the same key charges once. Other steps are not covered."},
		exporters.SecondCopy:    {State: exporters.Partly, By: "The copy gets the first answer, if it makes the same key, sends the same contents and comes within 24 hours. Its steps behind the charge run again."},
		exporters.SenderRetries: {State: exporters.Partly, By: "A repeat within 24 hours charges nothing. A later one charges again."},
		exporters.StepRetries:   {State: exporters.Yes, By: "A step that tries again sends the same key and gets the first answer."},
		exporters.Replay:        {State: exporters.Partly, By: "A replay within 24 hours charges nothing. A later one charges again."},
		exporters.Overlap:       {State: exporters.Yes, By: "Of two requests at one moment, one is done and the other is refused or gets its answer."},
	})
}
