package admin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"dedupedesk/app/guard"
	"dedupedesk/app/triage"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

func bulkRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "GET /keys/recent", Access: guard.Look, Handler: d.handle(d.recentDecisions)},
		{Pattern: "GET /keys/bulk/none", Access: guard.Look, Handler: d.handle(d.chooseNone)},
		{Pattern: "GET /keys/bulk/job", Access: guard.Look, Handler: d.handle(d.showJob)},
		{Pattern: "POST /keys/bulk/choose", Access: guard.Decide, Handler: d.handle(d.chooseKeys)},
		{Pattern: "POST /keys/bulk/decide", Access: guard.Decide, Handler: d.handle(d.decideKeys)},
		{Pattern: "POST /keys/bulk/cancel", Access: guard.Decide, Handler: d.handle(d.cancelJob)},
		{Pattern: "POST /keys/bulk/undo", Access: guard.Decide, Handler: d.handle(d.undoJob)},
	}
}

func (d Desk) chooseNone(w http.ResponseWriter, r *http.Request) error {
	return d.fragment(w, r, http.StatusOK, page.BulkNone())
}

// chooseKeys fixes which keys are meant: those that are ticked, or all that the list
// shows as needing a decision.
func (d Desk) chooseKeys(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	var s triage.Selection
	var err error
	switch scope := r.PostForm.Get("scope"); scope {
	case "ticked":
		s, err = d.chooseTicked(r)
	case "all":
		s, err = d.chooseMatching(r)
	default:
		err = &ledger.Error{Code: ledger.Invalid, Field: "scope", Msg: "The form did not say which keys are meant. Load the page again."}
	}
	if err != nil {
		return err
	}
	return d.fragment(w, r, http.StatusOK, page.Bulk(bulkView(s)))
}

func (d Desk) chooseTicked(r *http.Request) (triage.Selection, error) {
	var items []triage.Item
	for _, text := range r.PostForm["row"] {
		var item triage.Item
		if err := json.Unmarshal([]byte(text), &item); err != nil || item.Key == "" || item.State == "" {
			return triage.Selection{}, &ledger.Error{Code: ledger.Invalid, Field: "row", Msg: "A ticked row does not say which key it is. Load the page again."}
		}
		items = append(items, item)
	}
	return d.Triage.Choose(items, "")
}

// chooseMatching chooses what the address of the list shows, on all of its pages.
func (d Desk) chooseMatching(r *http.Request) (triage.Selection, error) {
	f, err := parseKeysFilter(r.PostForm)
	if err != nil {
		return triage.Selection{}, err
	}
	if f.View != ledger.ViewStuck {
		return triage.Selection{}, noSuchFilter("view", "Only keys that need a decision are decided on all at once. Choose that tab first.")
	}
	words := f.words()
	if words == "" {
		words = "every key that needs a decision"
	}
	if f.Query != "" && f.Match == matchInside {
		return triage.Selection{}, noSuchFilter("match", "A search for what a key holds looks at some keys at a time, so it cannot mean all. Tick the rows, or search by the start of the key.")
	}
	if f.Query != "" && f.Match == matchExact {
		found, err := d.findKeys(r, f)
		if err != nil {
			return triage.Selection{}, err
		}
		var items []triage.Item
		for _, k := range found.Keys {
			items = append(items, triage.ItemOf(k))
		}
		return d.Triage.Choose(items, words)
	}
	return d.Triage.ChooseAll(r.Context(), ledger.KeyQuery{Rule: f.Rule, View: f.View, Prefix: f.Query, Since: f.from(d.Clock.Now())}, words)
}

// namedKeys is how many keys a question names.
const namedKeys = 3

func bulkView(s triage.Selection) page.BulkView {
	v := page.BulkView{Selection: s.ID, Count: len(s.Items), Filter: s.Words}
	for _, item := range s.Items[:min(namedKeys, len(s.Items))] {
		v.Names = append(v.Names, item.Key)
	}
	return v
}

// waitForJob is how long an answer waits for a job to be over.
const waitForJob = 2 * time.Second

// decideKeys begins to carry the decision out. A short job is over when it answers.
func (d Desk) decideKeys(w http.ResponseWriter, r *http.Request) error {
	id, why := r.PostFormValue("selection"), strings.TrimSpace(r.PostFormValue("why"))
	if fault := whyFault(why); fault != "" {
		s, ok := d.Triage.Selection(id)
		if !ok {
			return &ledger.Error{Code: ledger.NotFound, Field: "selection", Msg: "What you chose is too long ago. Choose again."}
		}
		v := bulkView(s)
		v.Reason, v.Fault = why, fault
		return d.fragment(w, r, http.StatusUnprocessableEntity, page.Bulk(v))
	}
	visitor, _ := guard.Visitor(r)
	job, err := d.Triage.Start(id, triage.Act{Decision: ledger.Decision(r.PostFormValue("decision")), By: visitor.Name, Why: why})
	if err != nil {
		return err
	}
	d.Log.Info("deciding on several keys", "decision", r.PostFormValue("decision"), "keys", job.Progress().Total, "by", visitor.Name)
	return d.answerJob(w, r, job)
}

// whyFault is what is wrong with a reason, "" for a good one.
func whyFault(why string) string {
	switch {
	case why == "":
		return "Say in a few words why. It is kept with the decision."
	case utf8.RuneCountInString(why) > maxWhy:
		return "Say it shorter, in 300 characters at most."
	}
	return ""
}

// answerJob waits a moment, and tells how far the job is. Where it is over, the list and
// its counts follow.
func (d Desk) answerJob(w http.ResponseWriter, r *http.Request, job *triage.Job) error {
	job.Wait(waitForJob)
	p := job.Progress()
	if p.Ended() {
		w.Header().Set("HX-Trigger", "decided")
	}
	return d.fragment(w, r, http.StatusOK, page.BulkJob(d.jobView(r, p)))
}

func (d Desk) job(id string) (*triage.Job, error) {
	job, ok := d.Triage.Job(id)
	if !ok {
		return nil, &ledger.Error{Code: ledger.NotFound, Field: "id", Msg: "These decisions are not remembered any more. Look at the keys one by one."}
	}
	return job, nil
}

func (d Desk) showJob(w http.ResponseWriter, r *http.Request) error {
	job, err := d.job(r.URL.Query().Get("id"))
	if err != nil {
		return err
	}
	if p := job.Progress(); !p.Ended() {
		return d.fragment(w, r, http.StatusOK, page.BulkJob(d.jobView(r, p)))
	}
	return d.answerJob(w, r, job)
}

func (d Desk) cancelJob(w http.ResponseWriter, r *http.Request) error {
	job, err := d.job(r.PostFormValue("id"))
	if err != nil {
		return err
	}
	job.Cancel()
	return d.answerJob(w, r, job)
}

func (d Desk) undoJob(w http.ResponseWriter, r *http.Request) error {
	visitor, _ := guard.Visitor(r)
	job, err := d.Triage.Undo(r.PostFormValue("id"), visitor.Name, "Taken back: they were marked as finished too early.")
	if err != nil {
		return err
	}
	d.Log.Info("decisions on several keys taken back", "keys", job.Progress().Total, "by", visitor.Name)
	return d.answerJob(w, r, job)
}

func (d Desk) recentDecisions(w http.ResponseWriter, r *http.Request) error {
	var list []page.BulkJobView
	for _, p := range d.Triage.Recent() {
		list = append(list, d.jobView(r, p))
	}
	return d.show(w, r, http.StatusOK, place{Title: "Recent decisions", Active: "keys"}, page.RecentDecisions(list))
}

// leftShown is how many keys that were left alone are named.
const leftShown = 20

func (d Desk) jobView(r *http.Request, p triage.Progress) page.BulkJobView {
	now := d.Clock.Now()
	v := page.BulkJobView{
		ID: p.ID, Total: p.Total, Reached: p.Done + p.LeftAlone, Running: !p.Ended(), Text: jobWords(p),
		Who: "By " + isolate(p.Act.By) + ": “" + isolate(p.Act.Why) + "”", At: page.At(p.StartedAt, now),
		Undo: p.Undoable(), May: mayDecide(r),
	}
	if p.Cancelled && p.Ended() {
		v.Cancelled = fmt.Sprintf("It was cancelled. %s were not reached and stay as they were.", page.Counted(p.Total-v.Reached, "key"))
	}
	if p.UndoneBy != "" {
		v.Who += " Taken back later."
	}
	if p.LeftAlone == 0 {
		return v
	}
	v.Left = page.Counted(p.LeftAlone, "key") + " changed meanwhile and were left alone."
	if p.LeftAlone > leftShown {
		v.Left += fmt.Sprintf(" The first %d:", leftShown)
	}
	for _, l := range p.Left[:min(leftShown, len(p.Left))] {
		v.Rows = append(v.Rows, page.BulkLeftView{Href: keyHref(l.Rule, l.Key), Key: l.Key, Why: d.leftWhy(r, l)})
	}
	return v
}

// jobWords says what a job did, or is doing.
func jobWords(p triage.Progress) string {
	did := map[ledger.Decision]string{
		ledger.Finished: " marked as finished", ledger.Again: " may run again", ledger.Block: " blocked until somebody decides",
	}[p.Act.Decision]
	if p.Act.Undoes != "" {
		did = " put back: blocked until somebody decides"
	}
	if !p.Ended() {
		return "Deciding on " + page.Counted(p.Total, "key") + "…"
	}
	return page.Counted(p.Done, "key") + did + "."
}

// leftWhy says why a key was left alone: what came between, or what went wrong.
func (d Desk) leftWhy(r *http.Request, l triage.Left) string {
	switch l.Code {
	case ledger.NotFound:
		return "It was forgotten meanwhile."
	case ledger.Changed:
		if life, err := d.Ledger.Key(r.Context(), l.Rule, l.Key); err == nil {
			return cameBetween(life, d.Clock.Now())
		}
	}
	return l.Msg
}
