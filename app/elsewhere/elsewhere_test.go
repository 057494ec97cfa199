package elsewhere_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/deliveries"
	"dedupedesk/app/elsewhere"
)

func read(t *testing.T, table string, opt elsewhere.Options) (*elsewhere.List, error) {
	t.Helper()
	file, err := deliveries.Open("list.csv", []byte(table), deliveries.Options{Column: "-"})
	if err != nil {
		t.Fatal(err)
	}
	opt.Now = time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)
	if opt.Allowed == 0 {
		opt.Allowed = time.Hour
	}
	return elsewhere.Read(file, opt)
}

// TestListsOfOurOwnChecklistsAreKnown: the columns that the checklists make are found by
// their names.
func TestListsOfOurOwnChecklistsAreKnown(t *testing.T) {
	for name, tt := range map[string]struct {
		table string
		want  []string
	}{
		"SharePoint": {
			"Title,Status,RunId,ClaimedAt,Result\nshop:1,In progress,r1,2026-11-30 13:50,\nshop:2,In progress,r2,2026-11-30 10:00,\nshop:3,Done,r3,2026-11-29T10:00:00Z,77\n",
			[]string{"shop:1 in progress 13:50 r1 row 2", "shop:2 needs a decision 10:00 r2 row 3", "shop:3 finished 10:00 r3 row 4"},
		},
		"Dataverse": {"cr123_eventkey,cr123_status,cr123_claimedat\nshop:1,Done,2026-11-30T09:00Z\n", []string{"shop:1 finished 09:00  row 2"}},
		"Make":      {"Key,state,run,claimed_at,done_at\nshop:1,claimed,e1,2026-11-30T12:00:00Z,\nshop:2,no_key,e2,2026-11-30T12:00:00Z,\n", []string{"shop:1 needs a decision 12:00 e1 row 2", "shop:2 unknown word 12:00 e2 row 3"}},
		"Zapier":    {"Key,State,Since\nshop:1,claimed,1764500000\n", []string{"shop:1 needs a decision 10:53  row 2"}},
		"a sheet":   {"Event key,Status,Created\nshop:1,released,46356.5\n", []string{"shop:1 waiting for another try 12:00  row 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := read(t, tt.table, elsewhere.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, k := range l.Keys {
				got = append(got, fmt.Sprintf("%s %s %s %s %s", k.Key, k.State, k.Since.Format("15:04"), k.Run, k.Place))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || l.TwoWays {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestATimeThatMeansTwoThingsIsAskedAbout, unless another row of the file decides it.
func TestATimeThatMeansTwoThingsIsAskedAbout(t *testing.T) {
	yes, no := true, false
	for _, tt := range []struct {
		times    string
		dayFirst *bool
		twoWays  bool
		want     string
	}{
		{"03/04/2026 10:00", nil, true, "0001-01-01"},
		{"03/04/2026 10:00", &yes, false, "2026-04-03"},
		{"03/04/2026 10:00 PM", &no, false, "2026-03-04"},
		{"03/04/2026|25/04/2026", nil, false, "2026-04-03"},
		{"03.04.2026 9:30|04/25/2026", nil, false, "2026-03-04"},
		{"05/05/2026", nil, false, "2026-05-05"},
		{"25/04/2026|04/25/2026", nil, true, "0001-01-01"},
		{"31/02/2026", nil, false, "0001-01-01"},
		{"soon", nil, false, "0001-01-01"},
	} {
		var table strings.Builder
		table.WriteString("key,state,since\n")
		for i, at := range strings.Split(tt.times, "|") {
			fmt.Fprintf(&table, "k%d,done,%s\n", i, at)
		}
		l, err := read(t, table.String(), elsewhere.Options{DayFirst: tt.dayFirst})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Keys[0].Since.Format(time.DateOnly); got != tt.want || l.TwoWays != tt.twoWays {
			t.Errorf("%s: %s, two ways %v, want %s, %v", tt.times, got, l.TwoWays, tt.want, tt.twoWays)
		}
	}
}

// TestAKeyInProgressWithoutATimeMayBeStuck, so it is told apart from those that are not.
func TestAKeyInProgressWithoutATimeMayBeStuck(t *testing.T) {
	for _, table := range []string{"key,state\na,claimed\n", "key,state,since\na,claimed,\n", "key,state,since\na,claimed,03/04/2026\n"} {
		l, err := read(t, table, elsewhere.Options{})
		if err != nil || l.Keys[0].State != elsewhere.Undated {
			t.Errorf("%q: %+v, %v", table, l.Keys, err)
		}
	}
}

// TestWhatIsNoKeyIsTold with its place, and so is a key that stands twice.
func TestWhatIsNoKeyIsTold(t *testing.T) {
	l, err := read(t, "key,state\na,done\n,done\na,in progress\n", elsewhere.Options{})
	if err != nil || len(l.Keys) != 2 || len(l.Faults) != 1 || l.Twice != 1 || l.Faults[0].Place != "row 3" {
		t.Errorf("%+v %v", l, err)
	}
	l, err = read(t, "name,when\na,b\n", elsewhere.Options{})
	if err == nil || !strings.Contains(err.Error(), "Choose the column that holds the key. The file has name, when.") || l == nil {
		t.Errorf("%v", err)
	}
	l, err = read(t, "name,when\na,done\n", elsewhere.Options{Columns: elsewhere.Columns{Key: "name", State: "when"}})
	if err != nil || len(l.Keys) != 1 || l.Keys[0].State != elsewhere.Finished {
		t.Errorf("%+v %v", l, err)
	}
	file, err := deliveries.Open("a.json", []byte(`{"a":1}`), deliveries.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := elsewhere.Read(file, elsewhere.Options{}); err == nil {
		t.Error("a document was taken for a table")
	}
}
