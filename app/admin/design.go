package admin

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/app/session"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// A designer serves the page Design a key. Drafts are read, changed and written
// back under its lock, so that two tabs of one engine lose nothing of each other.
type designer struct {
	Desk
	mu    sync.Mutex
	trees treeShelf
}

// maxSampleForm bounds a form that carries a sample: as a form, each byte of the
// sample may take three.
const maxSampleForm = 3*guard.MaxSampleBody + 64<<10

func designRoutes(d Desk) []guard.Route {
	p := &designer{Desk: d}
	routes := []guard.Route{
		{Pattern: "GET /design", Access: guard.Look, Handler: d.handle(p.home)},
		{Pattern: "GET /design/rule", Access: guard.Look, Handler: d.handle(p.editor)},
		{Pattern: "POST /design/fields", Access: guard.Look, Handler: d.handle(p.onDraft(p.fields))},
		{Pattern: "GET /design/share", Access: guard.Look, Handler: d.handle(p.share)},
		{Pattern: "POST /design/open", Access: guard.Change, MaxBody: maxSampleForm, Handler: d.handle(p.openShared)},
		{Pattern: "GET /design/senders", Access: guard.Change, Handler: d.handle(p.senders)},
		{Pattern: "GET /design/versions", Access: guard.Look, Handler: d.handle(p.versions)},
		{Pattern: "GET /design/words", Access: guard.Look, Handler: d.handle(p.words)},
		{Pattern: "POST /design/catch/look", Access: guard.Change, Handler: d.handle(p.onDraft(p.lookForCaught))},
		{Pattern: "POST /design/new", Access: guard.Change, MaxBody: maxSampleForm, Handler: d.handle(p.start)},
		{Pattern: "POST /design/discard", Access: guard.Change, Handler: d.handle(p.onDraft(p.discard))},
		{Pattern: "POST /design/use", Access: guard.Change, MaxBody: maxSampleForm, Handler: d.handle(p.onDraft(p.use))},
	}
	for path, act := range map[string]func(*turn) error{
		"samples/add": p.addSample, "samples/sender": p.addSender, "samples/group": groupSample, "samples/remove": removeSample, "samples/show": showSample,
		"catch/wait": p.waitForEvent, "catch/stop": p.stopWaiting, "recipe/drop": dropRecipe,
		"field": p.toggleField, "part": changePart, "formula": typeFormula, "suggest": useSuggestion, "settings": p.settings, "only": p.onlyWhen, "bring": p.bring, "save": saveUnsaved,
	} {
		routes = append(routes, guard.Route{Pattern: "POST /design/" + path, Access: guard.Change, MaxBody: maxSampleForm, Handler: d.handle(p.change(path, act))})
	}
	for path, act := range map[string]func(*turn) error{"undo": p.undo, "redo": p.redo} {
		routes = append(routes, guard.Route{Pattern: "POST /design/" + path, Access: guard.Change, MaxBody: maxSampleForm, Handler: d.handle(p.change("", act))})
	}
	return append(routes, p.fileRoutes()...)
}

// A turn is one change of a draft: what came in, and what the answer has to say.
type turn struct {
	ctx   context.Context
	form  url.Values
	by    string // who changes it
	draft *draft
	said  said
}

// said is what an answer shows beside the draft and nobody keeps.
type said struct {
	refused                         bool // nothing of the draft was changed; the answer is 422
	paste                           page.PasteView
	titleFault, nameFault, useFault string
	faults                          map[string]string // of settings, by field
	typed                           map[string]string // what was typed into them
	toast                           string
	goTo                            string // the address that the page goes on with, or ""
	just                            bool   // the rule was put to use a moment ago
	fold                            fold   // how the page's tree of fields stands
}

// text returns a form's value with the line ends of a text file.
func (t *turn) text(name string) string {
	return strings.ReplaceAll(t.form.Get(name), "\r\n", "\n")
}

// errMoved refuses a change of something that stands elsewhere by now.
var errMoved = problem.New(http.StatusConflict, "changed", "This changed in the meantime. Reload the page to see how it stands now.")

// onDraft returns a handler that has f handle a post about a draft. One at a time, as
// a draft is read, changed and kept.
func (p *designer) onDraft(f func(http.ResponseWriter, *http.Request, *turn) error) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := r.ParseForm(); err != nil {
			return err
		}
		who, _ := guard.Visitor(r)
		p.mu.Lock()
		defer p.mu.Unlock()
		d, err := p.load(r.Context(), r.PostForm.Get("draft"))
		if err != nil {
			return err
		}
		return f(w, r, &turn{ctx: r.Context(), form: r.PostForm, by: who.Name, draft: d, said: said{fold: foldOf(r.PostForm)}})
	}
}

// change returns a handler that has act change a draft, keeps it with what stood
// before, and answers with the editor. A change without a path is a step in the
// draft's own past.
func (p *designer) change(path string, act func(*turn) error) handler {
	return p.onDraft(func(w http.ResponseWriter, r *http.Request, t *turn) error { return p.apply(w, r, t, path, act) })
}

// apply does what the handlers of change do.
func (p *designer) apply(w http.ResponseWriter, r *http.Request, t *turn, path string, act func(*turn) error) error {
	if err := t.draft.stale(t); err != nil {
		if path == "save" && p.savedMeanwhile(t) {
			return p.answer(w, r, t.draft, t.said)
		}
		return err
	}
	if t.form.Get("over") != "" {
		t.draft.TypedAt = time.Time{} // what another tab typed is a change of its own
	}
	changed, refused, err := p.takeUnsaved(t)
	if err != nil {
		return err
	}
	before, samples := t.draft.now(whatOf(path, t), p.Clock.Now()), slices.Clone(t.draft.Rule.Samples)
	if err := act(t); err != nil {
		return err
	}
	if !t.said.refused && path != "" {
		t.draft.remember(before, samples)
	}
	if !t.said.refused || changed {
		if err := p.keep(t.ctx, t.draft); err != nil {
			return err
		}
	}
	t.said.add(refused)
	if t.said.goTo != "" {
		goTo(w, t.said.goTo)
	}
	return p.answer(w, r, t.draft, t.said)
}

// answer sends the editor as the part of the page that changed.
func (p *designer) answer(w http.ResponseWriter, r *http.Request, d *draft, s said) error {
	v, err := p.view(r, d, s)
	if err != nil {
		return err
	}
	if v.Fields.Same {
		w.Header().Set("Dedupe-Fields", "same") // the page's script leaves the tree as it stands
	}
	status := http.StatusOK
	if s.refused {
		status = http.StatusUnprocessableEntity
	}
	return p.fragment(w, r, status, page.DesignAnswer(v, s.toast))
}

// editor is the page of one rule or draft. It changes nothing: a draft begins with
// the first change.
func (p *designer) editor(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	id := q.Get("draft")
	if name := q.Get("rule"); name != "" {
		id = draftOf(name)
	}
	d, err := p.load(r.Context(), id)
	if ledger.CodeOf(err) == ledger.NotFound || ledger.CodeOf(err) == ledger.UnknownRule {
		gone := page.DesignGoneView{Title: "This draft is not here any more", Text: "It was put to use or thrown away. Rules in use are listed with the drafts."}
		if q.Get("rule") != "" {
			gone = page.DesignGoneView{Title: "There is no rule of that name", Text: "It may have been renamed or ended. Its keys stay."}
		}
		if q.Get("rule") == ledger.DefaultRule {
			gone = page.DesignGoneView{Title: "Nothing to design here", Text: defaultTakesKeys}
		}
		return p.show(w, r, http.StatusNotFound, place{Title: "Design a key", Active: "design"}, page.DesignGone(gone))
	}
	if err != nil {
		return err
	}
	v, err := p.view(r, d, said{just: q.Get("saved") != "" && d.Of != ""})
	if err != nil {
		return err
	}
	return p.show(w, r, http.StatusOK, place{Title: v.Title + " · Design a key", Active: "design"}, page.Design(v))
}

// mayChange tells whether the person's role may change rules.
func mayDecide(r *http.Request) bool {
	who, _ := guard.Visitor(r)
	return who.Role.Covers(session.Decide)
}

func mayChange(r *http.Request) bool {
	who, _ := guard.Visitor(r)
	return who.Role.Covers(session.Change)
}

// goTo has the page load another address. The web view follows no redirects, so
// the page's own script does it.
func goTo(w http.ResponseWriter, address string) { w.Header().Set("HX-Redirect", address) }

func ruleAddress(name string) string { return "/design/rule?rule=" + url.QueryEscape(name) }
