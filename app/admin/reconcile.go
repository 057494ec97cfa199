package admin

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dedupedesk/app/deliveries"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/reconcile"
	"dedupedesk/frontend/page"
)

func reconcileRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "GET /keys/reconcile", Access: guard.Look, Handler: d.handle(d.reconcilePage)},
		{Pattern: "POST /keys/reconcile", Access: guard.Look, MaxBody: maxTestForm, Handler: d.handle(d.compareRows)},
		{Pattern: "POST /keys/reconcile/table", Access: guard.Look, MaxBody: maxTestForm, Handler: d.handle(d.saveCompared)},
		{Pattern: "POST /keys/reconcile/import", Access: guard.Decide, MaxBody: maxTestForm, Handler: d.handle(d.takeIn)},
	}
}

func (d Desk) reconcilePage(w http.ResponseWriter, r *http.Request) error {
	list, err := d.Ledger.Rules(r.Context())
	if err != nil {
		return err
	}
	v := page.ReconcileView{Most: maxTestFile}
	for _, rule := range list {
		v.Rules = append(v.Rules, page.OptionView{Value: rule.Name, Text: titleOf(rule), Chosen: rule.Name == r.URL.Query().Get("rule")})
	}
	return d.show(w, r, http.StatusOK, place{Title: "Compare with the destination", Active: "keys"}, page.Reconcile(v))
}

// A matching is a file of a form, compared with the keys.
type matching struct {
	file  string // its name
	rule  *intake.Rule
	how   reconcile.How
	by    string // column, parts, formula
	guess string // how the column was guessed, or ""
	since string // 24h, 7d, 30d, all
	found *reconcile.Found
}

// How the key of a row is made.
const (
	byColumn  = "column"
	byParts   = "parts"
	byFormula = "formula"
)

// maxParts is how many columns a key is made of on the page.
const maxParts = 4

// compare reads the file of a form and compares it as the form says.
func (d Desk) compare(w http.ResponseWriter, r *http.Request) (*matching, error) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(maxTestTime + 10*time.Second))
	if err := parseForm(r); err != nil {
		return nil, err
	}
	data, err := dataOf(r.PostForm)
	if err != nil {
		return nil, err
	}
	c := &matching{file: filepath.Base(r.PostForm.Get("name")), since: r.PostForm.Get("since")}
	if c.rule, err = d.Intake.FreshRule(r.Context(), r.PostForm.Get("rule")); err != nil {
		return nil, brokenRule(err, "is nothing to compare with")
	}
	since, err := d.sinceOf(c)
	if err != nil {
		return nil, err
	}
	open := func() (*deliveries.File, error) {
		return deliveries.Open(c.file, data, deliveries.Options{Column: "-", Sheet: strings.TrimSpace(r.PostForm.Get("sheet"))})
	}
	if err := d.howOf(r.Context(), c, r.PostForm, open); err != nil {
		return nil, err
	}
	file, err := open()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), maxTestTime)
	defer cancel()
	rows, err := reconcile.Read(ctx, file, c.rule.File, c.rule.Program, c.how)
	if err != nil {
		return nil, err
	}
	c.found, err = reconcile.Compare(ctx, d.Ledger, c.rule.Name, rows, since)
	return c, err
}

// sinceOf returns from when on finished keys without a row are told. A file seldom holds
// everything, so it is 30 days where nothing was said.
func (d Desk) sinceOf(c *matching) (time.Time, error) {
	if c.since == "" {
		c.since = "30d"
	}
	if c.since == "all" {
		return time.Time{}, nil
	}
	f := keysFilter{Since: c.since}
	if f.span() == nil {
		return time.Time{}, noSuchFilter("since", "The comparison goes back 24 hours, 7 days, 30 days, or to the beginning.")
	}
	return f.from(d.Clock.Now()), nil
}

// howOf reads how the key of a row is made, and guesses where nothing was said.
func (d Desk) howOf(ctx context.Context, c *matching, form url.Values, open func() (*deliveries.File, error)) error {
	c.by = form.Get("by")
	parts := slices.DeleteFunc(slices.Clone(form["part"]), func(name string) bool { return name == "" })
	switch c.by {
	case byColumn:
		if c.how.Column = form.Get("key-column"); c.how.Column == "" {
			return &deliveries.Fault{Msg: "Choose the column that holds the whole key."}
		}
		return nil
	case byParts:
		if c.how = (reconcile.How{Prefix: form.Get("prefix"), Columns: parts}); len(parts) == 0 {
			return &deliveries.Fault{Msg: "Choose at least one column that the key is made of."}
		}
		return nil
	case byFormula:
		return nil
	}
	file, err := open()
	if err != nil {
		return err
	}
	column, hits, of, err := reconcile.Guess(ctx, d.Ledger, c.rule.Name, file)
	if err != nil {
		return err
	}
	c.by = byFormula
	if column != "" || c.rule.Program == nil {
		c.by, c.how.Column = byColumn, column
		c.guess = fmt.Sprintf("Guessed: %d of the first %d rows hold a key of this rule there.", hits, of)
	}
	if column == "" && c.rule.Program == nil {
		c.guess = "No column of the first rows holds a key that is known here. Choose it."
		if len(file.Columns) > 0 {
			c.how.Column = file.Columns[0]
		}
	}
	return nil
}

func (d Desk) compareRows(w http.ResponseWriter, r *http.Request) error {
	c, err := d.compare(w, r)
	if err != nil {
		return d.fileFault(w, r, err)
	}
	return d.fragment(w, r, http.StatusOK, page.ReconcileFound(d.comparedView(r, c)))
}

// firstShown is how many keys show how they were made.
const firstShown = 3

// comparedShown is how many keys of each list stand on the page.
const comparedShown = 200

func (d Desk) comparedView(r *http.Request, c *matching) page.ReconcileFoundView {
	f := c.found
	v := page.ReconcileFoundView{
		Rule: c.rule.Name, RuleTitle: titleOf(c.rule.Rule), File: firstWords(c.file), Kind: f.Rows.Kind, Columns: f.Rows.Columns,
		How:  page.ReconcileHowView{By: c.by, Column: c.how.Column, Guessed: c.guess, Prefix: c.how.Prefix, Parts: make([]string, maxParts), Formula: c.rule.Program != nil, Since: c.since},
		Rows: page.Count(int64(f.Rows.Count)), Matched: page.Count(int64(f.Matched)),
		MissingCount: len(f.Missing), ExtraCount: len(f.Extra), DoubleCount: len(f.Doubles),
		May: mayDecide(r), Window: guard.InWindow(r),
	}
	copy(v.How.Parts, c.how.Columns)
	for _, row := range f.Rows.Keys[:min(firstShown, len(f.Rows.Keys))] {
		v.First = append(v.First, page.ReconcileRowView{Key: row.Key, Where: row.Places[0]})
	}
	for i, m := range f.Missing {
		row := page.ReconcileRowView{Key: m.Key, What: missingWords(m), Where: placesWords(m.Row), Import: m.Unknown()}
		switch {
		case m.State != "":
			row.Href = keyHref(c.rule.Name, m.Key)
		case m.Near != "":
			row.Href = keyHref(c.rule.Name, m.Near)
		default:
			v.Importable++
		}
		if i < comparedShown {
			v.Missing = append(v.Missing, row)
		}
	}
	for _, e := range f.Extra[:min(comparedShown, len(f.Extra))] {
		v.Extra = append(v.Extra, page.ReconcileRowView{Key: e.Key, Href: keyHref(c.rule.Name, e.Key), What: "Finished", At: page.At(e.DoneAt, d.Clock.Now())})
	}
	for _, row := range f.Doubles[:min(comparedShown, len(f.Doubles))] {
		v.Doubles = append(v.Doubles, page.ReconcileRowView{Key: row.Key, What: page.Counted(row.Count, "row"), Where: placesWords(row)})
	}
	for _, no := range f.Rows.Refused {
		v.Refused = append(v.Refused, page.FileRefusalView{Count: page.Count(int64(no.Count)), Why: no.Why, Where: placesWords(reconcile.Row{Count: no.Count, Places: no.Places})})
	}
	return v
}

func missingWords(m reconcile.Missing) string {
	switch {
	case m.State != "":
		return m.State
	case m.Near != "":
		return "Unknown. There is “" + isolate(m.Near) + "”, which differs in capitals or spaces only"
	}
	return "Unknown"
}

func placesWords(row reconcile.Row) string {
	shown := row.Places[:min(len(row.Places), placesShown)]
	text := strings.Join(shown, ", ")
	if more := row.Count - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
