package transfer

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestAClaimedKeyWithoutAStateIsNotTakenAsFinished: its work may never have ended.
func TestAClaimedKeyWithoutAStateIsNotTakenAsFinished(t *testing.T) {
	const at = "2026-01-02T03:04:05.678Z"
	for _, tt := range []struct {
		format Format
		file   string
		want   string // the places of the faults
	}{
		{CSV, "key,claimed_at\na,\nb," + at + "\nc," + at + "\n", "[3state 4state]"},
		{CSV, "key,state,claimed_at,done_at\na,," + at + ",\nb,done," + at + ",\nc,," + at + "," + at + "\nd,claimed," + at + ",\n", "[2state]"},
		{JSONL, `{"key":"a","claimed_at":1767323045}` + "\n" + `{"key":"b","state":"","claimed_at":1767323045}` + "\n" +
			`{"key":"c","state":null,"claimed_at":1767323045,"done_at":null}` + "\n" + `{"key":"d","done_at":1767323045,"claimed_at":1767323045}`, "[1state 2state 3state]"},
	} {
		terms := Terms{Now: now, Find: func(context.Context, string) (bool, bool, error) { return false, true, nil }}
		s, err := Check(t.Context(), NewReader(strings.NewReader(tt.file), tt.format), terms, nil)
		if err != nil {
			t.Fatal(err)
		}
		var places []string
		for _, f := range s.Faults {
			places = append(places, fmt.Sprint(f.Line, f.Column))
			if !strings.Contains(f.Msg, "Give its state or done_at, or leave claimed_at away.") {
				t.Errorf("told: %s", f.Msg)
			}
		}
		if got := fmt.Sprint(places); got != tt.want {
			t.Errorf("%q: faults at %s, want %s", tt.file, got, tt.want)
		}
	}
	keys, err := readAll(strings.NewReader("key\na\n"), CSV)
	if err != nil || len(keys) != 1 || keys[0].State != "" || keys[0].Fence != 0 {
		t.Errorf("a bare key: %+v, %v", keys, err)
	}
}
