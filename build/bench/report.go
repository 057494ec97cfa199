package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// A figure is one thing measured: the median of several rounds, with their least
// and greatest value; all three are the same where it was measured once.
type figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
	Unit  string  `json:"unit"`
	Aim   string  `json:"aim,omitempty"`
	Met   *bool   `json:"met,omitempty"` // nil where there is no aim, and in a short run
	Note  string  `json:"note,omitempty"`
}

// A section is one part of the run.
type section struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Figures []figure `json:"figures"`
}

// A report is what is printed at the end.
type report struct {
	At       time.Time  `json:"at"`
	Short    bool       `json:"short,omitempty"` // too little was measured to compare with an aim
	System   string     `json:"system"`
	Go       string     `json:"go"`
	CPUs     int        `json:"cpus"`
	Sections []*section `json:"sections"`
}

func newReport(short bool) *report {
	return &report{
		At: time.Now().UTC().Truncate(time.Second), Short: short,
		System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), CPUs: runtime.NumCPU(),
	}
}

func (r *report) section(name, title string) {
	r.Sections = append(r.Sections, &section{Name: name, Title: title, Figures: []figure{}})
}

// add writes down a figure in the newest section.
func (r *report) add(f figure) {
	s := r.Sections[len(r.Sections)-1]
	s.Figures = append(s.Figures, f)
}

// An aim is a bound on a figure.
type aim struct {
	bound float64
	below bool // the figure should be at most the bound, else at least
}

func atMost(bound float64) aim  { return aim{bound, true} }
func atLeast(bound float64) aim { return aim{bound, false} }

// aimed is add for a figure that has an aim. The median is held against it.
func (r *report) aimed(f figure, a aim) {
	met := f.Value >= a.bound
	f.Aim = fmt.Sprintf("≥ %s", amount(a.bound, f.Unit))
	if a.below {
		met = f.Value <= a.bound
		f.Aim = fmt.Sprintf("≤ %s", amount(a.bound, f.Unit))
	}
	if !r.Short {
		f.Met = &met
	}
	r.add(f)
}

func (r *report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

func (r *report) writeTable(w io.Writer) error {
	fmt.Fprintf(w, "Dedupe Desk, %s, %s, %d CPUs, %s\n", r.At.Format(time.RFC3339), r.System, r.CPUs, r.Go)
	if r.Short {
		fmt.Fprintln(w, "A short run: it shows that all of this can be measured. Its figures tell little.")
	}
	var table bytes.Buffer
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, s := range r.Sections {
		fmt.Fprintf(t, "\n%s\tmedian\tleast to most\taim\t\n", s.Title)
		for _, f := range s.Figures {
			spread := ""
			if f.Least != f.Most {
				spread = number(f.Least) + " – " + number(f.Most)
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", f.Name, amount(f.Value, f.Unit), spread, f.Aim, f.verdict())
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(table.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// verdict is the last column: met or not met, and the note.
func (f figure) verdict() string {
	var words []string
	if f.Met != nil && *f.Met {
		words = append(words, "met")
	} else if f.Met != nil {
		words = append(words, "NOT MET")
	}
	if f.Note != "" {
		words = append(words, f.Note)
	}
	return strings.Join(words, "; ")
}

func amount(v float64, unit string) string { return number(v) + " " + unit }

// number writes three digits that matter.
func number(v float64) string {
	switch {
	case v >= 100, v == 0:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	case v >= 0.1:
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.4f", v)
}
