package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"dedupedesk/app/drill"
	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

func drillRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "POST /lab/drills", Access: guard.Look, Handler: d.handle(d.runDrills)},
	}
}

// slowestRun is what a run takes at most where nobody said so.
const slowestRun = "10m"

// drillsView is the card before a drill: the rules that have samples.
func (d Desk) drillsView(r *http.Request, chosen string) (page.DrillsView, error) {
	v := page.DrillsView{Slowest: slowestRun}
	list, err := d.Ledger.Rules(r.Context())
	for _, rule := range list {
		if file, bad := rules.Parse(rule.Doc); bad == nil && len(file.Samples) > 0 && file.Key != "" {
			v.Rules = append(v.Rules, page.OptionView{Value: rule.Name, Text: titleOf(rule), Chosen: rule.Name == chosen})
		}
	}
	return v, err
}

func (d Desk) runDrills(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	name := r.PostForm.Get("rule")
	v, err := d.drillsView(r, name)
	if err != nil {
		return err
	}
	v.Slowest = strings.TrimSpace(r.PostForm.Get("slowest"))
	slowest, err := rules.ParseDuration(v.Slowest)
	if err != nil || slowest <= 0 || time.Duration(slowest) > ledger.MaxLease {
		v.Fault = "Write a time such as 90s, 10m or 1h, up to 7 days."
		return d.fragment(w, r, http.StatusUnprocessableEntity, page.Drills(v))
	}
	rule, err := d.Intake.FreshRule(r.Context(), name)
	if err != nil {
		return brokenRule(err, "is nothing to try")
	}
	if len(rule.File.Samples) == 0 || rule.Program == nil {
		v.Said = "This rule has no samples to send. Add some under Design a key."
		return d.fragment(w, r, http.StatusUnprocessableEntity, page.Drills(v))
	}
	all, err := d.Drill(r.Context(), drill.Case{Rule: rule.File, Sender: senderOf(rule.File), Slowest: time.Duration(slowest)})
	if err != nil {
		return err
	}
	drillsFound(&v, titleOf(rule.Rule), name, all)
	return d.fragment(w, r, http.StatusOK, page.Drills(v))
}

// senderOf is what is known of who sends a rule's events.
func senderOf(file *rules.Rule) rules.Sender {
	e, err := file.Samples[0].Event()
	if err != nil {
		return rules.Sender{}
	}
	s, _ := presets.Known(file.Sender, e)
	return s
}

var drillBadges = map[drill.State]page.BadgeView{
	drill.Passed:   {Tone: "ok", Icon: "circle-check", Text: "Passed"},
	drill.Failed:   {Tone: "bad", Icon: "circle-x", Text: "Failed"},
	drill.Told:     {Tone: "warn", Icon: "triangle-alert", Text: "Look at it"},
	drill.NotTried: {Tone: "", Icon: "circle-dashed", Text: "Not tried"},
}

func drillsFound(v *page.DrillsView, title, rule string, all []drill.Outcome) {
	counts := map[drill.State]int{}
	for _, o := range all {
		counts[o.State]++
		one := page.DrillView{Name: o.Name, Expected: o.Expected, Seen: o.Seen, Change: o.Change, Badge: drillBadges[o.State]}
		if o.Where != "" {
			one.Href, one.Link = "/design/rule?"+url.Values{"rule": {rule}}.Encode(), "Change it in the editor"
		}
		v.Outcomes = append(v.Outcomes, one)
	}
	v.Title, v.Tone = title, "ok"
	v.Finding = fmt.Sprintf("%d of %d drills passed.", counts[drill.Passed], len(all))
	if n := counts[drill.Failed]; n > 0 {
		v.Tone = "error"
		v.Finding += fmt.Sprintf(" %d failed.", n)
	} else if counts[drill.Told] > 0 {
		v.Tone = "warn"
	}
	if n := counts[drill.NotTried]; n > 0 {
		v.Finding += fmt.Sprintf(" %d could not be tried with these samples.", n)
	}
}
