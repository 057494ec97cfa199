package admin

import (
	"iter"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/app/reconcile"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// saveCompared answers with one of the lists as a file.
func (d Desk) saveCompared(w http.ResponseWriter, r *http.Request) error {
	c, err := d.compare(w, r)
	if err != nil {
		return d.fileFault(w, r, err)
	}
	list := r.PostForm.Get("list")
	columns, rows := comparedTable(c.found, list)
	if columns == nil {
		return problem.New(http.StatusBadRequest, "invalid", "The list is missing, extra or doubles.")
	}
	return d.answerTable(w, r, strings.TrimSuffix(c.file, filepath.Ext(c.file))+"-"+list, columns, rows)
}

// comparedTable is one of the lists with its columns, nil for a list that there is not.
func comparedTable(f *reconcile.Found, list string) ([]string, iter.Seq[[]any]) {
	row := func(r reconcile.Row) []any { return []any{r.Key, r.Count, strings.Join(r.Places, ", ")} }
	switch list {
	case "missing":
		return []string{"key", "rows", "places", "here", "near"}, func(yield func([]any) bool) {
			for _, m := range f.Missing {
				if !yield(append(row(m.Row), m.State, m.Near)) {
					return
				}
			}
		}
	case "extra":
		return []string{"key", "finished_at", "result"}, func(yield func([]any) bool) {
			for _, e := range f.Extra {
				if !yield([]any{e.Key, e.DoneAt.UTC().Format(time.RFC3339), e.Result}) {
					return
				}
			}
		}
	case "doubles":
		return []string{"key", "rows", "places"}, func(yield func([]any) bool) {
			for _, r := range f.Doubles {
				if !yield(row(r)) {
					return
				}
			}
		}
	}
	return nil, nil
}

// takeIn imports keys of rows that are unknown here as finished: all of them, or one. The
// comparison is made anew, so that what came meanwhile stays as it is.
func (d Desk) takeIn(w http.ResponseWriter, r *http.Request) error {
	c, err := d.compare(w, r)
	if err != nil {
		return d.fileFault(w, r, err)
	}
	only := r.PostForm.Get("only")
	var keys []ledger.Key
	for _, m := range c.found.Missing {
		if m.Unknown() && (only == "" || m.Key == only) {
			keys = append(keys, ledger.Key{Rule: c.rule.Name, Key: m.Key})
		}
	}
	if told := r.PostForm.Get("count"); only == "" && told != strconv.Itoa(len(keys)) {
		v := d.comparedView(r, c)
		v.Changed = "Meanwhile it is " + page.Counted(len(keys), "unknown key") + ". Nothing was taken in: look again and decide anew."
		return d.fragment(w, r, http.StatusConflict, page.ReconcileFound(v))
	}
	visitor, _ := guard.Visitor(r)
	added := 0
	for len(keys) > 0 {
		part := keys[:min(len(keys), ledger.MaxImport)]
		keys = keys[len(part):]
		res, err := d.Ledger.Import(r.Context(), ledger.ImportRequest{Keys: part, By: visitor.Name})
		if err != nil {
			return err
		}
		added += res.Added
	}
	d.Log.Info("took keys of a destination in as finished", "rule", c.rule.Name, "keys", added, "by", visitor.Name)
	if c, err = d.compare(w, r); err != nil {
		return d.fileFault(w, r, err)
	}
	v := d.comparedView(r, c)
	v.Said = page.Counted(added, "key") + " taken in as finished."
	w.Header().Set("HX-Trigger", "decided")
	return d.fragment(w, r, http.StatusOK, page.ReconcileFound(v))
}
