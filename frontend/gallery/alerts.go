package main

import (
	"time"

	"dedupedesk/frontend/page"
)

// alertSamples are the states of the page Alerts.
func alertSamples() []sample {
	one := func(state string, list ...page.AlertView) sample {
		return sample{Name: "alerts/" + state, Title: "Alerts", Active: "keys", Page: page.Alerts(page.AlertsView{Rules: list})}
	}
	plain := page.AlertView{Rule: "default", Title: page.PlainKeys, May: true}
	told := page.AlertView{Rule: "paid-invoices", Title: "Paid invoices", Kept: true, Kind: "slack", Masked: "https://hooks.slack.com/····9aQz", SentAt: when(26 * time.Minute), By: "Ana", May: true}
	failed := page.AlertView{
		Rule: "new-orders", Title: "New orders", Kept: true, Kind: "teams", Masked: "https://prod-12.westeurope.logic.azure.com/····sig1", Keys: true, May: true,
		Failure: "The address answered 404: the hook is gone. Make a new one there and put its address in.", NextAt: when(-time.Hour),
	}
	fault := page.AlertView{Rule: "refunds", Title: "Refunds", Kind: "json", Typed: "http://example.com", May: true, Fault: "The address has to begin with https://. Only one of this computer may begin with http://."}
	refused := page.AlertView{Rule: "mails", Title: "Mails", Kind: "slack", Typed: "https://hooks.slack.com/x", May: true, Said: &page.NoticeView{Tone: "error", Title: "The message was not taken", Text: "The address did not answer within 10 seconds."}}
	screen := page.AlertView{Rule: "screen", Title: "Payments", Kept: true, Kind: "desktop", By: "Ana", May: true, Failure: "This computer shows no notifications to this program: nobody is signed in on its screen, or it has none.", NextAt: when(-time.Hour)}
	look := told
	look.May = false
	return []sample{one("empty", plain), one("full", plain, told, failed, screen), one("faults", fault, refused), one("look", look)}
}
