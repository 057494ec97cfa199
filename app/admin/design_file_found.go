package admin

import (
	"bytes"
	"encoding/base64"
	"iter"
	"net/http"
	"path/filepath"
	"strings"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/app/transfer"
	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// What of a test the page shows. The table that is saved has every group.
const (
	groupsShown = 200
	placesShown = 4
)

// foundView is what a test found.
func foundView(file *sentFile, bulk *rules.Bulk, window bool) page.FileFoundView {
	t := bulk.Totals()
	v := page.FileFoundView{
		Draft: file.draft.ID, Items: strings.TrimSpace(file.draft.Rule.Each) != "", Window: window,
		Name: firstWords(file.name), Kind: file.Kind, Column: file.Column,
		Deliveries: page.Count(int64(t.Deliveries)), Keys: page.Count(int64(t.Keys)), Copies: page.Count(int64(t.Copies)),
		Ignored: page.Count(int64(t.Ignored)), Refused: page.Count(int64(t.Refused)), Suspicious: page.Count(int64(t.Merged + t.Missed)),
		Any: t.Keys > 0,
	}
	if s := bulk.Split(); s != nil {
		v.Split = &page.FileSplitView{Why: s.Text, Pair: s.Pair}
	}
	if l := bulk.Lacking(); l != nil {
		v.Lacks = l.Text
	}
	groups := bulk.Groups()
	for _, g := range groups[:min(len(groups), groupsShown)] {
		v.Groups = append(v.Groups, page.FileGroupView{
			Key: g.Key, Count: page.Count(int64(g.Count)), Where: rules.PlacesText(g.Places, g.Count, placesShown),
			Suspect: string(g.Suspect), Why: g.Text, Pair: g.Pair,
		})
	}
	if more := len(groups) - len(v.Groups); more > 0 {
		v.More = page.Count(int64(more))
	}
	for _, r := range bulk.Refusals() {
		v.Refusals = append(v.Refusals, page.FileRefusalView{Count: page.Count(int64(r.Count)), Why: r.Text, Where: rules.PlacesText(r.Places, r.Count, placesShown)})
	}
	return v
}

// fileColumns are those of the table that is saved.
var fileColumns = [...]string{"key", "deliveries", "suspicion", "reason", "places"}

// fileRows are the groups, then the reasons without a key.
func fileRows(bulk *rules.Bulk) iter.Seq[[]any] {
	return func(yield func([]any) bool) {
		for _, g := range bulk.Groups() {
			if !yield([]any{g.Key, g.Count, string(g.Suspect), g.Text, rules.PlacesText(g.Places, g.Count, len(g.Places))}) {
				return
			}
		}
		for _, r := range bulk.Refusals() {
			if !yield([]any{"", r.Count, "no key", r.Text, rules.PlacesText(r.Places, r.Count, len(r.Places))}) {
				return
			}
		}
	}
}

// saveTable runs the test again and answers with its table.
func (p *designer) saveTable(w http.ResponseWriter, r *http.Request) error {
	file, bulk, err := p.run(w, r)
	if err != nil {
		return p.fileFault(w, r, err)
	}
	return p.answerTable(w, r, strings.TrimSuffix(file.name, filepath.Ext(file.name))+"-keys", fileColumns[:], fileRows(bulk))
}

// answerTable answers with rows as a file of the format that the form asks for, which the
// page saves. The native window, which saves no files, shows it.
func (d Desk) answerTable(w http.ResponseWriter, r *http.Request, name string, columns []string, rows iter.Seq[[]any]) error {
	format := transfer.Format(r.PostForm.Get("as"))
	kind, err := tableKind(format)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := transfer.WriteTable(&out, format, columns, rows); err != nil {
		return err
	}
	v := page.FileTableView{Name: name + "." + string(format), Kind: kind}
	if guard.InWindow(r) {
		v.Text = out.String()
	} else {
		v.Base64 = base64.StdEncoding.EncodeToString(out.Bytes())
	}
	return d.fragment(w, r, http.StatusOK, page.FileTable(v))
}

// tableKind is the media type of a table's file. It returns a problem for a format that
// tables are not saved in.
func tableKind(f transfer.Format) (string, error) {
	switch f {
	case transfer.CSV:
		return "text/csv; charset=utf-8", nil
	case transfer.JSONL:
		return "application/jsonl", nil
	case transfer.XLSX:
		return "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", nil
	}
	return "", problem.New(http.StatusBadRequest, "invalid", "A table is saved as csv, jsonl or xlsx.")
}
