package admin

import (
	"context"
	"net/http"
	"time"

	"dedupedesk/app/guard"
	"dedupedesk/app/session"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// overlap is how long a replaced password goes on working, so that the steps
// which hold it can be changed one by one.
const overlap = 24 * time.Hour

func connectRoutes(d Desk) []guard.Route {
	return []guard.Route{
		{Pattern: "GET /connect", Access: guard.Look, Handler: d.handle(d.connect)},
		{Pattern: "POST /connect/try", Access: guard.Decide, Handler: d.handle(d.try)},
		{Pattern: "POST /connect/token", Access: guard.Change, Handler: d.handle(d.changePassword)},
	}
}

func (d Desk) connect(w http.ResponseWriter, r *http.Request) error {
	list, err := d.Ledger.Rules(r.Context())
	if err != nil {
		return err
	}
	passwords, err := d.passwords(r)
	if err != nil {
		return err
	}
	visitor, _ := guard.Visitor(r)
	return d.show(w, r, http.StatusOK, place{Title: "Connect", Active: "connect"}, page.Connect(page.ConnectView{
		Address: d.APIURL, Reach: page.LocalReach(), Passwords: passwords,
		Try:      page.TryView{Rules: ruleOptions(list, r.FormValue("rule")), Key: "test:hello", May: visitor.Role.Covers(session.Decide)},
		Requests: d.requests(r, list),
		Calls:    d.lastCalls(list),
	}))
}

// requests returns the ready requests for the rule that the address names, or else
// for the first one that makes keys: to send an event to a rule is the usual way.
func (d Desk) requests(r *http.Request, list []ledger.Rule) page.RequestsView {
	of := page.RequestFor{Address: d.APIURL, Rule: ledger.DefaultRule}
	makes := false
	for _, rule := range list {
		file, err := ruleFile(rule)
		if err != nil || rule.Name == ledger.DefaultRule {
			continue // a broken file is told on its own page
		}
		if name := r.FormValue("rule"); name == rule.Name || (name == "" && !makes) {
			of.Rule, makes, of.Each = rule.Name, file.Key != "", file.Each != ""
		}
	}
	of.Event = makes && r.FormValue("kind") != "key"
	return page.RequestsView{
		Rules: ruleOptions(list, of.Rule), Rule: of.Rule, Makes: makes, Event: of.Event, Each: of.Each,
		Tools: page.ReadyRequests(of), Chosen: r.FormValue("tool"),
	}
}

// ruleOptions returns the live rules as choices, the plain keys first.
func ruleOptions(list []ledger.Rule, chosen string) []page.OptionView {
	options := []page.OptionView{{Value: ledger.DefaultRule, Text: page.PlainKeys, Chosen: chosen == "" || chosen == ledger.DefaultRule}}
	for _, rule := range list {
		if rule.Name != ledger.DefaultRule {
			options = append(options, page.OptionView{Value: rule.Name, Text: titleOf(rule), Chosen: chosen == rule.Name})
		}
	}
	return options
}

// titleOf returns what a rule is called on a page.
func titleOf(rule ledger.Rule) string {
	switch {
	case rule.Name == ledger.DefaultRule:
		return page.PlainKeys
	case rule.Title == "":
		return rule.Name
	}
	return rule.Title
}

// passwords returns the card of passwords as the visitor may see it.
func (d Desk) passwords(r *http.Request) (page.PasswordsView, error) {
	visitor, _ := guard.Visitor(r)
	v := page.PasswordsView{May: visitor.Role.Covers(session.Change)}
	tokens, err := d.Ledger.Tokens(r.Context())
	if err != nil {
		return v, err
	}
	now := d.Clock.Now()
	for _, t := range tokens {
		if t.InForce(now) {
			v.List = append(v.List, passwordView(t, now))
		}
	}
	return v, nil
}

func passwordView(t ledger.Token, now time.Time) page.PasswordView {
	v := page.PasswordView{Name: t.Name, Tail: t.Last4, May: "Reserve and finish keys", Made: page.At(t.CreatedAt, now), LastUsed: page.At(t.UsedAt, now)}
	if t.Scope == ledger.ScopeAdmin {
		v.May = "Everything"
	}
	if !t.RevokedAt.IsZero() {
		v.Ends = page.At(t.RevokedAt, now)
	}
	return v
}

// changePassword makes, replaces or takes back a password, and answers with the
// card. A new password is in this one answer only.
func (d Desk) changePassword(w http.ResponseWriter, r *http.Request) error {
	name, act := r.PostFormValue("name"), r.PostFormValue("act")
	made, err := d.actOnPassword(r.Context(), act, name)
	fault := ""
	if err != nil {
		if ledger.CodeOf(err) != ledger.Invalid && ledger.CodeOf(err) != ledger.NotFound {
			return err
		}
		fault = ledger.MessageOf(err)
	}
	v, err := d.passwords(r)
	if err != nil {
		return err
	}
	v.New = made
	status := http.StatusOK
	if fault != "" {
		v.Name, v.Fault, status = name, fault, http.StatusUnprocessableEntity
	}
	return d.fragment(w, r, status, page.Passwords(v))
}

func (d Desk) actOnPassword(ctx context.Context, act, name string) (*page.NewPasswordView, error) {
	switch act {
	case "new", "replace":
		scope := ledger.ScopeClaim
		if act == "replace" {
			var err error
			if scope, err = d.scopeOf(ctx, name); err != nil {
				return nil, err
			}
			if err := d.Ledger.RevokeToken(ctx, name, overlap); err != nil {
				return nil, err
			}
		}
		secret, t, err := d.Ledger.NewToken(ctx, name, scope)
		if err != nil {
			return nil, err
		}
		d.Log.Info("password made", "name", t.Name, "replaces", act == "replace")
		return &page.NewPasswordView{Name: t.Name, Text: secret, Replaced: act == "replace"}, nil
	case "revoke":
		d.Log.Info("password taken back", "name", name)
		return nil, d.Ledger.RevokeToken(ctx, name, 0)
	}
	return nil, &ledger.Error{Code: ledger.Invalid, Field: "act", Msg: "Choose what to do with the password."}
}

// scopeOf returns what the newest password of a name may do, for the one that takes its
// place: claim where there is none.
func (d Desk) scopeOf(ctx context.Context, name string) (ledger.Scope, error) {
	all, err := d.Ledger.Tokens(ctx)
	scope, newest := ledger.ScopeClaim, int64(0)
	for _, t := range all {
		if t.Name == name && t.ID > newest {
			scope, newest = t.Scope, t.ID
		}
	}
	return scope, err
}
