package zapier

import (
	"slices"

	"dedupedesk/exporters"
)

const (
	planPaid = "paid"
	planFree = "free"

	triggerWebhook = "webhook"
	triggerInstant = "instant"
	triggerPolling = "polling"

	askForm = "webhooks"
	askCode = "code"

	storeCounter = "counter"
	storeTables  = "tables"
)

func planQuestion() exporters.Field {
	return exporters.Field{
		Name: "plan", Label: "Which plan of Zapier do you have?", WithRule: true, Question: true,
		Help: "Webhooks by Zapier, Code by Zapier, Filter and Zaps of more than two steps belong to the paid plans.",
		Choices: []exporters.Choice{
			{Value: planPaid, Text: "Professional, Team or Enterprise"},
			{Value: planFree, Text: "Free"},
		},
	}
}

// retriesQuestion leaves the sender out: Zapier answers it before it works.
func retriesQuestion() exporters.Field {
	f := exporters.RetriesQuestion(exporters.RetriesPlatform, exporters.RetriesNobody)
	f.Routes = []string{exporters.RouteLedger}
	f.Help = "The sender cannot: Zapier answers it at once, and it never hears of a failure. It decides whether a run that failed gives its event key back, or keeps it until it is replayed."
	return f
}

func triggerField() exporters.Field {
	return exporters.Field{
		Name: "trigger", Label: "How the Zap starts", WithRule: true, Routes: []string{exporters.RouteLedger, exporters.RouteStore},
		Help:    "The trigger step says whether it is Instant. One that is not asks its app every few minutes.",
		Senders: map[string]string{"sharepoint": triggerPolling, "dataverse": triggerPolling, "outlook": triggerPolling, "microsoft-forms": triggerPolling},
		Choices: []exporters.Choice{
			{Value: triggerWebhook, Text: "A webhook of Webhooks by Zapier"},
			{Value: triggerInstant, Text: "A trigger of an app that is marked Instant"},
			{Value: triggerPolling, Text: "A trigger of an app that polls"},
		},
	}
}

func askField() exporters.Field {
	return exporters.Field{
		Name: "ask", Label: "How the Zap asks this program", WithRule: true, Routes: []string{exporters.RouteLedger},
		Help: "A form needs no code. Code can tell that this program is out of reach from a refusal, so a rule that runs anyway then needs it.",
		Choices: []exporters.Choice{
			{Value: askForm, Text: "With a form of Webhooks by Zapier"},
			{Value: askCode, Text: "With a piece of Python to paste"},
		},
	}
}

func storeField() exporters.Field {
	return exporters.Field{
		Name: "store", Label: "Where Zapier keeps the event keys", WithRule: true, Routes: []string{exporters.RouteStore},
		Help: "The counter cannot let two runs pass, and holds 500 keys. A table holds more and can be looked at, and two runs at one moment can both pass.",
		Choices: []exporters.Choice{
			{Value: storeCounter, Text: "A counter, with a piece of Python to paste"},
			{Value: storeTables, Text: "A table of Zapier Tables, without code (partial)"},
		},
	}
}

// A wish is what the person chose, checked.
type wish struct {
	address string
	trigger string
	code    bool // ask with Python
	tables  bool
	counts  bool // a Code step counts the keys in Zapier's own store
	keeps   bool // a run that failed keeps its key until it is replayed
	raw     bool // the webhook hands the event on as it was written
}

func readWish(s exporters.Setup, route string) (wish, error) {
	var address string
	var err error
	if route == exporters.RouteLedger { // on another way nobody sees the field
		if address, err = s.PublicAddress(title); err != nil {
			return wish{}, err
		}
	}
	got := map[string]string{}
	for _, f := range []exporters.Field{planQuestion(), retriesQuestion(), triggerField(), askField(), storeField()} {
		if got[f.Name], err = s.Detail(f); err != nil {
			return wish{}, err
		}
	}
	w := wish{
		address: address, trigger: got["trigger"], keeps: got["retries"] == exporters.RetriesPlatform,
		code: route == exporters.RouteStore || got["ask"] == askCode, tables: route == exporters.RouteStore && got["store"] == storeTables,
	}
	w.counts = route == exporters.RouteStore && !w.tables
	w.raw = w.trigger == triggerWebhook && !w.tables && needsWhole(s, route == exporters.RouteLedger)
	return w, nil
}

// needsWhole tells that a part cannot be picked from what Catch Hook hands on, or, where
// the server makes the key, that its own formula should read the event.
func needsWhole(s exporters.Setup, server bool) bool {
	if beyond(s) || server && s.When != "" && len(s.Each) == 0 {
		return true
	}
	return slices.ContainsFunc(s.Parts, func(p exporters.Part) bool {
		if len(p.Path) == 0 {
			return false
		}
		odd := p.Path[0] == "headers" || p.Path[0] == "query" || slices.ContainsFunc(p.Path, isIndex)
		return odd || server && len(s.Each) == 0 && (p.Default != nil || len(p.Steps) > 0)
	})
}

func isIndex(element string) bool {
	_, ok := exporters.Index(element)
	return ok
}
