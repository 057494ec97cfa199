package n8n

import (
	"cmp"
	"fmt"
	"strings"

	"dedupedesk/exporters"
)

// New returns the exporter n8n.
func New() exporters.Exporter { return exporter{} }

type exporter struct{}

const title = "n8n"

func (exporter) Name() string  { return "n8n" }
func (exporter) Title() string { return title }

func (exporter) About() string {
	return "A workflow to import that reserves the event key before the work, and what makes n8n run twice by itself."
}

// Cloud is false, for many people run n8n on this very computer; the question where it
// runs decides who can be asked.
func (exporter) Cloud() bool { return false }

// Answers to the questions of this platform's own.
const (
	whereHere   = "here"
	whereDocker = "docker"
	whereServer = "server"
	whereCloud  = "cloud"

	triggerWebhook  = "webhook"
	triggerSchedule = "schedule"
	triggerOther    = "other"
)

func whereQuestion() exporters.Field {
	return exporters.Field{
		Name: "where", Label: "Where does n8n run?", WithRule: true, Question: true,
		Help: "It decides under which address n8n reaches this program.",
		Choices: []exporters.Choice{
			{Value: whereHere, Text: "On the computer with this program"},
			{Value: whereDocker, Text: "On the same computer, in Docker"},
			{Value: whereServer, Text: "On another computer or server of ours"},
			{Value: whereCloud, Text: "n8n Cloud"},
		},
	}
}

// retriesQuestion: a schedule has no sender that hears of a failure.
func retriesQuestion() exporters.Field {
	f := exporters.RetriesQuestion()
	f.Bars = map[string]exporters.Bar{exporters.RetriesSender: {Other: triggerField(), Answers: []string{triggerSchedule}, Instead: exporters.RetriesNobody}}
	return f
}

func triggerField() exporters.Field {
	return exporters.Field{
		Name: "trigger", Label: "What starts the workflow?", WithRule: true, Routes: []string{exporters.RouteLedger},
		Help:    "A trigger of an app, such as one that looks for new rows, is put in by you after the import.",
		Senders: map[string]string{"sharepoint": triggerOther, "dataverse": triggerOther, "outlook": triggerOther, "microsoft-forms": triggerOther},
		Choices: []exporters.Choice{
			{Value: triggerWebhook, Text: "A webhook"},
			{Value: triggerSchedule, Text: "A schedule"},
			{Value: triggerOther, Text: "Another trigger"},
		},
	}
}

func everyField() exporters.Field {
	return exporters.Field{
		Name: "every", Label: "How often does the schedule run?", WithRule: true, Routes: []string{exporters.RouteLedger},
		Help: "Matters to a schedule alone. The day, the hour or the minute becomes the event key: a second run within it is taken for a copy and stopped.",
		Choices: []exporters.Choice{
			{Value: "days", Text: "Once a day, or less often"},
			{Value: "hours", Text: "Once an hour, or a few times a day"},
			{Value: "minutes", Text: "Every few minutes"},
		},
	}
}

func addressField() exporters.Field {
	f := exporters.AddressField(title)
	f.Required = false
	f.Help = "Under which n8n reaches this program. Empty means this computer's own address, or in Docker host.docker.internal. n8n Cloud needs the https address that your tunnel, gateway or server gave it."
	return f
}

func (exporter) Fields() []exporters.Field {
	return []exporters.Field{
		exporters.EffectQuestion(), exporters.TargetQuestion(), whereQuestion(), exporters.ComputerQuestion(), retriesQuestion(), exporters.ReplyQuestion(),
		triggerField(), everyField(), addressField(),
	}
}

// Ways offers the workflow that asks this program, and n8n's own settings alone.
func (x exporter) Ways(s exporters.Setup) []exporters.Way {
	settings := exporters.Way{
		Route: exporters.RouteNone, Title: "Take away what runs twice",
		Reason: "Second registrations, copies of the workflow and tries that repeat a step are found and switched off. It stops no copy that a sender sends again.",
		Cost:   "Nothing.",
	}
	if s.Rule == "" {
		return []exporters.Way{settings}
	}
	where := s.Answered(whereQuestion())
	cost := "Two more calls in each run, and this program has to run whenever n8n does."
	if where == whereCloud {
		cost = "A public address that leads to this program, and two more calls in each run."
	}
	ledger := exporters.LedgerWay(s, where == whereServer || where == whereCloud, cost)
	if s.Answered(retriesQuestion()) == exporters.RetriesPlatform && s.OnExpiry != "ask" {
		ledger.Wants = append(ledger.Wants, exporters.Want{Setting: "on_expiry", Value: "ask", Why: "A failed run waits in n8n until a person starts it again. When the time allowed is over before that, a person has to decide, not the next copy."})
	}
	return exporters.Offer(s, x.Name(), ledger, settings)
}

// wish is what the person chose, checked.
type wish struct {
	where, address, retries, trigger, every string
	answers                                 bool // the sender hears how it ended
}

func (w wish) resumes() bool { return w.retries == exporters.RetriesPlatform }

func readWish(s exporters.Setup) (wish, error) {
	var w wish
	reply := ""
	for _, ask := range []struct {
		field exporters.Field
		into  *string
	}{
		{whereQuestion(), &w.where}, {retriesQuestion(), &w.retries}, {exporters.ReplyQuestion(), &reply}, {triggerField(), &w.trigger}, {everyField(), &w.every},
	} {
		v, err := s.Detail(ask.field)
		if err != nil {
			return wish{}, err
		}
		*ask.into = v
	}
	w.answers = w.trigger == triggerWebhook && reply == exporters.ReplyAfter
	var err error
	w.address, err = addressOf(s, w.where)
	return w, err
}

// defaultHere is where this program listens unless it is told otherwise.
const defaultHere = "http://127.0.0.1:47821"

// addressOf returns where n8n finds this program, "" where nobody knows yet.
func addressOf(s exporters.Setup, where string) (string, error) {
	if where == whereCloud {
		return s.PublicAddress("n8n Cloud")
	}
	typed, err := s.NearAddress()
	if err != nil || typed != "" {
		return typed, err
	}
	here := cmp.Or(s.Here, defaultHere)
	switch where {
	case whereHere:
		return here, nil
	case whereDocker:
		return "http://host.docker.internal" + here[strings.LastIndexByte(here, ':'):], nil
	}
	return "", nil
}

// Build makes the workflow to import with its steps, or without a rule what makes n8n
// run twice by itself.
func (x exporter) Build(s exporters.Setup) (exporters.Checklist, error) {
	way, err := exporters.Chosen(x, s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	if way.Route == exporters.RouteNone {
		c := settingsOnly(x.Name())
		c.NoKey = way.NoKey
		return c, nil
	}
	w, err := readWish(s)
	if err != nil {
		return exporters.Checklist{}, err
	}
	file, blocked, err := workflowFile(s, w)
	if err != nil {
		return exporters.Checklist{}, err
	}
	c := exporters.Checklist{
		Platform: x.Name(),
		Title:    "n8n: run once per event",
		About:    "The workflow asks this program for the event key before it works, and reports the end. A copy is told that the key is taken and stops.",
		Route:    exporters.RouteLedger,
		Steps:    claimSteps(s, w, file, blocked),
		Covers:   claimCovers(w),
	}
	if blocked == "" {
		c.Files = []exporters.File{file}
	}
	return c, nil
}

// workflowFile builds the workflow, or tells in words why it must not be used.
func workflowFile(s exporters.Setup, w wish) (file exporters.File, blocked string, err error) {
	if w.address == "" {
		return file, noAddress(w), nil
	}
	if label, digits, lost := s.LostDigits(); lost {
		return file, fmt.Sprintf("%s has the number %s, and n8n keeps no more than some 16 digits of a number: two different events could get one key. Use a field that carries it as text.", label, digits), nil
	}
	p, err := planOf(s, w)
	if err != nil {
		return file, err.Error(), nil
	}
	data, err := p.build().text()
	if err != nil {
		return file, "", err
	}
	for _, f := range Validate(data) {
		return file, "", fmt.Errorf("generated workflow: %s: %s", f.Where, f.Text)
	}
	return exporters.File{Name: exporters.FileName("n8n-", s.Rule, ".json"), Data: data, About: "Workflow for n8n: three dots > Import from File. Holds no password."}, "", nil
}

func noAddress(w wish) string {
	if w.where == whereCloud {
		return "Type the public address of the endpoint first. " + exporters.NotReachable("n8n Cloud")
	}
	return "Type the address first under which the other computer reaches this program."
}

func planOf(s exporters.Setup, w wish) (plan, error) {
	p := plan{
		rule: s.Rule, address: w.address, each: s.Each, trigger: w.trigger, every: w.every,
		answers: w.answers, resumes: w.resumes(), goOn: s.IfUnreachable == "go_on",
	}
	var err error
	if p.asks, err = ask(s); err != nil {
		return p, err
	}
	if whole(s) {
		if err := s.Unsent(title, func(path []string) bool { return path[0] == "headers" && w.trigger == triggerWebhook }); err != nil {
			return p, err
		}
	}
	if w.trigger == triggerSchedule && s.When != "" {
		return p, exporters.Cannot("The rule has a condition (%s), and a schedule has no event to look at. Take a rule of its own without a condition for the schedule.", s.When)
	}
	if w.trigger != triggerWebhook && needsCall(s.Parts) {
		return p, exporters.Cannot("The key reads a header or the address of a call, and only a webhook has those. Use a field of the body.")
	}
	if len(s.Each) > 0 && (s.Each[0] != "body" || len(s.Each) == 1) {
		return p, exporters.Cannot("The list of the rule (%s) is no field of the body.", strings.Join(s.Each, "."))
	}
	if w.trigger == triggerSchedule {
		p.slot, err = slotOf(s)
	}
	return p, err
}

// slotOf returns the one field that the key reads, which a schedule fills with its
// planned time.
func slotOf(s exporters.Setup) ([]string, error) {
	var slot []string
	for _, p := range s.Parts {
		if len(p.Path) == 0 {
			continue
		}
		if slot != nil && strings.Join(slot, "\x00") != strings.Join(p.Path, "\x00") {
			return nil, exporters.Cannot("A schedule has one thing that tells its runs apart, the planned time, and the key of this rule reads several fields. Put the others into the rule as fixed text.")
		}
		slot = p.Path
	}
	if len(slot) < 2 || slot[0] != "body" || len(s.Each) > 0 || !s.Expressible {
		return nil, exporters.Cannot("A schedule needs a rule whose key reads one field of the body, such as body.slot, which the workflow fills with the planned time.")
	}
	for _, name := range slot {
		if _, index := exporters.Index(name); index || refused(name) {
			return nil, exporters.Cannot("The field %s cannot be filled with the planned time of a schedule.", strings.Join(slot, "."))
		}
	}
	return slot, nil
}

func claimCovers(w wish) []exporters.Cover {
	replay := exporters.Cover{State: exporters.Yes, By: "A run that is started anew finds the key Finished, or takes up the one that was given back."}
	if w.resumes() {
		replay = exporters.Cover{State: exporters.Partly, By: "A failed run goes on from Your work without asking again; what that node did half is done again."}
	}
	return exporters.Covered(map[string]exporters.Cover{
		exporters.ActionsRepeat: {State: exporters.No, By: "Happens inside a run. Only a key at the destination refuses it."},
		exporters.SecondCopy:    {State: exporters.Yes, By: "All copies and instances ask for the same key of the same rule, if all are built this way."},
		exporters.SenderRetries: {State: exporters.Yes, By: "The repeat is told that the key is taken."},
		exporters.StepRetries:   {State: exporters.Partly, By: "The calls to this program may be repeated safely. Your own nodes with Retry On Fail need a key of their own."},
		exporters.Replay:        replay,
		exporters.Overlap:       {State: exporters.Yes, By: "One of the runs gets the key, the others do not."},
	})
}
