package lab

import (
	"context"
	"errors"
)

// A handler is one run: it works on one delivery by a method.
type handler struct {
	t     *ticker
	pause int // ticks
	table *table
	guard Guard
	d     delivery
	began int // of the step under way
	lane  *Lane
}

// An ending tells what the run left behind.
type ending struct {
	again bool // its sender will send the event again
	held  bool // the guard waits for a person
}

// note writes a step of no length down.
func (h *handler) note(kind StepKind) {
	h.lane.Steps = append(h.lane.Steps, Step{kind, h.began, h.began})
}

// takes is a step that takes a pause.
func (h *handler) takes(ctx context.Context, kind StepKind) error {
	from := h.began
	var err error
	h.began, err = h.t.wait(ctx, h.pause)
	h.lane.Steps = append(h.lane.Steps, Step{kind, from, h.began})
	return err
}

// run works on the delivery.
func (h *handler) run(ctx context.Context, m Method) (ending, error) {
	switch m {
	case Look, WaitLook:
		return h.look(ctx, m == WaitLook)
	case Mark:
		return h.mark(ctx)
	case Reserve:
		return h.reserve(ctx)
	}
	return h.work(ctx)
}

func (h *handler) look(ctx context.Context, waits bool) (ending, error) {
	if waits {
		if err := h.takes(ctx, StepWaits); err != nil {
			return ending{}, err
		}
	}
	found, err := h.table.has(ctx, h.d)
	if err != nil {
		return ending{}, err
	}
	if found {
		h.note(StepLookedFound)
		return ending{}, nil
	}
	h.note(StepLookedNothing)
	return h.work(ctx)
}

func (h *handler) mark(ctx context.Context) (ending, error) {
	switch err := h.table.mark(ctx, h.d); {
	case errors.Is(err, errRefused):
		h.note(StepMarkedBefore)
		return ending{}, nil
	case err != nil:
		return ending{}, err
	}
	h.note(StepMarked)
	return h.work(ctx)
}

func (h *handler) reserve(ctx context.Context) (ending, error) {
	g, err := h.guard.Claim(ctx, h.d.key(), h.lane.Run)
	switch {
	case err != nil:
		return ending{}, err
	case g.Held:
		h.note(StepHeld)
		return ending{held: true}, nil
	case !g.Run:
		h.note(StepStopped)
		return ending{}, nil
	}
	h.note(StepReserved)
	end, err := h.work(ctx)
	switch {
	case err != nil:
		return end, err
	case h.d.fate == fails:
		return end, h.guard.Release(ctx, h.d.key(), g)
	case end.again:
		return end, nil // nobody says anything
	}
	return end, h.guard.Done(ctx, h.d.key(), g)
}

// work takes its time and writes the row, or does not come to that.
func (h *handler) work(ctx context.Context) (ending, error) {
	if err := h.takes(ctx, StepWorks); err != nil {
		return ending{}, err
	}
	switch h.d.fate {
	case fails:
		h.note(StepFailed)
		return ending{again: true}, nil
	case endsBefore:
		h.note(StepEnded)
		return ending{again: true}, nil
	}
	switch err := h.table.write(ctx, h.d); {
	case errors.Is(err, errRefused):
		h.note(StepRefused)
		return ending{}, nil
	case err != nil:
		return ending{}, err
	}
	h.note(StepWrote)
	if h.d.fate == endsAfter {
		h.note(StepEnded)
		return ending{again: true}, nil
	}
	return ending{}, nil
}
