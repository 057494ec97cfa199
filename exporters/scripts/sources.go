package scripts

import "dedupedesk/exporters"

// Pages that the steps rely on.
var (
	curlPage       = exporters.Source{Page: "curl: --data-urlencode and --config", URL: "https://curl.se/docs/manpage.html", Read: "2026-12-01"}
	pythonPage     = exporters.Source{Page: "urllib.error", URL: "https://docs.python.org/3/library/urllib.error.html", Read: "2026-12-01"}
	nodePage       = exporters.Source{Page: "Node.js: global objects", URL: "https://nodejs.org/api/globals.html", Read: "2026-12-01"}
	powershellPage = exporters.Source{Page: "Invoke-RestMethod", URL: "https://learn.microsoft.com/powershell/module/microsoft.powershell.utility/invoke-restmethod", Read: "2026-11-30"}
	lockPage       = exporters.Source{Page: "Class LockService", URL: "https://developers.google.com/apps-script/reference/lock", Read: "2026-11-30"}
	quotaPage      = exporters.Source{Page: "Quotas for Google Services", URL: "https://developers.google.com/apps-script/guides/services/quotas", Read: "2026-11-30"}
	webAppPage     = exporters.Source{Page: "Web apps", URL: "https://developers.google.com/apps-script/guides/web", Read: "2026-12-01"}
	insertPage     = exporters.Source{Page: "PostgreSQL: INSERT", URL: "https://www.postgresql.org/docs/current/sql-insert.html", Read: "2026-12-01"}
	flockPage      = exporters.Source{Page: "flock(1)", URL: "https://man.archlinux.org/man/flock.1", Read: "2026-12-01"}
)
