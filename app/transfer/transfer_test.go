package transfer

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var now = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

// readAll reads until the first fault.
func readAll(in io.Reader, f Format) ([]ledger.Key, error) {
	r := NewReader(in, f)
	var keys []ledger.Key
	for {
		k, _, err := r.Next()
		if err == io.EOF {
			return keys, nil
		}
		if err != nil {
			return keys, err
		}
		keys = append(keys, k)
	}
}

func written(t interface{ Fatal(...any) }, keys []ledger.Key, f Format) []byte {
	var b bytes.Buffer
	w, err := NewWriter(&b, f)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if err := w.Write(k); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// anyKey draws a key as a ledger may keep it.
func anyKey(t *rapid.T) ledger.Key {
	// What makes trouble in one format or the other comes often.
	odd := rapid.SampledFrom([]string{"=", "+", "-", "@", "'", "''", ",", `"`, ";", " ", "\\", "é", "e\u0301", "😀", "\u2028x", "<", "&", "#", "\ufeff", "0", "null"})
	words := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.OneOf(odd, rapid.StringOfN(rapid.Rune(), 0, 5, -1)), 0, 6).Draw(t, "parts"), "")
	})
	clean := func(name string) string {
		return strings.Map(func(r rune) rune {
			if r < ' ' || r == utf8RuneError {
				return -1
			}
			return r
		}, words.Draw(t, name))
	}
	at := func(name string) time.Time {
		if rapid.Bool().Draw(t, name+" is set") {
			return time.UnixMilli(rapid.Int64Range(1, now.UnixMilli()).Draw(t, name)).UTC()
		}
		return time.Time{}
	}
	n := rapid.Int64Range(0, 1<<53)
	k := ledger.Key{
		Rule: "shop", Key: "k" + clean("key"), Owner: clean("owner"), LastError: clean("error"), Fingerprint: clean("fingerprint"),
		State: rapid.SampledFrom([]ledger.State{ledger.Claimed, ledger.Done, ledger.Retryable, ledger.Held}).Draw(t, "state"),
		Fence: n.Draw(t, "fence"), Attempts: int(n.Draw(t, "attempts")), Generation: n.Draw(t, "generation"),
		FirstSeen: at("first_seen"), ClaimedAt: at("claimed_at"), LeaseUntil: at("lease_until"), DoneAt: at("done_at"), NextTryAt: at("next_try_at"),
		Copies: n.Draw(t, "copies"), Mismatches: n.Draw(t, "mismatches"), StaleCalls: n.Draw(t, "stale_calls"),
	}
	if rapid.Bool().Draw(t, "bare key") {
		k.Key = strings.TrimPrefix(k.Key, "k")
	}
	if strings.TrimSpace(k.Key) == "" {
		k.Key = "=k"
	}
	switch rapid.IntRange(0, 3).Draw(t, "result") {
	case 1:
		k.Result, _ = json.Marshal(clean("result"))
	case 2:
		k.Result = []byte(rapid.SampledFrom([]string{"null", "-1", "[]", `{"a":[1,{"b":"=x"}]}`, `123456789012345678901234567890.10`, `"\ud800"`}).Draw(t, "odd result"))
	}
	return k
}

const utf8RuneError = '\uFFFD'

// TestAnyKeysComeBackAsTheyWere: what is written is read as the same keys.
func TestAnyKeysComeBackAsTheyWere(t *testing.T) {
	for _, f := range []Format{JSONL, CSV} {
		t.Run(string(f), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				keys := rapid.SliceOfN(rapid.Custom(anyKey), 1, 5).Draw(t, "keys")
				file := written(t, keys, f)
				got, err := readAll(bytes.NewReader(file), f)
				if err != nil {
					t.Fatalf("%v in\n%s", err, file)
				}
				if diff := cmp.Diff(keys, got); diff != "" {
					t.Fatalf("-wrote +read\n%s\n%s", diff, file)
				}
			})
		})
	}
}

func TestNoCellIsAFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.OneOf(rapid.String(), rapid.StringMatching(`'{0,3}[=+\-@\t\r].*`)).Draw(t, "cell")
		safe := neutral(cell)
		if safe != "" && strings.ContainsRune("=+-@\t\r", rune(safe[0])) {
			t.Errorf("%q is written as %q", cell, safe)
		}
		if got := plain(safe); got != cell {
			t.Errorf("%q comes back as %q", cell, got)
		}
	})
	file := written(t, []ledger.Key{{Key: `=HYPERLINK("http://x")`, Owner: "'=1"}}, CSV)
	if line := strings.Split(string(file), "\n")[1]; !strings.HasPrefix(line, `,"'=HYPERLINK(""http://x"")",,0,0,0,''=1,`) {
		t.Errorf("Peers63: %s", line)
	}
}

func TestResultsLoseNothingButWhiteSpace(t *testing.T) {
	for _, f := range []Format{JSONL, CSV} {
		got, err := readAll(bytes.NewReader(written(t, []ledger.Key{{Key: "a", Result: []byte("{\r\n \"id\": 7.10,\n \"s\": \"a b\"}")}}, f)), f)
		if err != nil || string(got[0].Result) != `{"id":7.10,"s":"a b"}` {
			t.Errorf("%s: %+v, %v", f, got, err)
		}
	}
}

func TestWhatPeopleBring(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	for name, tt := range map[string]struct {
		format Format
		file   string
		want   []ledger.Key
	}{
		"the script's table": {CSV, "\ufeffkey,state,claimed_at,done_at\r\nevt_1,done,1767323045.678,1767323045.678\r\n\r\nevt_2,claimed,1767323045.678,\r\n", []ledger.Key{
			{Key: "evt_1", State: ledger.Done, ClaimedAt: at, DoneAt: at, Fence: 1, Attempts: 1},
			{Key: "evt_2", State: ledger.Claimed, ClaimedAt: at, Fence: 1, Attempts: 1},
		}},
		"columns in any order": {CSV, "state, key ,done_at\ndone,\"a,\"\"b\",2026-01-02T04:04:05.6789+01:00\n", []ledger.Key{{Key: `a,"b`, State: ledger.Done, DoneAt: at}}},
		"keys alone":           {CSV, "key\nevt_1\n'=2\n", []ledger.Key{{Key: "evt_1"}, {Key: "=2"}}},
		"lines":                {Lines, "\ufeffevt_1\r\n\n evt 2 \nkey,state", []ledger.Key{{Key: "evt_1"}, {Key: " evt 2 "}, {Key: "key,state"}}},
		"objects":              {JSONL, `{"key":"a"}` + "\n\n" + ` {"done_at":1767323045.678,"key":"b","owner":null,"result":{"a": [1]}} `, []ledger.Key{{Key: "a"}, {Key: "b", DoneAt: at, Result: []byte(`{"a": [1]}`)}}},
		"nothing":              {JSONL, "", nil},
	} {
		got, err := readAll(strings.NewReader(tt.file), tt.format)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFaultsNameTheirPlace(t *testing.T) {
	long := strings.Repeat("x", maxRecord)
	for _, tt := range []struct {
		format Format
		file   string
		want   string // the place
	}{
		{CSV, "", "Line 1: The file is empty."},
		{CSV, "state\ndone\n", "Line 1, column key: It is missing."},
		{CSV, "key,token\na,1.x\n", "Line 1, column token: There is no such column."},
		{CSV, "key,key\na,b\n", "Line 1, column key: It is there twice."},
		{CSV, "key,state\na,done\nb\n", "Line 3: It has 1 cells; the first line has 2."},
		{CSV, "key,fence\na,1\nb,many\n", "Line 3, column fence: fence must be a whole number"},
		{CSV, "key,done_at\n\"a\nb\",1\nc,1767323045678\n", "Line 4, column done_at: done_at must be a time"},
		{CSV, "key,state\n,done\n", "Line 2, column key: The key is missing."},
		{CSV, "key,owner\na,\xff\n", "Line 2, column owner: It is not text in UTF-8."},
		{CSV, "key\na\n\"b\n", "Line 3: A quote is missing"},
		{CSV, "key\na\n\"" + long + long, "Line 3: It is longer than 512 KB."},
		{JSONL, "{\"key\":\"a\"}\n[1]", "Line 2: It is not one JSON object."},
		{JSONL, `{"key":"a"} {"key":"b"}`, "Line 1: There is something behind"},
		{JSONL, `{"key":"a"`, "Line 1: It is not valid JSON."},
		{JSONL, `{"key":"a",}`, "Line 1: It is not valid JSON."},
		{JSONL, `{"state":"done"}`, "Line 1, column key: The key is missing."},
		{JSONL, `{"key":7}`, "Line 1, column key: key must be text, in quotes."},
		{JSONL, `{"key":"a","fence":"1"}`, "Line 1, column fence: fence must be a whole number, without quotes."},
		{JSONL, `{"key":"a","fence":1.5}`, "Line 1, column fence: fence must be a whole number"},
		{JSONL, `{"key":"a","key":"b"}`, "Line 1, column key: It is there twice."},
		{JSONL, `{"key":"a","leese":1}`, "Line 1, column leese: There is no such column."},
		{JSONL, `{"key":"\ud800"}`, "Line 1, column key: key is no valid text."},
		{JSONL, `{"key":"a","done_at":true}`, "Line 1, column done_at: done_at must be a time"},
		{JSONL, "{\"key\":\"\xff\"}", "Line 1: It is not text in UTF-8."},
		{JSONL, "{}\n" + long, "Line 1, column key"},
		{JSONL, long, "Line 1: It is longer than 512 KB."},
		{Lines, "a\n\xff", "Line 2: It is not text in UTF-8."},
	} {
		_, err := readAll(strings.NewReader(tt.file), tt.format)
		var fault *Fault
		if !errors.As(err, &fault) || !strings.HasPrefix(fault.Error(), tt.want) {
			t.Errorf("%s %.60q: %v, want %s", tt.format, tt.file, err, tt.want)
		}
	}
}

func TestCheckReadsTheWholeFile(t *testing.T) {
	terms := Terms{Now: now, Find: func(_ context.Context, name string) (bool, bool, error) {
		return name == "folds", name != "nobody", nil
	}}
	file := strings.Join([]string{
		"key,rule,state,done_at",
		"a,,,", "a,default,done,", // the same key, finished both times
		"a,shop,retryable,",
		"a,shop,done,", // refused: may it run or not?
		"b,nobody,,", "c,,odd,", "d,,,2027-01-01T00:00:00Z", "e",
		strings.Repeat("k", 256) + ",,,", "f,,held,",
		"Order-É,folds,,", "order-é,folds,,", "ORDER-é,folds,held,", // one key where capitals do not count
	}, "\n")
	s, err := Check(t.Context(), NewReader(strings.NewReader(file), CSV), terms, nil)
	if err != nil || s.Keys != 6 || s.Refused != 7 {
		t.Fatalf("%+v, %v", s, err)
	}
	var places []string
	for _, f := range s.Faults {
		places = append(places, fmt.Sprint(f.Line, f.Column))
	}
	if got := fmt.Sprint(places); got != "[5state 6rule 7state 8done_at 9 10key 14state]" {
		t.Errorf("faults at %s", got)
	}
	if got := fmt.Sprint(s.Repeats[3], s.Repeats[13], s.Repeats[2]); got != "true true false" {
		t.Errorf("repeats: %s", got)
	}
	k := ledger.Key{Rule: "folds", Key: "Order-É"}
	if err := terms.Place(t.Context(), &k, 1); err != nil || k.Key != "order-é" {
		t.Errorf("in small letters: %q, %v", k.Key, err)
	}
	terms.Rule = "shop"
	s, err = Check(t.Context(), NewReader(strings.NewReader("key,rule\na,\nb,shop\nc,default\n"), CSV), terms, nil)
	if err != nil || s.Keys != 2 || len(s.Faults) != 1 || s.Faults[0].Line != 4 {
		t.Errorf("with a rule named: %+v, %v", s, err)
	}
	many := "key\n" + strings.Repeat("\"\n\"\n", 30)
	if s, err = Check(t.Context(), NewReader(strings.NewReader(many), CSV), terms, nil); err != nil || s.Refused != 30 || len(s.Faults) != maxFaults {
		t.Errorf("many faults: %d of %d, %v", len(s.Faults), s.Refused, err)
	}
}

func TestFormatsByName(t *testing.T) {
	for name, want := range map[string]Format{"a.jsonl": JSONL, "a.NDJSON": JSONL, "a.csv": CSV, "a.txt": "", "-": "", "csv": ""} {
		if got, ok := FormatOf(name); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	if _, err := NewWriter(io.Discard, Lines); err == nil {
		t.Error("lines are written")
	}
}

// FuzzReader: no file makes a reader panic or go on for ever, and what it takes it
// writes again as the same keys.
func FuzzReader(f *testing.F) {
	f.Add(`{"key":"a","state":"done","fence":1,"done_at":"2026-01-01T00:00:00Z","result":{"a":1}}`, true)
	f.Add("key,state,claimed_at,done_at\nevt_1,done,1767323045.678,1767323045.678\n", false)
	f.Add("key,owner\n'=a,\"'\n\"\n", false)
	f.Fuzz(func(t *testing.T, file string, object bool) {
		format := CSV
		if object {
			format = JSONL
		}
		r := NewReader(strings.NewReader(file), format)
		var keys []ledger.Key
		for {
			k, line, err := r.Next()
			if err == io.EOF {
				break
			}
			if line < 1 {
				t.Fatalf("line %d", line)
			}
			// What an import cleans or refuses by itself need not come back.
			if err == nil && ledger.CheckImport(k, now) == nil && !strings.Contains(k.LastError, "\r") && (k.Rule == "" || ledger.ValidRuleName(k.Rule)) {
				k.Result = []byte(oneLine(k.Result))
				keys = append(keys, k)
			}
		}
		for _, again := range []Format{JSONL, CSV} {
			got, err := readAll(bytes.NewReader(written(t, keys, again)), again)
			if err != nil {
				t.Fatalf("%s: %v", again, err)
			}
			for i := range got {
				got[i].Result = []byte(oneLine(got[i].Result))
			}
			// A result's absence and its emptiness are one.
			if diff := cmp.Diff(fmt.Sprintf("%+v", keys), fmt.Sprintf("%+v", got)); diff != "" {
				t.Fatalf("%s: %s", again, diff)
			}
		}
	})
}
