package wdl

import (
	"strings"
	"testing"
)

// TestMS34MisnamedFunctions: told without data, since a flow with one never starts.
func TestMS34MisnamedFunctions(t *testing.T) {
	for line, want := range map[string]string{
		"@equalsIgnoreCase(triggerBody()?['Title'],'X')": "There is no function called equalsIgnoreCase.",
		"@and(equals(1,1),isBlank(triggerBody()))":       "There is no function called isBlank.",
		"@equals(outputs('A')?['b'],workflow()?['run'])": "",
		"@EQUALS(1,1)": "",
		"plain text":   "",
		"@equals(1":    "",
	} {
		if got := Misnamed(line); !strings.HasPrefix(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]bool{"@equals(variables('x'),1)": true, "@equals(triggerBody(),1)": false} {
		if got := ReadsSteps(line); (got != "") != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}
