package main

import "dedupedesk/frontend/page"

// componentSamples returns the components and the frame in its states.
func componentSamples() []sample {
	state := func(v page.StatusView) func(*page.ShellView) {
		return func(s *page.ShellView) { s.Status = v }
	}
	return []sample{
		{Name: "component/controls", Title: "Components", Page: controls()},
		{Name: "component/messages", Title: "Messages", Page: messages(), Shell: func(s *page.ShellView) {
			s.Banner = []string{"Test clock: the ledger's time is 15 minutes ahead."}
			s.Role, s.Search, s.NeedDecision = "look", "stripe:in_7", 0
		}},
		{Name: "component/standing", Title: "Nothing here", Page: page.Sorry(page.SorryView{Title: "Nothing here", Text: "A short page below what stands."}), Shell: func(s *page.ShellView) {
			s.Standing = []page.AcceptView{
				{Title: "This computer's clock was set back", Button: "The clock is right now", What: "clock", May: true,
					Text: "The clock of this computer is 26 h behind the latest time that keys were claimed at: it was set back, or was ahead before. Time for keys goes on from then, so that nothing runs twice."},
				{Title: "The key file comes from a backup", Button: "I have looked, accept it", What: "restore",
					Text: "Keys that were claimed or finished since 2026-11-28 09:00 UTC may be forgotten: a copy of such an event runs again."},
			}
		}},
		{Name: "component/window", Title: "Messages", Page: messages(), Shell: func(s *page.ShellView) {
			s.Window, s.Now = true, "2026-11-30T14:05:00.000Z"
		}},
		{Name: "component/paused", Title: "Components", Page: controls(), Shell: state(page.StatusView{
			State: "paused", PausedBy: "Ada Lovelace", APIAddress: "http://127.0.0.1:47821", PasswordTail: "a91f", Keys: "1", NeedDecision: 1, ComputerOnly: true, MayPause: true,
		})},
		{Name: "component/paused-look", Title: "Components", Page: controls(), Shell: state(page.StatusView{
			State: "paused", PausedBy: "Ada Lovelace", APIAddress: "http://127.0.0.1:47821", PasswordTail: "a91f", Keys: "1", NeedDecision: 1, ComputerOnly: true,
		})},
		{Name: "component/stopped", Title: "Components", Page: controls(), Shell: state(page.StatusView{
			State: "not_protecting", Text: "Not protecting: port 47821 is used by another program", Detail: "nginx, process 812",
		})},
		{Name: "component/new", Title: "Components", Page: controls(), Shell: state(page.StatusView{
			State: "protecting", NoCallsYet: true, APIAddress: "http://127.0.0.1:47821", Keys: "0", ComputerOnly: true,
		})},
		{Name: "component/locked", Whole: page.Locked(page.LockedView{})},
	}
}
