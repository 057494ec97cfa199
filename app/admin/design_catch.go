package admin

import (
	"net/http"
	"time"

	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// waitForEvent has the endpoint hand the next events to this draft.
func (p *designer) waitForEvent(t *turn) error {
	p.Caught.Wait(t.draft.ID)
	return nil
}

func (p *designer) stopWaiting(t *turn) error {
	p.Caught.Stop(t.draft.ID)
	return nil
}

// lookForCaught answers the page that waits: with the editor where an event came or
// the wait is over, else with nothing. While a sample waits for its question, the next
// event waits too.
func (p *designer) lookForCaught(w http.ResponseWriter, r *http.Request, t *turn) error {
	switch {
	case p.Caught.Look(t.draft.ID, true) == 0:
		return p.answer(w, r, t.draft, t.said)
	case t.draft.Asked || !p.Caught.Has(t.draft.ID):
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return p.apply(w, r, t, "catch/look", p.takeCaught)
}

// takeCaught makes the earliest event that came a sample.
func (p *designer) takeCaught(t *turn) error {
	d, came := p.Caught.Take(t.draft.ID)
	if !came {
		return nil
	}
	s := rules.Sample{Name: "caught at " + d.At.Local().Format("15:04:05"), Headers: d.Headers, Body: d.Body}
	full, err := p.addAll(t, []rules.Sample{s})
	if full {
		p.Caught.Stop(t.draft.ID)
		t.said.toast = fullDraft
	}
	return err
}

func (p *designer) catchView(d *draft) page.CatchView {
	v := page.CatchView{Address: p.APIURL + "/v1/catch"}
	if left := p.Caught.Look(d.ID, false); left > 0 {
		v.Minutes = int((left + time.Minute - 1) / time.Minute)
	}
	return v
}
