package admin

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"

	"dedupedesk/rules"
)

// treesKept is how many drafts' samples are kept read. Each takes some megabytes at
// most, as drafts are bounded.
const treesKept = 4

// A treeShelf keeps the samples of the last few drafts as they were read: a large
// one is read once and not at each letter that is typed. Any number of goroutines
// may use it.
type treeShelf struct {
	mu    sync.Mutex
	kept  map[[sha256.Size]byte]*rules.Tree
	order [][sha256.Size]byte // the latest last
}

// of returns what the samples hold.
func (s *treeShelf) of(samples []rules.Sample) *rules.Tree {
	sum := samplesSum(samples)
	s.mu.Lock()
	defer s.mu.Unlock()
	tree, ok := s.kept[sum]
	if !ok {
		tree = rules.NewTree(slices.Clone(samples))
	}
	s.order = append(slices.DeleteFunc(s.order, func(o [sha256.Size]byte) bool { return o == sum }), sum)
	if s.kept == nil {
		s.kept = map[[sha256.Size]byte]*rules.Tree{}
	}
	s.kept[sum] = tree
	if len(s.order) > treesKept {
		delete(s.kept, s.order[0])
		s.order = s.order[1:]
	}
	return tree
}

// samplesSum tells samples with their groups from others.
func samplesSum(samples []rules.Sample) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, s := range samples {
		fmt.Fprintf(h, "%q %d\n", s.Group, len(s.Headers))
		for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
			fmt.Fprintf(h, "%q: %q\n", name, s.Headers[name])
		}
		fmt.Fprintf(h, "%d\n", len(s.Body))
		h.Write([]byte(s.Body))
	}
	h.Sum(sum[:0])
	return sum
}
