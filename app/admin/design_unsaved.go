package admin

import (
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"dedupedesk/app/problem"
	"dedupedesk/rules"
)

// What the page saves as it is changed may fail to arrive, and stays on the page then.
// So that nothing is ever done with an older key than the one on the screen, each
// request of the editor says what its draft lacks: a value "unsaved" for each such form,
// which is the form's path with its values, as in a GET.

// savedAtOnce are the forms that the page sends as they are changed.
func (p *designer) savedAtOnce(path string) func(*turn) error {
	switch path {
	case "formula":
		return typeFormula
	case "settings":
		return p.settings
	case "part":
		return changePart
	case "samples/group":
		return groupSample
	}
	return nil
}

// later reads a form that a request says beside its own.
func (p *designer) later(t *turn, said string) (path string, form *turn, act func(*turn) error, err error) {
	path, query, _ := strings.Cut(strings.TrimPrefix(said, "/design/"), "?")
	values, err := url.ParseQuery(query)
	act = p.savedAtOnce(path)
	if err != nil || act == nil {
		return "", nil, nil, problem.New(http.StatusBadRequest, "bad_unsaved", "This request says changes that no form of the page makes. Nothing was saved.")
	}
	return path, &turn{ctx: t.ctx, form: values, by: t.by, draft: t.draft}, act, nil
}

// takeUnsaved makes the changes that the page shows and could not save before, each of
// them one that can be undone. It returns whether the draft is another now, and what the
// answer has to say of those that were refused.
func (p *designer) takeUnsaved(t *turn) (changed bool, refused said, err error) {
	if len(t.form["unsaved"]) == 0 {
		return false, said{}, nil
	}
	began := t.draft.now("", p.Clock.Now())
	drawn, _ := t.draft.parts()
	for _, text := range t.form["unsaved"] {
		path, one, act, err := p.later(t, text)
		if err != nil {
			return false, refused, err
		}
		if path == "part" {
			one.meansNow(drawn)
		}
		before, samples := t.draft.now(whatOf(path, one), p.Clock.Now()), slices.Clone(t.draft.Rule.Samples)
		if err := act(one); err != nil {
			return false, refused, err
		}
		if one.said.refused {
			refused.add(one.said)
			continue
		}
		t.draft.remember(before, samples)
	}
	return !began.same(t.draft.now("", began.At)), refused, nil
}

// meansNow has a form about a block mean the block as it stands by now, where it was
// drawn from the blocks before: several changes of one block arrive together.
func (t *turn) meansNow(drawn []rules.Part) {
	now, _ := t.draft.parts()
	i, err := strconv.Atoi(t.form.Get("part"))
	if err == nil && i >= 0 && i < len(drawn) && len(now) == len(drawn) && t.form.Get("was") == drawn[i].Text() {
		t.form.Set("was", now[i].Text())
	}
}

// add says what another form was refused for, where nothing is said there yet.
func (s *said) add(other said) {
	s.refused = s.refused || other.refused
	for into, text := range map[*string]string{&s.titleFault: other.titleFault, &s.nameFault: other.nameFault, &s.useFault: other.useFault, &s.toast: other.toast} {
		if *into == "" {
			*into = text
		}
	}
	for into, texts := range map[*map[string]string]map[string]string{&s.faults: other.faults, &s.typed: other.typed} {
		if len(texts) == 0 {
			continue
		}
		both := maps.Clone(texts)
		maps.Copy(both, *into)
		*into = both
	}
}

// savedMeanwhile tells whether the draft has all that the page could not save: the
// answer to it was lost on its way.
func (p *designer) savedMeanwhile(t *turn) bool {
	d := *t.draft
	d.Rule.Samples = slices.Clone(d.Rule.Samples)
	changed, refused, err := p.takeUnsaved(&turn{ctx: t.ctx, form: t.form, by: t.by, draft: &d})
	return err == nil && !changed && !refused.refused
}

// errUnlike refuses to use what the page does not show.
var errUnlike = problem.New(http.StatusConflict, "unlike", "The page shows another key or other settings than the draft has, so nothing was put to use. Copy what you typed, reload the page to see the draft, and type it again there.")

// likeShown returns an error where the formulas and settings that the page shows are not
// those of the draft. Each value "shown" is one of its forms; what no form shows is not
// compared.
func (p *designer) likeShown(t *turn) error {
	d := *t.draft
	d.Rule.Samples = slices.Clone(d.Rule.Samples)
	for _, text := range t.form["shown"] {
		_, one, act, err := p.later(t, text)
		if err != nil {
			return err
		}
		one.draft = &d
		if err := act(one); err != nil {
			return errUnlike
		}
	}
	if !reflect.DeepEqual(asShown(d.Rule), asShown(t.draft.Rule)) {
		return errUnlike
	}
	return nil
}

// asShown is a rule as a page can show it: a field of a form has line ends of its own,
// and no difference between a usual value and none.
func asShown(r rules.Rule) rules.Rule {
	r = r.WithDefaults()
	for _, text := range []*string{&r.Key, &r.Each, &r.When, &r.CostPerDouble} {
		*text = strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.ToValidUTF8(*text, "\ufffd")))
	}
	return r
}

// savedNow is said where a key was to be used that the draft did not have yet, so that
// nobody has seen yet what the samples get from it.
const savedNow = "What you changed last was not saved before. It is saved now, and not in use yet: look at what your samples get, then press the button again."

// takeShown makes the draft what the page shows, before it is put to use. It refuses in t
// what was not saved until now, and returns whether the draft changed by that.
func (p *designer) takeShown(t *turn) (changed bool, err error) {
	changed, refused, err := p.takeUnsaved(t)
	if err != nil {
		return false, err
	}
	if err := p.likeShown(t); err != nil {
		return false, err
	}
	p.takeSettings(t)
	if changed {
		t.said.add(said{refused: true, useFault: savedNow})
	}
	t.said.add(refused)
	return changed, nil
}

// saveUnsaved is for a page that has nothing else to say than what it could not save.
func saveUnsaved(*turn) error { return nil }
