package main

import (
	"dedupedesk/frontend/page"
)

// labSamples are the states of the page Try it.
func labSamples() []sample {
	form := page.LabFormView{Events: "500", Twice: "25", Thrice: "5", Workers: "8", Work: "20", Fail: "0", Crash: "0"}
	one := func(state string, form page.LabFormView, now page.LabNowView) sample {
		return sample{Name: "lab/" + state, Title: "Try it", Active: "lab", Page: page.Lab(page.LabView{Form: form, Now: page.LabNow(now)})}
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
		one("full", form, page.LabNowView{Result: &result}),
		one("lost", orders, page.LabNowView{Result: &lost, Window: true}),
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
			Method: "look first", Event: 41, Previous: 38, Next: 44, Finding: "Event 41 came twice and has 2 rows. Each looked before the other wrote.",
			Lanes: []page.LabLaneView{
				{Name: "run 41.1", Words: "looked: nothing there (0 ms), works (0 ms), wrote its row (20 ms)", Bars: []page.LabBarView{{Kind: "work", From: "0.00%", Width: "72.00%"}, {Kind: "look", From: "0.00%", Width: "7.00%"}, {Kind: "write", From: "72.00%", Width: "7.00%"}}},
				{Name: "run 41.2", Words: "looked: nothing there (2 ms), works (2 ms), wrote its row (22 ms)", Bars: []page.LabBarView{{Kind: "work", From: "9.00%", Width: "72.00%"}, {Kind: "look", From: "9.00%", Width: "7.00%"}, {Kind: "write", From: "81.00%", Width: "7.00%"}}},
			},
		},
	}
}
