package calls

import (
	"io"
	"sync"
)

// maxGathered is how many bytes of lines wait to be written before whoever writes one
// more has to wait too.
const maxGathered = 1 << 20

// Lines take the lines of a log and write them from a goroutine of their own, several
// at once where several came: the answer to a call does not wait for the log's disk.
// What was taken when the process is killed may be lost; a stop loses nothing. A line
// that cannot be written, as on a full disk, is dropped: no call fails for its log.
//
// Lines may be used by any number of goroutines at once. Each Write is one line, and
// they are written whole, in the order in which they came.
type Lines struct {
	to   io.Writer
	done chan struct{}

	mu      sync.Mutex
	changed sync.Cond
	waiting []byte
	closed  bool
}

// NewLines returns lines that are written to w. They have to be closed.
func NewLines(w io.Writer) *Lines {
	l := &Lines{to: w, done: make(chan struct{})}
	l.changed.L = &l.mu
	go l.run()
	return l
}

// Write takes a line. After a Close it writes the line itself.
func (l *Lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.waiting) > maxGathered && !l.closed {
		l.changed.Wait()
	}
	if l.closed {
		_, _ = l.to.Write(line)
		return len(line), nil
	}
	l.waiting = append(l.waiting, line...)
	l.changed.Broadcast()
	return len(line), nil
}

// Close writes what is waiting.
func (l *Lines) Close() {
	l.mu.Lock()
	l.closed = true
	l.changed.Broadcast()
	l.mu.Unlock()
	<-l.done
}

// run writes until all is written and l is closed.
func (l *Lines) run() {
	defer close(l.done)
	var writing []byte
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		for len(l.waiting) == 0 {
			if l.closed {
				return
			}
			l.changed.Wait()
		}
		writing, l.waiting = l.waiting, writing[:0]
		l.changed.Broadcast()
		l.mu.Unlock()
		_, _ = l.to.Write(writing)
		l.mu.Lock()
	}
}
