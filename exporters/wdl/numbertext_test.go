package wdl

import (
	"strings"
	"testing"
)

// TestNumbersInText reads and writes numbers as text beyond the reference's examples.
func TestNumbersInText(t *testing.T) {
	for _, tt := range []struct{ expression, want string }{
		{"int(' 42 ')", "42"}, {"int('42-')", "refused"}, {"int('-01.0')", "-1"}, {"int('+7')", "7"}, {"int('1,000')", "1000"}, {"int('1.0')", "1"}, {"int('1e3')", "1000"}, {"int('')", "refused"}, {"int('-')", "refused"}, {"int('--1')", "refused"}, {"int('-1-')", "refused"}, {"int(true)", "refused"}, {"int('9223372036854775808')", "refused"},
		{"float('1e-3')", "0.001"}, {"float('.')", "refused"}, {"float('NaN')", "refused"}, {"float(null)", "refused"}, {"float(3)", "3"},
		{"isInt('-10')", "True"}, {"isInt('10-')", "False"}, {"isInt('1.0')", "False"}, {"isInt('1,000')", "True"}, {"isInt('1e3')", "True"}, {"isInt('9223372036854775808')", "False"}, {"isInt('x')", "False"}, {"isInt('')", "False"}, {"isInt(1)", "refused"},
		{"isFloat('NaN')", "True"}, {"isFloat('infINITY')", "True"}, {"isFloat('inf')", "False"}, {"isFloat('111.222.333')", "False"}, {"isFloat('x')", "False"}, {"isFloat('1e5')", "True"}, {"isFloat('')", "False"}, {"isFloat('1','de-DE')", "refused"},
		{"decimal('1e5')", "refused"}, {"decimal('0.1')", "0.1"}, {"div(decimal('1'),4)", "0.25"},
		{"formatNumber(1234.5,'N2')", "1,234.50"}, {"formatNumber(-1234.5,'C0')", "-$1,235"}, {"formatNumber(0.125,'P1')", "12.5%"}, {"formatNumber(7,'D4')", "0007"}, {"formatNumber(-7,'D4')", "-0007"}, {"formatNumber(7.5,'D4')", "refused"}, {"formatNumber(255,'X')", "FF"}, {"formatNumber(1.005,'F2')", "1.01"}, {"formatNumber(-0.001,'F2')", "0.00"},
		{"formatNumber(7,'000')", "007"}, {"formatNumber(1234567,'#,##0')", "1,234,567"}, {"formatNumber(0.5,'#.##')", ".5"}, {"formatNumber(0,'0.##')", "0"}, {"formatNumber(1234.567,'0.0')", "1234.6"}, {"formatNumber(0.256,'0%')", "26%"}, {"formatNumber(1,'one')", "refused"}, {"formatNumber('1','0')", "refused"},
		{"mod(5.5,2)", "1.5"}, {"mod(-7,3)", "-1"}, {"mod(1,0.0)", "refused"}, {"mul(9223372036854775807,2)", "refused"}, {"add(9223372036854775807,1)", "refused"}, {"sub(0,9223372036854775807)", "-9223372036854775807"},
		{"div(1,3.0)", "0.3333333333333333"}, {"max(1,2.5)", "2.5"}, {"max()", "refused"}, {"max(createArray('a'))", "refused"},
	} {
		t.Run(tt.expression, func(t *testing.T) {
			got := evaluate(t, tt.expression)
			if got.OK == (tt.want == "refused") || got.OK && got.Text != tt.want {
				t.Errorf("%q, want %q (at %d: %s)", got.Text, tt.want, got.Offset, got.Reason)
			}
		})
	}
}

// TestFractionsAreNearlyRight warns where the service's own arithmetic shows.
func TestFractionsAreNearlyRight(t *testing.T) {
	for expression, warned := range map[string]bool{
		"add(0.1,0.2)": true, "add(1,1.5)": false, "mul(1.1,1.1)": true, "add(1,2)": false, "add(decimal('0.1'),decimal('0.2'))": false,
	} {
		got := evaluate(t, expression)
		if !got.OK || strings.Contains(strings.Join(got.Warnings, "\n"), "nearly right") != warned {
			t.Errorf("%s: %+v, warned should be %v", expression, got, warned)
		}
	}
}

// TestNamesThatAreAlmostRight offers the function that was meant.
func TestNamesThatAreAlmostRight(t *testing.T) {
	for expression, says := range map[string]string{
		"startWith('a','b')": "Did you mean startsWith?", "equls(1,1)": "Did you mean equals?", "triggerBodys()": "Did you mean triggerBody?", "triggerOutput()": "Did you mean triggerOutputs?",
		"isNull(1)": "Write empty(…).", "notEquals(1,2)": "Write not(equals(…)).", "greaterThan(2,1)": "Write greater(…).", "xyzzy()": "There is no function called xyzzy.", "at()": "There is no function called at.",
		"items('Apply_to_each')": "sees only the trigger",
	} {
		if got := evaluate(t, expression); got.OK || !strings.HasSuffix(got.Reason, says) && !strings.Contains(got.Reason, says) || strings.Contains(says, "There is no") && got.Reason != says {
			t.Errorf("%s: %q, want … %s", expression, got.Reason, says)
		}
	}
}
