package powerautomate

import (
	"dedupedesk/exporters"
)

// New returns the exporter power-automate.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

func (exporter) Name() string  { return "power-automate" }
func (exporter) Title() string { return "Power Automate" }
func (exporter) About() string {
	return "Steps that reserve the event key before the work, the key as an expression, and a trigger condition that keeps a flow from starting itself."
}
func (exporter) Cloud() bool { return true }

func (exporter) Fields() []exporters.Field {
	return append([]exporters.Field{
		exporters.EffectQuestion(), exporters.TargetQuestion(), planQuestion(), computerQuestion(), triggerField(), retriesQuestion(), replyQuestion(),
		exporters.AddressField(flowTitle), callField(),
	}, conditionFields()...)
}

// Ways offers the steps that ask this program, a list of keys in SharePoint, and the
// trigger condition.
func (x exporter) Ways(s exporters.Setup) []exporters.Way {
	condition := exporters.Way{
		Route: exporters.RouteNone, Title: "A trigger condition",
		Reason: "It keeps the flow from starting itself by its own change.",
		Cost:   "Nothing. It does not stop a copy that the sender repeats.",
	}
	if s.Rule == "" {
		return []exporters.Way{condition}
	}
	ledger := exporters.LedgerWay(s, true, "A premium licence, and a public address that leads to this program.")
	ledger.Wants = exporters.LeaseWant(s, longTries, "A step that fails is tried again by Power Automate, for hours on a premium plan.")
	if s.Answered(planQuestion()) == planStandard {
		ledger.Blocked = "The step HTTP and custom connectors need a premium licence; without one a flow that has them is switched off. A list in SharePoint keeps copies out without it."
	}
	list := exporters.Way{
		Route: exporters.RouteStore, Platform: "sharepoint", Title: "A list of keys in SharePoint",
		Reason: "A list whose titles are unique refuses the second run of an event, with the standard SharePoint connector.",
		Cost:   "A list in your site, and somebody who looks at it once a week.",
	}
	if !s.Expressible {
		list.Blocked = "The formula of this rule does more than a list of fields can say, so the flow cannot write its key. Only this program can make it."
	}
	return exporters.Offer(s, x.Name(), ledger, list, condition)
}

// Build makes the checklist of the way: the steps that reserve, or the condition.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	way, err := exporters.Chosen(x, s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	if way.Route == exporters.RouteLedger {
		return x.buildClaim(s)
	}
	return x.buildCondition(s)
}
