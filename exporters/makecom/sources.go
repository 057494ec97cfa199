package makecom

import "dedupedesk/exporters"

// Pages that the steps rely on.
var (
	settingsPage     = exporters.Source{Page: "Scenario settings", URL: "https://help.make.com/scenario-settings", Read: "2026-11-30"}
	webhooksPage     = exporters.Source{Page: "Webhooks", URL: "https://help.make.com/webhooks", Read: "2026-10-31"}
	agentPage        = exporters.Source{Page: "On-premise agent", URL: "https://help.make.com/on-premise-agent", Read: "2026-11-30"}
	retryPage        = exporters.Source{Page: "Automatic retry of incomplete executions", URL: "https://www.make.com/en/help/errors/exponential-backoff", Read: "2026-10-31"}
	incompletePage   = exporters.Source{Page: "Options related to incomplete executions", URL: "https://help.make.com/options-related-to-incomplete-executions", Read: "2026-11-30"}
	errorsPage       = exporters.Source{Page: "Overview of error handling", URL: "https://help.make.com/overview-of-error-handling", Read: "2026-11-30"}
	rollbackPage     = exporters.Source{Page: "Rollback error handler", URL: "https://www.make.com/en/help/errors/error-handlers/rollback-error-handler", Read: "2026-11-30"}
	blueprintPage    = exporters.Source{Page: "integromat/make-blueprints: scripts/validate.mjs", URL: "https://github.com/integromat/make-blueprints", Read: "2026-12-01"}
	hookSettingsPage = exporters.Source{Page: "integromat/make-skills: make-module-configuring/webhooks.md", URL: "https://github.com/integromat/make-skills", Read: "2026-11-30"}
	hookFactsPage    = exporters.Source{Page: "integromat/make-skills: webhooks.md", URL: "https://github.com/integromat/make-skills", Read: "2026-11-30"}
	httpPage         = exporters.Source{Page: "HTTP app", URL: "https://apps.make.com/http", Read: "2026-11-30"}
	flowPage         = exporters.Source{Page: "integromat/make-skills: make-scenario-building/references/flow-control.md", URL: "https://github.com/integromat/make-skills", Read: "2026-12-01"}
	formulaPage      = exporters.Source{Page: "integromat/make-skills: make-scenario-building/references/iml-functions.md", URL: "https://github.com/integromat/make-skills", Read: "2026-12-01"}
	storePage        = exporters.Source{Page: "Data stores", URL: "https://help.make.com/data-stores", Read: "2026-12-01"}
	storeFactsPage   = exporters.Source{Page: "integromat/make-skills: data-stores.md", URL: "https://github.com/integromat/make-skills", Read: "2026-11-30"}
	dedupePage       = exporters.Source{Page: "integromat/make-blueprints: patterns/datastore-dedupe", URL: "https://github.com/integromat/make-blueprints", Read: "2026-12-01"}
	errorTypesPage   = exporters.Source{Page: "imt-proto 1.4.0: error.js, the error types of Make", URL: "https://www.npmjs.com/package/imt-proto", Read: "2026-12-01"}
)
