package exporters

// WhenStepID is the step of [Setup.WhenSteps].
const WhenStepID = "when"

// WhenSteps returns the step with which a checklist begins whose steps do not look at
// the condition of the rule: a filter of the platform's own has to. There is none for a
// rule without a condition. where says how the platform filters.
func (s Setup) WhenSteps(where string, sources ...Source) []Step {
	if s.When == "" {
		return nil
	}
	return []Step{{
		ID: WhenStepID, Title: "Let only the right events in",
		Where: where + " Write this line there in the tool's own words.",
		Value: s.When, ValueLabel: "Condition of the rule",
		Warning:  "Switch nothing on without it. The steps below make or send the event key alone and do not look at this condition: they would do the work for events that the rule ignores.",
		Why:      "The rule has a condition and ignores all events that do not meet it. Keys of such events would be reserved and worked on.",
		NotFixed: "The filter is a second place for the same condition. Change it there as well when the rule's condition changes.",
		Sources:  sources, Tried: NotTried,
	}}
}

// WhenChecks says what becomes of the condition of the rule where the event itself is
// sent to this program. It returns nothing for a rule without one.
func (s Setup) WhenChecks() []Check {
	if s.When == "" {
		return nil
	}
	return []Check{{Result: OK, Text: "The rule has a condition (" + s.When + "). The event itself is sent, so this program looks at it: an event that the rule ignores ends before the work, as a copy does."}}
}
