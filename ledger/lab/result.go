package lab

import (
	"slices"
	"time"
)

// A Result is what an experiment counted.
type Result struct {
	Config     Config
	Events     int
	Deliveries int
	Methods    []Outcome // in the order of Config, those one at a time last
	Took       time.Duration
	Partial    bool // it was cancelled: the last outcome is not whole
}

// An Outcome is what one method came to.
type Outcome struct {
	Method  Method
	Serial  bool // one at a time
	Extra   int  // rows beyond the first of each event
	Lost    int  // events without a row that nobody is asked about
	Held    int  // events that wait for a person to decide
	Again   int  // deliveries that were sent again after a fault
	Took    time.Duration
	Partial bool
	lanes   map[int][]*Lane
}

// Of returns the outcome of a method, false where there is none.
func (r *Result) Of(m Method, serial bool) (Outcome, bool) {
	for _, o := range r.Methods {
		if o.Method == m && o.Serial == serial {
			return o, true
		}
	}
	return Outcome{}, false
}

// Lanes returns the runs of an event, counted from 1, in the order in which they began;
// none for an event that there is not.
func (o Outcome) Lanes(event int) []Lane {
	var out []Lane
	for _, l := range o.lanes[event-1] {
		out = append(out, *l)
	}
	slices.SortStableFunc(out, func(a, b Lane) int { return first(a) - first(b) })
	return out
}

func first(l Lane) int {
	if len(l.Steps) == 0 {
		return 1 << 30
	}
	return l.Steps[0].From
}

// Doubled returns the events, counted from 1, that got more than one row; else those that
// came more than once.
func (o Outcome) Doubled() []int {
	var doubled, several []int
	for event, list := range o.lanes {
		rows := 0
		for _, l := range list {
			rows += l.Rows()
		}
		if rows > 1 {
			doubled = append(doubled, event+1)
		} else if len(list) > 1 {
			several = append(several, event+1)
		}
	}
	if len(doubled) == 0 {
		doubled = several
	}
	slices.Sort(doubled)
	return doubled
}
