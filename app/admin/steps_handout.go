package admin

import (
	"mime"
	"net/http"

	"dedupedesk/app/guard"
	"dedupedesk/app/problem"
	"dedupedesk/app/session"
	"dedupedesk/exporters"
	"dedupedesk/frontend/page"
)

// handout answers with the checklist as one file for a colleague, to be saved.
func (d stepsDesk) handout(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	s, err := d.sheet(r.Context(), q.Get("rule"), q.Get("tool"))
	if err != nil {
		return brokenRule(err, "are no steps")
	}
	if s.list.Platform == "" {
		return problem.New(http.StatusConflict, "blocked", "There are no steps yet. Look at the page Settings steps, which says why.")
	}
	h := exporters.Handout{Checklist: s.offered(), Made: d.Clock.Now().UTC().Format("2006-01-02")}
	name := s.tool.Name()
	if s.rule != nil {
		h.Rule = titleOf(s.rule.Rule) + " (" + s.rule.Name + ")"
		name = s.rule.Name + "-" + name
	}
	var data []byte
	switch q.Get("format") {
	case "md":
		data, name = h.Markdown(), name+".md"
	case "html":
		if data, err = h.HTML(); err != nil {
			return err
		}
		name += ".html"
	default:
		return problem.New(http.StatusBadRequest, "bad_format", "The format is md or html.")
	}
	save(w, name, "application/octet-stream", data)
	return nil
}

// save answers with a file to be saved, never to be shown among the pages.
func save(w http.ResponseWriter, name, kind string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Cache-Control", "no-store")
	// A connection that went away has nobody left to be told.
	_, _ = w.Write(data)
}

// inBrowser opens the checklist in the person's browser, which can print and save what
// the native window cannot. Where none can be opened, it shows the one-time address.
func (d stepsDesk) inBrowser(w http.ResponseWriter, r *http.Request) error {
	s, err := d.posted(r)
	if err != nil {
		return err
	}
	visitor, _ := guard.Visitor(r)
	code := d.Sessions.NewCode(session.Session{Name: visitor.Name, Role: visitor.Role})
	address := d.AdminURL + stepsAddress(s.ruleName(), s.tool.Name()) + "#code=" + code
	if err := d.Browse(address); err != nil {
		return d.fragment(w, r, http.StatusOK, page.StepsBrowser(page.StepsBrowserView{Address: address}))
	}
	return d.fragment(w, r, http.StatusOK, page.StepsBrowser(page.StepsBrowserView{Opened: true}))
}
