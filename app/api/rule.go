package api

import (
	"io"
	"net/http"

	"dedupedesk/app/body"
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
	return reply(w, http.StatusOK, body.RuleOf(rule.Rule))
}

// putRule answers PUT /v1/rules/{rule} with a rule file as body. Another name in
// the file renames the rule.
func (d desk) putRule(w http.ResponseWriter, r *http.Request) error {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	file, err := rules.Parse(data)
	if err != nil {
		return err
	}
	rule, err := d.intake.PutRule(r.Context(), r.PathValue("rule"), file)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, body.RuleOf(rule.Rule))
}

// archiveRule answers DELETE /v1/rules/{rule}.
func (d desk) archiveRule(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("rule")
	if err := d.intake.ArchiveRule(r.Context(), name); err != nil {
		return err
	}
	return reply(w, http.StatusOK, body.Archived{Rule: name, Archived: true})
}
