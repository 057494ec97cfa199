package admin

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules/presets"
)

// home is the list of rules and drafts, or the editor where the address names a
// rule.
func (p *designer) home(w http.ResponseWriter, r *http.Request) error {
	if q := r.URL.Query(); q.Get("rule") != "" || q.Get("draft") != "" {
		return p.editor(w, r)
	}
	v, err := p.list(r)
	if err != nil {
		return err
	}
	return p.show(w, r, http.StatusOK, place{Title: "Design a key", Active: "design"}, page.DesignList(v))
}

func (p *designer) list(r *http.Request) (page.DesignListView, error) {
	ctx := r.Context()
	v := page.DesignListView{May: mayChange(r), Paste: page.PasteView{ID: "paste-0"}, Recipes: recipeStarts()}
	var err error
	if v.Starts, err = senderViews(); err != nil {
		return v, err
	}
	kept, err := p.Ledger.SettingsWithPrefix(ctx, draftPrefix)
	if err != nil {
		return v, err
	}
	live, err := p.Ledger.Rules(ctx)
	if err != nil {
		return v, err
	}
	uses, err := p.uses(r)
	if err != nil {
		return v, err
	}
	for _, lr := range live {
		if lr.Name == ledger.DefaultRule {
			continue
		}
		file, err := ruleFile(lr)
		if err != nil {
			return v, err
		}
		_, unsaved := kept[draftPrefix+draftOf(lr.Name)]
		v.Rules = append(v.Rules, page.DesignRuleView{Name: lr.Name, Title: lr.Title, Formula: file.Key, Unsaved: unsaved,
			Keys: page.Count(uses[lr.Name].Keys), LastCall: page.At(uses[lr.Name].LastCallAt, p.Clock.Now())})
		delete(kept, draftPrefix+draftOf(lr.Name))
	}
	v.Drafts, err = p.drafts(kept)
	return v, err
}

// uses returns how each rule is used, by name.
func (p *designer) uses(r *http.Request) (map[string]ledger.RuleUse, error) {
	list, err := p.Ledger.RuleUses(r.Context())
	uses := map[string]ledger.RuleUse{}
	for _, u := range list {
		uses[u.Rule] = u
	}
	return uses, err
}

// drafts lists what is kept, the newest first.
func (p *designer) drafts(kept map[string]string) ([]page.DesignDraftView, error) {
	var all []*draft
	for _, text := range kept {
		d, err := readDraft(text)
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b *draft) int {
		if c := b.SavedAt.Compare(a.SavedAt); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	var out []page.DesignDraftView
	for _, d := range all {
		out = append(out, page.DesignDraftView{ID: d.ID, Title: d.listed(), Samples: page.Counted(len(d.Rule.Samples), "sample"), Saved: page.At(d.SavedAt, p.Clock.Now())})
	}
	return out, nil
}

// start makes a draft: from a pasted sample, from a sender's preset, or empty.
func (p *designer) start(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return err
	}
	d := newDraft(p.Clock.Now())
	t := &turn{ctx: r.Context(), form: r.PostForm, draft: d}
	switch from := t.form.Get("start"); from {
	case "empty":
	case "catch":
		p.Caught.Wait(d.ID)
	case "paste", "":
		found, paste, err := pasted(t)
		if err != nil {
			return err
		}
		if found == nil {
			return p.pasteAgain(w, r, paste)
		}
		if _, err := p.addAll(t, found); err != nil { // a form holds less than a draft
			return err
		}
	case "two":
		if err := d.two(t.form); err != nil {
			return problem.New(http.StatusBadRequest, "invalid", "One of the two events can no longer be read. Compare them again.")
		}
	case "recipe":
		if err := d.begin(t.form.Get("recipe")); err != nil {
			return err
		}
	default:
		_, delivery, ok := senderDelivery(from)
		if !ok {
			return problem.New(http.StatusBadRequest, "invalid", "There is no sender of that name to start from.")
		}
		d.Rule = delivery.Rule
		d.Rule.Rule = ""
		d.setFormula(d.Rule.Key)
	}
	if err := p.keep(r.Context(), d); err != nil {
		return err
	}
	goTo(w, "/design/rule?draft="+url.QueryEscape(d.ID))
	return p.answer(w, r, d, said{})
}

// pasteAgain sends the form back with what was pasted and what is wrong with it.
func (p *designer) pasteAgain(w http.ResponseWriter, r *http.Request, paste page.PasteView) error {
	v, err := p.list(r)
	if err != nil {
		return err
	}
	paste.ID = v.Paste.ID
	v.Paste = paste
	return p.fragment(w, r, http.StatusUnprocessableEntity, page.DesignNew(v))
}

// recognise names the sender of the samples, where the first that can be read carries
// the marks of one.
func (d *draft) recognise() {
	if d.Rule.Sender != "" {
		return
	}
	for _, s := range d.Rule.Samples {
		e, err := s.Event()
		if err != nil {
			continue
		}
		name, ok := presets.Recognise(e)
		if !ok {
			return
		}
		preset, _ := presets.BySender(name)
		d.Rule.Sender = name
		if d.Rule.Title == "" {
			d.Rule.Title = preset.For(e).Title
		}
		return
	}
}

// untitled is what a rule without a title is called.
const untitled = "New rule"

// title is what the draft is called on the page.
func (d *draft) title() string {
	switch {
	case d.Rule.Title != "":
		return d.Rule.Title
	case d.Rule.Rule != "":
		return d.Rule.Rule
	}
	return untitled
}

// listed is what the draft is called in a list: its title, or where its samples come
// from and when it was begun, so that several are told apart.
func (d *draft) listed() string {
	begun := d.Begun
	if begun.IsZero() {
		begun = d.SavedAt
	}
	name, at := d.title(), begun.Local().Format("2 Jan 15:04")
	preset, known := presets.BySender(d.Rule.Sender)
	switch {
	case known && (name == preset.Title || name == untitled):
		return preset.Title + ", " + at
	case name == untitled:
		return "Unknown sender, " + at
	}
	return name
}
