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
		{Name: "component/standing", Title: "Messages", Page: messages(), Shell: func(s *page.ShellView) {
			s.Standing = []page.AcceptView{
				{Title: "This computer's clock was set back by 26 h", Text: "Time for event keys goes on from the latest time that was seen.", Button: "The clock is right now", What: "clock", May: true},
				{Title: "The key file was restored from a backup of 28 Nov, 09:00", Text: "Keys claimed after that are not in it.", Button: "I have looked at it", What: "restore"},
			}
		}},
		{Name: "component/window", Title: "Messages", Page: messages(), Shell: func(s *page.ShellView) {
			s.Window, s.Now = true, "2026-11-30T14:05:00.000Z"
		}},
		{Name: "component/paused", Title: "Components", Page: controls(), Shell: state(page.StatusView{
			State: "paused", APIAddress: "http://127.0.0.1:47821", PasswordTail: "a91f", Keys: "1", NeedDecision: 1, ComputerOnly: true,
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
