package main_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"sync"
	"testing"
)

// An experiment is what dedupe lab --json prints.
type experiment struct {
	Events, Deliveries int
	Methods            []struct {
		Method, Mode string
		Extra        int `json:"extra_rows"`
		Lost         int `json:"lost_events"`
		Held         int `json:"need_decision"`
	}
}

func experimentOf(t *testing.T, args ...string) (e experiment) {
	bin, err := program()
	if err != nil {
		t.Error(err)
		return e
	}
	cmd := exec.Command(bin, append([]string{"lab", "--json"}, args...)...)
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "DEDUPE_DATA="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("dedupe lab %v: %v", args, err)
		return e
	}
	if err := json.Unmarshal(out, &e); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return e
}

// TestTheLabsDefault: the article's figures, twice in a row, by the built program and its
// own endpoint, and a folder that is empty after.
func TestTheLabsDefault(t *testing.T) {
	t.Parallel()
	want := map[string]int{"no check": 178, "look first": 178, "wait then look": 178, "mark first": 0, "unique column": 0, "reserve first": 0}
	for range 2 {
		e := experimentOf(t)
		if e.Events != 500 || e.Deliveries != 678 || len(e.Methods) != len(want) {
			t.Errorf("%+v", e)
		}
		for _, m := range e.Methods {
			if m.Extra != want[m.Method] || m.Lost != 0 || m.Mode != "8 at once" {
				t.Errorf("%+v, want %d extra rows", m, want[m.Method])
			}
		}
	}
}

// TestTheLabsOtherWays: one at a time, scattered, with runs that fail and end half way,
// and the resent orders.
func TestTheLabsOtherWays(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	defer all.Wait()
	check := func(name string, args []string, good func(method, mode string, extra, lost, held int) bool) {
		all.Go(func() {
			for _, m := range experimentOf(t, args...).Methods {
				if !good(m.Method, m.Mode, m.Extra, m.Lost, m.Held) {
					t.Errorf("%s: %+v", name, m)
				}
			}
		})
	}
	check("serial", []string{"--serial", "--work", "2", "--method", "no-check", "--method", "look-first", "--method", "reserve-first"}, func(m, mode string, extra, lost, _ int) bool {
		want := map[string]int{"no check 8 at once": 178, "no check one at a time": 178, "look first 8 at once": 178}
		return extra == want[m+" "+mode] && lost == 0
	})
	check("scattered", []string{"--scattered", "--work", "8", "--method", "look-first"}, func(_, _ string, extra, lost, _ int) bool { return extra > 0 && extra < 178 && lost == 0 })
	check("faults", []string{"--work", "8", "--fail", "5", "--crash", "5", "--method", "reserve-first", "--method", "mark-first"}, func(m, _ string, extra, lost, held int) bool {
		return extra == 0 && (m == "mark first") == (lost > 0) && (m == "reserve first") == (held > 0)
	})
	check("orders", []string{"--orders", "--work", "8", "--method", "no-check"}, func(_, _ string, extra, _, _ int) bool { return extra == 40 })
}
