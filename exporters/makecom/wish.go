package makecom

import "dedupedesk/exporters"

const (
	top  = "top"
	poll = "poll"

	inOrder    = "in_order"
	sideBySide = "side_by_side"
)

func replyQuestion() exporters.Field {
	f := exporters.ReplyQuestion()
	f.Routes = []string{exporters.RouteLedger, exporters.RouteStore}
	return f
}

// retriesQuestion: who only looks for news has no sender that hears of a failure.
func retriesQuestion() exporters.Field {
	f := exporters.RetriesQuestion()
	f.Bars = map[string]exporters.Bar{exporters.RetriesSender: {Other: triggerField(), Answers: []string{poll}, Instead: exporters.RetriesNobody}}
	return f
}

func triggerField() exporters.Field {
	return exporters.Field{
		Name: "trigger", Label: "How the scenario starts", WithRule: true,
		Routes:  []string{exporters.RouteLedger, exporters.RouteStore},
		Help:    "A webhook gets each event at once. A trigger that looks by itself, such as Watch records, runs by a schedule.",
		Senders: map[string]string{"sharepoint": poll, "dataverse": poll, "outlook": poll, "microsoft-forms": poll},
		Choices: []exporters.Choice{
			{Value: "webhook", Text: "A webhook gets the event"},
			{Value: poll, Text: "A trigger looks for something new by itself"},
		},
	}
}

func arrivalField() exporters.Field {
	return exporters.Field{
		Name: "arrival", Label: "How the fields arrive in the webhook", WithRule: true,
		Routes: []string{exporters.RouteLedger, exporters.RouteStore},
		Help:   "Run the webhook once and open its bubble. A trigger that looks by itself needs no answer here.",
		Choices: []exporters.Choice{
			{Value: top, Text: "They stand there at once"},
			{Value: "body", Text: "They stand below the name body"},
			{Value: "data", Text: "They stand below the name data"},
		},
	}
}

func orderField() exporters.Field {
	return exporters.Field{
		Name: "order", Label: "One run at a time?", WithRule: true, Routes: []string{exporters.RouteStore},
		Help: "Whether the data store lets in one of two runs that add the same key in the same instant is not confirmed. One at a time leaves no such instant. Its price: a busy scenario waits, and its queue has a limit.",
		Choices: []exporters.Choice{
			{Value: inOrder, Text: "Yes, one after the other (advised)"},
			{Value: sideBySide, Text: "No, side by side"},
		},
	}
}

// A wish is what the person chose, checked.
type wish struct {
	address, arrival string
	poll             bool
	resumes          bool   // Make tries again
	nobody           bool   // neither Make nor a sender does
	reply            string // one of the Reply answers, "" where Make answers by itself
	ordered          bool
}

// readWish reads what matters on route.
func readWish(s exporters.Setup, route string) (wish, error) {
	var address string
	var err error
	if route == exporters.RouteLedger {
		if address, err = s.PublicAddress(makeTitle); err != nil {
			return wish{}, err
		}
	}
	got := map[string]string{}
	for _, f := range []exporters.Field{retriesQuestion(), replyQuestion(), triggerField(), arrivalField(), orderField()} {
		if got[f.Name], err = s.Detail(f); err != nil {
			return wish{}, err
		}
	}
	w := wish{
		address: address, arrival: got["arrival"], poll: got["trigger"] == poll,
		resumes: got["retries"] == exporters.RetriesPlatform, ordered: got["order"] == inOrder,
	}
	w.nobody = !w.resumes && (w.poll || got["retries"] == exporters.RetriesNobody)
	if !w.poll && !w.resumes {
		w.reply = got["reply"] // else nobody listens, or Make takes the event on
	}
	return w, nil
}

func (w wish) reader(s exporters.Setup) reader {
	return reader{arrival: w.arrival, poll: w.poll, loops: len(s.Each) > 0}
}

// plan returns what the scenario is built from, or an [exporters.Inexpressible]. What
// only one way needs is missing.
func (w wish) plan(s exporters.Setup) (plan, error) {
	p := plan{rule: s.Rule, address: w.address, poll: w.poll, resumes: w.resumes, reply: w.reply, ordered: w.ordered}
	if doubleBraces(s.Rule) {
		return p, exporters.Cannot("The rule's name holds double braces, which Make takes for a field. Rename the rule.")
	}
	r := w.reader(s)
	if w.poll {
		p.fields = r.fields(s.Parts)
	}
	if len(s.Each) == 0 {
		return p, nil
	}
	if err := s.NoItem(); err != nil {
		return p, err
	}
	var err error
	p.list, err = r.list(s.Each)
	return p, err
}

// ledgerFiles builds the scenario that asks this program. An [exporters.Inexpressible]
// tells in words why it must not be used.
func ledgerFiles(s exporters.Setup, w wish) ([]exporters.File, error) {
	if beyond(s) {
		switch {
		case len(s.Each) > 0 || s.Splits:
			return nil, exporters.Cannot("The formula of this rule does more than a list of fields can say, and it goes through a list. Make would have to send each item as this program cuts it, which cannot be written there.")
		case w.poll:
			return nil, exporters.Cannot("The formula of this rule does more than a list of fields can say, so the whole event has to be sent. A trigger that looks by itself hands on fields, not the event as it was written. Start the scenario with a webhook.")
		}
		if err := s.Unsent(makeTitle, func([]string) bool { return false }); err != nil {
			return nil, err
		}
	}
	p, err := w.plan(s)
	if err != nil {
		return nil, err
	}
	if w.address == "" {
		return nil, exporters.Cannot("Type the public address of the endpoint first. %s", exporters.NotReachable(makeTitle))
	}
	if w.resumes && s.Lease < resumeLease {
		return nil, exporters.Inexpressible(leaseText(s))
	}
	p.goOn = s.IfUnreachable == "go_on"
	if beyond(s) {
		p.event = "{{1.value}}"
	} else if p.parts, err = w.reader(s).mapped(s.Parts); err != nil {
		return nil, err
	}
	f, err := importable(fileName(s.Rule, ""), "Scenario for Make: three dots > Import Blueprint. Holds no password.", p.askLedger())
	return []exporters.File{f}, err
}

// storeFiles builds the scenario with a data store, and the one that looks after it.
func storeFiles(s exporters.Setup, w wish) ([]exporters.File, error) {
	p, err := w.plan(s)
	if err != nil {
		return nil, err
	}
	key, err := makeKey(s.Parts, s.FoldCase, w.reader(s))
	if err != nil {
		return nil, err
	}
	if label, digits, lost := s.LostDigits(); lost {
		return nil, exporters.Cannot("%s has the number %s in the key, longer than many programs can hold. If Make rounds it, two events get one key and one of them is lost. Use a field that carries it as text, or let this program make the key.", label, digits)
	}
	p.key = key.text
	holes, whole := key.holes()
	main, err := importable(fileName(s.Rule, "-store"), "Scenario for Make: three dots > Import Blueprint.", p.askStore(holes, whole))
	if err != nil {
		return nil, err
	}
	care, err := importable(fileName(s.Rule, "-care"), "A second, small scenario for Make: finds stuck keys and takes out old ones.", careScenario(s.Rule, stuckAfter(s.Lease, w.resumes), s.KeepDays(1)))
	return []exporters.File{main, care}, err
}
