// Package recipes starts a rule from what must happen once: a refund, a mail, a
// supplier order for each line. A recipe knows which ids its key is made of, and
// guesses them in the samples.
//
// # What it promises
//
// A guess goes by names alone, so it is an offer and never a key by itself. A part
// that is not found is named, and then there is no formula: a key without it would
// drop events.
//
// # Concurrency
//
// All functions may be called by any number of goroutines at once. What they return
// is the caller's own.
package recipes

import (
	"regexp"
	"slices"
	"strings"

	"dedupedesk/rules"
)

// A Recipe is one thing that must happen once.
type Recipe struct {
	ID       string // refund
	Title    string // of the rule that it starts: Refund the customer
	About    string // when to take it, one sentence
	Source   string // the first part of its keys
	List     bool   // once for each item of a list
	Wants    []Want // the further parts, in order
	Word     string // a last part that is fixed text, or ""
	Ask      bool   // a person decides where a run died: a double costs money
	Warnings []string
}

// A Want is a part of the key that the samples must hold.
type Want struct {
	Title string // order id
	Help  string // what to click, one sentence
	Item  bool   // it stands in each item of the list
	Time  bool   // it is a time, written as one

	names *regexp.Regexp // of the path, in small letters with dots
}

// A Filled is a recipe with what the samples hold for it.
type Filled struct {
	Each  string       // the list, as it stands in a formula; "" without one
	Parts []rules.Part // the key; nil while a part is missing
	Found []Found      // one for each Want
}

// A Found is the field that a part was guessed to be.
type Found struct {
	Want Want
	Path string // as it stands in a formula; "" where none was found
	Name string // as people read it
}

var (
	orderNames = regexp.MustCompile(`(^|\.)(order|invoice|booking|purchase|sale|deal|cart|checkout)[^.]*[._]?(id|number|no|nr|reference|key|code)$|(^|\.)(order|invoice|booking|purchase|sale|object|data|resource)\.(id|number|uuid)$|^id$`)
	lineNames  = regexp.MustCompile(`(^|\.)(id|sku|line_?item_?id|line_?id|item_?id|product_?id|variant_?id|code|number)$`)
	listNames  = regexp.MustCompile(`(^|\.)(line_?items|lines|items|order_?lines|order_?items|positions|products|rows|entries)$`)
	mailNames  = regexp.MustCompile(`(^|\.)(order|invoice|booking|submission|response|ticket|event)[^.]*[._]?(id|number|no|token|key)$|(^|\.)(order|invoice|data|object)\.(id|number)$|^id$`)
	refundName = regexp.MustCompile(`refund[^.]*[._]?(id|key|token|number)$|(^|\.)refunds?(\[0\])?\.id$`)
	moveNames  = regexp.MustCompile(`(movement|adjustment|transfer|shipment|order|event)[^.]*[._]?(id|number|key)$|^id$`)
	skuNames   = regexp.MustCompile(`(^|\.)(sku|inventory_?item_?id|variant_?id|product_?id|item_?id|article[^.]*)$`)
	payNames   = regexp.MustCompile(`(payment|charge|invoice|order|subscription)[^.]*[._]?(id|number|reference|intent)$|(^|\.)object\.id$|^id$`)
	rowNames   = regexp.MustCompile(`(record|row|item|entry|submission|response|lead|contact)[^.]*[._]?(id|token|key)$|^id$|^_id$`)
	slotNames  = regexp.MustCompile(`(scheduled|planned|slot|due|fire|trigger|run)[^.]*[._]?(time|at|for|date|on)$`)
	pressNames = regexp.MustCompile(`(press|click|request|form|submission|idempotency|button)[^.]*[._]?(id|key|token)$`)
)

// All returns the recipes, those with money first.
func All() []Recipe {
	order := Want{Title: "order id", Help: "The id or number of the order.", names: orderNames}
	return []Recipe{
		{ID: "supplier-order", Title: "Create the supplier order, line by line", About: "Each line of an order is ordered from a supplier once, and a line that is added later still is.",
			Source: "supplier-order", List: true, Ask: true,
			Wants:    []Want{order, {Title: "line id", Help: "What names the line inside the order: its id, else the article number.", Item: true, names: lineNames}},
			Warnings: []string{"An article number names a line only if an order never has it twice."}},
		{ID: "refund", Title: "Refund the customer", About: "Money goes back once for each refund that was decided.", Source: "refund", Ask: true,
			Wants:    []Want{{Title: "refund id", Help: "The id of the refund or return, not that of the order: an order may be refunded in parts.", names: refundName}},
			Warnings: []string{"Before the refund, ask the payment service what was refunded already: a person may have done it by hand, and no key knows that."}},
		{ID: "charge", Title: "Charge the customer", About: "A card is charged, or an invoice sent, once for each order.", Source: "charge", Ask: true,
			Wants:    []Want{{Title: "payment or invoice id", Help: "What is paid for: the invoice, the order, or the period of a subscription.", names: payNames}},
			Warnings: []string{"Send the key to the payment service too, as its idempotency key: it stops a second charge where this computer cannot."}},
		{ID: "mail", Title: "Send the mail", About: "One mail of a kind for each order.", Source: "mail", Word: "confirmation",
			Wants:    []Want{{Title: "order id", Help: "What the mail is about.", names: mailNames}},
			Warnings: []string{"The last part says which mail it is. Give every other mail a rule with another word, or the second kind is never sent."}},
		{ID: "stock", Title: "Change the stock", About: "A quantity is added or taken once for each movement.", Source: "stock",
			Wants: []Want{{Title: "movement or order id", Help: "What moves the stock: the movement, the shipment or the order.", names: moveNames},
				{Title: "article", Help: "The article whose stock changes.", names: skuNames}},
			Warnings: []string{"Setting a stock to a number may run twice without harm; adding and taking may not."}},
		{ID: "row", Title: "Add the row", About: "A record becomes one row in a list or table.", Source: "row",
			Wants:    []Want{{Title: "record id", Help: "The id of the record, response or submission.", names: rowNames}},
			Warnings: []string{"If the list can refuse a value that is there already, a unique column is the better guard: see the settings steps."}},
		{ID: "schedule", Title: "Run the scheduled job", About: "A job runs once for each time that was planned, however often it is started.", Source: "job", Word: "daily-report",
			Wants:    []Want{{Title: "planned time", Help: "The time for which the run was planned, not the time at which it began.", Time: true, names: slotNames}},
			Warnings: []string{"The last part names the job. A time of now is another one in each try, so it stops nothing."}},
		{ID: "button", Title: "Do what the button says", About: "A person presses twice, or reloads the page, and it happens once.", Source: "button",
			Wants:    []Want{{Title: "id of the press", Help: "An id that the form or the app makes once, when it is opened, and sends with each press.", names: pressNames}},
			Warnings: []string{"If the id is made at the press, two presses have two ids, and both run."}},
	}
}

// ByID returns a recipe, false if there is none of that name.
func ByID(id string) (Recipe, bool) {
	all := All()
	i := slices.IndexFunc(all, func(r Recipe) bool { return r.ID == id })
	if i < 0 {
		return Recipe{}, false
	}
	return all[i], true
}

// Fill looks for the parts in samples.
func (r Recipe) Fill(tree *rules.Tree) Filled {
	var out Filled
	list := ""
	if r.List {
		list = bestList(tree)
		out.Each = list
	}
	parts, whole := []rules.Part{{Literal: r.Source}}, true
	for _, want := range r.Wants {
		f, ok := want.best(tree, list)
		found := Found{Want: want}
		if ok {
			part := rules.Part{Path: f.Path}
			if want.Item {
				part.Path = append([]string{"item"}, f.Path[len(strings.Split(list, "."))+1:]...)
			}
			if want.Time {
				part.Steps = []string{"time"}
			}
			found.Path, found.Name = rules.Part{Path: part.Path}.Text(), part.Name()
			parts = append(parts, part)
		}
		whole = whole && ok
		out.Found = append(out.Found, found)
	}
	if r.Word != "" {
		parts = append(parts, rules.Part{Literal: r.Word})
	}
	if whole && (!r.List || list != "") {
		out.Parts = parts
	}
	return out
}

// bestList returns the list of items that lies nearest to the top, "" for none.
func bestList(tree *rules.Tree) string {
	best, depth := "", 0
	for _, f := range tree.Fields() {
		if f.Kind == "list" && f.Path[0] == "body" && listNames.MatchString(joined(f.Path[1:])) && (best == "" || f.Depth < depth) && !strings.Contains(f.Text, "[") {
			best, depth = f.Text, f.Depth
		}
	}
	return best
}

// best returns the field of the body that fits best: not missing, no item of a list
// unless that is wanted, the earliest name of the pattern, then nearest to the top.
func (w Want) best(tree *rules.Tree, list string) (rules.Field, bool) {
	var found rules.Field
	score := 0
	for _, f := range tree.Fields() {
		name, inList := joined(f.Path[1:]), strings.Contains(f.Text, "[")
		if w.Item {
			rest, below := strings.CutPrefix(f.Text, list+"[0].")
			if list == "" || !below || strings.Contains(rest, "[") {
				continue
			}
			name, inList = rest, false
		}
		if f.Kind == "object" || f.Kind == "list" || f.Path[0] != "body" && !w.headers() || inList || len(f.Missing) > 0 || !w.names.MatchString(strings.ToLower(name)) {
			continue
		}
		if s := w.score(f, strings.ToLower(name)); s > score {
			found, score = f, s
		}
	}
	return found, score > 0
}

// headers tells whether the part may stand in a header, as an idempotency key does.
func (w Want) headers() bool { return w.names == pressNames }

func (w Want) score(f rules.Field, name string) int {
	s := 100 - f.Depth
	if w.Item == (name == "id" || name == "_id") {
		s += 20 // a name that says what it is; inside an item id says it
	}
	switch f.Role() {
	case rules.RolePlace:
		s -= 50
	case rules.RoleMessage:
		s -= 10 // of the message, which may be one of several about the thing
	}
	if f.Has(rules.BadgeChanges) {
		s -= 80
	}
	return s
}

func joined(path []string) string { return strings.Join(path, ".") }
