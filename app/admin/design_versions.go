package admin

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// versions is the page of what a rule was before.
func (p *designer) versions(w http.ResponseWriter, r *http.Request) error {
	name := r.FormValue("rule")
	lr, err := p.Ledger.Rule(r.Context(), name)
	if err != nil {
		return err
	}
	all, err := p.Ledger.Versions(r.Context(), lr.Name)
	if err != nil {
		return err
	}
	v := page.VersionsView{Rule: lr.Name, Draft: draftOf(lr.Name), Title: lr.Title, May: mayChange(r)}
	files := make([]*rules.Rule, len(all))
	for i, one := range all {
		lr.Doc = one.Doc
		if files[i], err = ruleFile(lr); err != nil {
			return err
		}
	}
	now := p.Clock.Now()
	for i, one := range all {
		row := page.VersionView{Number: strconv.FormatInt(one.Version, 10), Formula: files[i].Key, Since: page.At(one.Since, now), InUse: one.Until.IsZero(), By: one.By, Why: whyInWords(one.Why)}
		if !one.Until.IsZero() {
			row.Until = page.At(one.Until, now)
		}
		if one.LookBack.After(now) {
			row.LookBack = page.At(one.LookBack, now)
		}
		if i+1 < len(all) {
			row.Changes = ruleChanges(files[i+1], files[i])
		} else if one.Version == 1 {
			row.Changes = []string{"the first one"}
		}
		v.Rows = append(v.Rows, row)
	}
	return p.show(w, r, http.StatusOK, place{Title: "Versions of " + lr.Title, Active: "design"}, page.Versions(v))
}

func whyInWords(why ledger.Why) string {
	switch why {
	case ledger.Copies:
		return "because copies got through"
	case ledger.Merged:
		return "because different events were stopped"
	}
	return ""
}

// ruleChanges names in words what differs between two states of a rule.
func ruleChanges(before, after *rules.Rule) []string {
	b, a := before.WithDefaults(), after.WithDefaults()
	var out []string
	add := func(differs bool, what string) {
		if differs {
			out = append(out, what)
		}
	}
	add(!sameFormula(b.Key, a.Key), "formula")
	add(b.When != a.When, "condition")
	add(b.Each != a.Each, "list of items")
	add(b.Title != a.Title, "title")
	add(b.Lease != a.Lease, "time allowed: "+inWords(b.Lease)+", now "+inWords(a.Lease))
	add(b.Keep != a.Keep, "forget after: "+inWords(b.Keep)+", now "+inWords(a.Keep))
	add(b.OnExpiry != a.OnExpiry, "what happens when a run dies")
	add(b.MaxAttempts != a.MaxAttempts, "how often a failed event may run")
	add(b.Answer != a.Answer, "answer to copies")
	add(b.FoldCase != a.FoldCase || b.LongKeys != a.LongKeys, "capitals and long keys")
	add(!slices.Equal(b.Fingerprint, a.Fingerprint), "same key, different contents")
	add(b.IfUnreachable != a.IfUnreachable, "when the helper cannot be reached")
	add(b.CostPerDouble != a.CostPerDouble, "what a double costs")
	add(b.Sender != a.Sender, "sender")
	add(!reflect.DeepEqual(b.Samples, a.Samples), "samples")
	if len(out) == 0 {
		return []string{"spelling alone"}
	}
	return out
}

// bring makes an earlier version of the rule its draft. Nothing is put to use by it.
func (p *designer) bring(t *turn) error {
	all, err := p.Ledger.Versions(t.ctx, t.draft.Of)
	if err != nil {
		return err
	}
	for _, one := range all {
		if strconv.FormatInt(one.Version, 10) != t.form.Get("version") {
			continue
		}
		file, err := ruleFile(ledger.Rule{Name: t.draft.Of, Doc: one.Doc})
		if err != nil {
			return err
		}
		samples := t.draft.Rule.Samples
		t.draft.Rule, t.draft.Asked = *file, false
		if len(file.Samples) == 0 {
			t.draft.Rule.Samples = samples
		}
		t.draft.Shown = 0
		t.draft.Blocks = blocksOf(file.Key)
		t.said.goTo = ruleAddress(t.draft.Of)
		return nil
	}
	return errMoved
}
