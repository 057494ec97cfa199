package main

import (
	"slices"
	"time"

	"dedupedesk/frontend/page"
	"github.com/a-h/templ"
)

// A sample is a page or a component in one state.
type sample struct {
	Name   string          // "page/state"
	Title  string          // of a page
	Active string          // its place in the rail
	Page   templ.Component // content for the shell
	Whole  templ.Component // a whole document, instead of Page
	Part   templ.Component // a fragment, instead of Page
	Shell  func(*page.ShellView)
}

// all returns every sample. Each page keeps its own in a file of its name.
func all() []sample {
	return slices.Concat(
		componentSamples(), homeSamples(), connectSamples(), apiSamples(),
		designSamples(), designFileSamples(), keysSamples(), labSamples(), causeSamples(), stepsSamples(),
	)
}

// now is the time of all samples.
func now() time.Time { return time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC) }

// when is the view of a moment that long before now.
func when(ago time.Duration) page.TimeView { return page.At(now().Add(-ago), now()) }

func statusView() page.StatusView {
	return page.StatusView{
		MayPause: true,
		State:    "protecting", APIAddress: "http://127.0.0.1:47821", PasswordTail: "a91f",
		Keys: "1,204", NeedDecision: 3, ComputerOnly: true,
	}
}

func statusBar() templ.Component { return page.StatusBar(statusView()) }

func (s sample) render(theme string) templ.Component {
	switch {
	case s.Part != nil:
		return s.Part
	case s.Whole != nil:
		return s.Whole
	}
	v := page.ShellView{
		Title: s.Title, Active: s.Active, Theme: theme, NeedDecision: 3,
		Status: statusView(),
	}
	if s.Shell != nil {
		s.Shell(&v)
	}
	return page.Shell(v, s.Page)
}
