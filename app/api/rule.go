package api

import (
	"io"
	"net/http"
	"slices"

	"dedupedesk/app/body"
	"dedupedesk/app/calls"
	"dedupedesk/app/intake"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// rules answers GET /v1/rules, by name.
func (d desk) rules(w http.ResponseWriter, r *http.Request) error {
	list, err := d.ledger.Rules(r.Context())
	if err != nil {
		return err
	}
	out := body.Rules{Rules: make([]body.Rule, len(list))}
	for i, lr := range list {
		out.Rules[i] = body.RuleOf(lr)
	}
	return reply(w, http.StatusOK, out)
}

// rule answers GET /v1/rules/{rule}.
func (d desk) rule(w http.ResponseWriter, r *http.Request) error {
	rule, err := d.intake.Rule(r.Context(), r.PathValue("rule"))
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, d.bodyOf(rule))
}

func (d desk) bodyOf(r *intake.Rule) body.Rule {
	b := body.RuleOf(r.Rule)
	b.LookNote = r.LookBackNote(d.ledger.Now())
	return b
}

// putRule answers PUT /v1/rules/{rule} with a rule file as body. Another name in
// the file renames the rule; why in the address says why its formula changed.
func (d desk) putRule(w http.ResponseWriter, r *http.Request) error {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	file, err := rules.Parse(data)
	if err != nil {
		return err
	}
	why, err := whyOf(r)
	if err != nil {
		return err
	}
	rule, err := d.intake.ChangeRule(r.Context(), intake.Change{Name: r.PathValue("rule"), File: file, Why: why, By: "password " + calls.Of(r.Context()).From})
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, d.bodyOf(rule))
}

// whyOf returns why the formula changes, as the address says. The ledger knows the
// reasons that there are.
func whyOf(r *http.Request) (ledger.Why, error) {
	query, err := queryOf(r)
	if err != nil {
		return "", err
	}
	in := input{values: map[string]any{}, form: map[string]bool{}}
	if err := in.addForm(query); err != nil {
		return "", err
	}
	if err := in.knows(whyFields); err != nil {
		return "", err
	}
	why, err := in.text(whyFields[0].Name)
	if err == nil && why != "" && !slices.Contains(whyFields[0].Choices, why) {
		err = invalid("why", `why is copies or merged, not "`+clip(why)+`".`)
	}
	return ledger.Why(why), err
}

// archiveRule answers DELETE /v1/rules/{rule}.
func (d desk) archiveRule(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("rule")
	if err := d.intake.ArchiveRule(r.Context(), name); err != nil {
		return err
	}
	return reply(w, http.StatusOK, body.Archived{Rule: name, Archived: true})
}
