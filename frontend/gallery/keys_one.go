package main

import (
	"strings"
	"time"

	"dedupedesk/frontend/page"
)

// oneKeySamples returns the page of one key in its states.
func oneKeySamples() []sample {
	one := func(state string, v page.KeyView) sample {
		return sample{Name: "keys/one-" + state, Title: "Key", Active: "keys", Page: page.KeyPage(v)}
	}
	look := one("look", keyStuck(false))
	look.Shell = func(s *page.ShellView) { s.Role = "look" }
	return []sample{
		one("in-progress", keyInProgress()),
		one("stuck", keyStuck(true)),
		look,
		one("waiting", keyWaiting()),
		one("finished", keyFinished()),
		one("twice", keyTwice()),
		one("changed", keyChanged()),
		one("fault", keyFault()),
		one("hostile", keyHostile()),
		{Name: "keys/one-unknown", Title: "No such key", Active: "keys", Page: page.KeyGone(page.KeyGoneView{
			Title: "There is no such key",
			Text:  `The rule "paid-invoices" has no key "stripe:in_404". Nobody asked for it, or it was forgotten.`,
		})},
		{Name: "keys/decided", Part: page.KeyPage(func() page.KeyView {
			v := keyFinished()
			v.Undo = page.DecisionToast(page.UndoView{
				Form: drawn("done"), Text: "Marked as finished. Copies stay stopped.", Why: "Taken back: marked as finished by mistake.",
			})
			return v
		}())},
	}
}

func drawn(state string) page.DecideFormView {
	return page.DecideFormView{Rule: "paid-invoices", Key: "stripe:in_77:invoice.paid", Fence: "1", State: state}
}

// clock is the view of a moment that long before now.
func clock(ago time.Duration) page.ClockView { return page.ClockAt(now().Add(-ago)) }

func keyBase() page.KeyView {
	return page.KeyView{
		Key: "stripe:in_77:invoice.paid", Rule: "Paid invoices",
		Timeline: []page.MomentView{
			{At: clock(41 * time.Minute), Tone: "busy", Icon: "circle-dot", Text: "Reserved by run 8841"},
			{At: clock(41*time.Minute - time.Second), Icon: "octagon-x", Text: "Copy stopped (run 8842)"},
		},
		Came: &page.CameView{At: when(41 * time.Minute), Headers: "Content-Type: application/json\nStripe-Signature: (masked)\n", Body: "{\n  \"id\": \"in_77\",\n  \"total\": 19.90\n}"},
		Facts: []page.KeyFactView{
			{Name: "Rule", Text: "Paid invoices"},
			{Name: "Held by", Text: "8841", Code: true},
			{Name: "Copies stopped", Text: "2"},
			{Name: "Attempts", Text: "1"},
			{Name: "First seen", Time: when(41 * time.Minute)},
			{Name: "When the time is over", Text: "The next copy runs"},
		},
	}
}

func answers(form page.DecideFormView) []page.AnswerView {
	return []page.AnswerView{
		{Decision: "finished", Title: "Yes, it finished", Follows: "Copies stay stopped. Nothing runs again.", Example: "Such as: the invoice is there", Verb: "Yes, it finished", Kind: "primary", Icon: "check"},
		{
			Decision: "again", Title: "No, let it run again", Follows: "The next copy may run. A new one may never come: the last one came 41 minutes ago.",
			Example: "Such as: there is no invoice", Verb: "No, let it run again…", Icon: "repeat",
			Asks: &page.ConfirmView{Title: "Let this event run again?", Body: "The next copy may run. If the work was done after all, it will be done twice.\n" + form.Key, Verb: "Let it run again", Danger: true},
		},
		{Decision: "block", Title: "I cannot tell, block it", Follows: "From now on copies are stopped until somebody decides. The key stays on the list.", Example: "Such as: I ask the supplier tomorrow", Verb: "Block it", Icon: "hand"},
	}
}

func keyInProgress() page.KeyView {
	v := keyBase()
	v.State = "In progress"
	v.Span = &page.SpanView{Label: "3 minutes used of 15 minutes allowed, 12 minutes left", Parts: []page.SpanPartView{
		{Kind: "used", From: "0%", Width: "20%", Words: "3 minutes used"},
		{Kind: "left", From: "20%", Width: "80%", Words: "12 minutes left"},
	}}
	v.Question = &page.QuestionView{
		Title: "Decide before the time is over…", May: true, Form: drawn("claimed"), Answers: answers(drawn("claimed")),
		Lead: "A run is on it and has 12 minutes left. Decide now only if you know that it died.",
	}
	return v
}

func keyStuck(may bool) page.KeyView {
	v := keyBase()
	v.State = "Needs a decision"
	v.Span = &page.SpanView{Label: "15 minutes allowed, then waiting for 26 minutes", Parts: []page.SpanPartView{
		{Kind: "used", From: "0%", Width: "36.6%", Words: "15 minutes allowed"},
		{Kind: "wait", From: "36.6%", Width: "63.4%", Words: "waiting for 26 minutes"},
	}}
	v.Timeline = append(v.Timeline, page.MomentView{At: clock(26 * time.Minute), Tone: "warn", Icon: "hourglass", Text: "The time allowed is over, nothing came back"})
	v.Question = &page.QuestionView{
		Open: true, Title: "Did the work happen?", May: may, Look: "in_77", Form: drawn("claimed"), Answers: answers(drawn("claimed")),
		Lead: "The time allowed ran out 26 minutes ago and nobody reported it finished or tried again. It is not blocked: until you answer, the next copy that comes may run.",
	}
	if may {
		v.Forget = &page.ForgetView{Form: drawn("claimed")}
	}
	return v
}

func keyWaiting() page.KeyView {
	v := keyBase()
	v.State = "Failed, waiting for another try"
	v.Error = "HTTP 503 from the invoice service: try later"
	v.Timeline = append(v.Timeline, page.MomentView{At: clock(40 * time.Minute), Tone: "warn", Icon: "undo-2", Text: "Given back by run 8841: it failed", Note: v.Error})
	v.Question = &page.QuestionView{
		Title: "Decide what happens to it…", May: true, Form: drawn("retryable"), Answers: answers(drawn("retryable")),
		Lead: "The next copy may run already.",
	}
	return v
}

func keyFinished() page.KeyView {
	v := keyBase()
	v.State = "Finished"
	v.Span = &page.SpanView{Label: "Finished after 4 seconds of 15 minutes allowed", Parts: []page.SpanPartView{
		{Kind: "used", From: "0%", Width: "2%", Words: "4 seconds used"},
		{Kind: "left", From: "2%", Width: "98%", Words: "not needed"},
	}}
	v.Earlier = "72 earlier copies were stopped as well; the newest 50 are listed."
	v.Timeline = append(v.Timeline, page.MomentView{At: clock(40 * time.Minute), Tone: "ok", Icon: "circle-check", Text: "Finished by run 8841"})
	v.Result = "{\n  \"invoice\": \"F-2026-0077\",\n  \"total\": 9007199254740993\n}"
	again := answers(drawn("done"))[1:2]
	again[0].Title, again[0].Verb = "Run it again on purpose", "Run it again on purpose…"
	again[0].Example = "Such as: the invoice was deleted by hand"
	v.Question = &page.QuestionView{Title: "Run it again on purpose…", May: true, Form: drawn("done"), Answers: again, Lead: "The work was reported finished. The next copy would do it a second time."}
	v.Forget = &page.ForgetView{Form: drawn("done")}
	return v
}

func keyTwice() page.KeyView {
	v := keyFinished()
	v.Twice = "By run 8841 and by run 8842: run 8841 reported that it had finished after its time was over and run 8842 had taken over. Look for two of them in the destination."
	v.Timeline = append(v.Timeline,
		page.MomentView{At: clock(39 * time.Minute), Tone: "bad", Icon: "triangle-alert", Text: "Probably ran twice: by run 8841 and by run 8842"},
		page.MomentView{At: clock(38 * time.Minute), Tone: "warn", Icon: "hand", Text: "Mira marked it as finished", Note: "Both invoices exist; the second was cancelled."},
	)
	return v
}

func keyChanged() page.KeyView {
	v := keyFinished()
	v.Said = &page.NoticeView{Tone: "warn", Title: "It changed while you looked", Text: "Run 8841 finished it 3 seconds ago. Nothing was changed."}
	return v
}

func keyFault() page.KeyView {
	v := keyStuck(true)
	v.Question.Answers[1].Fault = "Say in a few words why. It is kept with the decision."
	return v
}

func keyHostile() page.KeyView {
	v := keyStuck(true)
	v.Key = "<img src=x/onerror=alert(1)>\u202e" + strings.Repeat("=HYPERLINK(0)", 15)
	v.Rule = "Rule \"><script>alert(1)</script>"
	v.Question.Look = "=HYPERLINK(0)"
	v.Question.Lead = "طلب لم يكتمل"
	v.Result = `{"x":"</code><script>alert(1)</script>"}`
	v.Error = "<b>bold</b>"
	v.Timeline[0].Note = "سبب مكتوب من اليمين " + strings.Repeat("W", 200)
	return v
}
