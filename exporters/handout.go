package exporters

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
)

// A Handout is a checklist as one file for a colleague who holds the rights: with the
// rule it is about, and with the text of every file to import. What is blocked is left
// out and its reason stands in its place.
type Handout struct {
	Checklist
	Rule string // the rule's title and name, "" without one
	Made string // the day, 2026-10-31
}

// NoPassword is said of every file that leaves this program.
const NoPassword = "No password stands in it: where one belongs, it says " + Placeholder + "."

func (h Handout) about() string {
	text := "Made by Dedupe Desk on " + h.Made + "."
	if h.Rule != "" {
		text = "Rule: " + h.Rule + ". " + text
	}
	return text + " " + NoPassword
}

// Markdown returns the handout as Markdown, which is plain text as well.
func (h Handout) Markdown() []byte {
	var b strings.Builder
	b.WriteString(h.Text())
	for _, step := range h.Steps {
		if f := h.FileOf(step); f != nil {
			fence := fenceFor(string(f.Data))
			fmt.Fprintf(&b, "\n### %s\n\n%s\n%s\n%s\n", f.Name, fence, strings.TrimSuffix(string(f.Data), "\n"), fence)
		}
	}
	fmt.Fprintf(&b, "\n---\n\n%s\n", h.about())
	return []byte(b.String())
}

//go:embed handout.html
var handoutPage string

// HTML returns the handout as one page that loads nothing and runs nothing. Each file
// to import can be saved from it.
func (h Handout) HTML() ([]byte, error) {
	t, err := template.New("handout").Funcs(template.FuncMap{
		"plus":   func(i int) int { return i + 1 },
		"saved":  savedFrom,
		"file":   h.FileOf,
		"odd":    func(i int) bool { return i%2 == 1 },
		"pieces": func(where string) []string { return strings.Split(where, "**") }, // every second is a label
	}).Parse(handoutPage)
	if err != nil {
		return nil, fmt.Errorf("handout: %w", err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, map[string]any{"List": h.Checklist, "About": h.about()}); err != nil {
		return nil, fmt.Errorf("handout: %w", err)
	}
	return b.Bytes(), nil
}

// savedFrom is the address that a browser saves a file from without loading anything.
func savedFrom(f File) template.URL {
	return template.URL("data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(f.Data))
}
