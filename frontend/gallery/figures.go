package main

import (
	"fmt"
	"time"

	"dedupedesk/frontend/page"
)

// figuresSamples are the states of the charts and of a month.
func figuresSamples() []sample {
	days := page.BarsView{ID: "by-day", Title: "Copies stopped, day by day", Unit: "Day (UTC)", What: "Copies stopped", Finding: "Stopped in the last 30 days: 435. Most on 30 November: 29."}
	for i := range 30 {
		days.Bars = append(days.Bars, page.BarView{Name: fmt.Sprintf("%d Nov", i+1), Value: int64(i)})
	}
	rules := page.BarsView{ID: "by-rule", Title: "Copies stopped, rule by rule", Unit: "Rule", What: "Copies stopped", Flat: true, Finding: "Paid invoices stopped the most in the last 30 days: 400 of 435.",
		Bars: []page.BarView{{Name: "Paid invoices", Value: 400}, {Name: "A rule with a name as long as somebody likes it to be", Value: 34}, {Name: "<b>x</b>", Value: 1}}}
	ages := page.BarsView{ID: "ages", Title: "How long keys wait for a decision", Unit: "Waiting for", What: "Keys", Flat: true, Finding: "3 keys counted, the oldest waits for 3 days.",
		Bars: []page.BarView{{Name: "under 1 hour", Value: 1}, {Name: "1 to 24 hours", Value: 0}, {Name: "1 to 7 days", Value: 2}, {Name: "over 7 days"}}}
	empty := func(v page.BarsView, finding string) page.BarsView {
		v.Bars, v.Finding = nil, finding
		return v
	}
	one := days
	one.Bars = append([]page.BarView(nil), days.Bars...)
	for i := range one.Bars {
		one.Bars[i].Value = 0
	}
	one.Bars[29].Value, one.Finding = 1, "Stopped in the last 30 days: 1. Most on 30 November: 1."
	hours := page.HoursView{Finding: "In the last 24 hours: 312 let through, 41 copies stopped, 2 refused (same key, different contents).", Ranges: []page.TabView{{Href: "/figures", Text: "24 hours", Active: true}, {Href: "/figures?hours=168", Text: "7 days"}}, Rules: []page.OptionView{{Text: "Any rule", Chosen: true}, {Value: "paid", Text: "Paid invoices"}}}
	quiet := hours
	quiet.Finding = "In the last 24 hours nothing was asked."
	for i := range 24 {
		at := time.Date(2026, 11, 29, 10+i, 0, 0, 0, time.UTC)
		hours.Hours = append(hours.Hours, page.HourView{At: at.Format(time.RFC3339), Text: at.Format("2 Jan, 15:04"), Granted: int64(i * 7 % 31), Copies: int64(i * 5 % 9), Refused: int64(i % 12 / 11)})
	}
	charts := func(state string, v page.FiguresPageView) sample {
		v.Months = []page.MonthLinkView{{ID: "2026-11", Text: "November 2026"}, {ID: "2026-10", Text: "October 2026"}}
		return sample{Name: "figures/" + state, Title: "Figures", Active: "keys", Page: page.FiguresPage(v)}
	}
	month := func(state string, v page.MonthView) sample {
		return sample{Name: "figures/month-" + state, Title: v.Title, Active: "keys", Page: page.MonthPage(v)}
	}
	return []sample{
		charts("full", page.FiguresPageView{Hours: hours, Days: days, Rules: rules, Ages: ages}),
		charts("one", page.FiguresPageView{Hours: hours, Days: one, Rules: empty(rules, "No rule stopped a copy in the last 30 days."), Ages: ages}),
		charts("empty", page.FiguresPageView{Hours: quiet, Days: empty(days, "No copy was stopped in the last 30 days."), Rules: empty(rules, "No rule stopped a copy in the last 30 days."), Ages: empty(ages, "No key needs a decision.")}),
		month("full", page.MonthView{Title: "November 2026", Copies: "435", Saved: "512.50 EUR", Since: "The month is not over yet.", Rules: []page.MonthRuleView{{Title: "Paid invoices", Copies: "400", Saved: "500 EUR", Best: "30 November: 29"}, {Title: "New orders", Copies: "35", Best: "2 November: 3"}}}),
		month("empty", page.MonthView{Title: "October 2026", Copies: "0", Since: "Counted since 3 October 2026, when the first key was asked for."}),
	}
}
