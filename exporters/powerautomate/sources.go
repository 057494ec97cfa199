package powerautomate

import "dedupedesk/exporters"

// Pages that the steps rely on.
var (
	triggersPage = exporters.Source{
		Page: "Get started with triggers", URL: "https://learn.microsoft.com/en-us/power-automate/triggers-introduction", Read: "2026-11-30",
	}
	optimizePage = exporters.Source{
		Page: "Optimize Power Automate triggers", URL: "https://learn.microsoft.com/en-us/power-automate/guidance/coding-guidelines/optimize-power-automate-triggers", Read: "2026-10-31",
	}
	troublePage = exporters.Source{
		Page: "Troubleshoot common problems with Power Automate triggers", URL: "https://learn.microsoft.com/en-us/troubleshoot/power-platform/power-automate/flow-run-issues/triggers-troubleshoot", Read: "2026-10-31",
	}
	limitsPage = exporters.Source{
		Page: "Limits of automated, scheduled, and instant flows", URL: "https://learn.microsoft.com/en-us/power-automate/limits-and-config", Read: "2026-11-30",
	}
	functionsPage = exporters.Source{
		Page: "Workflow expression functions reference", URL: "https://learn.microsoft.com/en-us/azure/logic-apps/workflow-definition-language-functions-reference", Read: "2026-10-31",
	}
)
