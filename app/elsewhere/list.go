package elsewhere

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/deliveries"
	"dedupedesk/rules"
)

// A State is how a key of the list stands.
type State string

// The states.
const (
	InProgress State = "in progress"
	Stuck      State = "needs a decision" // in progress for longer than allowed
	Finished   State = "finished"
	Waiting    State = "waiting for another try"
	Undated    State = "in progress, since when unknown" // it may be stuck
	Unknown    State = "unknown word"
)

// A Columns tells which columns hold what. "" is none.
type Columns struct{ Key, State, Since, Run string }

// A Key is a row of the list.
type Key struct {
	Key   string
	State State
	Word  string // as the list has it
	Since time.Time
	Run   string
	Place string
}

// A List is what a file holds, in its order.
type List struct {
	Kind    string
	Columns []string
	Used    Columns
	Keys    []Key
	Faults  []Fault
	Twice   int  // keys that stand in more than one row
	TwoWays bool // times can be read day first or month first, or some only in either way, and nobody said which
}

// A Fault is a row that is no key.
type Fault struct{ Place, Why string }

// Options say what the file does not.
type Options struct {
	Columns  Columns // those that are not "" are taken instead of guessed ones
	Allowed  time.Duration
	Now      time.Time
	DayFirst *bool // of times such as 03/04/2026; nil = not said
}

// Names by which the columns are known: those of this program's own checklists first.
var (
	keyNames   = strings.Fields("title eventkey event_key key dedupe_key idempotency_key id")
	stateNames = strings.Fields("status state claim_status")
	sinceNames = strings.Fields("claimedat claimed_at since started_at created created_at modified")
	runNames   = strings.Fields("runid run_id run owner")
)

// words of the states, in small letters.
var words = map[string]State{
	"in progress": InProgress, "claimed": InProgress, "running": InProgress, "processing": InProgress, "started": InProgress, "reserved": InProgress,
	"done": Finished, "finished": Finished, "completed": Finished, "success": Finished, "succeeded": Finished,
	"released": Waiting, "failed": Waiting, "retry": Waiting, "retryable": Waiting, "waiting": Waiting, "error": Waiting,
	"held": Stuck, "blocked": Stuck, "stuck": Stuck,
}

// Read reads a file. It returns a Fault for one that has no column of keys or of states.
func Read(file *deliveries.File, opt Options) (*List, error) {
	if file.Columns == nil {
		return nil, &deliveries.Fault{Msg: "This is no table. Save the list as CSV or as a spreadsheet (.xlsx)."}
	}
	l := &List{Kind: file.Kind, Columns: file.Columns, Used: guess(file.Columns, opt.Columns)}
	for _, c := range []struct{ name, what string }{{l.Used.Key, "the key"}, {l.Used.State, "the state"}} {
		if c.name == "" || !slices.Contains(file.Columns, c.name) {
			return l, &deliveries.Fault{Msg: fmt.Sprintf("Choose the column that holds %s. The file has %s.", c.what, strings.Join(file.Columns, ", "))}
		}
	}
	seen := map[string]bool{}
	var since []string
	for d := range file.All() {
		row, fault := rowOf(d)
		if fault != "" {
			l.Faults = append(l.Faults, Fault{d.Place(), fault})
			continue
		}
		k := Key{Key: strings.TrimSpace(row[l.Used.Key]), Word: strings.TrimSpace(row[l.Used.State]), Run: strings.TrimSpace(row[l.Used.Run]), Place: d.Place()}
		if k.Key == "" {
			l.Faults = append(l.Faults, Fault{d.Place(), "The column " + l.Used.Key + " is empty."})
			continue
		}
		if seen[k.Key] {
			l.Twice++
		}
		seen[k.Key] = true
		var known bool
		if k.State, known = words[strings.ToLower(k.Word)]; !known {
			k.State = Unknown
		}
		l.Keys, since = append(l.Keys, k), append(since, strings.TrimSpace(row[l.Used.Since]))
	}
	l.date(since, opt)
	return l, nil
}

// rowOf returns a row's texts by column.
func rowOf(d deliveries.Delivery) (map[string]string, string) {
	if d.Fault != nil {
		return nil, d.Fault.Error()
	}
	e, err := d.Sample.Event()
	if err != nil {
		return nil, err.Error()
	}
	object, _ := e.Body.(rules.Object)
	row := map[string]string{}
	for name, v := range object {
		if text, ok := v.(string); ok {
			row[name] = text
		}
	}
	return row, ""
}

// guess fills in the columns that nobody named.
func guess(columns []string, said Columns) Columns {
	pick := func(said string, names []string) string {
		if said != "" {
			return said
		}
		for _, name := range names {
			for _, c := range columns {
				plain := strings.ToLower(strings.NewReplacer(" ", "_", "-", "_").Replace(strings.TrimSpace(c)))
				// Dataverse puts a publisher's prefix before its names.
				if plain == name || strings.HasSuffix(plain, "_"+name) && len(name) > 4 {
					return c
				}
			}
		}
		return ""
	}
	return Columns{pick(said.Key, keyNames), pick(said.State, stateNames), pick(said.Since, sinceNames), pick(said.Run, runNames)}
}

// date reads the times, and tells which keys in progress are stuck.
func (l *List) date(since []string, opt Options) {
	dayFirst, twoWays := opt.DayFirst, false
	if dayFirst == nil {
		dayFirst, twoWays = order(since)
	}
	l.TwoWays = twoWays
	for i := range l.Keys {
		k := &l.Keys[i]
		if at, ok := parse(since[i], dayFirst); ok {
			k.Since = at
		}
		switch {
		case k.State != InProgress:
		case k.Since.IsZero():
			k.State = Undated
		case opt.Now.Sub(k.Since) > opt.Allowed:
			k.State = Stuck
		}
	}
}
