package n8n

import "dedupedesk/exporters"

// Pages that the steps rely on.
var (
	importPage      = exporters.Source{Page: "Export and import workflows", URL: "https://docs.n8n.io/workflows/export-import", Read: "2026-12-01"}
	webhookPage     = exporters.Source{Page: "Webhook node: workflow development", URL: "https://docs.n8n.io/integrations/builtin/core-nodes/n8n-nodes-base.webhook/workflow-development/", Read: "2026-12-01"}
	webhookSource   = exporters.Source{Page: "n8n-io/n8n: nodes/Webhook/description.ts", URL: "https://github.com/n8n-io/n8n", Read: "2026-11-30"}
	httpSource      = exporters.Source{Page: "n8n-io/n8n: nodes/HttpRequest/V3/Description.ts", URL: "https://github.com/n8n-io/n8n", Read: "2026-11-30"}
	hooksIssue      = exporters.Source{Page: "n8n issue 25381: each publish registers another hook", URL: "https://github.com/n8n-io/n8n/issues/25381", Read: "2026-11-30"}
	scheduleIssue   = exporters.Source{Page: "n8n issue 16332: each instance fires the schedule", URL: "https://github.com/n8n-io/n8n/issues/16332", Read: "2026-11-30"}
	versionIssue    = exporters.Source{Page: "n8n issue 30607: an old version still fires", URL: "https://github.com/n8n-io/n8n/issues/30607", Read: "2026-11-30"}
	concurrencyPage = exporters.Source{Page: "Self-hosted concurrency control", URL: "https://docs.n8n.io/hosting/scaling/concurrency-control/", Read: "2026-12-01"}
	retryIssue      = exporters.Source{Page: "n8n issue 9236: Retry On Fail together with On Error", URL: "https://github.com/n8n-io/n8n/issues/9236", Read: "2026-11-30"}
)
