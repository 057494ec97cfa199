package admin

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dedupedesk/exporters"
	"dedupedesk/frontend/page"
)

// guard is what stops the copies of a rule where these steps are followed, nil where
// they stop none. Their last step proves it.
func (d stepsDesk) guard(s sheet) *page.GuardView {
	way, err := exporters.Chosen(s.tool, s.told)
	if err != nil || s.rule == nil || !s.list.StopsCopies() && !s.list.NoKey {
		return nil
	}
	v := &page.GuardView{Name: s.tool.Title() + ": " + lowerFirst(way.Title), Href: stepsAddress(s.rule.Name, s.tool.Name()), Ledger: way.Route == exporters.RouteLedger}
	if v.Ledger {
		v.Name = "This program, asked by " + s.tool.Title()
	}
	for _, step := range s.list.Steps {
		if !step.Prove || s.state(step) == stepOpen {
			continue
		}
		tick := s.kept.Ticks[step.ID]
		v.ProvedAt, v.ProvedBy, v.Again = page.At(tick.At, d.Clock.Now()), tick.By, s.state(step) == stepAgain
	}
	return v
}

// lowerFirst puts the first letter of a title into the middle of a sentence. A name
// with a second capital stays.
func lowerFirst(title string) string {
	first, size := utf8.DecodeRuneInString(title)
	if second, _ := utf8.DecodeRuneInString(title[size:]); unicode.IsUpper(second) {
		return title
	}
	return strings.ToLower(string(first)) + title[size:]
}
