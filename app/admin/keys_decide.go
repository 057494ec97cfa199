package admin

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// maxWhy bounds a reason, in code points.
const maxWhy = 300

// decideKey carries out one of the three answers.
func (d Desk) decideKey(w http.ResponseWriter, r *http.Request) error {
	decision := ledger.Decision(r.PostFormValue("decision"))
	switch decision {
	case ledger.Finished, ledger.Again, ledger.Block:
	default:
		return &ledger.Error{Code: ledger.Invalid, Field: "decision", Msg: "A decision is one of finished, again and block."}
	}
	return d.decideAs(w, r, decision)
}

// forgetKey removes a key. It asks for the role that may change things, since the
// next copy counts as new.
func (d Desk) forgetKey(w http.ResponseWriter, r *http.Request) error {
	return d.decideAs(w, r, ledger.Forget)
}

// letGo forgets what is kept of a key that is forgotten.
func (d Desk) letGo(r *http.Request, req ledger.DecideRequest) {
	if rule, err := d.Ledger.Rule(r.Context(), req.Rule); err == nil {
		d.Kept.Forget(rule.ID, req.Key)
	}
}

// decideAs carries a decision out, signed with the visitor's name. What changed since
// the page was drawn is left alone and shown as it is now.
func (d Desk) decideAs(w http.ResponseWriter, r *http.Request, decision ledger.Decision) error {
	req, fault, err := decisionOf(r, decision)
	if err != nil {
		return err
	}
	if fault != "" {
		return d.answerFault(w, r, req, fault)
	}
	k, err := d.Ledger.Decide(r.Context(), req)
	switch ledger.CodeOf(err) {
	case "":
		if decision == ledger.Forget {
			d.letGo(r, req)
		}
	case ledger.Changed:
		return d.changedMeanwhile(w, r, req)
	case ledger.NotFound:
		gone := noSuchKey(req.Rule, req.Key)
		gone.Title = "It was forgotten meanwhile"
		return d.fragment(w, r, http.StatusUnprocessableEntity, page.KeyGone(gone))
	default:
		return err
	}
	w.Header().Set("HX-Trigger", "decided") // the counts of the page follow at once
	d.Log.Info("decided on a key", "decision", decision, "rule", k.Rule, "by", req.By)
	if decision == ledger.Forget {
		return d.fragment(w, r, http.StatusOK, page.KeyGone(page.KeyGoneView{
			Title: "Forgotten", Text: "The key “" + isolate(k.Key) + "” was removed. A copy that comes later counts as a new event and runs.",
		}))
	}
	life, err := d.Ledger.Key(r.Context(), k.Rule, k.Key)
	if err != nil {
		return err
	}
	v := d.keyView(r, life)
	v.Said = &page.NoticeView{Tone: "ok", Text: decidedWords(decision, r.PostFormValue("undo") != "")}
	if undoable(life) {
		v.Undo = page.DecisionToast(page.UndoView{
			Form: drawnAs(k), Text: "Marked as finished.", Why: "Taken back: it was marked as finished too early.",
		})
	}
	return d.fragment(w, r, http.StatusOK, page.KeyPage(v))
}

// undoable tells whether blocking a key takes the last decision back exactly: a
// person had blocked it, and then it was marked as finished. From any other state
// the way back is not there, since a decision ends what the run before it may say.
func undoable(l ledger.Life) bool {
	acts := slices.DeleteFunc(slices.Clone(l.Events), func(e ledger.Event) bool { return e.Kind == ledger.EventNoted })
	n := len(acts)
	return n > 1 && acts[n-1].Kind == ledger.EventDecidedFinished && acts[n-2].Kind == ledger.EventDecidedBlock
}

// decidedWords says what a decision did.
func decidedWords(d ledger.Decision, undo bool) string {
	switch {
	case undo:
		return "Taken back. It is blocked as before, until somebody decides."
	case d == ledger.Finished:
		return "Marked as finished. Copies stay stopped."
	case d == ledger.Again:
		return "The next copy may run."
	}
	return "Blocked. Copies are stopped until somebody decides."
}

// decisionOf reads the form. fault is what is wrong with the reason. A form that
// does not say how the key stood is refused: it would overwrite whatever came since.
func decisionOf(r *http.Request, decision ledger.Decision) (req ledger.DecideRequest, fault string, err error) {
	visitor, _ := guard.Visitor(r)
	drawn, numberErr := strconv.ParseInt(r.PostFormValue("fence"), 10, 64)
	req = ledger.DecideRequest{
		Rule: r.PostFormValue("rule"), Key: r.PostFormValue("key"), Decision: decision,
		By: visitor.Name, Why: strings.TrimSpace(r.PostFormValue("why")),
		Fence: drawn, State: ledger.State(r.PostFormValue("state")),
	}
	if numberErr != nil || req.State == "" {
		return req, "", &ledger.Error{Code: ledger.Invalid, Field: "fence", Msg: "The form does not say how the key stood. Load the page again."}
	}
	return req, whyFault(req.Why), nil
}

// answerFault draws the key again with the fault at the reason that was sent.
func (d Desk) answerFault(w http.ResponseWriter, r *http.Request, req ledger.DecideRequest, fault string) error {
	life, err := d.Ledger.Key(r.Context(), req.Rule, req.Key)
	if err != nil {
		return err
	}
	v := d.keyView(r, life)
	if req.Decision == ledger.Forget && v.Forget != nil {
		v.Forget.Reason, v.Forget.Fault = req.Why, fault
	}
	for i := range v.Question.Answers {
		if a := &v.Question.Answers[i]; a.Decision == string(req.Decision) {
			a.Reason, a.Fault = req.Why, fault
		}
	}
	return d.fragment(w, r, http.StatusUnprocessableEntity, page.KeyPage(v))
}

// changedMeanwhile draws the key as it stands now and says what came between.
func (d Desk) changedMeanwhile(w http.ResponseWriter, r *http.Request, req ledger.DecideRequest) error {
	life, err := d.Ledger.Key(r.Context(), req.Rule, req.Key)
	if err != nil {
		return err
	}
	v := d.keyView(r, life)
	v.Said = &page.NoticeView{
		Tone: "warn", Title: "It changed while you looked",
		Text: cameBetween(life, d.Clock.Now()) + " Nothing was changed.",
	}
	return d.fragment(w, r, http.StatusUnprocessableEntity, page.KeyPage(v))
}

// cameBetween tells the newest change of a key in one sentence.
func cameBetween(l ledger.Life, now time.Time) string {
	events := l.Events // oldest first
	for i := len(events) - 1; i >= 0; i-- {
		e := events[i]
		run, ago := sentence(runName(e.Owner)), " "+page.At(e.At, now).Text+"."
		switch e.Kind {
		case ledger.EventGranted, ledger.EventTookOver:
			return run + " reserved it" + ago
		case ledger.EventFinished:
			return run + " finished it" + ago
		case ledger.EventReleased:
			return run + " gave it back" + ago
		case ledger.EventHeld:
			return "It was set aside for a decision" + ago
		case ledger.EventDecidedFinished:
			return isolate(e.By) + " marked it as finished" + ago
		case ledger.EventDecidedAgain:
			return isolate(e.By) + " let it run again" + ago
		case ledger.EventDecidedBlock:
			return isolate(e.By) + " blocked it" + ago
		}
	}
	return "Somebody changed it."
}
