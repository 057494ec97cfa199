package postgres

import (
	"math/rand/v2"
	"sync"
	"time"
)

// An idMaker makes the ids of rows: milliseconds since 1970 and 22 bits of chance. Those
// of one store ascend. Two stores make the same one so seldom that the insert, which
// fails then and is tried again, may find out. It is safe for concurrent use.
type idMaker struct {
	mu   sync.Mutex
	last int64
}

func (m *idMaker) next(now time.Time) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = max(m.last+1, now.UnixMilli()<<22|rand.Int64N(1<<22))
	return m.last
}
