package calls

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestLinesAreWholeInOrderAndAllThere, whoever writes them.
func TestLinesAreWholeInOrderAndAllThere(t *testing.T) {
	var to bytes.Buffer
	l := NewLines(&to)
	var writing sync.WaitGroup
	for who := range 8 {
		writing.Go(func() {
			for n := range 2000 {
				if _, err := fmt.Fprintf(l, "%d %d %s\n", who, n, strings.Repeat("x", 100)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	l.Close()
	next := map[int]int{}
	for line := range strings.Lines(to.String()) {
		var who, n int
		var rest string
		if _, err := fmt.Sscan(line, &who, &n, &rest); err != nil || len(rest) != 100 || n != next[who] {
			t.Fatalf("after line %d of %d comes %q", next[who], who, line)
		}
		next[who]++
	}
	for who := range 8 {
		if next[who] != 2000 {
			t.Errorf("%d lines of %d are there, want 2000", next[who], who)
		}
	}
}

// TestAFullDiskOfTheLogStopsNoCall, nor the stop.
func TestAFullDiskOfTheLogStopsNoCall(t *testing.T) {
	l := NewLines(failing{errors.New("disk full")})
	for range 100 {
		if _, err := l.Write(bytes.Repeat([]byte("x"), 100_000)); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	if _, err := l.Write([]byte("after\n")); err != nil {
		t.Errorf("a line after the end: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
