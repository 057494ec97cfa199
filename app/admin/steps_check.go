package admin

import (
	"net/http"

	"dedupedesk/exporters"
	"dedupedesk/exporters/catalog"
	"dedupedesk/frontend/page"
)

// checkFile tells what is wrong with a blueprint, a workflow or a flow of the person's
// own. It keeps nothing.
func (d stepsDesk) checkFile(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	v := page.FileCheckView{Text: r.PostFormValue("text"), Name: r.PostFormValue("name")}
	kind, findings := catalog.Validate([]byte(v.Text))
	if kind == "" {
		v.Fault = findings[0].Text
		return d.fragment(w, r, http.StatusUnprocessableEntity, page.FileCheck(v))
	}
	v.Checked, v.Kind = true, catalog.KindTitle(kind)
	for _, f := range findings {
		one := page.FileFindingView{Where: f.Where, Text: f.Text, Fail: f.Result == exporters.Fail}
		if one.Fail {
			v.Fails++
		}
		v.Findings = append(v.Findings, one)
	}
	return d.fragment(w, r, http.StatusOK, page.FileCheck(v))
}
