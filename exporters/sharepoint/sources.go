package sharepoint

import "dedupedesk/exporters"

// Pages that the steps rely on.
var (
	uniquePage = exporters.Source{
		Page: "Enforcing uniqueness in column values (archived, SharePoint 2010)", URL: "https://learn.microsoft.com/en-us/previous-versions/office/developer/sharepoint-2010/ee536168(v=office.14)", Read: "2026-10-31",
	}
	restPage = exporters.Source{
		Page: "Working with lists and list items with REST", URL: "https://learn.microsoft.com/en-us/sharepoint/dev/sp-add-ins/working-with-lists-and-list-items-with-rest", Read: "2026-11-30",
	}
	errorsPage = exporters.Source{
		Page: "Handle errors and exceptions in Azure Logic Apps", URL: "https://learn.microsoft.com/en-us/azure/logic-apps/error-exception-handling", Read: "2026-10-31",
	}
	clashPage = exporters.Source{
		Page: "PnP Core issue 1280: a unique column's clash comes as error 500", URL: "https://github.com/pnp/pnpcore/issues/1280", Read: "2026-11-30",
	}
	batchPage = exporters.Source{
		Page: "Make batch requests with the REST APIs", URL: "https://learn.microsoft.com/en-us/sharepoint/dev/sp-add-ins/make-batch-requests-with-the-rest-apis", Read: "2026-12-01",
	}
	graphPage = exporters.Source{
		Page: "Create columnDefinition in a list", URL: "https://learn.microsoft.com/en-us/graph/api/list-post-columns", Read: "2026-12-01",
	}
	thresholdPage = exporters.Source{
		Page: "PnP Sites Core issue 2250: lists over 5,000 items", URL: "https://github.com/pnp/PnP-Sites-Core/issues/2250", Read: "2026-10-31",
	}
	viewsPage = exporters.Source{
		Page: "Views element (List)", URL: "https://learn.microsoft.com/en-us/sharepoint/dev/schema/views-element-list", Read: "2026-12-01",
	}
	filterPage = exporters.Source{
		Page: "Filter in SharePoint with OData", URL: "https://learn.microsoft.com/en-us/training/modules/integration-http-connector/use-filters", Read: "2026-12-01",
	}
)
