package powerautomate

import (
	"strings"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

const flowTitle = "Power Automate"

const (
	planStandard = "standard"
	planPremium  = "premium"

	callHTTP      = "http"
	callConnector = "connector"
)

func planQuestion() exporters.Field {
	return exporters.Field{
		Name: "plan", Label: "Which licence has the owner of the flow?", WithRule: true, Question: true,
		Help: "The step HTTP, custom connectors and a trigger that others can call are premium. Ctrl+Alt+A in Power Automate shows the plan.",
		Choices: []exporters.Choice{
			{Value: planStandard, Text: "Standard: Microsoft 365, free, or not sure"},
			{Value: planPremium, Text: "Premium: a paid plan of Power Automate"},
		},
	}
}

// computerQuestion matters to a plan that can ask this program at all.
func computerQuestion() exporters.Field {
	f := exporters.ComputerQuestion()
	f.Only = map[string][]string{planQuestion().Name: {planPremium}}
	return f
}

// retriesQuestion says what the platform's own new try is here: a run is never gone on
// with, but started again from its top.
func retriesQuestion() exporters.Field {
	f := exporters.RetriesQuestion()
	f.Routes = []string{exporters.RouteLedger}
	// A trigger that looks by itself, or is told by Microsoft, has no sender that hears of
	// a failure.
	starts := triggerField()
	silent := exporters.Bar{Other: starts, Instead: exporters.RetriesNobody}
	for _, c := range starts.Choices {
		if c.Value != HTTPRequest {
			silent.Answers = append(silent.Answers, c.Value)
		}
	}
	f.Bars = map[string]exporters.Bar{exporters.RetriesSender: silent}
	for i, c := range f.Choices {
		if c.Value == exporters.RetriesPlatform {
			f.Choices[i].Text = "A person: Resubmit in the run history starts the flow again from its top"
		}
	}
	return f
}

// replyQuestion matters where a sender waits.
func replyQuestion() exporters.Field {
	f := exporters.ReplyQuestion()
	f.Routes = []string{exporters.RouteLedger}
	f.Only = map[string][]string{retriesQuestion().Name: {exporters.RetriesSender}, triggerField().Name: {HTTPRequest}}
	return f
}

// triggerField asks what starts the flow.
func triggerField() exporters.Field {
	f := exporters.Field{
		Name: "starts", Label: "What starts the flow?", WithRule: true, Routes: []string{exporters.RouteLedger},
		Help: "Only a program that calls the flow waits for its answer, and only there are headers.", Senders: startsBySender(),
	}
	http, _ := FindTrigger(HTTPRequest)
	for _, t := range append([]Trigger{http}, Triggers()...) {
		if len(f.Choices) == 0 || t.Name != HTTPRequest {
			f.Choices = append(f.Choices, exporters.Choice{Value: t.Name, Text: t.Title})
		}
	}
	return f
}

// startsBySender tells what starts a flow about the events of a sender.
func startsBySender() map[string]string {
	return map[string]string{"sharepoint": SharePointItem, "microsoft-forms": FormsResponse, "dataverse": DataverseRow, "outlook": OutlookMail}
}

func callField() exporters.Field {
	return exporters.Field{
		Name: "call", Label: "How does the flow call this program?", WithRule: true, Routes: []string{exporters.RouteLedger},
		Help: "A custom connector keeps the password in a connection and out of the flow. Both need a premium licence.",
		Choices: []exporters.Choice{
			{Value: callHTTP, Text: "With the step HTTP"},
			{Value: callConnector, Text: "With a custom connector"},
		},
	}
}

// A wish is what the person chose for the way by this program.
type wish struct {
	claim
	retries   string
	connector bool
}

func readWish(s exporters.Setup) (wish, error) {
	address, err := s.PublicAddress(flowTitle)
	if err != nil {
		return wish{}, err
	}
	w := wish{claim: claim{rule: s.Rule, address: address, goOn: s.IfUnreachable == "go_on"}}
	var reply, call string
	for _, ask := range []struct {
		field exporters.Field
		to    *string
	}{{retriesQuestion(), &w.retries}, {replyQuestion(), &reply}, {triggerField(), &w.trigger}, {callField(), &call}} {
		if *ask.to, err = s.Detail(ask.field); err != nil {
			return wish{}, err
		}
	}
	w.connector = call == callConnector
	w.answers = w.retries == exporters.RetriesSender && w.trigger == HTTPRequest
	w.atOnce = reply == exporters.ReplyAtOnce
	return w, nil
}

// fill puts the key into the claim, or tells in words why it cannot be asked for. A
// formula that is more than fields, or has a step that this language lacks, and a
// condition are left to the rule: the event itself is sent.
func (w *wish) fill(s exporters.Setup) string {
	if len(s.Each) > 0 || s.Splits {
		return w.fillLines(s)
	}
	parts, err := partValues(s.Parts, "")
	if !s.Expressible || len(s.Parts) == 0 || s.When != "" || err != nil {
		w.event, w.headers = true, w.trigger == HTTPRequest
		sent := func(path []string) bool { return w.headers && path[0] == "headers" }
		if err := s.Unsent(flowTitle, sent); err != nil {
			return err.Error()
		}
		return ""
	}
	w.parts = parts
	return w.headersMissing(s.Parts)
}

func (w *wish) fillLines(s exporters.Setup) string {
	if !s.Expressible || len(s.Parts) == 0 {
		return "The rule has a key for each item of a list, and its formula does more than a list of fields can say. Power Automate cannot go through that list, so no step can be made for it."
	}
	list, err := listExpression(s.Each)
	if err == nil {
		err = s.NoItem()
	}
	if err != nil {
		return err.Error()
	}
	parts, err := partValues(s.Parts, loopItem)
	if err != nil {
		return err.Error()
	}
	w.list, w.parts = list, parts
	return w.headersMissing(s.Parts)
}

// headersMissing blocks a part that only a called flow can read.
func (w *wish) headersMissing(parts []exporters.Part) string {
	for i, p := range parts {
		if len(p.Path) > 0 && p.Path[0] != "body" && p.Path[0] != "item" && w.trigger != HTTPRequest {
			return exporters.Cannot("Part %d of the key (%s) comes with a call from outside. The trigger that you chose has none.", i+1, p.Dotted()).Error()
		}
	}
	return ""
}

// partList is the parts as one expression.
func (w *wish) partList() string {
	pieces := make([]string, len(w.parts))
	for i, p := range w.parts {
		text, _ := p.(string)
		if expression, ok := strings.CutPrefix(text, "@"); ok {
			pieces[i] = expression
		} else {
			pieces[i] = wdl.Quote(text)
		}
	}
	return "createArray(" + strings.Join(pieces, ",") + ")"
}
