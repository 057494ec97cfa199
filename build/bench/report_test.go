package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestMedianAndPercentile(t *testing.T) {
	for _, tt := range []struct {
		s            series
		median, most float64
	}{
		{series{3}, 3, 3},
		{series{9, 1, 5}, 5, 9},
		{series{4, 1, 3, 2}, 2.5, 4},
	} {
		if got := tt.s.median(); got != tt.median {
			t.Errorf("median of %v is %v, want %v", tt.s, got, tt.median)
		}
		if got := tt.s.percentile(99); got != tt.most {
			t.Errorf("99 of 100 of %v are within %v, want %v", tt.s, got, tt.most)
		}
	}
	hundred := make(series, 200)
	for i := range hundred {
		hundred[i] = float64(200 - i)
	}
	if got := hundred.percentile(99); got != 199 {
		t.Errorf("99 of 100 of 1 to 200 are within %v, want 199", got)
	}
}

// TestRatiosAreOfOneRound: the machine was twice as slow in the second round, which
// both sides met, so their ratio does not move.
func TestRatiosAreOfOneRound(t *testing.T) {
	f := series{3, 6, 3}.over(series{1, 2, 1}).figure("ratio", "x")
	if f.Value != 3 || f.Least != 3 || f.Most != 3 {
		t.Errorf("the ratio is %+v, want 3 in each round", f)
	}
}

// TestSidesTakeTurns wants one round that does not count, and every second one
// backwards.
func TestSidesTakeTurns(t *testing.T) {
	var order strings.Builder
	named := func(name string, took time.Duration) side {
		return func(context.Context) (time.Duration, error) {
			order.WriteString(name)
			return took, nil
		}
	}
	s, err := inTurn(t.Context(), 2, named("a", time.Millisecond), named("b", 2*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	if got := order.String(); got != "baabba" {
		t.Errorf("the order is %s, want baabba", got)
	}
	if fmt.Sprint(s) != "[[1 1] [2 2]]" {
		t.Errorf("the times are %v", s)
	}
	fault := errors.New("no")
	if _, err := inTurn(t.Context(), 1, func(context.Context) (time.Duration, error) { return 0, fault }); !errors.Is(err, fault) {
		t.Errorf("a side that fails ends the rounds with %v", err)
	}
}

func TestBurstCountsWhatWasDone(t *testing.T) {
	var calls atomic.Int64
	count := func(context.Context) error { calls.Add(1); return nil }
	if _, err := (burst{callers: 4, lasts: time.Minute, most: 10}).run(t.Context(), count); err != nil || calls.Load() != 10 {
		t.Errorf("%d calls, %v; want 10", calls.Load(), err)
	}
	fault := errors.New("no")
	if _, err := (burst{callers: 4, lasts: time.Minute}).run(t.Context(), func(context.Context) error { return fault }); !errors.Is(err, fault) {
		t.Errorf("a caller that fails gives %v", err)
	}
}

// TestProcessorTimeIsOfOneOperation: a side that sleeps spends less than it takes.
func TestProcessorTimeIsOfOneOperation(t *testing.T) {
	var spent series
	asleep := burst{callers: 1, most: 4, lasts: time.Minute}.side(func(context.Context) error {
		time.Sleep(20 * time.Millisecond)
		return nil
	})
	took, err := worked(asleep, &spent)(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := processorTime(); ok && (len(spent) != 1 || spent[0] <= 0 || spent[0] >= float64(took.Microseconds())) {
		t.Errorf("%v spent of %v", spent, took)
	}
}

func TestTableTellsMetFromNotMet(t *testing.T) {
	r := newReport(false)
	r.section("claims", "Claims")
	r.aimed(figure{Name: "fast", Value: 6, Least: 5.5, Most: 7, Unit: "x"}, atLeast(5))
	r.aimed(figure{Name: "slow", Value: 300, Least: 300, Most: 300, Unit: "ms", Note: "why"}, atMost(250))
	r.add(figure{Name: "told", Value: 0.0123, Least: 0.0123, Most: 0.0123, Unit: "ms"})
	var table, lines bytes.Buffer
	if err := errors.Join(r.writeTable(&table), r.writeJSON(&lines)); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"fast 6.00 x 5.50 – 7.00 ≥ 5.00 x met",
		"slow 300 ms ≤ 250 ms NOT MET; why",
		"told 0.0123 ms",
	} {
		found := false
		for line := range strings.Lines(table.String()) {
			found = found || strings.Join(strings.Fields(line), " ") == want
		}
		if !found {
			t.Errorf("the table has no line %q:\n%s", want, table.String())
		}
	}
	var back report
	if err := json.Unmarshal(lines.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if f := back.Sections[0].Figures; len(f) != 3 || f[0].Met == nil || !*f[0].Met || *f[1].Met || f[2].Met != nil {
		t.Errorf("as JSON: %s", lines.String())
	}
}

// TestShortRunsJudgeNothing: too little was measured to say that an aim is met.
func TestShortRunsJudgeNothing(t *testing.T) {
	r := newReport(true)
	r.section("claims", "Claims")
	r.aimed(figure{Name: "fast", Value: 6, Unit: "x"}, atLeast(5))
	if f := r.Sections[0].Figures[0]; f.Met != nil || f.Aim == "" {
		t.Errorf("a short run says %+v", f)
	}
}
