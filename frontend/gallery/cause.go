package main

import "dedupedesk/frontend/page"

// causeSamples are the states of the page Find the cause.
func causeSamples() []sample {
	one := func(state string, v page.CauseView) sample {
		return sample{Name: "cause/" + state, Title: "Find the cause", Active: "cause", Page: page.Cause(v)}
	}
	names := []string{"Steps repeat inside one run", "A step was tried again after a timeout", "A second copy of the automation", "One hook is registered twice", "The sender sent it again", "A replay", "Two runs overlapped"}
	left := func(n int) (list []page.CauseLeftView) {
		for i, name := range names {
			list = append(list, page.CauseLeftView{Name: name, Left: i >= len(names)-n})
		}
		return list
	}
	question := page.CauseQuestionView{
		Text:    "Is the event's id in the trigger data the same in both runs?",
		Look:    []page.CausePlaceView{{Tool: "Power Automate", Path: "Each run > the trigger > outputs."}, {Tool: "Make", Path: "Each run > the first module's bubble > the bundle."}, {Tool: "Zapier", Path: "Zap history > each run > the trigger > Data in."}},
		Answers: []page.LinkView{{Href: "/cause?same=same", Text: "The same"}, {Href: "/cause?same=delivery", Text: "The same event, under two delivery ids"}, {Href: "/cause?same=different", Text: "Different"}, {Href: "/cause?same=not-sure", Text: "Not sure"}},
	}
	given := []page.CauseGivenView{{Question: "Did one run do it twice, or were there two runs?", Answer: "Two runs", Change: "/cause"}, {Question: "What starts it?", Answer: "An event: a hook, a new row, a form", Change: "/cause"}}
	sender := page.CauseResultView{
		Name: "The sender sent it again", Sentence: "The sender did not get a good answer in time, and sent the same event again. Your automation had already begun.",
		Fixes: []string{"Key on the event's id: it is the same on every try.", "Answer at once with 200, and work after that."}, Useless: []string{"One run at a time: the second one just comes later."},
		Level: "The right key repeats with each copy of one message: the event's own id.", Lab: true,
	}
	self := page.CauseResultView{Name: "It starts itself", Sentence: "The automation changes the item that it is started by, and that change starts it again.", Fixes: []string{"A trigger condition that leaves out its own changes."}, Useless: []string{"One run at a time: it goes on one after the other."}, Settings: true}
	told := page.CompareView{
		First: `{"id":"evt_1"}`, Second: `{"id":"evt_1"}`, Sender: "Slack", Same: true, May: true, Go: "/cause?same=same",
		Facts: []string{"The event's id is the same in both.", "The second says that it is another try: x-slack-retry-num."},
	}
	faulty := page.CompareView{First: "", Second: "{", FirstFault: "Paste an event: what the run was triggered by.", SecondFault: "This JSON ends too early."}
	return []sample{
		one("compared", page.CauseView{Step: 1, Question: &question, Left: left(7), Compare: told}),
		one("compare-fault", page.CauseView{Step: 1, Question: &question, Left: left(7), Compare: faulty}),
		one("first", page.CauseView{Step: 1, Question: &question, Left: left(7)}),
		one("question", page.CauseView{Step: 3, Question: &question, Given: given, Left: left(4)}),
		one("result", page.CauseView{Given: given, Left: left(1), Result: []page.CauseResultView{sender}}),
		one("several", page.CauseView{Given: given, Left: left(2), Result: []page.CauseResultView{sender, self}, Window: true}),
	}
}
