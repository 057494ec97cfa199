package wdl

import (
	"strings"
	"testing"
)

// TestAdvice lists what a line is warned of although it works on the sample.
func TestAdvice(t *testing.T) {
	outputs := []byte(`{"body":{"Title":"Go","Amount":250,"Status":{"Value":"New"},"Editor":{"Email":"ana@example.com"},"from":"ana@example.com","a":"10","b":"9","Done":false}}`)
	for _, tt := range []struct{ line, says string }{
		{"@equals(triggerBody()?['Editor']?['Email'],'ana@example.com')", "toLower(coalesce"},
		{"@equals(toLower(coalesce(triggerBody()?['Editor']?['Email'],'')),'Ana@example.com')", "never equal"},
		{"@equals(triggerBody()?['Status'],'New')", "Did you mean its Value?"},
		{"@equals(triggerBody()?['Done'],false)", "not(equals(…,true))"},
		{"@equals(triggerBody()?['Title'],'')", "empty(…)"},
		{"@equals(coalesce(triggerBody()?['Title'],''),'')", ""},
		{"@contains(triggerBody()?['Title'],'G')", "Where triggerBody()?['Title'] is empty (null), contains fails"},
		{"@and(not(empty(triggerBody()?['Title'])),contains(triggerBody()?['Title'],'G'))", ""},
		{"@and(not(equals(triggerBody()?['Title'],null)),contains(triggerBody()?['Title'],'G'))", ""},
		{"@contains(coalesce(triggerBody()?['Title'],''),'G')", ""},
		{"@greater(triggerBody()?['Amount'],100)", "coalesce(…,0)"},
		{"@equals(triggerBody()?['Status']['Value'],'New')", "Write ?[ instead of ["},
		{"@equals(triggerBody()['Title'],'Go')", ""},
		{"@equals(triggerBody()?['Title@odata.oldValue'],'Go')", "no event that holds what a column held before"},
		{"@equals(triggerBody()?['x']?['emailAddress']?['address'],'b')", "Microsoft Graph"},
		{"@equals(triggerOutputs()?['body/x/emailAddress/address'],'b')", "Microsoft Graph"},
		{"@greater(coalesce(triggerBody()?['a'],''),coalesce(triggerBody()?['b'],''))", "letter by letter"},
		{"@startsWith(coalesce(triggerBody()?['Title'],''),'G')", "told in two ways"},
		{"@equals(toLower(triggerBody()?['Title']),toUpper('x'))", "toLower fails"},
	} {
		t.Run(tt.line, func(t *testing.T) {
			r, err := Test(outputs, []string{tt.line}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			l := r.Lines[0]
			all := strings.Join(l.Warnings, "\n")
			if l.Outcome != Run && l.Outcome != Skip || !strings.Contains(all, tt.says) || tt.says == "" && all != "" {
				t.Errorf("%s, %q, want … %s …", l.Outcome, l.Warnings, tt.says)
			}
			for _, w := range l.Warnings {
				if !strings.HasSuffix(w, ".") {
					t.Errorf("%q is no sentence", w)
				}
			}
		})
	}
}
