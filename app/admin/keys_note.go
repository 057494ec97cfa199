package admin

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"dedupedesk/app/guard"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// noteKey keeps a person's note with a key. It decides nothing.
func (d Desk) noteKey(w http.ResponseWriter, r *http.Request) error {
	visitor, _ := guard.Visitor(r)
	rule, key, text := r.PostFormValue("rule"), r.PostFormValue("key"), strings.TrimSpace(r.PostFormValue("note"))
	fault, status := "", http.StatusOK
	switch {
	case text == "":
		fault = "Write what others should know about this key."
	case utf8.RuneCountInString(text) > maxWhy:
		fault = "Write it shorter, in 300 characters at most."
	default:
		if err := d.Ledger.Note(r.Context(), ledger.NoteRequest{Rule: rule, Key: key, By: visitor.Name, Text: text}); err != nil {
			return err
		}
		text = ""
	}
	life, err := d.Ledger.Key(r.Context(), rule, key)
	if err != nil {
		return err
	}
	v := d.keyView(r, life)
	if fault != "" {
		v.Note.Text, v.Note.Fault, status = text, fault, http.StatusUnprocessableEntity
	} else {
		v.Said = &page.NoticeView{Tone: "ok", Text: "The note is kept."}
	}
	return d.fragment(w, r, status, page.KeyPage(v))
}
