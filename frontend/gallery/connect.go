package main

import (
	"time"

	"dedupedesk/frontend/page"
)

// connectSamples returns the states of the page "connect", and its two answers.
func connectSamples() []sample {
	connect := func(state string, v page.ConnectView) sample {
		return sample{Name: "connect/" + state, Title: "Connect", Active: "connect", Page: page.Connect(v)}
	}
	empty, full, made, fault := connectView(), connectView(), connectView(), connectView()
	empty.Passwords.List, empty.Try.Log, empty.Calls = nil, nil, nil
	made.Passwords.New = &page.NewPasswordView{Name: "make-orders", Text: "dd_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFya91f", Replaced: true}
	made.Requests = requestsView(page.RequestFor{Rule: "paid-invoices", Event: true, Each: true})
	made.Requests.Chosen = "node"
	fault.Requests = requestsView(page.RequestFor{Rule: "default"})
	fault.Requests.Chosen = "n8n"
	fault.Passwords.Name, fault.Passwords.Fault = "make orders", "A name may hold letters, digits, dots, dashes and underscores, and no spaces."
	fault.Try.Key, fault.Try.Fault = "", "Fill in an event key, the name that is the same on every copy."
	look := connectView()
	look.Passwords.May, look.Try.May = false, false
	return []sample{
		connect("empty", empty), connect("full", full), connect("made", made), connect("fault", fault), connect("look", look),
		{Name: "connect/answer", Part: page.TryAnswer(full.Try, full.Try.Log[0])},
	}
}

// requestsView is the card of ready requests for one of two rules.
func requestsView(of page.RequestFor) page.RequestsView {
	of.Address = "http://127.0.0.1:47821"
	plain := of.Rule == "default"
	return page.RequestsView{
		Rules: []page.OptionView{{Value: "default", Text: page.PlainKeys, Chosen: plain}, {Value: "paid-invoices", Text: "Paid invoices", Chosen: !plain}},
		Rule:  of.Rule, Makes: !plain, Event: of.Event, Each: of.Each, Tools: page.ReadyRequests(of),
	}
}

func connectView() page.ConnectView {
	never := page.At(time.Time{}, now())
	return page.ConnectView{
		Address: "http://127.0.0.1:47821",
		Reach:   page.LocalReach(),
		Passwords: page.PasswordsView{May: true, List: []page.PasswordView{
			{Name: "make-orders", Tail: "a91f", May: "Reserve and finish keys", Made: when(time.Minute), LastUsed: never},
			{Name: "make-orders", Tail: "77c0", May: "Reserve and finish keys", Made: when(700 * time.Hour), LastUsed: when(4 * time.Minute), Ends: when(-23*time.Hour - 59*time.Minute)},
			{Name: "nightly-script", Tail: "Qz_4", May: "Everything", Made: when(90 * time.Hour), LastUsed: when(9 * time.Hour)},
		}},
		Try: page.TryView{
			Rules: []page.OptionView{{Value: "default", Text: page.PlainKeys, Chosen: true}, {Value: "paid-invoices", Text: "Paid invoices"}},
			Key:   "test:hello", Token: "1.c2FtcGxl", May: true,
			Log: []page.TryLine{
				{At: "14:05:09", Act: "Finish", Key: "test:hello", Words: "Finished. Copies stay stopped.", Tone: "ok", HTTP: "200, status done"},
				{At: "14:05:05", Act: "Reserve", Key: "test:hello", Words: "Copy stopped: someone is on it since 4 seconds.", Tone: "stop", HTTP: "200, status in_progress"},
				{At: "14:05:01", Act: "Reserve", Key: "test:hello", Words: "You got it. Do the work.", Tone: "ok", HTTP: "200, status claimed"},
				{At: "14:04:40", Act: "Finish", Key: "test:hello", Words: "Nobody has reserved this key.", Tone: "error", HTTP: "404, code not_found"},
			},
		},
		Requests: requestsView(page.RequestFor{Rule: "paid-invoices", Event: true}),
		Calls: []page.CallView{
			{At: when(40 * time.Second), What: "Reserve", Rule: "paid-invoices", Code: "3f9a17c2", Words: "Copy stopped: in progress", Tone: "ok", HTTP: "200"},
			{At: when(41 * time.Second), What: "Reserve", Rule: "paid-invoices", Code: "3f9a17c2", Words: "You got it", Tone: "ok", HTTP: "200"},
			{At: when(9 * time.Minute), What: "Reserve", Words: "Wrong password", Tone: "bad", HTTP: "401"},
			{At: when(10 * time.Minute), What: "Finish", Rule: "new-orders", Code: "b04d6e51", Words: "Too late: somebody else holds it", HTTP: "409"},
		},
	}
}
