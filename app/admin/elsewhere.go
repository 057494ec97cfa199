package admin

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/deliveries"
	"dedupedesk/app/elsewhere"
	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

func elsewhereRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "GET /keys/elsewhere", Access: guard.Look, Handler: d.handle(d.elsewherePage)},
		{Pattern: "POST /keys/elsewhere", Access: guard.Look, MaxBody: maxTestForm, Handler: d.handle(d.readElsewhere)},
		{Pattern: "POST /keys/elsewhere/table", Access: guard.Look, MaxBody: maxTestForm, Handler: d.handle(d.saveElsewhere)},
	}
}

func (d Desk) elsewherePage(w http.ResponseWriter, r *http.Request) error {
	list, err := d.Ledger.Rules(r.Context())
	if err != nil {
		return err
	}
	options := []page.OptionView{{Text: "None of those here", Chosen: true}}
	for _, rule := range list {
		if rule.Name != ledger.DefaultRule {
			options = append(options, page.OptionView{Value: rule.Name, Text: titleOf(rule)})
		}
	}
	return d.show(w, r, http.StatusOK, place{Title: "A list kept elsewhere", Active: "keys"}, page.Elsewhere(maxTestFile, options, nil))
}

// A keptList is a file of a form, read as the form says.
type keptList struct {
	*elsewhere.List
	file, allowed, order string
	rule                 string // that it belongs to, or ""
}

// allowedElsewhere is the time that a run has where nobody said another one.
const allowedElsewhere = "1h"

func (d Desk) keptElsewhere(r *http.Request) (*keptList, error) {
	if err := parseForm(r); err != nil {
		return nil, err
	}
	data, err := dataOf(r.PostForm)
	if err != nil {
		return nil, err
	}
	l := &keptList{file: filepath.Base(r.PostForm.Get("name")), order: r.PostForm.Get("order"), rule: r.PostForm.Get("rule")}
	if l.allowed = strings.TrimSpace(r.PostForm.Get("allowed")); l.allowed == "" {
		if l.allowed, err = d.allowedOf(r.Context(), l.rule); err != nil {
			return l, err
		}
	}
	opt, err := optionsOf(r.PostForm, l, d.Clock.Now())
	if err != nil {
		return l, err
	}
	file, err := deliveries.Open(l.file, data, deliveries.Options{Column: "-", Sheet: strings.TrimSpace(r.PostForm.Get("sheet"))})
	if err != nil {
		return l, err
	}
	l.List, err = elsewhere.Read(file, opt)
	return l, err
}

// allowedOf is the time that a run of a rule has.
func (d Desk) allowedOf(ctx context.Context, rule string) (string, error) {
	if rule == "" {
		return allowedElsewhere, nil
	}
	found, err := d.Ledger.Rule(ctx, rule)
	return rules.Duration(found.Policy.Lease).String(), err
}

func optionsOf(form url.Values, l *keptList, now time.Time) (elsewhere.Options, error) {
	opt := elsewhere.Options{Now: now, Columns: elsewhere.Columns{Key: form.Get("key"), State: form.Get("state"), Since: form.Get("since"), Run: form.Get("run")}}
	allowed, err := rules.ParseDuration(l.allowed)
	if err != nil || allowed <= 0 {
		return opt, &deliveries.Fault{Msg: "The time allowed for a run is a time such as 30m or 1h."}
	}
	opt.Allowed = time.Duration(allowed)
	if l.order != "" {
		dayFirst := l.order == "day"
		opt.DayFirst = &dayFirst
	}
	return opt, nil
}

func (d Desk) readElsewhere(w http.ResponseWriter, r *http.Request) error {
	l, err := d.keptElsewhere(r)
	if err != nil && (l == nil || l.List == nil) {
		return d.fileFault(w, r, err)
	}
	v := d.keptView(l, r.PostForm.Get("view"), r.PostForm.Get("q"))
	if err != nil {
		v.Fault = err.Error()
	}
	v.Window = guard.InWindow(r)
	return d.fragment(w, r, http.StatusOK, page.ElsewhereFound(v))
}

// keptTabs are the states in the order in which they need somebody.
func keptTabs() []elsewhere.State {
	return []elsewhere.State{elsewhere.Stuck, elsewhere.Undated, elsewhere.Unknown, elsewhere.Waiting, elsewhere.InProgress, elsewhere.Finished}
}

var keptWords = map[elsewhere.State]string{
	elsewhere.Stuck: "Needs a decision", elsewhere.Undated: "In progress, since when?", elsewhere.Unknown: "Unknown word", elsewhere.Waiting: "Waiting for another try",
	elsewhere.InProgress: "In progress", elsewhere.Finished: "Finished",
}

// keptAll is the tab with the keys of every state.
const keptAll = "all"

func (d Desk) keptView(l *keptList, view, query string) page.ElsewhereView {
	v := page.ElsewhereView{
		File: firstWords(l.file), Kind: l.Kind, Columns: l.Columns, Key: l.Used.Key, State: l.Used.State, Since: l.Used.Since, Run: l.Used.Run,
		Allowed: l.allowed, Order: l.order, TwoWays: l.TwoWays, Twice: l.Twice, View: view, Query: query, Rule: l.rule,
	}
	if l.rule != "" {
		v.RuleSteps = "/steps?" + url.Values{"rule": {l.rule}}.Encode()
	}
	if _, known := keptWords[elsewhere.State(view)]; !known && view != keptAll {
		v.View = string(elsewhere.Stuck)
	}
	counts, shown := map[elsewhere.State]int{}, 0
	for _, k := range l.Keys {
		counts[k.State]++
		if v.View != keptAll && string(k.State) != v.View || !strings.Contains(strings.ToLower(k.Key), strings.ToLower(query)) {
			continue
		}
		if shown++; shown <= comparedShown {
			row := d.keptRow(k)
			if v.View == keptAll {
				row.State = keptWords[k.State]
			}
			v.Rows = append(v.Rows, row)
		}
	}
	v.Hidden = shown - len(v.Rows)
	for _, state := range keptTabs() {
		v.Tabs = append(v.Tabs, page.ElsewhereTabView{View: string(state), Text: keptWords[state], Count: page.Count(int64(counts[state])), Active: string(state) == v.View})
	}
	v.Tabs = append(v.Tabs, page.ElsewhereTabView{View: keptAll, Text: "All", Count: page.Count(int64(len(l.Keys))), Active: v.View == keptAll})
	v.Open = counts[elsewhere.Stuck] + counts[elsewhere.Undated] + counts[elsewhere.Unknown] + counts[elsewhere.Waiting]
	for _, f := range l.Faults[:min(len(l.Faults), placesShown)] {
		v.Faults = append(v.Faults, f.Place+": "+f.Why)
	}
	if more := len(l.Faults) - len(v.Faults); more > 0 {
		v.Faults = append(v.Faults, "and "+page.Counted(more, "more row"))
	}
	return v
}

func (d Desk) keptRow(k elsewhere.Key) page.ElsewhereRowView {
	row := page.ElsewhereRowView{Key: k.Key, Word: k.Word, Run: k.Run, Place: k.Place, Look: lookFor(k.Key)}
	if !k.Since.IsZero() {
		row.Since = page.At(k.Since, d.Clock.Now())
	}
	return row
}

// todo says what to do about a key of the list, in the tool that keeps it.
func todo(s elsewhere.State) string {
	switch s {
	case elsewhere.Stuck:
		return "Did the work happen? If yes: set its state to the word for finished. If no: delete the row or set it back, so that the next copy may run."
	case elsewhere.Undated:
		return "The list does not say since when. Look whether its run still works; if not, did the work happen?"
	case elsewhere.Waiting:
		return "It failed and waits. If nobody sends it again, do the work by hand or start its run again."
	}
	return "This program does not know the word of its state. Look at the row."
}

// saveElsewhere answers with the work list: what needs somebody, the oldest first.
func (d Desk) saveElsewhere(w http.ResponseWriter, r *http.Request) error {
	l, err := d.keptElsewhere(r)
	if err != nil {
		return d.fileFault(w, r, err)
	}
	open := slices.DeleteFunc(slices.Clone(l.Keys), func(k elsewhere.Key) bool { return k.State == elsewhere.Finished || k.State == elsewhere.InProgress })
	slices.SortStableFunc(open, func(a, b elsewhere.Key) int { return a.Since.Compare(b.Since) })
	columns := []string{"key", "state", "word", "since", "run", "row", "look for", "what to do"}
	return d.answerTable(w, r, strings.TrimSuffix(l.file, filepath.Ext(l.file))+"-work-list", columns, workRows(open))
}

func workRows(open []elsewhere.Key) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, k := range open {
			since := ""
			if !k.Since.IsZero() {
				since = k.Since.UTC().Format(time.RFC3339)
			}
			if !yield([]any{k.Key, keptWords[k.State], k.Word, since, k.Run, k.Place, lookFor(k.Key), todo(k.State)}) {
				return
			}
		}
	}
}
