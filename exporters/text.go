package exporters

import (
	"fmt"
	"strings"
)

// Text returns the checklist as plain text that is also Markdown, for a ticket
// or for a colleague who holds the rights. A blocked value is left out and the
// reason stands in its place.
func (c Checklist) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", c.Title)
	if c.About != "" {
		fmt.Fprintf(&b, "\n%s\n", c.About)
	}
	if warning := c.Unstopped(); warning != "" {
		fmt.Fprintf(&b, "\n%s\n", warning)
	}
	for i, s := range c.Steps {
		fmt.Fprintf(&b, "\n## %d. %s\n\n", i+1, s.Title)
		s.write(&b)
	}
	if len(c.Covers) > 0 {
		b.WriteString("\n## What this covers\n\n")
		for _, v := range c.Covers {
			fmt.Fprintf(&b, "- %s: %s%s\n", v.Label, v.State, after(". ", v.By))
		}
	}
	if len(c.Files) > 0 {
		b.WriteString("\n## Files\n\n")
		for _, f := range c.Files {
			fmt.Fprintf(&b, "- %s%s\n", f.Name, after(": ", f.About))
		}
	}
	return b.String()
}

func (s Step) write(b *strings.Builder) {
	line(b, "BEFORE YOU DO THIS: ", s.Warning)
	line(b, "Where: ", s.Where)
	switch {
	case s.Blocked != "":
		line(b, "Do not copy yet: ", s.Blocked)
	case s.Value != "":
		label := s.ValueLabel
		if label == "" {
			label = "Value"
		}
		fence := fenceFor(s.Value)
		fmt.Fprintf(b, "- %s:\n\n%s\n%s\n%s\n\n", label, fence, s.Value, fence)
	}
	if s.Blocked == "" {
		line(b, "File: ", s.File)
	}
	line(b, "Why: ", s.Why)
	line(b, "Does not fix: ", s.NotFixed)
	for _, c := range s.Checks {
		fmt.Fprintf(b, "- Check (%s): %s\n", c.Result, c.Text)
	}
	for _, p := range s.Sources {
		fmt.Fprintf(b, "- Source: %s, %s (read %s)\n", p.Page, p.URL, p.Read)
	}
	line(b, "", s.Tried)
}

func line(b *strings.Builder, label, text string) {
	if text != "" {
		fmt.Fprintf(b, "- %s%s\n", label, text)
	}
}

func after(sep, text string) string {
	if text == "" {
		return ""
	}
	return sep + text
}

// fenceFor returns a Markdown fence that value does not contain.
func fenceFor(value string) string {
	fence := "```"
	for strings.Contains(value, fence) {
		fence += "`"
	}
	return fence
}
