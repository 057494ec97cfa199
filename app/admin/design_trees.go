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
	mu   sync.Mutex
	kept []readSamples // the latest last
}

// readSamples is what samples hold.
type readSamples struct {
	*rules.Tree
	samples []rules.Sample
	sum     string // tells these samples and their groups from others
}

// of returns what the samples hold.
func (s *treeShelf) of(samples []rules.Sample) readSamples {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.kept, func(r readSamples) bool { return slices.EqualFunc(r.samples, samples, sameSample) })
	var read readSamples
	if at >= 0 {
		read = s.kept[at]
		s.kept = slices.Delete(s.kept, at, at+1)
	} else {
		samples = slices.Clone(samples)
		read = readSamples{Tree: rules.NewTree(samples), samples: samples, sum: samplesSum(samples)}
	}
	if s.kept = append(s.kept, read); len(s.kept) > treesKept {
		s.kept = slices.Delete(s.kept, 0, 1)
	}
	return read
}

func sameSample(a, b rules.Sample) bool {
	return a.Group == b.Group && a.Name == b.Name && a.Body == b.Body && maps.Equal(a.Headers, b.Headers)
}

// samplesSum tells samples with their groups from others.
func samplesSum(samples []rules.Sample) string {
	h := sha256.New()
	for _, s := range samples {
		fmt.Fprintf(h, "%q %d\n", s.Group, len(s.Headers))
		for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
			fmt.Fprintf(h, "%q: %q\n", name, s.Headers[name])
		}
		fmt.Fprintf(h, "%d\n", len(s.Body))
		h.Write([]byte(s.Body))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}
