package zapier

import "dedupedesk/exporters"

// New returns the exporter zapier.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

const title = "Zapier"

func (exporter) Name() string  { return "zapier" }
func (exporter) Title() string { return title }

func (exporter) About() string {
	return "Steps with values to paste that reserve the event key before the work, with this program, in a Code step or in Zapier Tables. A Zap cannot be imported from a file."
}
func (exporter) Cloud() bool { return true }

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{
		exporters.EffectQuestion(), exporters.TargetQuestion(), planQuestion(), exporters.ComputerQuestion(), retriesQuestion(),
		exporters.AddressField(title), triggerField(), askField(), storeField(),
	}
}

const (
	freePlan  = "The Free plan has no Zaps of several steps and no Webhooks by Zapier, which these steps need."
	beyondKey = "The formula of this rule does more than a list of fields can say, so Zapier cannot write its key. Only this program can make it."
)

// Ways offers this program, a store of Zapier's own, and what Zapier does by itself.
func (x exporter) Ways(s exporters.Setup) []exporters.Way {
	own := exporters.Way{
		Route: exporters.RouteNone, Title: "What Zapier does by itself",
		Reason: "A trigger that polls hands on each record once. That is all Zapier does about copies, and a webhook has not even that.",
		Cost:   "Nothing. It stops neither a webhook that is sent again nor a second Zap.",
	}
	if s.Rule == "" {
		return []exporters.Way{own}
	}
	ledger := exporters.LedgerWay(s, true, "A public address that leads to this program, a paid plan of Zapier, and two calls for each event, which count as tasks.")
	store := exporters.Way{
		Route: exporters.RouteStore, Title: "A store of Zapier's own",
		Reason: "It needs no public address and no computer of yours: a counter in a Code step says whether this run is the first for the event key.",
		Cost:   "A paid plan. The counter holds 500 keys and forgets them after 3 months without use; Zapier Tables hold more, but two runs at one moment can both pass there.",
	}
	if s.Answered(retriesQuestion()) == exporters.RetriesPlatform {
		ledger.Wants = exporters.LeaseWant(s, replayLease, "Zapier replays a failed step for hours, and the run must still hold its key then.")
	}
	if s.Answered(planQuestion()) == planFree {
		ledger.Blocked, store.Blocked = freePlan, freePlan
	}
	if beyond(s) {
		store.Blocked = beyondKey
	}
	return exporters.Offer(s, x.Name(), ledger, store, own)
}

// beyond tells that the rule's formula is more than a list of fields.
func beyond(s exporters.Setup) bool { return !s.Expressible || len(s.Parts) == 0 }

// Build makes the checklist of the chosen way.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	way, err := exporters.Chosen(x, s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	c := exporters.Checklist{Platform: x.Name(), Title: "Zapier: run once per event", Route: way.Route}
	if way.Route == exporters.RouteNone {
		c.NoKey = way.NoKey
		return ownSettings(c), nil
	}
	w, err := readWish(s, way.Route)
	if err != nil {
		return exporters.Checklist{}, err
	}
	switch {
	case way.Route == exporters.RouteLedger:
		c.About = "The Zap asks this program for the event key before it works, and reports the end. A copy is told that the key is taken and stops at the Filter."
		c.Steps, c.Covers = ledgerSteps(s, w), withOwnEdits(ledgerCovers(s, w.keeps), w.trigger)
	case w.tables:
		c.Title = "Zapier: run once per event, with Zapier Tables (partial)"
		c.About = "The Zap looks the event key up in a table and adds it. Looking and adding are two acts, so this is partial: the queue keeps runs apart in time, and nothing else does."
		c.Steps, c.Covers = tableSteps(s, w), withOwnEdits(tableCovers(), w.trigger)
	default:
		c.About = "A Code step counts how often the event key was seen. Only the run that counts 1 goes on to the work."
		c.Steps, c.Covers = counterSteps(s, w), withOwnEdits(counterCovers(s), w.trigger)
	}
	return c, nil
}
