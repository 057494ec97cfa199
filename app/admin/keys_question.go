package admin

import (
	"time"

	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// askAbout returns the question that a key puts to a person. It stands open where
// the key needs the answer.
func askAbout(l ledger.Life, rule ledger.Rule, now time.Time, may bool) *page.QuestionView {
	k := l.Key
	q := &page.QuestionView{
		Open: k.Stuck, Title: "Did the work happen?", May: may, Look: lookFor(k.Key), Form: drawnAs(k),
		Answers: []page.AnswerView{answerYes(), answerNo(l, now), answerUnknown(k, rule)},
	}
	switch {
	case k.Stuck:
		q.Lead = stuckReason(k) + " " + meanwhile(k, rule)
	case k.State == ledger.Done:
		q.Title = "Run it again on purpose…"
		q.Lead = "It was reported finished. If the next copy runs, the work is done a second time."
		q.Look, q.Answers = "", []page.AnswerView{onPurpose(l, now)}
	case k.State == ledger.Retryable:
		q.Title = "Decide what happens to it…"
		q.Lead = "The next copy may run already."
		q.Answers = []page.AnswerView{answerYes(), answerUnknown(k, rule)}
		if now.Before(k.NextTryAt) {
			q.Lead = "The next copy may run in " + howLong(k.NextTryAt.Sub(now)) + "."
			q.Answers = []page.AnswerView{answerYes(), answerNo(l, now), answerUnknown(k, rule)}
		}
	case k.Expired:
		q.Title = "Decide on it…"
		q.Lead = "The time allowed ran out " + page.At(k.LeaseUntil, now).Text + ". " + meanwhile(k, rule)
	default:
		q.Title = "Decide before the time is over…"
		q.Lead = sentence(runName(k.Owner)) + " is on it and has " + howLong(k.LeaseUntil.Sub(now)) +
			" left. Decide now only if you know that it died: its report is refused afterwards."
	}
	return q
}

// meanwhile says what callers get until somebody answers.
func meanwhile(k ledger.Key, rule ledger.Rule) string {
	if mayRun(k, rule) {
		return "It is not blocked: until you answer, the next copy that comes may run."
	}
	return "Until you answer, copies are stopped."
}

// mayRun tells whether the next copy gets the key without anybody's answer.
func mayRun(k ledger.Key, rule ledger.Rule) bool {
	if most := rule.Policy.MaxAttempts; most > 0 && k.Attempts >= most {
		return false
	}
	return k.State == ledger.Retryable || k.State == ledger.Claimed && k.Expired && rule.Policy.OnExpiry == ledger.Next
}

func answerYes() page.AnswerView {
	return page.AnswerView{
		Decision: string(ledger.Finished), Title: "Yes, it finished", Follows: "Copies stay stopped. Nothing runs again.",
		Example: "Such as: the invoice is there", Verb: "Yes, it finished", Kind: "primary", Icon: "check",
	}
}

func answerNo(l ledger.Life, now time.Time) page.AnswerView {
	return page.AnswerView{
		Decision: string(ledger.Again), Title: "No, let it run again",
		Follows: "The next copy may run. A new one may never come: the last call came " + page.At(lastCall(l), now).Text + ".",
		Example: "Such as: there is no invoice", Verb: "No, let it run again…", Icon: "repeat",
		Asks: &page.ConfirmView{
			Title: "Let this event run again?", Verb: "Let it run again", Danger: true,
			Body: "The next copy may run. If the work was done after all, it will be done twice.\n" + l.Key.Key,
		},
	}
}

// answerUnknown blocks a key that runs again by itself, and keeps blocked what is.
func answerUnknown(k ledger.Key, rule ledger.Rule) page.AnswerView {
	a := page.AnswerView{
		Decision: string(ledger.Block), Title: "I cannot tell, keep it blocked",
		Follows: "Copies stay stopped until somebody decides. The key stays on the list.",
		Example: "Such as: I ask the supplier tomorrow", Verb: "Keep it blocked", Icon: "hand",
	}
	if mayRun(k, rule) {
		a.Title, a.Verb = "I cannot tell, block it", "Block it"
		a.Follows = "From now on copies are stopped until somebody decides. The key stays on the list."
	}
	return a
}

// onPurpose runs finished work again; the reason is the person's own.
func onPurpose(l ledger.Life, now time.Time) page.AnswerView {
	a := answerNo(l, now)
	a.Title, a.Verb, a.Example = "Run it again on purpose", "Run it again on purpose…", "Such as: the invoice was deleted by hand"
	a.Asks = &page.ConfirmView{
		Title: "Run this finished event again?", Verb: "Run it again", Danger: true,
		Body: "The work was reported finished. The next copy will do it a second time.\n" + l.Key.Key,
	}
	return a
}

// lastCall is when somebody last asked for the key.
func lastCall(l ledger.Life) time.Time {
	last := l.Key.ClaimedAt
	for _, a := range l.Arrivals {
		if a.At.After(last) {
			last = a.At
		}
	}
	return last
}
