package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
)

// The lints of this file look at one field of the key.

// changesOnTry finds what differs between tries of one event.
func (t *trial) changesOnTry(n int, p Part) {
	f, found := t.field(p)
	if t.blamed[f.Text] || len(p.Path) < 2 {
		return
	}
	v := Verdict{Code: VerdictChangesOnEveryTry, Path: f.Text, Fix: t.without("Remove it", []int{n})}
	switch {
	case slices.Contains(t.sender.Changed, f.Text):
		v.Text = fmt.Sprintf("`%s` changes when %s sends an event again, so copies would get different keys.", p.Name(), t.sender.Title)
	case t.inSenderKey(f.Text) || found && f.Role() == RoleMessage && !everyTry.MatchString(f.Name):
		return
	case changesByName(f, len(t.sender.Changed) > 0):
		v.Text = fmt.Sprintf("`%s` usually changes on every try, so copies would get different keys.", p.Name())
	default:
		return
	}
	t.add(v)
}

// deliveryID finds the id of a delivery, or of the hook that sent it, where the event
// has an id of its own: the same event by another hook has another one.
func (t *trial) deliveryID(n int, p Part) {
	f, _ := t.field(p)
	if !nameOf(p.Path).ofDelivery() || t.inSenderKey(f.Text) {
		return
	}
	v := Verdict{Code: VerdictDeliveryID, Path: f.Text}
	if t.rule.Each == t.sender.Each && t.sender.Key != "" && (t.rule.Each != "" || t.tree.has(t.sender.Key)) {
		v.Text = fmt.Sprintf("`%s` names the delivery, not the event: the same event by another subscription, or sent again, can have another one.", p.Name())
		v.Fix = &Fix{Label: "Use the event's id", Formula: t.sender.Key}
		t.add(v)
		return
	}
	for _, other := range t.tree.fields {
		if other.Role() != RoleMessage || nameOf(other.Path).ofDelivery() || len(other.Missing) > 0 {
			continue
		}
		v.Text = fmt.Sprintf("`%s` names the delivery, not the event: the same event by another subscription, or sent again, can have another one. `%s` names the event.",
			p.Name(), Part{Path: other.Path}.Name())
		v.Fix = t.change("Use the event's id", n, func(p *Part) { p.Path = other.Path })
		t.add(v)
		return
	}
}

// ofDelivery tells X-Shopify-Webhook-Id, notification_id and X-…-Delivery-ID.
func (n fieldName) ofDelivery() bool {
	return n.depth == 1 && (n.isID() || n.last() == "delivery") && slices.ContainsFunc(n.words, func(w string) bool {
		return w == "delivery" || w == "notification" || w == "webhook" || w == "hook"
	})
}

// place finds a field that goes by its place: in a list, or in a sheet.
func (t *trial) place(n int, p Part) {
	f, _ := t.field(p)
	switch own := nameOf(p.Path).own; {
	case t.inSenderKey(f.Text):
	case slices.ContainsFunc(p.Path, isIndex):
		t.add(Verdict{Code: VerdictListPosition, Path: f.Text, Fix: t.suggestion("Use another field"),
			Text: fmt.Sprintf("`%s` is a place in a list. When the list is in another order, the key is another one.", p.Name())})
	case rowName(own):
		t.add(Verdict{Code: VerdictRowNumber, Path: f.Text, Fix: t.without("Remove it", []int{n}),
			Text: fmt.Sprintf("`%s` is the number of a row. When somebody inserts a row above, the same row comes again under another number. Use a column with an id.", p.Name())})
	}
}

// rowName tells rowNumber, row_index, rowStart and position, not rowVersion.
func rowName(own []string) bool {
	if len(own) == 0 || idWords[own[len(own)-1]] {
		return false
	}
	last := own[len(own)-1]
	row := slices.Contains(own, "row") && (len(own) == 1 || last == "number" || last == "index" || last == "start" || last == "end" || last == "no")
	return row || len(own) == 1 && (last == "position" || last == "rownumber" || last == "rowindex")
}

// freeNames are of fields that people fill with sentences.
var freeNames = words(`text description summary title subject comment comments note notes message msg content`)

func (t *trial) freeText(n int, p Part) {
	f, found := t.field(p)
	if !found || f.Kind != "text" || t.inSenderKey(f.Text) || timeLike(f.Name, f.whole) {
		return
	}
	own := nameOf(p.Path).own
	sentence := slices.ContainsFunc(f.whole, func(v string) bool { return strings.Count(v, " ") > 2 })
	if !sentence && !(len(own) == 1 && freeNames[own[0]]) {
		return
	}
	t.add(Verdict{Code: VerdictFreeText, Path: f.Text, Fix: t.without("Remove it", []int{n}),
		Text: fmt.Sprintf("`%s` is free text: a corrected letter makes another key, and two people can write the same. Use an id.", p.Name())})
}

// wholeBody finds digest(body), and digest(item) where the rule goes through a list.
func (t *trial) wholeBody() {
	tree, errs := plainTree(t.rule.Key)
	if tree == nil || len(errs.GetErrors()) > 0 {
		return
	}
	whole := ""
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "digest" {
			return
		}
		for _, arg := range e.AsCall().Args() {
			if arg.Kind() == ast.IdentKind && (arg.AsIdent() == "body" || arg.AsIdent() == "item") {
				whole = arg.AsIdent()
			}
		}
	}))
	if whole != "" {
		t.add(Verdict{Code: VerdictWholeBody, Path: whole, Fix: t.suggestion("Use an id"),
			Text: fmt.Sprintf("digest(%s) is another one when any field changes: an attempt counter, or a field that the sender adds next year. Use an id.", whole)})
	}
}
