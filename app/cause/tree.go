package cause

import "slices"

// A Question is one that a person can answer by looking.
type Question struct {
	ID      string
	Text    string
	Look    []Place // where to look
	Answers []Answer
}

// A Place is where a tool shows the answer.
type Place struct{ Tool, Path string }

// An Answer leaves some causes possible.
type Answer struct {
	ID, Text string
	Leaves   []ID
}

// except lists all causes but some.
func except(out ...ID) []ID {
	var left []ID
	for _, c := range causes {
		if !slices.Contains(out, c.ID) {
			left = append(left, c.ID)
		}
	}
	return left
}

// NotSure is an answer to every question. It leaves all causes.
const NotSure = "not-sure"

// Questions returns all questions in the order in which they are asked.
func Questions() []Question { return slices.Clone(questions) }

var questions = []Question{
	{
		ID: "runs", Text: "Did one run do it twice, or were there two runs?",
		Look: []Place{
			{"Power Automate", "My flows > the flow > 28-day run history > All runs. Open both and compare the run ids."},
			{"Make", "The scenario > History. Each line is a run."},
			{"Zapier", "Zap history. Each line is a run."},
			{"n8n", "Executions. Each line is a run."},
		},
		Answers: []Answer{
			{"one", "One run", []ID{StepsRepeat, StepRetry}},
			{"two", "Two runs", except(StepsRepeat, StepRetry)},
		},
	},
	{
		ID: "step", Text: "Does the step show more than one try, a timeout, 429 or a 5xx?",
		Look: []Place{
			{"Power Automate", "The run > the action > Show raw outputs: statusCode, and Retry history where there is one."},
			{"Make", "The run > the module's bubble > its operations."},
			{"Zapier", "Zap history > the run > the step > Data out, and Troubleshoot."},
		},
		Answers: []Answer{{"yes", "Yes", []ID{StepRetry}}, {"no", "No, all is well there", except(StepRetry)}},
	},
	{
		ID: "other", Text: "Does anything else react to the same event?",
		Look: []Place{
			{"Power Automate", "Other environments, in the switch at the top right; also Solutions."},
			{"Zapier", "All Zaps of all members: the same trigger and account."},
			{"Make", "Other teams and organisations: Scenarios, by the same hook or connection."},
		},
		Answers: []Answer{{"copy", "A copy of this automation", []ID{SecondCopy}}, {"different", "A different automation, an app or a person's rule", []ID{TwoPaths}}, {"none", "No, this one alone", except(SecondCopy, TwoPaths)}},
	},
	{
		ID: "start", Text: "What starts it?",
		Look: []Place{{"Anywhere", "The first step: a schedule has an interval, a trigger names an app or a hook."}},
		Answers: []Answer{
			{"clock", "The clock, every few minutes or hours", except(DoubleHook, SenderRetry, StartsItself, TwoEvents, DoubleClick)},
			{"event", "An event: a hook, a new row, a form", except(Schedules)},
		},
	},
	{
		ID: "same", Text: "Is the event's id in the trigger data the same in both runs?",
		Look: []Place{
			{"Power Automate", "Each run > the trigger > outputs."},
			{"Make", "Each run > the first module's bubble > the bundle."},
			{"Zapier", "Zap history > each run > the trigger > Data in."},
			{"Headers", "X-GitHub-Delivery, X-Shopify-Event-Id, webhook-id are the same on a redelivery."},
		},
		Answers: []Answer{
			{"same", "The same", except(StartsItself, TwoEvents, DoubleClick, NotTwice)},
			{"delivery", "The same event, under two delivery ids", []ID{DoubleHook, TwoEvents}},
			{"different", "Different", except(SenderRetry, Replay, Overlap, DoubleHook)},
		},
	},
	{
		ID: "replayed", Text: "Is one of the runs marked as a replay, or did it come hours after a failure?",
		Look: []Place{
			{"Zapier", "Zap history: Replayed."},
			{"Make", "Incomplete executions; the run's Resolved by retry."},
			{"Power Automate", "The run's details: Resubmitted."},
		},
		Answers: []Answer{{"yes", "Yes", []ID{Replay}}, {"no", "No", except(Replay)}},
	},
	{
		ID: "log", Text: "What does the sender's log show for this event?",
		Look: []Place{
			{"Stripe", "Developers > Webhooks > the endpoint > Event deliveries: each try with its status."},
			{"Shopify", "Settings > Notifications > Webhooks, and the app's delivery metrics."},
			{"GitHub", "Settings > Webhooks > Recent deliveries: Redelivery."},
		},
		Answers: []Answer{
			{"failed", "A failed or slow try, then another one", []ID{SenderRetry}},
			{"two", "Two deliveries by two registrations", []ID{DoubleHook}},
			{"one", "One delivery, and all is well", except(SenderRetry, DoubleHook)},
		},
	},
	{
		ID: "lookup", Text: "Does it look whether the row is there before it writes, and did both runs begin within seconds?",
		Look:    []Place{{"Anywhere", "A Find, Get items or Search step before the step that creates."}},
		Answers: []Answer{{"yes", "Yes", []ID{Overlap}}, {"no", "No", except(Overlap)}},
	},
	{
		ID: "changes", Text: "Does the automation change the item that starts it?",
		Look:    []Place{{"SharePoint", "A trigger “created or modified”, and an Update item step on the same list."}, {"Airtable", "A trigger on updated records, and an Update record step on the same table."}},
		Answers: []Answer{{"yes", "Yes", []ID{StartsItself}}, {"no", "No", except(StartsItself)}},
	},
	{
		ID: "thing", Text: "Are both events about the same order, payment, person or record?",
		Look:    []Place{{"Anywhere", "The id of the thing in both events, such as data.object.id or order.id."}},
		Answers: []Answer{{"yes", "The same thing", except(NotTwice)}, {"no", "Two different ones", []ID{NotTwice}}},
	},
	{
		ID: "person", Text: "Did a person press a button or send a form, and could have done so twice?",
		Look:    []Place{{"Anywhere", "Two events within seconds, from one visitor, with the same contents."}},
		Answers: []Answer{{"yes", "Yes", []ID{DoubleClick}}, {"no", "No, a system makes them", except(DoubleClick)}},
	},
	{
		ID: "long", Text: "Can a run last longer than the time to the next one?",
		Look:    []Place{{"Anywhere", "The longest run in the history beside the interval."}},
		Answers: []Answer{{"yes", "Yes", []ID{Schedules}}, {"no", "No", except(Schedules)}},
	},
}

// A Given is an answer that a person, or the comparison of two events, gave.
type Given struct{ Question, Answer string }

// A Standing is how far the answers lead.
type Standing struct {
	Given []Answered // those that count, in their order
	Left  []ID       // what is still possible; never empty
	Next  *Question  // nil at the end
}

// An Answered is a question with its answer.
type Answered struct {
	Question Question
	Answer   Answer
}

// Stand tells how far answers lead. An answer that would leave nothing is not counted: it
// contradicts those before it.
func Stand(given []Given) Standing {
	s := Standing{Left: except()}
	asked := map[string]bool{}
	for _, q := range questions {
		i := slices.IndexFunc(given, func(g Given) bool { return g.Question == q.ID })
		if i < 0 {
			continue
		}
		a, ok := q.answer(given[i].Answer)
		if !ok {
			continue
		}
		asked[q.ID] = true
		if left := both(s.Left, a.Leaves); len(left) > 0 {
			s.Left = left
			s.Given = append(s.Given, Answered{q, a})
		}
	}
	for _, q := range questions {
		if !asked[q.ID] && q.tells(s.Left) {
			s.Next = &q
			return s
		}
	}
	return s
}

// answer finds an answer of the question, not sure among them.
func (q Question) answer(id string) (Answer, bool) {
	if id == NotSure {
		return Answer{ID: NotSure, Text: "Not sure", Leaves: except()}, true
	}
	i := slices.IndexFunc(q.Answers, func(a Answer) bool { return a.ID == id })
	if i < 0 {
		return Answer{}, false
	}
	return q.Answers[i], true
}

// tells reports whether the question can tell some of the causes apart: an answer leaves a
// part of them, and not all.
func (q Question) tells(left []ID) bool {
	if len(left) < 2 {
		return false
	}
	parts := 0
	for _, a := range q.Answers {
		if n := len(both(left, a.Leaves)); n > 0 && n < len(left) {
			parts++
		}
	}
	return parts > 0
}

func both(a, b []ID) []ID {
	return slices.DeleteFunc(slices.Clone(a), func(id ID) bool { return !slices.Contains(b, id) })
}
