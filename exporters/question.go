package exporters

import "slices"

// Answers to the first questions.
const (
	EffectMakes = "makes"
	EffectSets  = "sets"

	TargetOther      = "other"
	TargetSharePoint = "sharepoint"
	TargetDataverse  = "dataverse"
	TargetDatabase   = "database"
	TargetKeyed      = "keyed" // a service that takes a key of its own

	ComputerSleeps = "sleeps"
	ComputerAlways = "always"

	RetriesSender   = "sender"
	RetriesPlatform = "platform"
	RetriesNobody   = "nobody"

	ReplyAfter  = "after"
	ReplyAtOnce = "at_once"
)

// EffectQuestion asks whether the work may be done twice without harm.
func EffectQuestion() Field {
	return Field{
		Name: "effect", Label: "What does the step do that must not happen twice?", WithRule: true, Question: true,
		Help: "Adding to a number is something new each time; setting it to a value is not.",
		Choices: []Choice{
			{EffectMakes, "It makes or sends something new each time"},
			{EffectSets, "It sets a value, the same however often"},
		},
	}
}

// TargetQuestion asks where a copy could be refused.
func TargetQuestion() Field {
	return Field{
		Name: "target", Label: "Where does it write first?", WithRule: true, Question: true,
		Help: "Some places can refuse a second row with the same event key by themselves.",
		Choices: []Choice{
			{TargetOther, "Somewhere else"},
			{TargetSharePoint, "A SharePoint or Microsoft list"},
			{TargetDataverse, "A Dataverse table"},
			{TargetDatabase, "A PostgreSQL database of ours"},
			{TargetKeyed, "Stripe, HubSpot or Salesforce"},
		},
	}
}

// ComputerQuestion asks whether this program can be asked at any time.
func ComputerQuestion() Field {
	return Field{
		Name: "computer", Label: "Is the computer with this program on day and night?", WithRule: true, Question: true,
		Help: "A laptop sleeps when it is closed. A small server, or a PC that never sleeps, does not.",
		Choices: []Choice{
			{ComputerSleeps, "No, it sleeps or is switched off at times"},
			{ComputerAlways, "Yes, always"},
		},
	}
}

// RetriesQuestion asks who tries again after a failure, which decides whether a
// failed run gives its key back. answers are those that the platform can have; with
// none, all three.
func RetriesQuestion(answers ...string) Field {
	texts := map[string]string{
		RetriesSender:   "The sender: it sends the event again when it hears of a failure",
		RetriesPlatform: "The platform: it goes on from the step that failed",
		RetriesNobody:   "Nobody",
	}
	if len(answers) == 0 {
		answers = []string{RetriesSender, RetriesPlatform, RetriesNobody}
	}
	f := Field{
		Name: "retries", Label: "Who tries again after a failure?", WithRule: true, Question: true,
		Help: "It decides whether a run that failed gives its event key back, or keeps it until the same run goes on.",
	}
	for _, a := range answers {
		f.Choices = append(f.Choices, Choice{a, texts[a]})
	}
	return f
}

// ReplyQuestion asks when the sender hears back.
func ReplyQuestion() Field {
	return Field{
		Name: "reply", Label: "When does the sender get its answer?", WithRule: true, Question: true,
		Help: "A sender that waits for a few seconds only (Shopify: 5) needs it at once. It then never hears of a later failure.",
		Choices: []Choice{
			{ReplyAfter, "After the work, so that it hears of a failure"},
			{ReplyAtOnce, "At once, before the work"},
		},
	}
}

// Answered returns the answer to f, its default where the person gave none or one that
// does not exist. [Setup.Detail] tells these apart.
func (s Setup) Answered(f Field) string {
	v, err := s.Detail(f)
	if err != nil {
		return f.preset(s, f.open(s))
	}
	return v
}

// Asked returns the fields of x that matter to s: without a rule not those about one,
// on a way not those of the others, and not those that other answers rule out. Their
// choices are those that are open.
func Asked(x Exporter, s Setup) []Field {
	way, err := Chosen(x, s)
	var list []Field
	fields := x.Fields()
	for _, f := range fields {
		switch {
		case f.WithRule && s.Rule == "":
		case err == nil && !f.of(way.Route):
		case !f.with(s, fields):
		default:
			f.Choices = f.open(s)
			list = append(list, f)
		}
	}
	return list
}

// with reports whether f matters with the answers to the other fields.
func (f Field) with(s Setup, fields []Field) bool {
	for _, other := range fields {
		if answers, ok := f.Only[other.Name]; ok && !slices.Contains(answers, s.Answered(other)) {
			return false
		}
	}
	return true
}

func (f Field) of(route string) bool {
	return len(f.Routes) == 0 || slices.Contains(f.Routes, route)
}
