package admin

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// share shows a draft, or a rule in use, as one file with its samples masked.
func (p *designer) share(w http.ResponseWriter, r *http.Request) error {
	d, err := p.load(r.Context(), r.URL.Query().Get("draft"))
	if err != nil {
		return err
	}
	v, err := p.shareView(r.Context(), d)
	if err != nil {
		return err
	}
	v.Window = guard.InWindow(r)
	return p.show(w, r, http.StatusOK, place{Title: "Share " + d.title(), Active: "design"}, page.Share(v))
}

func (p *designer) shareView(ctx context.Context, d *draft) (page.ShareView, error) {
	v := page.ShareView{Draft: d.ID, Title: d.title()}
	file := d.judged()
	if file.Rule == "" {
		file.Rule = nameFrom(file.Title)
	}
	masked, err := p.Rules.Mask(ctx, file)
	switch {
	case errors.Is(err, rules.ErrUnmaskable):
		v.Left = "The samples are left out: the formula reads letters or digits that masking changes, so masked samples would not show what yours show."
		bare := *file
		bare.Samples = nil
		masked = &bare
	case err != nil:
		return v, err
	case len(masked.Samples) < len(d.Rule.Samples):
		v.Left = page.Counted(len(d.Rule.Samples)-len(masked.Samples), "sample") + " that cannot be read, or that no event was chosen for, is not in it."
	}
	text, err := masked.YAML()
	if err != nil {
		return v, err
	}
	v.File, v.Text, v.Samples = file.Rule+".yaml", string(text), len(masked.Samples)
	return v, nil
}

// openShared makes a draft of a rule file. One that cannot be read stays in the form,
// with its place.
func (p *designer) openShared(w http.ResponseWriter, r *http.Request) error {
	if err := r.ParseForm(); err != nil {
		return err
	}
	text := strings.ReplaceAll(r.PostForm.Get("text"), "\r\n", "\n")
	if len(text) > guard.MaxSampleBody {
		return problem.TooLarge(guard.MaxSampleBody)
	}
	rule, fault := readShared(text)
	if fault != nil {
		v, err := p.list(r)
		if err != nil {
			return err
		}
		v.Shared = page.SharedView{Text: text, Fault: fault}
		return p.fragment(w, r, http.StatusUnprocessableEntity, page.DesignNew(v))
	}
	d := newDraft(p.Clock.Now())
	d.Rule = *rule
	d.setFormula(d.Rule.Key)
	var err error
	if d.Rule.Rule, err = p.anotherName(r.Context(), rule.Rule); err != nil {
		return err
	}
	if err := p.keep(r.Context(), d); err != nil {
		return err
	}
	goTo(w, "/design/rule?draft="+url.QueryEscape(d.ID))
	return p.answer(w, r, d, said{})
}

// readShared reads a rule file, or says what is wrong with it.
func readShared(text string) (*rules.Rule, *page.PlaceView) {
	if strings.TrimSpace(text) == "" {
		return nil, &page.PlaceView{Text: "Paste the file of a shared rule first, or choose it."}
	}
	rule, err := rules.Parse([]byte(text))
	if err == nil {
		return rule, nil
	}
	at, ok := errors.AsType[*rules.FileError](err)
	if !ok || at.Line == 0 {
		return nil, &page.PlaceView{Text: "This is no rule file. " + err.Error()}
	}
	v := placeIn(text, at.Line, 1, len(lineOf(text, at.Line)))
	v.Text = at.Msg
	if at.Field != "" {
		v.Text = at.Field + ": " + at.Msg
	}
	return nil, v
}

// anotherName returns the name, with a number behind it where a rule has it already.
func (p *designer) anotherName(ctx context.Context, name string) (string, error) {
	free := name
	for n := 2; ; n++ {
		_, err := p.Ledger.Rule(ctx, free)
		if ledger.CodeOf(err) == ledger.UnknownRule {
			return free, nil
		}
		if err != nil {
			return "", err
		}
		end := "-" + strconv.Itoa(n)
		free = name[:min(len(name), 64-len(end))] + end
	}
}
