package admin

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"dedupedesk/app/cause"
	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// compareEvents tells what two pasted events have alike, and which questions that answers.
func (d Desk) compareEvents(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	v := page.CompareView{First: r.PostForm.Get("first"), Second: r.PostForm.Get("second"), May: mayChange(r)}
	v.FirstFault, v.SecondFault = eventFault(v.First), eventFault(v.Second)
	if v.FirstFault+v.SecondFault != "" {
		return d.fragment(w, r, http.StatusUnprocessableEntity, page.Compare(v))
	}
	c, err := cause.Compare(r.Context(), d.Rules, rules.Sample{Body: v.First}, rules.Sample{Body: v.Second})
	if err != nil {
		return err
	}
	v.Sender, v.Facts, v.Same = c.Sender, c.Facts, c.Same
	if len(c.Given) > 0 {
		q := url.Values{}
		for _, g := range c.Given {
			q.Set(g.Question, g.Answer)
		}
		v.Go = "/cause?" + q.Encode()
	}
	return d.fragment(w, r, http.StatusOK, page.Compare(v))
}

// eventFault says why a pasted event cannot be read, "" where it can.
func eventFault(text string) string {
	switch {
	case strings.TrimSpace(text) == "":
		return "Paste an event: what the run was triggered by."
	case !utf8.ValidString(text):
		return "This is not UTF-8 text. Copy it from your tool again."
	}
	if _, err := (rules.Sample{Body: text}).Event(); err != nil {
		return sampleFault(text, err).Text
	}
	return ""
}

// two makes two compared events the first samples: copies of one event, or two.
func (d *draft) two(form url.Values) error {
	group := "B"
	if form.Get("same") != "" {
		group = "A"
	}
	d.Rule.Samples = []rules.Sample{
		{Group: "A", Name: "First run", Body: form.Get("first")},
		{Group: group, Name: "Second run", Body: form.Get("second")},
	}
	for _, s := range d.Rule.Samples {
		if _, err := s.Event(); err != nil {
			return err
		}
	}
	d.recognise()
	return nil
}
