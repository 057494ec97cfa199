package admin

import (
	"context"
	"log/slog"
	"time"

	"dedupedesk/app/alerts"
	"dedupedesk/app/calls"
	"dedupedesk/app/catch"
	"dedupedesk/app/drill"
	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/kept"
	labs "dedupedesk/app/lab"
	"dedupedesk/app/session"
	"dedupedesk/app/triage"
	"dedupedesk/exporters"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// A Desk is what the pages ask of the rest of the house. All fields are needed.
type Desk struct {
	Ledger    *ledger.Ledger
	Intake    *intake.Intake
	Rules     *rules.Engine
	Exporters []exporters.Exporter
	Calls     *calls.Book
	Caught    *catch.Book // events for editors that wait
	Kept      *kept.Book  // events that rules want kept
	Sessions  *session.Book
	Triage    *triage.Book // decisions on several keys
	Lab       *labs.Book   // experiments
	Drill     func(context.Context, drill.Case) ([]drill.Outcome, error)
	Alerts    *alerts.Book                 // messages about keys that need a decision
	Clock     interface{ Now() time.Time } // the ledger's time
	Log       *slog.Logger

	Endpoint  []guard.Route              // the routes of the claim endpoint, for their description
	APIURL    string                     // full URL of the claim endpoint
	AdminURL  string                     // full URL of the pages
	AdminPort string                     // of the pages' listener
	Browse    func(address string) error // opens the person's browser; an error where none can be
	KeyFile   string                     // path of the ledger file
	Open      string                     // the command that opens the pages
	Warnings  func() []string            // standing notices, such as a shifted clock
	Stop      func()                     // ends the engine
}

// Routes returns the routes of the pages, each with its access.
func Routes(d Desk) []guard.Route {
	var all []guard.Route
	for _, routes := range [][]guard.Route{
		sessionRoutes(d), assetRoutes(), standingRoutes(d), pauseRoutes(d), homeRoutes(d), causeRoutes(d), designRoutes(d), stepsRoutes(d), keysRoutes(d), bulkRoutes(d), reconcileRoutes(d), alertRoutes(d), elsewhereRoutes(d), figureRoutes(d), labRoutes(d), drillRoutes(d), connectRoutes(d), apiRoutes(d),
	} {
		all = append(all, routes...)
	}
	return all
}
