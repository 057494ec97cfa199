package admin

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"dedupedesk/app/problem"
	"dedupedesk/exporters/powerautomate"
	"dedupedesk/exporters/wdl"
	"dedupedesk/frontend/page"
)

// maxConditions bounds the lines of one test; the designer itself shows ten.
const maxConditions = 50

// testCondition tells whether a flow would start. It keeps nothing.
func (d stepsDesk) testCondition(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	v := page.ConditionView{Lines: r.PostFormValue("lines"), Outputs: r.PostFormValue("outputs"), Classic: r.PostFormValue("classic") != ""}
	lines := conditionLines(v.Lines)
	switch {
	case len(lines) == 0:
		v.LinesFault = "Write at least one condition. Without one the flow starts at every event."
	case len(lines) > maxConditions:
		v.LinesFault = "At most " + page.Count(maxConditions) + " conditions can be tested at once."
	}
	if strings.TrimSpace(v.Outputs) == "" {
		v.OutputsFault = "Paste what the trigger sent. It begins with { and has a member called body."
	}
	if v.LinesFault == "" && v.OutputsFault == "" {
		res, err := powerautomate.Test([]byte(v.Outputs), lines, wdl.Options{Now: d.Clock.Now(), Classic: v.Classic})
		if err != nil {
			v.OutputsFault = "We could not read this: " + strings.TrimPrefix(err.Error(), "trigger outputs: ") + ". Paste all of the raw outputs."
		} else {
			v.Result = conditionResult(res)
		}
	}
	if v.Result == nil {
		return d.fragment(w, r, http.StatusUnprocessableEntity, page.ConditionCard(v))
	}
	return d.fragment(w, r, http.StatusOK, page.ConditionCard(v))
}

// parseForm reads the form, or refuses it in words.
func parseForm(r *http.Request) error {
	err := r.ParseForm()
	if _, tooBig := errors.AsType[*http.MaxBytesError](err); err == nil || tooBig {
		return err
	}
	return problem.New(http.StatusBadRequest, "bad_form", "The form could not be read. Load the page again.")
}

// conditionLines parts the box into its lines. Spaces stay: one before the @ is a
// fault that the test has to find.
func conditionLines(text string) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func conditionResult(res wdl.Result) *page.ConditionResultView {
	v := &page.ConditionResultView{Outcome: string(res.Outcome), Warnings: res.Warnings}
	for i, l := range res.Lines {
		v.Lines = append(v.Lines, conditionLine(i+1, l))
	}
	return v
}

func conditionLine(number int, l wdl.LineResult) page.ConditionLineView {
	line := page.ConditionLineView{Number: number, Outcome: string(l.Outcome), Before: l.Line, Reason: l.Reason, Warnings: l.Warnings}
	if l.Offset >= 0 {
		line.Before, line.Mark, line.After = cutAt(l.Line, l.Offset)
		line.Place = "character " + strconv.Itoa(l.Offset+1)
	}
	for _, s := range l.Steps {
		line.Steps = append(line.Steps, page.SubValueView{Text: s.Text, Value: s.Value, Kind: s.Kind})
	}
	return line
}

// cutAt takes the code point at offset out of line. Behind the end there is none.
func cutAt(line string, offset int) (before, at, after string) {
	runes := []rune(line)
	if offset >= len(runes) {
		return line, "", ""
	}
	return string(runes[:offset]), string(runes[offset : offset+1]), string(runes[offset+1:])
}

// exampleCondition is filled in on request: an edit that the flow made itself.
func exampleCondition() page.ConditionView {
	return page.ConditionView{
		Lines: "@not(equals(toLower(coalesce(triggerBody()?['Editor']?['Email'],'')),'flows@example.com'))",
		Outputs: `{
  "headers": {},
  "body": {
    "ID": 41,
    "Title": "Order 41",
    "Status": { "Id": 0, "Value": "New" },
    "Editor": { "Email": "Flows@example.com" }
  }
}`,
	}
}
