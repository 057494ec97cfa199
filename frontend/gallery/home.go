package main

import (
	"time"

	"dedupedesk/frontend/page"
)

const keyFile = "/home/mira/.local/share/dedupedesk/ledger.db"

// homeSamples returns the states of the page "home".
func homeSamples() []sample {
	home := func(state string, v page.HomeView, shell func(*page.ShellView)) sample {
		return sample{Name: "home/" + state, Title: "Home", Active: "home", Page: page.Home(v), Shell: shell}
	}
	return []sample{
		home("empty", homeEmpty(), func(s *page.ShellView) {
			s.NeedDecision = 0
			s.Status = page.StatusView{State: "protecting", NoCallsYet: true, APIAddress: "http://127.0.0.1:47821", Keys: "0", ComputerOnly: true}
		}),
		home("full", homeFull(), nil),
		home("samples", func() page.HomeView { v := homeEmpty(); v.OfferStart = true; return v }(), nil),
		home("no-rule", page.HomeView{
			InUse: true, Tested: page.TickView{Detail: "not yet"}, Entered: page.TickView{Detail: "no tool chosen"},
			Called:  page.TickView{Done: true, Detail: "a key of rule default", At: when(3 * time.Minute)},
			Figures: page.FiguresView{CopiesThisWeek: "1", Keys: "1"},
			Reach:   page.LocalReach(), KeyFile: keyFile,
		}, nil),
	}
}

func homeEmpty() page.HomeView {
	return page.HomeView{
		Tested:  page.TickView{Detail: "not yet"},
		Entered: page.TickView{Detail: "no tool chosen"},
		Called:  page.TickView{Detail: "nothing yet"},
		Reach:   page.LocalReach(), KeyFile: keyFile,
	}
}

func homeFull() page.HomeView {
	return page.HomeView{
		InUse:   true,
		Tested:  page.TickView{Done: true, Detail: "Paid invoices", At: when(18 * 24 * time.Hour)},
		Entered: page.TickView{Done: true, Detail: "9 of 9 steps", At: when(18 * 24 * time.Hour)},
		Called:  page.TickView{Done: true, Detail: "Paid invoices", At: when(17 * 24 * time.Hour)},
		Figures: page.FiguresView{CopiesThisWeek: "41", Saved: "512.50 EUR", Keys: "1,204", NeedDecision: 3},
		Rules: []page.RuleLine{
			{Name: "new-orders", Title: "New orders", Guards: []page.GuardView{{Name: "SharePoint list: a unique column in the list", Href: "/steps?rule=new-orders&tool=sharepoint", ProvedAt: when(18 * 24 * time.Hour), Again: true}, {Name: "This program, asked by Make", Ledger: true, Href: "/steps?rule=new-orders&tool=make", ProvedAt: when(24 * time.Hour), ProvedBy: "Ana"}}, Status: "2 steps to check again", Tone: "warn", Tested: "Tested", TestTone: "ok", Steps: "7 of 9", LastCall: when(2 * time.Hour), Copies: "12"},
			{Name: "paid-invoices", Title: "Paid invoices", Guards: []page.GuardView{{Name: "This program", Ledger: true, Called: true}}, Status: "Protecting", Tone: "ok", Tested: "Tested", TestTone: "ok", Steps: "9 of 9", LastCall: when(2 * time.Minute), Copies: "29"},
			{Name: "refunds", Status: "Ready, no calls yet", Tested: "Different events merged", TestTone: "bad", LastCall: page.At(time.Time{}, now()), Copies: "0"},
		},
		Reach: page.LocalReach(), KeyFile: keyFile,
	}
}
