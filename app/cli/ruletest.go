package cli

import (
	"fmt"
	"strings"

	"dedupedesk/rules"
)

type ruleTest struct {
	Rules []string `arg:"" complete:"rulefile" name:"rule" help:"Rule files, or names of rules."`
}

// judged is one rule with its judgement, as --json shows it.
type judged struct {
	Rule     string        `json:"rule"`
	OK       bool          `json:"ok"`
	Samples  []sampleBody  `json:"samples"`
	Verdicts []verdictBody `json:"verdicts"`
}

type sampleBody struct {
	Group   string        `json:"group,omitempty"`
	Name    string        `json:"name,omitempty"`
	Key     string        `json:"key,omitempty"`
	Error   string        `json:"error,omitempty"`
	Outcome rules.Outcome `json:"outcome"`
}

type verdictBody struct {
	Code rules.VerdictCode `json:"code"`
	Fail bool              `json:"fail"`
	Text string            `json:"text"`
	Path string            `json:"path,omitempty"`
	Fix  string            `json:"fix,omitempty"` // the formula that mends it
}

// Run judges rules on their samples. The answer is no where a verdict fails.
func (r *ruleTest) Run(c *call) error {
	e, err := c.rulesEngine()
	if err != nil {
		return err
	}
	files := make([]*rules.Rule, len(r.Rules))
	for i, arg := range r.Rules {
		if files[i], err = c.ruleFile(arg); err != nil {
			return err
		}
	}
	var all []judged
	failed := false
	for _, file := range files {
		full := file.WithDefaults()
		j := judgedOf(full.Rule, e.Judge(c.ctx, &full))
		all = append(all, j)
		for _, v := range j.Verdicts {
			failed = failed || v.Fail
		}
		if !c.flags.JSON {
			if err := c.printJudged(j); err != nil {
				return err
			}
		}
	}
	if c.flags.JSON {
		if err := c.printJSON(map[string]any{"rules": all}); err != nil {
			return err
		}
	}
	if failed {
		return errNo
	}
	return nil
}

func judgedOf(name string, j rules.Judgement) judged {
	out := judged{Rule: name, OK: j.OK, Samples: []sampleBody{}, Verdicts: []verdictBody{}}
	for _, s := range j.Samples {
		b := sampleBody{Group: s.Group, Name: s.Name, Key: s.Key, Outcome: s.Outcome}
		if s.Err != nil {
			b.Error = s.Err.Msg
		}
		out.Samples = append(out.Samples, b)
	}
	for _, v := range j.Verdicts {
		b := verdictBody{Code: v.Code, Fail: v.Fail, Text: v.Text, Path: v.Path}
		if v.Fix != nil {
			b.Fix = v.Fix.Formula
		}
		out.Verdicts = append(out.Verdicts, b)
	}
	return out
}

// outcomes are the words for what became of a sample.
var outcomes = map[rules.Outcome]string{
	rules.OutcomeFirst:       "first of its event",
	rules.OutcomeCopyStopped: "copy stopped",
	rules.OutcomeKeptApart:   "kept apart",
	rules.OutcomeMerged:      "MERGED with another event",
	rules.OutcomeMissed:      "COPY MISSED",
	rules.OutcomeRefused:     "REFUSED",
	rules.OutcomeIgnored:     "ignored",
}

func (c *call) printJudged(j judged) error {
	if err := c.print("%s", j.Rule); err != nil {
		return err
	}
	var rows [][]string
	for i, s := range j.Samples {
		name := s.Name
		if name == "" {
			name = fmt.Sprintf("sample %d", i+1)
		}
		key := s.Key
		if s.Error != "" {
			key = s.Error
		}
		word, ok := outcomes[s.Outcome]
		if !ok {
			word = strings.ReplaceAll(string(s.Outcome), "_", " ")
		}
		rows = append(rows, []string{"  " + s.Group, name, word, key})
	}
	if err := c.table(rows); err != nil {
		return err
	}
	return c.printVerdicts(j.Verdicts)
}

func (c *call) printVerdicts(verdicts []verdictBody) error {
	for _, v := range verdicts {
		mark, as := "note:", yellow
		switch {
		case v.Fail:
			mark, as = "FAIL:", red
		case v.Code == rules.VerdictAllGood:
			mark, as = "good:", green
		}
		if err := c.print("%s %s", painted(c.program.Out, as, mark), printable(v.Text)); err != nil {
			return err
		}
		if v.Fix != "" {
			if err := c.print("      formula that mends it: %s", printable(v.Fix)); err != nil {
				return err
			}
		}
	}
	return nil
}
