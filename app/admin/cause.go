package admin

import (
	"net/http"
	"net/url"
	"slices"

	"dedupedesk/app/cause"
	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
)

func causeRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "GET /cause", Access: guard.Look, Handler: d.handle(d.findCause)},
		{Pattern: "POST /cause/compare", Access: guard.Look, MaxBody: maxSampleForm, Handler: d.handle(d.compareEvents)},
	}
}

// findCause shows the next question, or the result. All answers are in the address, so
// that the page can be kept, sent and gone back to.
func (d Desk) findCause(w http.ResponseWriter, r *http.Request) error {
	asked := r.URL.Query()
	var given []cause.Given
	for _, q := range cause.Questions() {
		if a := asked.Get(q.ID); a != "" {
			given = append(given, cause.Given{Question: q.ID, Answer: a})
		}
	}
	s := cause.Stand(given)
	v := causeView(s)
	v.Window, v.Compare.May = guard.InWindow(r), mayChange(r)
	return d.show(w, r, http.StatusOK, place{Title: "Find the cause", Active: "cause"}, page.Cause(v))
}

// causeHref is the address with one answer more, or without it where answer is "".
func causeHref(s cause.Standing, question, answer string) string {
	q := url.Values{}
	for _, g := range s.Given {
		q.Set(g.Question.ID, g.Answer.ID)
	}
	if q.Del(question); answer != "" {
		q.Set(question, answer)
	}
	if len(q) == 0 {
		return "/cause"
	}
	return "/cause?" + q.Encode()
}

func causeView(s cause.Standing) page.CauseView {
	v := page.CauseView{Step: len(s.Given) + 1}
	for _, g := range s.Given {
		v.Given = append(v.Given, page.CauseGivenView{Question: g.Question.Text, Answer: g.Answer.Text, Change: causeHref(s, g.Question.ID, "")})
	}
	for _, c := range cause.All() {
		v.Left = append(v.Left, page.CauseLeftView{Name: c.Name, Left: slices.Contains(s.Left, c.ID)})
	}
	if s.Next != nil {
		q := page.CauseQuestionView{Text: s.Next.Text}
		for _, p := range s.Next.Look {
			q.Look = append(q.Look, page.CausePlaceView{Tool: p.Tool, Path: p.Path})
		}
		for _, a := range s.Next.Answers {
			q.Answers = append(q.Answers, page.LinkView{Href: causeHref(s, s.Next.ID, a.ID), Text: a.Text})
		}
		q.Answers = append(q.Answers, page.LinkView{Href: causeHref(s, s.Next.ID, cause.NotSure), Text: "Not sure"})
		v.Question = &q
		return v
	}
	for _, id := range s.Left {
		c, _ := cause.Of(id) // what is left is one of them
		v.Result = append(v.Result, page.CauseResultView{
			Name: c.Name, Sentence: c.Sentence, Fixes: c.Fixes, Useless: c.Useless, Settings: c.Settings, Lab: c.Lab, Level: causeLevel(c),
		})
	}
	return v
}

// causeLevel says which key stops it.
func causeLevel(c cause.Cause) string {
	switch {
	case !c.Key:
		return ""
	case c.Level == "event":
		return "The right key repeats with each copy of one message: the event's own id."
	}
	return "The right key stands for the thing and what is done with it, such as one order, once paid: the event's id would not do."
}
