package admin

import (
	"context"
	"net/http"

	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

func standingRoutes(d Desk) []guard.Route {
	return []guard.Route{{Pattern: "POST /standing/accept", Access: guard.Change, Handler: d.handle(d.accept)}}
}

// standing returns what a person has to look at and accept. It never fails: a ledger
// that cannot be read is what the bar at the foot says.
func (d Desk) standing(ctx context.Context, may bool) []page.AcceptView {
	var list []page.AcceptView
	if behind, err := d.Ledger.ClockBehind(ctx); err == nil && behind > 0 {
		list = append(list, page.AcceptView{
			Title: "This computer's clock was set back", Text: ledger.ClockWarning(behind),
			Button: "The clock is right now", What: "clock", May: may,
		})
	}
	if since, ok, err := d.Ledger.RestoredFrom(ctx); err == nil && ok {
		list = append(list, page.AcceptView{
			Title: "The key file comes from a backup", Text: ledger.RestoreWarning(since),
			Button: "I have looked, accept it", What: "restore", May: may,
		})
	}
	return list
}

// accept notes that a person looked, and draws what is left.
func (d Desk) accept(w http.ResponseWriter, r *http.Request) error {
	visitor, _ := guard.Visitor(r)
	switch what := r.PostFormValue("what"); what {
	case "clock":
		by, err := d.Ledger.AcceptClock(r.Context())
		if err != nil {
			return err
		}
		d.Log.Info("the clock was accepted", "by", visitor.Name, "back", by)
	case "restore":
		if err := d.Ledger.AcceptRestore(r.Context(), visitor.Name); err != nil {
			return err
		}
		d.Log.Info("the restore was accepted", "by", visitor.Name)
	default:
		return &ledger.Error{Code: ledger.Invalid, Field: "what", Msg: "There is nothing of that name to accept. Load the page again."}
	}
	return d.fragment(w, r, http.StatusOK, page.Standing(d.standing(r.Context(), true)))
}
