package admin

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"dedupedesk/app/calls"
	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

func homeRoutes(d Desk) []guard.Route {
	return []guard.Route{{Pattern: "GET /{$}", Access: guard.Look, Handler: d.handle(d.home)}}
}

// home answers three questions: is it on, what did it save me, what needs me?
func (d Desk) home(w http.ResponseWriter, r *http.Request) error {
	v, err := d.homeView(r.Context())
	if err != nil {
		return err
	}
	return d.show(w, r, http.StatusOK, place{Title: "Home", Active: "home"}, page.Home(v))
}

func (d Desk) homeView(ctx context.Context) (page.HomeView, error) {
	v := page.HomeView{
		Tested:  page.TickView{Detail: "not yet"},
		Entered: page.TickView{Detail: "no tool chosen"},
		Called:  page.TickView{Detail: "nothing yet"},
		Reach:   page.LocalReach(), KeyFile: d.KeyFile,
	}
	counts, err := d.Ledger.Counts(ctx)
	if err != nil {
		return v, err
	}
	v.Figures = page.FiguresView{CopiesThisWeek: page.Count(counts.CopiesThisWeek), Keys: page.Count(counts.Total), NeedDecision: int(counts.Stuck)}
	if last := d.Calls.Last(); !last.IsZero() {
		v.Called = page.TickView{Done: true, Detail: "the last one", At: page.At(last, d.Clock.Now())}
	}
	lines, err := d.ruleLines(ctx, &v)
	if err != nil {
		return v, err
	}
	if _, paused, err := d.Ledger.Paused(ctx); err != nil {
		return v, err
	} else if paused {
		for i := range lines {
			lines[i].Status, lines[i].Tone = "Paused", "warn"
		}
	}
	v.Rules = lines
	v.InUse = len(lines) > 0 || v.Called.Done
	return v, nil
}

// ruleLines returns the rules besides default, and fills the ticks that follow
// from them.
func (d Desk) ruleLines(ctx context.Context, v *page.HomeView) ([]page.RuleLine, error) {
	list, err := d.Ledger.Rules(ctx)
	if err != nil {
		return nil, err
	}
	uses, err := d.usesByRule(ctx)
	if err != nil {
		return nil, err
	}
	var lines []page.RuleLine
	saved := purse{}
	for _, rule := range list {
		if rule.Name == ledger.DefaultRule {
			continue
		}
		line := d.ruleLine(ctx, rule, uses[rule.Name], saved)
		if line.TestTone == "ok" && !v.Tested.Done {
			v.Tested = page.TickView{Done: true, Detail: titleOf(rule)}
		}
		if err := d.enter(ctx, rule, &line, v); err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	v.Figures.Saved = saved.String()
	return lines, nil
}

func (d Desk) usesByRule(ctx context.Context) (map[string]ledger.RuleUse, error) {
	list, err := d.Ledger.RuleUses(ctx)
	if err != nil {
		return nil, err
	}
	uses := make(map[string]ledger.RuleUse, len(list))
	for _, u := range list {
		uses[u.Rule] = u
	}
	return uses, nil
}

// ruleLine is a rule's line. What its stopped copies of this week would have cost goes
// to saved.
func (d Desk) ruleLine(ctx context.Context, rule ledger.Rule, use ledger.RuleUse, saved purse) page.RuleLine {
	line := page.RuleLine{
		Name: rule.Name, Title: rule.Title, Status: "Ready, no calls yet",
		Copies: page.Count(use.Copies), LastCall: page.At(use.LastCallAt, d.Clock.Now()),
	}
	if !use.LastCallAt.IsZero() {
		line.Status, line.Tone = "Protecting", "ok"
		line.Guards = []page.GuardView{{Name: "This program", Ledger: true, Called: true}}
	}
	if d.refused(rule.Name) {
		line.Status, line.Tone = "Last call refused, see Connect", "warn"
	}
	file, err := rules.Parse(rule.Doc)
	if err != nil {
		line.Tested, line.TestTone = "The rule file has a fault", "bad"
		return line
	}
	saved.add(file.CostPerDouble, use.CopiesThisWeek)
	line.Tested, line.TestTone = testWords(d.Rules.Judge(ctx, file))
	return line
}

// testWords says in a word or two how a rule does on its samples.
func testWords(j rules.Judgement) (words, tone string) {
	if j.OK {
		return "Tested", "ok"
	}
	for _, verdict := range j.Verdicts {
		if !verdict.Fail {
			continue
		}
		switch verdict.Code {
		case rules.VerdictEventsMerged:
			return "Different events merged", "bad"
		case rules.VerdictCopiesMissed:
			return "Copies missed", "bad"
		case rules.VerdictEmptyPart:
			return "A part is empty", "bad"
		}
		return "Faults on its samples", "bad"
	}
	return "Not tested", "warn"
}

// refused tells whether the newest call for a rule was refused.
func (d Desk) refused(rule string) bool {
	for _, c := range d.Calls.Newest(calls.Kept) {
		if c.Rule == rule {
			return c.Status >= http.StatusBadRequest && c.Status != http.StatusConflict
		}
	}
	return false
}

// enter tells how far the settings of a rule are, tool by tool.
func (d Desk) enter(ctx context.Context, rule ledger.Rule, line *page.RuleLine, v *page.HomeView) error {
	begun, err := d.stepsBegun(ctx, rule)
	if err != nil {
		return err
	}
	var words []string
	again := 0
	for _, p := range begun {
		line.AddGuard(p.Guard)
		words = append(words, fmt.Sprintf("%s %d of %d", p.Title, p.Done, p.Total))
		again += p.Again
		if p.StopsCopies && p.Total > 0 && p.Done == p.Total {
			v.Entered.Done = true
		}
	}
	line.Steps = strings.Join(words, ", ")
	if again > 0 {
		line.Status, line.Tone = page.Counted(again, "step")+" to check again", "warn"
	}
	if line.Steps != "" && (v.Entered.Detail == "no tool chosen" || v.Entered.Done) {
		v.Entered.Detail = line.Steps
	}
	return nil
}
