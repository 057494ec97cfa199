package dataverse

import "dedupedesk/exporters"

// Pages that the steps rely on.
var (
	keysPage = exporters.Source{
		Page: "Work with alternate keys", URL: "https://learn.microsoft.com/en-us/power-apps/developer/data-platform/define-alternate-keys-entity", Read: "2026-10-31",
	}
	makeKeyPage = exporters.Source{
		Page: "Create an alternate key (training)", URL: "https://learn.microsoft.com/en-us/training/modules/create-manage-fields-within-entity/7-alternate-key", Read: "2026-12-01",
	}
	conditionsPage = exporters.Source{
		Page: "Perform conditional operations using the Web API", URL: "https://learn.microsoft.com/en-us/power-apps/developer/data-platform/webapi/perform-conditional-operations-using-web-api", Read: "2026-12-01",
	}
	clashPage = exporters.Source{
		Page: "CoE starter kit issue 6944: a record with matching key values already exists", URL: "https://github.com/microsoft/coe-starter-kit/issues/6944", Read: "2026-10-31",
	}
	errorsPage = exporters.Source{
		Page: "Handle errors and exceptions in Azure Logic Apps", URL: "https://learn.microsoft.com/en-us/azure/logic-apps/error-exception-handling", Read: "2026-10-31",
	}
	upsertPage = exporters.Source{
		Page: "Dataverse upsert by alternate key in Power Automate (third party)", URL: "https://candede.com/articles/dataverse-upsert-action-power-automate", Read: "2026-10-31",
	}
	rowsPage = exporters.Source{
		Page: "Use lists of rows in flows", URL: "https://learn.microsoft.com/en-us/power-automate/dataverse/list-rows", Read: "2026-12-01",
	}
)
