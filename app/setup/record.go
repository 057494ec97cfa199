package setup

import "strconv"

// RecordName returns the name of the setting that keeps what was typed and ticked of
// a tool's checklist for a rule, by the rule's id, which stays when a rule is renamed;
// 0 means the checklist without a rule. With tool "" it is what all of the rule's
// begin with.
func RecordName(ruleID int64, tool string) string {
	if ruleID == 0 {
		return "steps/-/" + tool
	}
	return "steps/" + strconv.FormatInt(ruleID, 10) + "/" + tool
}

// AnswersName returns the name of the setting that keeps the answers to those first
// questions that every tool asks alike of a rule, by the rule's id.
func AnswersName(ruleID int64) string { return "answers/" + strconv.FormatInt(ruleID, 10) }
