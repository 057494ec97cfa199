package rules_test

import (
	"strings"
	"testing"

	"dedupedesk/rules"
)

// TestBugReportsOfKeys replays what people met with keys that were nearly right: what
// becomes of the last delivery, and what is said.
func TestBugReportsOfKeys(t *testing.T) {
	e := corpusEngine(t)
	push := corpusSample(t, "gitlab/push", "A")
	gitlab := func(id string) rules.Sample {
		s := push
		s.Headers = map[string]string{"Content-Type": "application/json", "X-Gitlab-Event": "Push Hook", "X-Gitlab-Webhook-UUID": "hook-" + id, "Idempotency-Key": "try-" + id}
		return s
	}
	written := func(group, body string) rules.Sample { return rules.Sample{Group: group, Body: body} }
	sharepoint := corpusSample(t, "sharepoint/item-created-or-modified", "A")
	edited := sharepoint
	edited.Group, edited.Body = "B", strings.Replace(sharepoint.Body, `"{VersionNumber}": "3.0"`, `"{VersionNumber}": "4.0"`, 1)
	for _, tt := range []struct {
		name, key string
		samples   []rules.Sample
		last      rules.Outcome
		code      rules.VerdictCode // "": nothing to say
		fix       string            // "": not looked at
	}{
		{"4, a hook registered again misses the copy", `key("gitlab", headers["idempotency-key"])`, []rules.Sample{gitlab("1"), gitlab("2")}, rules.OutcomeMissed, rules.VerdictSeveralHooks, `key("gitlab", body.project_id, body.ref, body.before, body.after)`},
		{"4, once per push", `key("gitlab", body.project_id, body.ref, body.after)`, []rules.Sample{gitlab("1"), gitlab("2")}, rules.OutcomeCopyStopped, rules.VerdictSeveralHooks, ""},
		{"13, one save and three messages", `key("erp", body.name, body.modified)`, []rules.Sample{
			written("A", `{"event":"on_update","name":"LEAD-1","modified":"2026-01-02 03:04:05.1"}`), written("A", `{"event":"on_change","name":"LEAD-1","modified":"2026-01-02 03:04:05.1"}`),
			written("A", `{"event":"on_save","name":"LEAD-1","modified":"2026-01-02 03:04:05.1"}`)}, rules.OutcomeCopyStopped, "", ""},
		{"17, the version lets the flow's own edit through", `key("sp", body.ID, body["{VersionNumber}"])`, []rules.Sample{sharepoint, edited}, rules.OutcomeKeptApart, rules.VerdictSameThing, ""},
		{"17, the item alone stops every later edit", `key("sp", body.ID)`, []rules.Sample{sharepoint, edited}, rules.OutcomeMerged, rules.VerdictEventsMerged, ""},
		{"30, create and push are two events", `key("github", body.repository.id, body.ref, headers["x-github-event"])`, []rules.Sample{
			{Group: "A", Body: `{"ref":"b","repository":{"id":5}}`, Headers: map[string]string{"X-GitHub-Event": "create", "X-GitHub-Delivery": "1"}},
			{Group: "B", Body: `{"ref":"b","repository":{"id":5}}`, Headers: map[string]string{"X-GitHub-Event": "push", "X-GitHub-Delivery": "2"}}}, rules.OutcomeKeptApart, "", ""},
		{"36, created and updated by the product alone", `key("shopify", body.id)`, []rules.Sample{
			{Group: "A", Body: `{"id":7}`, Headers: map[string]string{"X-Shopify-Topic": "products/create", "X-Shopify-Event-Id": "e1"}},
			{Group: "B", Body: `{"id":7}`, Headers: map[string]string{"X-Shopify-Topic": "products/update", "X-Shopify-Event-Id": "e2"}}}, rules.OutcomeMerged, rules.VerdictEventsMerged, `key("shopify", headers["x-shopify-event-id"], headers["x-shopify-topic"])`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			j := e.Judge(t.Context(), &rules.Rule{Key: tt.key, Samples: tt.samples})
			if got := j.Samples[len(j.Samples)-1]; got.Outcome != tt.last {
				t.Errorf("the last one is %s (%v), want %s", got.Outcome, got.Err, tt.last)
			}
			if tt.code == "" {
				return
			}
			if v, ok := verdict(j, tt.code); !ok || tt.fix != "" && formulaOf(v.Fix) != tt.fix {
				t.Errorf("%s %v: fix %q, want %q; %+v", tt.code, ok, formulaOf(v.Fix), tt.fix, j.Verdicts)
			}
		})
	}
}
