package lab

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// A delivery is one copy of an event.
type delivery struct {
	event int // from 0
	copy  int // from 1
	fate  fate
}

// A fate is what becomes of a delivery's work.
type fate int

const (
	works      fate = iota
	fails           // before its row, and says so
	endsBefore      // half way: no row, and nobody says anything
	endsAfter       // half way: its row is there, and nobody says anything
)

// key is the event key.
func (d delivery) key() string { return "lab:" + strconv.Itoa(d.event+1) }

// run names the delivery's run.
func (d delivery) run() string { return fmt.Sprintf("run %d.%d", d.event+1, d.copy) }

// The streams of chance. That of the copies is chosen so that seed 1 makes as many
// deliveries of the default as the article's test had: 678 of 500 events.
const (
	copiesStream = 35
	orderStream  = 2
	fatesStream  = 3
)

// deliveries draws how often each event arrives, in which order, and what becomes of it.
// Each has a chance of its own, so that to change one changes no other.
func (c Config) deliveries() []delivery {
	copies := rand.New(rand.NewPCG(c.Seed, copiesStream))
	var all []delivery
	for event := range c.Events {
		n, drawn := 1, copies.IntN(100)
		switch {
		case drawn >= 100-c.Thrice:
			n = 3
		case drawn >= 100-c.Thrice-c.Twice:
			n = 2
		}
		for i := range n {
			all = append(all, delivery{event: event, copy: i + 1})
		}
	}
	if c.Scattered {
		order := rand.New(rand.NewPCG(c.Seed, orderStream))
		order.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	fates := rand.New(rand.NewPCG(c.Seed, fatesStream))
	for i := range all {
		switch drawn := fates.IntN(200); {
		case drawn < c.Crash:
			all[i].fate = endsBefore
		case drawn < 2*c.Crash:
			all[i].fate = endsAfter
		case drawn < 2*c.Crash+2*c.Fail:
			all[i].fate = fails
		}
	}
	return all
}
