package main

import (
	"dedupedesk/frontend/page"
)

// labSamples are the states of the page Try it.
func labSamples() []sample {
	form := page.LabFormView{Events: "500", Twice: "25", Thrice: "5", Workers: "8", Work: "20", Fail: "0", Crash: "0"}
	one := func(state string, form page.LabFormView, now page.LabNowView, drills ...page.DrillsView) sample {
		v := page.LabView{Form: form, Now: page.LabNow(now)}
		if len(drills) > 0 {
			v.Drills = drills[0]
		}
		return sample{Name: "lab/" + state, Title: "Try it", Active: "lab", Page: page.Lab(v)}
	}
	result := labSample()
	faulty, orders := form, form
	faulty.Events, faulty.Field, faulty.Fault = "many", "events", "Write a number."
	faulty.Crash, faulty.Said = "5", "A run goes on. Wait for its end, or cancel it."
	orders.Scenario = "orders"
	lost := result
	lost.Lost, lost.Before, lost.Money, lost.Partial = "Mark first lost 40 events: nobody will ever know of them. 30 runs reserved and ended half way: a person decides, as under Keys, Needs a decision.", true, true, true
	lost.Rows = append([]page.LabRowView(nil), result.Rows...)
	for i := range lost.Rows {
		lost.Rows[i].Before, lost.Rows[i].Cost = "178", "3,916 USD"
	}
	lost.Rows[3].Lost, lost.Rows[5].Held = "40", "30"
	return []sample{
		one("empty", form, page.LabNowView{}),
		one("running", form, page.LabNowView{Running: true, Doing: "Look first, 8 at once: 320 of 678 deliveries, 84 rows too many so far.", Done: 998, Of: 4068}),
		one("full", form, page.LabNowView{Result: &result}, drillsBefore()),
		one("lost", orders, page.LabNowView{Result: &lost, Window: true}),
		one("drills", form, page.LabNowView{}, drillsSample()),
		one("faults", faulty, page.LabNowView{Fault: "The experiment could not be made on this computer: no space left on device."}),
	}
}

func labSample() page.LabResultView {
	row := func(method string, extra int, share string) page.LabRowView {
		return page.LabRowView{Method: method, Mode: "8 at once", Extra: extra, Share: share, Lost: "0", Held: "0"}
	}
	return page.LabResultView{
		Finding: "No check wrote 178 rows too many. Looking first wrote as many: it did not help. Reserving first wrote none.", Lost: "No event was lost.",
		About: "500 events, 678 deliveries. 8 at once, 20 ms of work, 10.3 s in all.",
		Rows:  []page.LabRowView{row("No check", 178, "100"), row("Look first", 178, "100"), row("Wait, then look", 178, "100"), row("Mark first", 0, "0"), row("Unique column", 0, "0"), row("Reserve first", 0, "0")},
		Methods: []page.OptionView{
			{Value: "no check", Text: "No check, 8 at once"}, {Value: "look first", Text: "Look first, 8 at once", Chosen: true}, {Value: "reserve first", Text: "Reserve first, 8 at once"},
		},
		Event: page.LabEventView{
			Event: 41, Previous: 38, Next: 44, Finding: "Event 41 came twice and has 2 rows. Each looked before the other wrote.",
			Lanes: []page.LabLaneView{
				{Name: "run 41.1", Words: "looked: nothing there (0 ms), works (0 ms), wrote its row (20 ms)", Bars: []page.LabBarView{{Kind: "work", From: "0.00%", Width: "72.00%"}, {Kind: "look", From: "0.00%", Width: "7.00%"}, {Kind: "write", From: "72.00%", Width: "7.00%"}}},
				{Name: "run 41.2", Words: "looked: nothing there (2 ms), works (2 ms), wrote its row (22 ms)", Bars: []page.LabBarView{{Kind: "work", From: "9.00%", Width: "72.00%"}, {Kind: "look", From: "9.00%", Width: "7.00%"}, {Kind: "write", From: "81.00%", Width: "7.00%"}}},
			},
		},
	}
}

func drillsBefore() page.DrillsView {
	return page.DrillsView{Slowest: "10m", Rules: []page.OptionView{{Value: "paid-invoices", Text: "Paid invoices", Chosen: true}, {Value: "new-orders", Text: "New orders"}}}
}

func drillsSample() page.DrillsView {
	v := drillsBefore()
	v.Title, v.Tone, v.Finding = "Paid invoices", "error", "2 of 4 drills passed. 1 failed."
	v.Slowest, v.Fault = "soon", "Write a time such as 90s, 10m or 1h, up to 7 days."
	ok := page.BadgeView{Tone: "ok", Icon: "circle-check", Text: "Passed"}
	v.Outcomes = []page.DrillView{
		{Name: "The same event three times", Expected: "One run. The copies are stopped.", Seen: "One run, 2 copies stopped.", Badge: ok},
		{
			Name: "Two at the same moment, and one while the first still works", Expected: "One run. Both copies are told that somebody is on it.", Badge: page.BadgeView{Tone: "bad", Icon: "circle-x", Text: "Failed"},
			Seen: "A copy ran while the first was still at work: the time allowed is 1m, the slowest run takes 10m.", Change: "Allow a run more time than the slowest one takes.", Href: "/design/rule?rule=paid-invoices", Link: "Change it in the editor",
		},
		{
			Name: "A button pressed twice", Expected: "One run, where the second press means the same thing.", Badge: page.BadgeView{Tone: "warn", Icon: "triangle-alert", Text: "Look at it"},
			Seen: "The second press ran: the key holds body.id, which names the message and not the thing.", Change: "Where two presses mean one order or one payment, key on its own id instead.", Href: "/design/rule?rule=paid-invoices", Link: "Change it in the editor",
		},
		{Name: "A day of events, sent again after an outage", Expected: "Each event runs once, and no event is taken for another.", Seen: "There is one event only. Add a different one, so that it shows whether the key tells them apart.", Badge: page.BadgeView{Icon: "circle-dashed", Text: "Not tried"}},
	}
	return v
}
