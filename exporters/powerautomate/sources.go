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
	actionsPage = exporters.Source{
		Page: "Schema reference guide for trigger and action types", URL: "https://learn.microsoft.com/en-us/azure/logic-apps/logic-apps-workflow-actions-triggers", Read: "2026-12-01",
	}
	designerPage = exporters.Source{
		Page: "Explore the cloud flows designer", URL: "https://learn.microsoft.com/en-us/power-automate/flows-designer", Read: "2026-12-01",
	}
	clipboardPage = exporters.Source{
		Page: "mkm17/powerautomate-actions-extension: src/services", URL: "https://github.com/mkm17/powerautomate-actions-extension", Read: "2026-10-31",
	}
	connectorPage = exporters.Source{
		Page: "Overview of the custom connector lifecycle", URL: "https://learn.microsoft.com/en-us/training/modules/use-custom-connectors-in-powerapps-canvas-app/2-overview-custom-connector-lifecycle", Read: "2026-12-01",
	}
	gatewayPage = exporters.Source{
		Page: "Accessing your on-prem data using an on-prem data gateway (third party)", URL: "https://tahoeninja.blog/posts/accessing-your-on-prem-data-using-on-prem-data-gateway", Read: "2026-10-31",
	}
)
