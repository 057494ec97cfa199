package api

import (
	"encoding/json"
	"io"
	"net/http"

	"dedupedesk/app/intake"
	"dedupedesk/rules"
)

// ruleBody is a rule as the API shows it: its file, and what the ledger adds.
type ruleBody struct {
	Rule      string          `json:"rule"`
	Title     string          `json:"title"`
	Version   int64           `json:"version"`
	ChangedAt string          `json:"changed_at"`
	File      json.RawMessage `json:"file,omitempty"` // none for default
}

func ruleBodyOf(r *intake.Rule) ruleBody {
	return ruleBody{Rule: r.Name, Title: r.Title, Version: r.Version, ChangedAt: stamp(r.ChangedAt), File: r.Doc}
}

// rules answers GET /v1/rules, by name.
func (d desk) rules(w http.ResponseWriter, r *http.Request) error {
	list, err := d.ledger.Rules(r.Context())
	if err != nil {
		return err
	}
	out := make([]ruleBody, len(list))
	for i, lr := range list {
		out[i] = ruleBody{Rule: lr.Name, Title: lr.Title, Version: lr.Version, ChangedAt: stamp(lr.ChangedAt), File: lr.Doc}
	}
	return reply(w, http.StatusOK, map[string]any{"rules": out})
}

// rule answers GET /v1/rules/{rule}.
func (d desk) rule(w http.ResponseWriter, r *http.Request) error {
	rule, err := d.intake.Rule(r.Context(), r.PathValue("rule"))
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, ruleBodyOf(rule))
}

// putRule answers PUT /v1/rules/{rule} with a rule file as body. Another name in
// the file renames the rule.
func (d desk) putRule(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	file, err := rules.Parse(body)
	if err != nil {
		return err
	}
	rule, err := d.intake.PutRule(r.Context(), r.PathValue("rule"), file)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, ruleBodyOf(rule))
}

// archiveRule answers DELETE /v1/rules/{rule}.
func (d desk) archiveRule(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("rule")
	if err := d.intake.ArchiveRule(r.Context(), name); err != nil {
		return err
	}
	return reply(w, http.StatusOK, map[string]any{"rule": name, "archived": true})
}
