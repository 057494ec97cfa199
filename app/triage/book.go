package triage

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"dedupedesk/ledger"
)

// Kept is how many jobs are remembered.
const Kept = 20

// A Book holds what was chosen and what was decided on it.
type Book struct {
	ledger *ledger.Ledger
	now    func() time.Time

	mu         sync.Mutex
	selections map[string]Selection
	jobs       []*Job // the oldest first
	closed     bool
}

// NewBook returns an empty book about l, whose time it goes by.
func NewBook(l *ledger.Ledger) *Book {
	return &Book{ledger: l, now: l.Now, selections: map[string]Selection{}}
}

// Start begins to decide on s, and forgets it: it is decided on once. It returns NotFound
// where s was forgotten or decided on before, and Invalid for what cannot be decided.
func (b *Book) Start(id string, act Act) (*Job, error) {
	switch act.Decision {
	case ledger.Finished, ledger.Again, ledger.Block:
	default:
		return nil, &ledger.Error{Code: ledger.Invalid, Field: "decision", Msg: "A decision on several keys is one of finished, again and block."}
	}
	s, ok := b.Selection(id)
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, still := b.selections[id]; !ok || !still || b.closed {
		return nil, &ledger.Error{Code: ledger.NotFound, Field: "selection", Msg: "What you chose was decided on already, or it is too long ago. Choose again."}
	}
	delete(b.selections, id)
	return b.start(s, act), nil
}

// start runs a job. b.mu is held.
func (b *Book) start(s Selection, act Act) *Job {
	ctx, stop := context.WithCancel(context.Background())
	j := &Job{
		p:    Progress{ID: rand.Text(), Act: act, Words: s.Words, Total: len(s.Items), StartedAt: b.now()},
		stop: stop, over: make(chan struct{}),
	}
	b.jobs = append(b.jobs, j)
	if n := len(b.jobs) - Kept; n > 0 && b.jobs[0].Progress().Ended() {
		b.jobs = slices.Delete(b.jobs, 0, n)
	}
	go j.run(ctx, b.ledger, s.Items, b.now)
	return j
}

// Job returns the job of that id, false where it is not remembered.
func (b *Book) Job(id string) (*Job, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.job(id)
}

func (b *Book) job(id string) (*Job, bool) {
	for _, j := range b.jobs {
		if j.p.ID == id {
			return j, true
		}
	}
	return nil, false
}

// Recent returns the jobs that are remembered, the newest first.
func (b *Book) Recent() []Progress {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []Progress
	for _, j := range slices.Backward(b.jobs) {
		list = append(list, j.Progress())
	}
	return list
}

// Undo takes a job back that marked keys as finished: they are blocked until somebody
// decides, which grants nothing. A key that changed since then is left alone. It returns
// NotFound for a job that is not remembered, and Changed for one that cannot be taken back
// or was already.
func (b *Book) Undo(id, by, why string) (*Job, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	j, ok := b.job(id)
	if !ok || b.closed {
		return nil, &ledger.Error{Code: ledger.NotFound, Field: "job", Msg: "These decisions are not remembered any more. Look at the keys one by one."}
	}
	j.mu.Lock()
	p, after := j.p, j.after
	j.mu.Unlock()
	if !p.Undoable() {
		return nil, &ledger.Error{Code: ledger.Changed, Field: "job", Msg: "These decisions cannot be taken back, or were already."}
	}
	back := b.start(Selection{Items: after, Words: p.Words}, Act{Decision: ledger.Block, By: by, Why: why, Undoes: id})
	j.mu.Lock()
	j.p.UndoneBy = back.p.ID
	j.mu.Unlock()
	return back, nil
}

// Close ends the jobs and waits until nothing is being written any more.
func (b *Book) Close() {
	b.mu.Lock()
	b.closed = true
	jobs := slices.Clone(b.jobs)
	b.mu.Unlock()
	for _, j := range jobs {
		j.Cancel()
		<-j.over
	}
}
