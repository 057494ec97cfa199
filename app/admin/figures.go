package admin

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

func figureRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "GET /figures", Access: guard.Look, Handler: d.handle(d.figures)},
		{Pattern: "GET /figures/month", Access: guard.Look, Handler: d.handle(d.month)},
	}
}

// chartDays is how many days the chart of copies shows, today included.
const chartDays = 30

// figures shows what came hour by hour, the copies stopped day by day and rule by rule, and how long keys wait for
// a decision.
func (d Desk) figures(w http.ResponseWriter, r *http.Request) error {
	now := d.Clock.Now().UTC()
	first := midnight(now).AddDate(0, 0, 1-chartDays)
	days, err := d.Ledger.CopiesByDay(r.Context(), first, now.AddDate(0, 0, 1))
	if err != nil {
		return err
	}
	ages, err := d.stuckAges(r, now)
	if err != nil {
		return err
	}
	counts, err := d.Ledger.Counts(r.Context())
	if err != nil {
		return err
	}
	list, err := d.Ledger.Rules(r.Context())
	if err != nil {
		return err
	}
	hours, err := d.hours(r, list)
	if err != nil {
		return err
	}
	titles := rulesByName(list)
	v := page.FiguresPageView{Hours: hours, Days: dayBars(days, first, now), Rules: ruleBars(days, titles), Ages: ages, Months: months(counts.FirstClaimAt, now)}
	return d.show(w, r, http.StatusOK, place{Title: "Figures", Active: "keys"}, page.FiguresPage(v))
}

func midnight(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// dayBars is a bar for each day, those without a copy too.
func dayBars(days []ledger.DayCopies, first, now time.Time) page.BarsView {
	sums := map[time.Time]int64{}
	for _, day := range days {
		sums[day.Day] += day.Copies
	}
	v := page.BarsView{ID: "by-day", Title: "Copies stopped, day by day", Unit: "Day (UTC)", What: "Copies stopped"}
	var best time.Time
	for day := first; !day.After(now); day = day.AddDate(0, 0, 1) {
		v.Bars = append(v.Bars, page.BarView{Name: day.Format("2 Jan"), Value: sums[day]})
		if sums[day] > sums[best] {
			best = day
		}
	}
	if v.Finding = "No copy was stopped in the last 30 days."; !best.IsZero() {
		v.Finding = "Stopped in the last 30 days: " + page.Count(v.Total()) + ". Most on " + best.Format("2 January") + ": " + page.Count(sums[best]) + "."
	}
	return v
}

// ruleBars is a bar for each rule that stopped a copy, the most first.
func ruleBars(days []ledger.DayCopies, titles map[string]ledger.Rule) page.BarsView {
	sums := map[string]int64{}
	for _, day := range days {
		sums[day.Rule] += day.Copies
	}
	v := page.BarsView{ID: "by-rule", Title: "Copies stopped, rule by rule", Unit: "Rule", What: "Copies stopped", Flat: true, Finding: "No rule stopped a copy in the last 30 days."}
	names := slices.SortedFunc(maps.Keys(sums), func(a, b string) int { return cmp.Or(cmp.Compare(sums[b], sums[a]), cmp.Compare(a, b)) })
	for _, name := range names {
		v.Bars = append(v.Bars, page.BarView{Name: titleOf(ledger.Rule{Name: name, Title: titles[name].Title}), Value: sums[name]})
	}
	if len(v.Bars) > 0 {
		v.Finding = v.Bars[0].Name + " stopped the most in the last 30 days: " + page.Count(v.Bars[0].Value) + " of " + page.Count(v.Total()) + "."
	}
	return v
}

// agesLooked is how many keys are looked at for how long they wait.
const agesLooked = 1000

// stuckAges counts the keys that need a decision by how long they have.
func (d Desk) stuckAges(r *http.Request, now time.Time) (page.BarsView, error) {
	v := page.BarsView{ID: "ages", Title: "How long keys wait for a decision", Unit: "Waiting for", What: "Keys", Flat: true, Finding: "No key needs a decision."}
	spans := []struct {
		name string
		most time.Duration
	}{{"under 1 hour", time.Hour}, {"1 to 24 hours", 24 * time.Hour}, {"1 to 7 days", 7 * 24 * time.Hour}, {"over 7 days", 1 << 62}}
	for _, span := range spans {
		v.Bars = append(v.Bars, page.BarView{Name: span.name})
	}
	q := ledger.KeyQuery{View: ledger.ViewStuck, Limit: 200}
	looked, oldest := 0, time.Duration(0)
	for {
		found, err := d.Ledger.Keys(r.Context(), q)
		if err != nil {
			return v, err
		}
		for _, k := range found.Keys {
			age := now.Sub(sinceOf(k))
			oldest = max(oldest, age)
			for i, span := range spans {
				if age < span.most {
					v.Bars[i].Value++
					break
				}
			}
		}
		if looked += len(found.Keys); found.Next == "" || looked >= agesLooked {
			if looked > 0 {
				v.Finding = page.Counted(looked, "key") + " counted, the oldest waits for " + howLong(oldest) + "."
			}
			if found.Next != "" {
				v.Finding = "The newest " + v.Finding
			}
			return v, nil
		}
		q.Cursor = found.Next
	}
}

func (d Desk) ruleTitles(r *http.Request) (map[string]ledger.Rule, error) {
	list, err := d.Ledger.Rules(r.Context())
	return rulesByName(list), err
}

func rulesByName(list []ledger.Rule) map[string]ledger.Rule {
	named := map[string]ledger.Rule{}
	for _, rule := range list {
		named[rule.Name] = rule
	}
	return named
}

// months are the months from the first claim to now, the newest first, a year at most.
func months(first, now time.Time) []page.MonthLinkView {
	if first.IsZero() {
		first = now
	}
	var list []page.MonthLinkView
	for at := monthStart(now); len(list) < 12 && !at.Before(monthStart(first)); at = at.AddDate(0, -1, 0) {
		list = append(list, page.MonthLinkView{ID: at.Format("2006-01"), Text: at.Format("January 2006")})
	}
	return list
}

func monthStart(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// month is one month on a page to print.
func (d Desk) month(w http.ResponseWriter, r *http.Request) error {
	at, err := time.Parse("2006-01", r.URL.Query().Get("m"))
	if err != nil {
		return problem.New(http.StatusBadRequest, "invalid", "A month is written as 2026-11.")
	}
	days, err := d.Ledger.CopiesByDay(r.Context(), at, at.AddDate(0, 1, 0))
	if err != nil {
		return err
	}
	titles, err := d.ruleTitles(r)
	if err != nil {
		return err
	}
	v := monthView(at, days, titles)
	v.Window = guard.InWindow(r)
	counts, err := d.Ledger.Counts(r.Context())
	if err != nil {
		return err
	}
	if first := counts.FirstClaimAt; !first.IsZero() && first.After(at) {
		v.Since = "Counted since " + first.UTC().Format("2 January 2006") + ", when the first key was asked for."
	}
	if now := d.Clock.Now(); now.Before(at.AddDate(0, 1, 0)) {
		v.Since = strings.TrimSpace(v.Since + " The month is not over yet.")
	}
	return d.show(w, r, http.StatusOK, place{Title: v.Title, Active: "keys"}, page.MonthPage(v))
}

// monthView adds a month up by rule.
func monthView(at time.Time, days []ledger.DayCopies, titles map[string]ledger.Rule) page.MonthView {
	v := page.MonthView{Title: at.Format("January 2006")}
	type sum struct {
		copies, best int64
		day          time.Time
	}
	sums := map[string]*sum{}
	for _, day := range days {
		s, ok := sums[day.Rule]
		if !ok {
			s = &sum{}
			sums[day.Rule] = s
		}
		if s.copies += day.Copies; day.Copies > s.best {
			s.best, s.day = day.Copies, day.Day
		}
	}
	all := purse{}
	var total int64
	for _, name := range slices.SortedFunc(maps.Keys(sums), func(a, b string) int { return cmp.Or(cmp.Compare(sums[b].copies, sums[a].copies), cmp.Compare(a, b)) }) {
		s, own := sums[name], purse{}
		if file, err := rules.Parse(titles[name].Doc); err == nil {
			own.add(file.CostPerDouble, s.copies)
			all.add(file.CostPerDouble, s.copies)
		}
		total += s.copies
		v.Rules = append(v.Rules, page.MonthRuleView{
			Title: titleOf(ledger.Rule{Name: name, Title: titles[name].Title}), Copies: page.Count(s.copies), Saved: own.String(),
			Best: s.day.Format("2 January") + ": " + page.Count(s.best),
		})
	}
	v.Copies, v.Saved = page.Count(total), all.String()
	return v
}
