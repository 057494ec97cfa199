package admin

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"

	"dedupedesk/app/intake"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// use puts the draft's rule to use and leads to its page. A draft that cannot be
// used is kept, and says why.
func (p *designer) use(w http.ResponseWriter, r *http.Request, t *turn) error {
	d := t.draft
	if err := d.stale(t); err != nil {
		return err
	}
	changed, err := p.takeShown(t)
	if err != nil {
		return err
	}
	if d.Of == "" && !t.said.refused && d.Rule.Title == "" {
		changed, t.said.refused, t.said.titleFault = true, true, "Say in a few words what must happen once. The rule is listed under them."
	}
	if t.said.refused && changed {
		if err := p.keep(r.Context(), d); err != nil {
			return err
		}
	}
	if t.said.refused {
		return p.answer(w, r, d, t.said)
	}
	d.settle()
	name, err := p.putToUse(t)
	if err != nil {
		return err
	}
	if t.said.refused {
		if err := p.keep(r.Context(), d); err != nil {
			return err
		}
		return p.answer(w, r, d, t.said)
	}
	if err := p.drop(r.Context(), d.ID); err != nil {
		return err
	}
	used, err := p.ofRule(r.Context(), name)
	if err != nil {
		return err
	}
	goTo(w, ruleAddress(name)+"&saved=1")
	return p.answer(w, r, used, said{just: true})
}

// putToUse saves the rule and returns its name, or says in t why it cannot.
func (p *designer) putToUse(t *turn) (string, error) {
	d, no := t.draft, func(text string) { t.said.refused, t.said.useFault = true, text }
	if fault, err := p.overtaken(t.ctx, d); err != nil || fault != "" {
		no(fault)
		return "", err
	}
	if fault := blocked(&d.Rule, p.Rules.Judge(t.ctx, d.judged())); fault != "" {
		no("This cannot be used yet. " + fault)
		return "", nil
	}
	file := d.Rule
	if d.Of == "" {
		name, fault, err := p.freeName(t.ctx, file)
		if err != nil || fault != "" {
			t.said.refused, t.said.nameFault = true, fault
			return "", err
		}
		file.Rule = name
	}
	_, err := p.Intake.ChangeRule(t.ctx, intake.Change{Name: d.Of, File: &file, Why: d.Why, By: t.by})
	if faulty, ok := errors.AsType[*intake.IssuesError](err); ok {
		no("This cannot be used yet. " + faulty.Issues[0].String())
		return "", nil
	}
	if ledger.CodeOf(err) == ledger.Invalid {
		no(ledger.MessageOf(err))
		return "", nil
	}
	return file.Rule, err
}

// overtaken says so where the rule in use is another version than the one that the
// draft began with. Asked again, the draft wins.
func (p *designer) overtaken(ctx context.Context, d *draft) (string, error) {
	if d.Of == "" {
		return "", nil
	}
	now, err := p.Ledger.Rule(ctx, d.Of)
	if err != nil || now.Version == d.Base {
		return "", err
	}
	d.Base = now.Version
	return "This rule was changed elsewhere since your draft began. Look at the version in use, or press the button again to put yours in its place.", nil
}

// freeName returns the name of a new rule: the one that was typed, if no rule has
// it, or one made from the title.
func (p *designer) freeName(ctx context.Context, file rules.Rule) (name, fault string, err error) {
	name = file.Rule
	made := name == ""
	if made {
		name = nameFrom(file.Title)
	}
	for n := 2; ; n++ {
		_, err := p.Ledger.Rule(ctx, name)
		switch {
		case ledger.CodeOf(err) == ledger.UnknownRule:
			return name, "", nil
		case err != nil:
			return "", "", err
		case !made:
			return "", "There is a rule of this name already. Choose another name.", nil
		}
		end := "-" + strconv.Itoa(n)
		base := nameFrom(file.Title)
		name = base[:min(len(base), 64-len(end))] + end
	}
}

// nameFrom makes a rule's name from its title.
func nameFrom(title string) string {
	return cmp.Or(rules.NameOf(title), "new-rule")
}

// discard throws a draft away. The rule in use, if there is one, stays as it is.
func (p *designer) discard(w http.ResponseWriter, r *http.Request, t *turn) error {
	d := t.draft
	if err := d.stale(t); err != nil {
		return err
	}
	if err := p.drop(r.Context(), d.ID); err != nil {
		return err
	}
	if d.Of == "" {
		goTo(w, "/design")
		v, err := p.list(r)
		if err != nil {
			return err
		}
		return p.fragment(w, r, http.StatusOK, page.DesignList(v))
	}
	goTo(w, ruleAddress(d.Of))
	used, err := p.ofRule(r.Context(), d.Of)
	if err != nil {
		return err
	}
	return p.answer(w, r, used, said{})
}
