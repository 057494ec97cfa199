package admin

import (
	"net/http"

	"github.com/a-h/templ"

	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

func pauseRoutes(d Desk) []guard.Route {
	return []guard.Route{{Pattern: "POST /pause", Access: guard.Decide, Handler: d.handle(d.pause)}}
}

// pause stops all grants, or lets them go on, and draws the bar at the foot.
func (d Desk) pause(w http.ResponseWriter, r *http.Request) error {
	visitor, _ := guard.Visitor(r)
	var err error
	toast := page.ToastView{Tone: "ok", Text: "Grants go on. Every key is given to one run, as before."}
	switch act := r.PostFormValue("act"); act {
	case "pause":
		err = d.Ledger.Pause(r.Context(), visitor.Name)
		toast = page.ToastView{Text: "Paused. Nothing is let through until somebody resumes."}
	case "resume":
		err = d.Ledger.EndPause(r.Context())
	default:
		return &ledger.Error{Code: ledger.Invalid, Field: "act", Msg: "The act is pause or resume. Load the page again."}
	}
	if err != nil {
		return err
	}
	d.Log.Info("grants", "act", r.PostFormValue("act"), "by", visitor.Name)
	return d.fragment(w, r, http.StatusOK, templ.Join(page.StatusAnswer(d.status(r)), page.ToastPartial(toast)))
}
