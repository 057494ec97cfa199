package admin

import (
	"net/http"
	"net/url"
	"time"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// hourRanges are how far back the chart of hours may look, by its address.
var hourRanges = []struct {
	id, text, words string
	hours           int
}{
	{"", "24 hours", "In the last 24 hours", 24},
	{"168", "7 days", "In the last 7 days", 7 * 24},
}

// hours is what came hour by hour, in the range and of the rule that the address names.
func (d Desk) hours(r *http.Request, list []ledger.Rule) (page.HoursView, error) {
	rule, asked := r.URL.Query().Get("rule"), hourRanges[0]
	v := page.HoursView{Range: r.URL.Query().Get("hours"), Rules: []page.OptionView{{Text: "Any rule", Chosen: rule == ""}}}
	for _, one := range hourRanges {
		if one.id == v.Range {
			asked = one
		}
		at := url.Values{}
		for name, value := range map[string]string{"hours": one.id, "rule": rule} {
			if value != "" {
				at.Set(name, value)
			}
		}
		v.Ranges = append(v.Ranges, page.TabView{Text: one.text, Href: "/figures?" + at.Encode(), Active: one.id == v.Range})
	}
	known := rule == ""
	for _, one := range list {
		v.Rules = append(v.Rules, page.OptionView{Value: one.Name, Text: titleOf(one), Chosen: one.Name == rule})
		known = known || one.Name == rule
	}
	if !known {
		v.Rules = append(v.Rules, page.OptionView{Value: rule, Text: rule, Chosen: true})
	}
	var err error
	v.Hours, err = d.hoursOf(r, rule, asked.hours)
	v.Finding = hoursFinding(asked.words, v.Hours)
	return v, err
}

// hoursOf adds up the last n hours, this one included and those without a call too, of one
// rule, or of all where rule is "".
func (d Desk) hoursOf(r *http.Request, rule string, n int) ([]page.HourView, error) {
	last := d.Clock.Now().UTC().Truncate(time.Hour)
	first := last.Add(time.Duration(1-n) * time.Hour)
	calls, err := d.Ledger.CallsByHour(r.Context(), first, last.Add(time.Hour))
	if err != nil {
		return nil, err
	}
	hours := make([]page.HourView, n)
	for i := range hours {
		at := first.Add(time.Duration(i) * time.Hour)
		hours[i].At, hours[i].Text = at.Format(time.RFC3339), at.Format("2 Jan, 15:04")
	}
	for _, c := range calls {
		if rule == "" || c.Rule == rule {
			h := &hours[int(c.Hour.Sub(first)/time.Hour)]
			h.Granted += c.Granted
			h.Copies += c.Copies
			h.Refused += c.Mismatches
		}
	}
	return hours, nil
}

// hoursFinding says what the hours show: "In the last 24 hours: 312 let through, 41 copies
// stopped, 0 refused."
func hoursFinding(words string, hours []page.HourView) string {
	var sum page.HourView
	for _, h := range hours {
		sum.Granted += h.Granted
		sum.Copies += h.Copies
		sum.Refused += h.Refused
	}
	if sum == (page.HourView{}) {
		return words + " nothing was asked."
	}
	copies := " copies stopped"
	if sum.Copies == 1 {
		copies = " copy stopped"
	}
	text := words + ": " + page.Count(sum.Granted) + " let through, " + page.Count(sum.Copies) + copies
	if sum.Refused > 0 {
		text += ", " + page.Count(sum.Refused) + " refused (same key, different contents)"
	}
	return text + "."
}

// strip is the last day in small. The list is of use without it, so a fault leaves it out.
func (d Desk) strip(r *http.Request, rule string) *page.StripView {
	hours, err := d.hoursOf(r, rule, 24)
	if err != nil {
		return nil
	}
	v := page.StripView{Href: "/figures", Granted: page.BarsView{Title: "New"}, Copies: page.BarsView{Title: "Copies stopped"}}
	if rule != "" {
		v.Href += "?" + url.Values{"rule": {rule}}.Encode()
	}
	v.Finding = hoursFinding(hourRanges[0].words, hours)
	for _, h := range hours {
		v.Granted.Bars = append(v.Granted.Bars, page.BarView{Value: h.Granted})
		v.Copies.Bars = append(v.Copies.Bars, page.BarView{Value: h.Copies})
	}
	return &v
}
