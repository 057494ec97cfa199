package admin

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"dedupedesk/app/problem"
	"dedupedesk/frontend/page"
	"dedupedesk/rules"
)

// formulaView is the field of one of the rule's formulas, with what is wrong in it.
func formulaView(words, place, text string, issues []rules.Issue) page.FormulaView {
	v := page.FormulaView{ID: "formula-" + place, Place: place, Text: text, Words: words}
	if place == "key" {
		v.ID = "formula"
	}
	if strings.TrimSpace(text) == "" {
		return v
	}
	for _, issue := range issues {
		if issue.Place != place {
			continue
		}
		if v.Issue == nil {
			v.Issue = placeIn(text, issue.Line, issue.Column, issue.Length)
			v.Issue.Text, v.Issue.Hint = issue.Msg, issue.Hint
			v.Write, v.Fixed = issue.Instead, issue.Mend(text)
		}
		v.Marks = append(v.Marks, page.MarkView{
			Line: issue.Line, Column: issue.Column, Length: issue.Length,
			Text: strings.ReplaceAll(issue.String(), "`", ""), Instead: issue.Instead,
		})
	}
	return v
}

// wordsAddress is where the formula editor asks what to offer. It changes with the
// samples, so that the page may keep an answer.
func wordsAddress(d *draft, samples readSamples) string {
	return fmt.Sprintf("/design/words?draft=%s&of=%d-%.8s", url.QueryEscape(d.ID), d.Shown, samples.sum)
}

// words is what a formula may be made of, as the editor offers it.
type words struct {
	Fields    []wordField    `json:"fields"`
	Functions []wordFunction `json:"functions"`
}

type wordField struct {
	Text  string `json:"text"`
	Name  string `json:"name"`
	Value string `json:"value"`
	Kind  string `json:"kind"`
}

type wordFunction struct {
	Name      string `json:"name"`
	Method    bool   `json:"method"`
	Signature string `json:"signature"`
	Help      string `json:"help"`
	Example   string `json:"example"`
	Gives     string `json:"gives"`
}

// maxOffered is how many fields the editor is told of, and maxOfferedValue how much
// of each value.
const (
	maxOffered      = 2000
	maxOfferedValue = 60
)

// words answers with the fields of the draft's samples and the functions of the
// language.
func (p *designer) words(w http.ResponseWriter, r *http.Request) error {
	d, err := p.load(r.Context(), r.FormValue("draft"))
	if err != nil {
		return err
	}
	fields := p.trees.of(d.seen()).Fields()
	out := words{Fields: []wordField{}, Functions: []wordFunction{}}
	for _, f := range fields[:min(len(fields), maxOffered)] {
		value, _ := shownValue(d, f)
		out.Fields = append(out.Fields, wordField{Text: f.Text, Name: f.Name, Value: cutTo(value, maxOfferedValue), Kind: f.Kind})
	}
	for _, f := range rules.Functions() {
		out.Functions = append(out.Functions, wordFunction{Name: f.Name, Method: f.Method, Signature: f.Signature, Help: f.Help, Example: f.Example, Gives: f.Gives})
	}
	var b bytes.Buffer
	if err := json.NewEncoder(&b).Encode(out); err != nil {
		return fmt.Errorf("write the words of a formula: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = b.WriteTo(w) // nobody is left to be told
	return nil
}

// typeFormula makes what was typed, or a fix, one of the rule's formulas. One with
// faults is kept as well: the editor shows what is wrong with it.
func typeFormula(t *turn) error {
	text := strings.ToValidUTF8(t.text("formula"), "\ufffd")
	if len(text) > maxTyped {
		t.said.refused = true
		t.said.toast = "This formula is too long to keep. A formula has at most " + page.Count(rules.MaxFormula) + " characters."
		return nil
	}
	switch place := t.form.Get("place"); place {
	case "", "key":
		t.draft.setFormula(text)
		fix := rules.Fix{Formula: t.draft.Rule.Key, Setting: t.form.Get("setting"), Value: t.text("value")}
		if !fix.Apply(&t.draft.Rule) {
			return problem.New(http.StatusBadRequest, "bad_setting", "A fix changes no such setting.")
		}
	case "each":
		t.draft.Rule.Each = text
	case "when":
		t.draft.Rule.When = text
	default:
		return problem.New(http.StatusBadRequest, "bad_place", "A rule has no such formula.")
	}
	return nil
}
