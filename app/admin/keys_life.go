package admin

import (
	"slices"
	"strconv"
	"time"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// maxMoments bounds the lines of a history that are drawn: the newest.
const maxMoments = 200

// A moment is a line of a key's history before it is drawn.
type moment struct {
	at time.Time
	page.MomentView
}

// A story is a key's history told to a person.
type story struct {
	moments []moment // oldest first
	twice   string   // who ran it twice, or ""
	owners  map[int64]string
	holder  ledger.Event // the newest grant; zero before the first
	decided bool         // a person has decided since that grant
}

// tellLife joins events, copies and what the clock says to one history.
func tellLife(l ledger.Life) story {
	s := story{owners: map[int64]string{l.Key.Fence: l.Key.Owner}}
	for _, e := range l.Events {
		s.event(l.Key, e)
	}
	for _, a := range l.Arrivals {
		s.arrival(a)
	}
	if k := l.Key; k.State == ledger.Claimed && k.Expired {
		s.add(k.LeaseUntil, "warn", "hourglass", "The time allowed is over, nothing came back", "")
	}
	slices.SortStableFunc(s.moments, func(a, b moment) int { return a.at.Compare(b.at) })
	return s
}

func (s *story) add(at time.Time, tone, icon, text, note string) {
	s.moments = append(s.moments, moment{at, page.MomentView{
		At: page.ClockAt(at), Tone: tone, Icon: icon, Text: sentence(text), Note: note,
	}})
}

func (s *story) event(k ledger.Key, e ledger.Event) {
	run := runName(e.Owner)
	switch e.Kind {
	case ledger.EventGranted, ledger.EventTookOver:
		s.holder, s.decided, s.owners[e.Fence] = e, false, e.Owner
		if e.Kind == ledger.EventTookOver {
			s.add(e.At, "busy", "repeat", "taken over by "+run+": the time of the run before was over", "")
			return
		}
		s.add(e.At, "busy", "circle-dot", "reserved by "+run, "")
	case ledger.EventFinished:
		text := "finished by " + run
		if e.Fence == k.Fence && e.At.After(k.LeaseUntil) {
			text += ", after the time allowed"
		}
		s.add(e.At, "ok", "circle-check", text, "")
	case ledger.EventReleased:
		s.add(e.At, "warn", "undo-2", "given back by "+run, e.Text)
	case ledger.EventHeld:
		s.add(e.At, "warn", "hand", "set aside for a decision", sentence(e.Text))
	case ledger.EventStaleDone:
		s.staleDone(e)
	case ledger.EventImported:
		s.add(e.At, "", "circle-dashed", isolate(e.By)+" imported it", sentence(e.Text))
	case ledger.EventNoted:
		s.add(e.At, "", "pencil", isolate(e.By)+" noted", e.Text)
	case ledger.EventStaleRelease:
		s.add(e.At, "", "ban", sentence(s.stale(e))+" tried to give it back, but it did not hold it any more", "")
	default:
		s.decision(e)
	}
}

// stale names the run behind a refused report: by its own id, or by the grant that
// its token spoke of.
func (s *story) stale(e ledger.Event) string {
	if e.Owner == "" {
		return runName(s.owners[e.Fence])
	}
	return runName(e.Owner)
}

// staleDone tells of work that was reported by a run which did not hold the key any
// more. It ran twice if another run held it; not if a person had voided the grant.
func (s *story) staleDone(e ledger.Event) {
	late := s.stale(e)
	if s.decided || s.holder.Kind == "" {
		s.add(e.At, "warn", "triangle-alert", late+" reported it finished after a person had decided", "")
		return
	}
	other := runName(s.holder.Owner)
	s.add(e.At, "bad", "triangle-alert", "probably ran twice: by "+late+" and by "+other, "")
	s.twice = "By " + late + " and by " + other + ": " + late + " reported it finished when " + other +
		" had the key already. Look for two of them in the destination."
}

func (s *story) decision(e ledger.Event) {
	by := isolate(e.By)
	switch e.Kind {
	case ledger.EventDecidedFinished:
		s.add(e.At, "ok", "hand", by+" marked it as finished", e.Text)
	case ledger.EventDecidedAgain:
		s.add(e.At, "warn", "repeat", by+" let it run again", e.Text)
	case ledger.EventDecidedBlock:
		s.add(e.At, "warn", "hand", by+" blocked it", e.Text)
	case ledger.EventForgotten:
		s.add(e.At, "", "trash-2", by+" had it forgotten", e.Text)
	default:
		s.add(e.At, "", "circle-dashed", e.Kind, e.Text)
	}
	s.decided = true
}

func (s *story) arrival(a ledger.Arrival) {
	from := ""
	if a.Owner != "" {
		from = " (" + runName(a.Owner) + ")"
	}
	switch a.Status {
	case ledger.StatusMismatch:
		s.add(a.At, "warn", "fingerprint", "same key, different contents: stopped"+from, "")
	case ledger.StatusDone:
		s.add(a.At, "", "octagon-x", "copy stopped, it was finished already"+from, "")
	case ledger.StatusHeld:
		s.add(a.At, "", "octagon-x", "copy stopped, it needs a decision"+from, "")
	default:
		s.add(a.At, "", "octagon-x", "copy stopped"+from, "")
	}
}

// views are the newest lines, oldest first.
func (s *story) views() []page.MomentView {
	from := max(0, len(s.moments)-maxMoments)
	views := make([]page.MomentView, 0, len(s.moments)-from)
	for _, m := range s.moments[from:] {
		views = append(views, m.MomentView)
	}
	return views
}

// spanOf pictures the time of the run that stands; nil where no run has time.
func spanOf(k ledger.Key, now time.Time) *page.SpanView {
	allowed := k.LeaseUntil.Sub(k.ClaimedAt)
	if k.ClaimedAt.IsZero() || allowed <= 0 {
		return nil
	}
	waits := "waiting for " + howLong(now.Sub(k.LeaseUntil))
	switch {
	case k.State == ledger.Claimed && !k.Expired:
		used, left := now.Sub(k.ClaimedAt), k.LeaseUntil.Sub(now)
		return spanPieces(used, howLong(used)+" used", left, "left", howLong(left)+" left")
	case k.State == ledger.Claimed, k.State == ledger.Held && k.LeaseUntil.Before(now):
		return spanPieces(allowed, howLong(allowed)+" allowed", now.Sub(k.LeaseUntil), "wait", waits)
	case k.State == ledger.Done && k.DoneAt.After(k.LeaseUntil):
		late := k.DoneAt.Sub(k.LeaseUntil)
		return spanPieces(allowed, howLong(allowed)+" allowed", late, "wait", "finished "+howLong(late)+" later")
	case k.State == ledger.Done:
		used, left := k.DoneAt.Sub(k.ClaimedAt), k.LeaseUntil.Sub(k.DoneAt)
		return spanPieces(used, howLong(used)+" used", left, "left", howLong(left)+" not needed")
	}
	return nil
}

// spanPieces draws two stretches of time side by side. A short one stays visible.
func spanPieces(first time.Duration, words string, second time.Duration, kind, kindWords string) *page.SpanView {
	first, second = max(first, 0), max(second, 0)
	share := 100.0
	if whole := first + second; whole > 0 {
		share = min(max(100*float64(first)/float64(whole), 2), 98)
	}
	percent := func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) + "%" }
	parts := []page.SpanPartView{
		{Kind: "used", From: "0%", Width: percent(share), Words: words},
		{Kind: kind, From: percent(share), Width: percent(100 - share), Words: kindWords},
	}
	return &page.SpanView{Label: words + ", " + kindWords, Parts: parts}
}
