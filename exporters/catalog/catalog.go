// Package catalog is the one list of all platforms that there are checklists
// for.
//
// # What it promises
//
// A stable order, the one in which screens show them, and names that never
// change.
//
// # Errors
//
// None. A name that is not there is told by false.
//
// # Concurrency
//
// It has no state; any number of goroutines may call it at once.
package catalog

import (
	"dedupedesk/exporters"
	"dedupedesk/exporters/dataverse"
	"dedupedesk/exporters/destinations"
	"dedupedesk/exporters/makecom"
	"dedupedesk/exporters/n8n"
	"dedupedesk/exporters/powerautomate"
	"dedupedesk/exporters/scripts"
	"dedupedesk/exporters/sharepoint"
	"dedupedesk/exporters/zapier"
)

// All returns the exporters in the order of the screens.
func All() []exporters.Exporter {
	return []exporters.Exporter{powerautomate.New(), sharepoint.New(), dataverse.New(), makecom.New(), zapier.New(), n8n.New(), scripts.New(), destinations.New()}
}

// ByName returns the exporter of that name, and whether there is one.
func ByName(name string) (exporters.Exporter, bool) {
	for _, x := range All() {
		if x.Name() == name {
			return x, true
		}
	}
	return nil, false
}
