package zapier

import "dedupedesk/exporters"

// Pages that the steps rely on.
var (
	duplicatePage = exporters.Source{Page: "How Zapier handles duplicate data in Zaps", URL: "https://help.zapier.com/hc/en-us/articles/8496260269965-How-Zapier-handles-duplicate-data-in-Zaps", Read: "2026-12-01"}
	seenPage      = exporters.Source{Page: "Deduplication (for those who build triggers)", URL: "https://docs.zapier.com/platform/build/deduplication", Read: "2026-12-01"}
	hookPage      = exporters.Source{Page: "Webhooks by Zapier", URL: "https://zapier.com/help/webhooks/", Read: "2026-12-01"}
	sendPage      = exporters.Source{Page: "Send webhooks in Zaps", URL: "https://help.zapier.com/hc/en-us/articles/8496326446989-Send-webhooks-in-Zaps", Read: "2026-12-01"}
	mappingPage   = exporters.Source{Page: "Send data between steps by mapping fields", URL: "https://help.zapier.com/hc/en-us/articles/8496343026701-Send-data-between-steps-by-mapping-fields", Read: "2026-12-01"}
	filterPage    = exporters.Source{Page: "Filter and path rules in Zaps", URL: "https://help.zapier.com/hc/en-us/articles/8496180919949-Filter-and-path-rules-in-Zaps", Read: "2026-12-01"}
	replayPage    = exporters.Source{Page: "What is replay", URL: "https://help.zapier.com/hc/en-us/articles/19220226086797-What-is-replay", Read: "2026-12-01"}
	autoreplay    = exporters.Source{Page: "Autoreplay (older page with the times)", URL: "https://zapier.com/help/autoreplay/", Read: "2026-12-01"}
	handlerPage   = exporters.Source{Page: "Set up custom error handling", URL: "https://help.zapier.com/hc/en-us/articles/22495436062605-Set-up-custom-error-handling", Read: "2026-12-01"}
	switchOffPage = exporters.Source{Page: "Error handling (for those who build apps)", URL: "https://docs.zapier.com/platform/manage/error-handling", Read: "2026-11-30"}
	codePage      = exporters.Source{Page: "Use Python code in Zaps", URL: "https://help.zapier.com/hc/en-us/articles/8496326417549-Use-Python-code-in-Zaps", Read: "2026-12-01"}
	codeLimits    = exporters.Source{Page: "Limits of Code by Zapier", URL: "https://help.zapier.com/hc/en-us/articles/29971850476173", Read: "2026-11-30"}
	storePage     = exporters.Source{Page: "Store data from code steps with StoreClient", URL: "https://help.zapier.com/hc/en-us/articles/8496293969549-Store-data-from-code-steps-with-StoreClient", Read: "2026-12-01"}
	delayPage     = exporters.Source{Page: "Add delays to Zaps", URL: "https://help.zapier.com/hc/en-us/articles/8496288754829-Add-delays-to-Zaps", Read: "2026-12-01"}
	formatterPage = exporters.Source{Page: "Formatter by Zapier", URL: "https://zapier.com/help/doc/how-get-started-formatter-zapier", Read: "2026-12-01"}
	conceptsPage  = exporters.Source{Page: "Key concepts in Zaps", URL: "https://help.zapier.com/hc/en-us/articles/41222506794125", Read: "2026-11-30"}
	tablesPage    = exporters.Source{Page: "A template of Zapier that lists the steps of Zapier Tables", URL: "https://zapier.com/de/apps/cohesiv/integrations/zapier-tables/255569201/update-records-in-cohesiv-when-records-in-zapier-tables-are-updated", Read: "2026-12-01"}
	tablesLimits  = exporters.Source{Page: "Rate limits for Zapier Tables and Zap workflows", URL: "https://help.zapier.com/hc/en-us/articles/27163808375949-Rate-limits-for-Zapier-Tables-and-Zap-workflows", Read: "2026-12-01"}
	loopPage      = exporters.Source{Page: "A template of Zapier with a loop over line items", URL: "https://zapier.com/templates/details/e1b24ba80ac5405ccaa54076236080e37ed92b5c69d50150290f8187219a9593", Read: "2026-12-01"}
	statusPage    = exporters.Source{Page: "Review Zap run statuses", URL: "https://help.zapier.com/hc/en-us/articles/20505304170637", Read: "2026-12-01"}
	notifyPage    = exporters.Source{Page: "Manage notifications when errors occur in Zaps", URL: "https://help.zapier.com/hc/en-us/articles/8496289225229-Manage-notifications-when-errors-occur-in-Zaps", Read: "2026-12-01"}
)
