package admin

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger/lab"
)

var labWords = map[lab.Method]string{
	lab.NoCheck: "No check", lab.Look: "Look first", lab.WaitLook: "Wait, then look", lab.Mark: "Mark first", lab.Unique: "Unique column", lab.Reserve: "Reserve first",
}

func labWord(m lab.Method) string { return labWords[m] }

// labResult turns a result into what a person reads.
func labResult(r, before *lab.Result) page.LabResultView {
	c := r.Config
	v := page.LabResultView{
		Finding: labFinding(r), Lost: labLost(r), Partial: r.Partial, Before: before != nil, Money: c.Cost > 0,
		About: fmt.Sprintf("%s, %s. %s, %d ms of work, %.1f s in all.", page.Counted(r.Events, "event"), page.Count(int64(r.Deliveries))+" deliveries", c.Mode(false), c.Pause.Milliseconds(), r.Took.Seconds()),
	}
	most := 1
	for _, o := range r.Methods {
		most = max(most, o.Extra)
	}
	for _, o := range r.Methods {
		row := page.LabRowView{
			Method: labWord(o.Method), Mode: c.Mode(o.Serial), Extra: o.Extra, Share: strconv.Itoa(o.Extra * 100 / most),
			Lost: page.Count(int64(o.Lost)), Held: page.Count(int64(o.Held)), Cost: page.Count(int64(o.Extra*c.Cost)) + " " + c.Currency, Before: "–",
		}
		if o.Partial {
			row.Mode += ", not whole"
		}
		if before != nil {
			if was, ok := before.Of(o.Method, o.Serial); ok {
				row.Before = page.Count(int64(was.Extra))
			}
		}
		v.Rows = append(v.Rows, row)
	}
	o := labShown(r)
	event := 1
	if doubled := o.Doubled(); len(doubled) > 0 {
		event = doubled[0]
	}
	v.Event, v.Methods = labEventView(r, o, event), labMethods(r, o)
	return v
}

// labShown is the outcome whose event is pictured first: where a look did not help.
func labShown(r *lab.Result) lab.Outcome {
	if o, ok := r.Of(lab.Look, false); ok {
		return o
	}
	return r.Methods[0]
}

func labMethods(r *lab.Result, chosen lab.Outcome) []page.OptionView {
	var list []page.OptionView
	for _, o := range r.Methods {
		list = append(list, page.OptionView{Value: labID(o), Text: labWord(o.Method) + ", " + r.Config.Mode(o.Serial), Chosen: labID(o) == labID(chosen)})
	}
	return list
}

// labFinding says what came out: "Look first wrote 178 rows too many, as many as no check.
// Reserve first wrote none."
func labFinding(r *lab.Result) string {
	none, hasNone := r.Of(lab.NoCheck, false)
	look, hasLook := r.Of(lab.Look, false)
	reserve, hasReserve := r.Of(lab.Reserve, false)
	var said []string
	if hasNone {
		said = append(said, "No check wrote "+labRows(none.Extra)+" too many.")
	}
	switch {
	case hasLook && hasNone && look.Extra == none.Extra && look.Extra > 0:
		said = append(said, "Looking first wrote as many: it did not help.")
	case hasLook:
		said = append(said, "Looking first wrote "+labRows(look.Extra)+".")
	}
	if hasReserve {
		said = append(said, "Reserving first wrote "+labRows(reserve.Extra)+".")
	}
	return strings.Join(said, " ")
}

func labRows(n int) string {
	if n == 0 {
		return "none"
	}
	return page.Counted(n, "row")
}

// labLost says which ways lost events: one with no row too many must not look best.
func labLost(r *lab.Result) string {
	var lost []string
	held := 0
	for _, o := range r.Methods {
		if o.Lost > 0 {
			lost = append(lost, fmt.Sprintf("%s lost %s", labWord(o.Method), page.Counted(o.Lost, "event")))
		}
		held = max(held, o.Held)
	}
	text := "No event was lost."
	if lost != nil {
		text = strings.Join(lost, ", ") + ": nobody will ever know of them."
	}
	if held > 0 {
		text += fmt.Sprintf(" %s reserved and ended half way: a person decides, as under Keys, Needs a decision.", page.Counted(held, "run"))
	}
	return text
}

// labEventView pictures the runs of one event.
func labEventView(r *lab.Result, o lab.Outcome, event int) page.LabEventView {
	v := page.LabEventView{Event: event}
	doubled := o.Doubled()
	for _, n := range doubled {
		if n < event {
			v.Previous = n
		}
		if n > event && v.Next == 0 {
			v.Next = n
		}
	}
	lanes := o.Lanes(event)
	if len(lanes) == 0 {
		v.Finding = fmt.Sprintf("There is no event %d. There are %s.", event, page.Counted(r.Events, "event"))
		return v
	}
	from, to := labSpan(lanes)
	rows := 0
	for _, l := range lanes {
		rows += l.Rows()
		v.Lanes = append(v.Lanes, labLane(l, from, to, o, r))
	}
	v.Finding = labStory(o, event, lanes, rows)
	return v
}

func labSpan(lanes []lab.Lane) (from, to int) {
	from = 1 << 30
	for _, l := range lanes {
		for _, s := range l.Steps {
			from, to = min(from, s.From), max(to, s.To)
		}
	}
	return from, to + 2
}

// labKinds are the colours of the steps.
var labKinds = map[lab.StepKind]string{
	lab.StepLookedNothing: "look", lab.StepLookedFound: "stop", lab.StepWaits: "work", lab.StepMarked: "look", lab.StepMarkedBefore: "stop", lab.StepWorks: "work",
	lab.StepWrote: "write", lab.StepRefused: "stop", lab.StepReserved: "look", lab.StepStopped: "stop", lab.StepHeld: "stop", lab.StepFailed: "stop", lab.StepEnded: "stop",
}

func labLane(l lab.Lane, from, to int, o lab.Outcome, r *lab.Result) page.LabLaneView {
	v := page.LabLaneView{Name: l.Run}
	ticks := max(1, r.Config.Workers) // of a pause
	if o.Serial {
		ticks = 1
	}
	span := float64(to - from)
	var words []string
	for _, s := range l.Steps {
		words = append(words, fmt.Sprintf("%s (%d ms)", s.Kind, int64(s.From-from)*r.Config.Pause.Milliseconds()/int64(ticks)))
		width := max(float64(s.To-s.From), 0.8)
		v.Bars = append(v.Bars, page.LabBarView{Kind: labKinds[s.Kind], From: percent(float64(s.From-from) / span), Width: percent(width / span)})
	}
	// What takes no time is drawn over what takes some.
	slices.SortStableFunc(v.Bars, func(a, b page.LabBarView) int {
		order := func(k string) int {
			if k == "work" {
				return 0
			}
			return 1
		}
		return order(a.Kind) - order(b.Kind)
	})
	v.Words = strings.Join(words, ", ")
	return v
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 2, 64) + "%" }

// labStory says what the picture shows.
func labStory(o lab.Outcome, event int, lanes []lab.Lane, rows int) string {
	text := fmt.Sprintf("Event %d came %s and has %s.", event, times(len(lanes)), page.Counted(rows, "row"))
	nothing := 0
	for _, l := range lanes {
		for _, s := range l.Steps {
			if s.Kind == lab.StepLookedNothing {
				nothing++
			}
		}
	}
	switch {
	case nothing > 1 && rows > 1:
		text += " Each looked before the other wrote."
	case len(lanes) == 1:
		text += " It came once, so nothing could go wrong."
	case rows == 0:
		text += " Its work was never done."
	case rows == 1:
		text += " The copies were stopped."
	}
	return text
}

func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// labPicture answers with the bars as a picture of its own.
func (d Desk) labPicture(w http.ResponseWriter, r *http.Request) error {
	s := d.Lab.State()
	if s.Result == nil {
		return problem.New(http.StatusNotFound, "not_found", "There is no result any more. Run it again.")
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Content-Disposition", `attachment; filename="lab.svg"`)
	w.Header().Set("Cache-Control", "no-store")
	return page.LabPicture(labResult(s.Result, nil)).Render(r.Context(), w)
}
