package admin

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"

	"dedupedesk/app/intake"
	"dedupedesk/app/problem"
	"dedupedesk/app/setup"
	"dedupedesk/exporters"
)

// A sheet is a checklist together with what people made of it.
type sheet struct {
	rule *intake.Rule    // nil for a setting without a rule
	told exporters.Setup // what list was made of
	tool exporters.Exporter
	list exporters.Checklist
	kept stepsRecord
	// answers are those to the questions that every tool asks alike of the rule.
	answers map[string]string
	// fault is what is wrong with the kept details; list is then made without the
	// ones at fault.
	fault *exporters.InputError
	// wrong are the names of details that are at fault, kept or just typed. No step
	// offers a value that is made of one.
	wrong []string
}

// sheet makes the checklist of a rule, "" for none, and a tool. It returns
// UnknownRule, an [*intake.IssuesError] for a rule whose formula has faults, and a
// problem for a tool that there is not.
func (d stepsDesk) sheet(ctx context.Context, rule, tool string) (sheet, error) {
	var s sheet
	for _, x := range d.Exporters {
		if x.Name() == tool {
			s.tool = x
		}
	}
	if s.tool == nil {
		return s, problem.New(http.StatusNotFound, "no_such_tool", "There are no steps for a tool of this name. Choose one on the page Settings steps.")
	}
	if rule != "" {
		r, err := d.Intake.FreshRule(ctx, rule)
		if err != nil {
			return s, err
		}
		s.rule = r
	}
	kept, err := d.record(ctx, s.name())
	if err != nil {
		return s, err
	}
	s.kept = kept
	if s.answers, err = d.ruleAnswers(ctx, s.rule); err != nil {
		return s, err
	}
	return s, s.build(ctx, d.APIURL)
}

// build makes the list from the kept details. A detail at fault is left out, so that
// the person still sees the steps.
func (s *sheet) build(ctx context.Context, here string) error {
	s.fault, s.wrong = nil, nil
	details := map[string]string{}
	maps.Copy(details, s.kept.Details)
	maps.Copy(details, s.answers)
	told := exporters.Setup{}
	if s.rule != nil {
		told = setup.Of(ctx, s.rule)
	}
	told.Details, told.Here = details, here
	for {
		s.told = told
		list, err := buildChecked(s.tool, told)
		var input *exporters.InputError
		if !errors.As(err, &input) {
			s.list = list
			return err
		}
		if s.fault == nil {
			s.fault = input
		}
		if _, typed := details[input.Field]; !typed {
			return nil // wrong as a whole: there is no list, and the fault says why
		}
		delete(details, input.Field)
		s.wrong = append(s.wrong, input.Field)
	}
}

// buildChecked builds the list, unless an answer is none of its choices.
func buildChecked(tool exporters.Exporter, told exporters.Setup) (exporters.Checklist, error) {
	for _, f := range tool.Fields() {
		if _, err := told.Detail(f); err != nil {
			return exporters.Checklist{}, err
		}
	}
	return tool.Build(told)
}

// asked returns the fields that matter to the rule and to the way that was chosen.
func (s sheet) asked() []exporters.Field { return exporters.Asked(s.tool, s.told) }

// offered returns the list as people may use it. A step that is made of a detail at
// fault offers nothing: it would be about the old answer, or about one that nobody gave.
func (s sheet) offered() exporters.Checklist {
	list := s.list
	list.Steps = slices.Clone(list.Steps)
	for i := range list.Steps {
		step := &list.Steps[i]
		for _, f := range s.tool.Fields() {
			if !slices.Contains(s.wrong, f.Name) || !slices.Contains(step.Details, f.Name) {
				continue
			}
			step.Checks = nil
			if step.Blocked == "" && (step.Value != "" || step.File != "") {
				step.Blocked = "The detail " + f.Label + " above is not right yet."
			}
		}
	}
	return list
}
