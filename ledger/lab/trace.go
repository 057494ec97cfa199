package lab

import "sync"

// A Step is what a run did, in ticks since the beginning.
type Step struct {
	Kind     StepKind
	From, To int
}

// A StepKind tells what a step was.
type StepKind string

// The kinds of steps.
const (
	StepLookedNothing StepKind = "looked: nothing there"
	StepLookedFound   StepKind = "looked: it is there"
	StepWaits         StepKind = "waits"
	StepMarked        StepKind = "marked"
	StepMarkedBefore  StepKind = "was marked already"
	StepWorks         StepKind = "works"
	StepWrote         StepKind = "wrote its row"
	StepRefused       StepKind = "the table refused a second row"
	StepReserved      StepKind = "reserved the key"
	StepStopped       StepKind = "copy stopped"
	StepHeld          StepKind = "stopped: a person has to decide"
	StepFailed        StepKind = "failed, and said so"
	StepEnded         StepKind = "ended half way"
)

// A Lane is one run of an event.
type Lane struct {
	Run   string
	Again bool // it was sent again after a fault
	Steps []Step
}

// Rows is how many rows the run wrote.
func (l Lane) Rows() (n int) {
	for _, s := range l.Steps {
		if s.Kind == StepWrote {
			n++
		}
	}
	return n
}

// lanes are the runs of all events.
type lanes struct {
	mu sync.Mutex
	of map[int][]*Lane
}

func (l *lanes) add(event int, lane *Lane) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.of[event] = append(l.of[event], lane)
}
