package wdl

import (
	"strings"
	"testing"
)

// TestFunctions works out calls as the function reference and the simulator's
// tests describe them.
func TestFunctions(t *testing.T) {
	const outputs = `{"body":{"n":null,"s":"Straße","list":["a",{"Value":"B"},2],"o":{"K":1},"big":12345678901234567890123,"dec":19.90,"yes":true}}`
	for _, tt := range []struct{ expression, want string }{
		{"equals(1,1.0)", "True"},
		{"equals(string(triggerBody()?['big']),'12345678901234567890124')", "False"},
		{"equals(null,triggerBody()?['n'])", "True"},
		{"equals(createArray(1,'a'),createArray(1,'a'))", "True"},
		{"equals('True',true)", "True"},
		{"equals('true',true)", "False"},
		{"equals('a','A')", "False"},
		{"EQUALS(TriggerBody()?.S,'Straße')", "True"},
		{"if(true,'a',int('x'))", "a"},
		{"if(false,int('x'),'b')", "b"},
		{"coalesce(null,'','x')", ""},
		{"coalesce(triggerBody()?['n'],'x',int('y'))", "x"},
		{"coalesce(null)", ""},
		{"or(true,int('x'))", "True"},
		{"and(false,int('x'))", "False"},
		{"not(true)", "False"},
		{"empty('')", "True"}, {"empty(' ')", "False"}, {"empty(null)", "True"}, {"empty(createArray(1))", "False"}, {"empty(triggerBody()?['o'])", "False"},
		{"contains('abc','b')", "True"}, {"contains(triggerBody()?['list'],2)", "True"}, {"contains(triggerBody()?['o'],'k')", "True"},
		{"startsWith('abc','ab')", "True"}, {"endsWith('abc','bc')", "True"},
		{"toLower('ÀB')", "àb"}, {"toUpper('àb')", "ÀB"}, {"trim('\u00a0 a b\n')", "a b"},
		{"concat('a',null,true,1,1.5)", "aTrue11.5"},
		{"string(triggerBody()?['big'])", "12345678901234567890123"},
		{"string(triggerBody()?['o'])", `{"K":1}`},
		{"string(null)", ""}, {"string(triggerBody()?['yes'])", "True"},
		{"length('𝄞x')", "3"}, {"length(createArray(1,2))", "2"},
		{"first('abc')", "a"}, {"last('abc')", "c"}, {"first('')", ""}, {"last(triggerBody()?['list'])", "2"}, {"first(skip(createArray(1),1))", ""},
		{"substring('abc',1)", "bc"}, {"substring('abc',0,2)", "ab"}, {"substring('abc',3)", ""},
		{"slice('abc',-2)", "bc"}, {"slice('abc',1,9)", "bc"}, {"slice('abc',2,1)", ""},
		{"indexOf('abc','c')", "2"}, {"indexOf('abc','x')", "-1"}, {"lastIndexOf('abcb','b')", "3"},
		{"replace('a.a','a','bb')", "bb.bb"},
		{"join(split('a,,b',','),'|')", "a||b"}, {"length(split('abc',''))", "1"},
		{"take('abc',2)", "ab"}, {"take('abc',5)", "abc"}, {"join(take(createArray('a','b'),1),'')", "a"},
		{"int('-42')", "-42"}, {"int('007')", "7"}, {"float('1.50')", "1.5"}, {"bool('TRUE')", "True"}, {"bool(0)", "False"},
		{"add(1,0)", "1"}, {"sub(1,2.5)", "-1.5"}, {"mul(9007199254740993,3)", "27021597764222979"}, {"div(7,2)", "3"}, {"div(7,2.0)", "3.5"}, {"div(-7,2)", "-3"}, {"div(1.5,2)", "0.75"}, {"mod(-7,3)", "-1"}, {"mod(5,-1)", "0"},
		{"min(3,1,2)", "1"}, {"max(createArray(3,1,2))", "3"}, {"length(range(5,3))", "3"}, {"last(range(5,3))", "7"},
		{"greater('b','a')", "True"}, {"less(1,2.5)", "True"}, {"greaterOrEquals(2,2)", "True"}, {"lessOrEquals('a','B')", "False"},
		{"dayOfWeek('2026-10-31T08:00:00Z')", "6"}, {"dayOfWeek('2026-11-01T00:30:00+01:00')", "6"}, {"dayOfMonth('2026-10-31')", "31"},
		{"utcNow()", "2026-10-31T08:00:00.0000000Z"}, {"utcNow('yyyy-MM-dd')", "2026-10-31"},
		{"addHours('2026-10-31T23:30:00Z',9)", "2026-11-01T08:30:00.0000000Z"},
		{"addDays('2026-10-31',-31,'yyyyMMddTHHmmss')", "20260930T000000"},
		{"formatDateTime('2026-10-31T08:09:10.1234567Z','HH:mm:ss.fff')", "08:09:10.123"},
		{"startOfDay('2026-10-31T08:00:00Z')", "2026-10-31T00:00:00.0000000Z"},
		{"ticks('0001-01-01T00:00:00Z')", "0"}, {"ticks('1970-01-01T00:00:01Z')", "621355968010000000"},
		{"json('{\"a\":1,\"a\":2}')['a']", "2"},
		{"triggerBody()?['list']?[1]?['value']", "B"}, {"triggerBody()?['list']?[9]", ""},
		{"triggerOutputs()?['body/o/K']", "1"}, {"triggerOutputs()?['body/x/y']", ""},
		{" equals ( 1 ,\n 1 ) ", "True"}, {"-1.5e2", "-150"}, {"+.5", "refused"}, {"TRUE", "True"}, {"Null", ""},
	} {
		t.Run(tt.expression, func(t *testing.T) {
			got, err := Evaluate([]byte(outputs), tt.expression, Options{Now: now()})
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "refused" {
				if got.OK {
					t.Errorf("gave %q", got.Text)
				}
				return
			}
			if !got.OK || got.Text != tt.want {
				t.Errorf("%q, want %q (at %d: %s)", got.Text, tt.want, got.Offset, got.Reason)
			}
		})
	}
}

// TestFunctionsRefuse lists what has to be an error with a place and a reason.
func TestFunctionsRefuse(t *testing.T) {
	const outputs = `{"body":{"n":null,"s":"text","list":[1],"o":{}}}`
	for _, tt := range []struct {
		expression string
		offset     int
		reason     string
	}{
		{"empty(1)", 6, "a number"},
		{"empty(true)", 6, "true or false"},
		{"not('true')", 4, "text"},
		{"and(true,1)", 9, "a number"},
		{"if('x',1,2)", 3, "text"},
		{"toLower(1)", 8, "string("},
		{"trim(triggerBody()?['n'])", 5, "coalesce"},
		{"contains(1,1)", 9, "a number"},
		{"length(null)", 7, "null"},
		{"first(triggerBody()?['o'])", 6, "an object"},
		{"substring('abc',1,5)", 16, "outside"},
		{"substring('abc',-1)", 16, "outside"},
		{"split('a',null)", 10, "null"},
		{"replace('a','','b')", 12, "not empty"},
		{"int('abc')", 4, "whole number"},
		{"int('1.5')", 4, "whole number"},
		{"int(1.5)", 4, "whole number"},
		{"bool('troo')", 5, "true or false"},
		{"div(1,0)", 6, "zero"},
		{"skip('abc',1)", 5, "slice("}, {"take('abc',-1)", 11, "0 or a larger"}, {"skip(createArray(1),-1)", 20, "0 or a larger"},
		{"int('100000000000000010')", 4, "another number"}, {"int(9007199254740993)", 4, "another number"}, {"int('  200- ')", 4, "whole number"}, {"int('9223372036854775807')", 4, "another number"},
		{"9223372036854775808", 0, "larger than the service can hold"}, {"-9223372036854775809", 0, "larger than the service can hold"},
		{"greater(null,1)", 8, "coalesce"},
		{"greater(true,false)", 0, "two numbers"},
		{"triggerBody()?['list']?[-1]", 24, "no place"},
		{"triggerBody()?['list']?['a']", 24, "by number"},
		{"triggerBody()?['o'][0]", 20, "by name"},
		{"triggerBody()['n']['x']", 19, "?["},
		{"outputs('Get_items')", 0, "sees only the trigger"},
		{"variables('x')", 0, "sees only the trigger"},
		{"equals(1)", 0, "needs 2"},
		{"nothing()", 0, "no function called nothing"},
		{"and(false,nothing())", 10, "no function called nothing"},
		{"convertTimeZone(utcNow(),'UTC','Europe/London')", 31, "such as 'GMT Standard Time'"},
		{"convertFromUtc(utcNow(),'CET')", 24, "such as 'W. Europe Standard Time'"},
		{"xpath(xml('<a/>'),'/a')", 0, "can not work it out"},
		{"formatDateTime('2026-10-31','x')", 28, "time format"},
		{"dayOfWeek('yesterday')", 10, "needs a time"},
		{"range(0,1000000000)", 8, "counts from 0 to"},
		{"add(1,1,1)", 0, "needs 2"},
		{"json('{')", 5, "can not read"},
		{"'a'.b", 3, "Nothing can be read"},
		{"Title", 0, "stands alone"},
		{"!equals(1,1)", 0, "not(…)"},
		{"equals(1,1", 10, "closing bracket"},
		{"equals(1,,1)", 9, "value should stand"},
		{"'abc", 0, "no closing apostrophe"},
		{"triggerBody()?", 14, "question mark"},
		{"triggerBody()?['a'", 18, "]"},
		{"equals(1 == 1, true)", 9, "equals(first, second)"},
		{"1_000", 0, "not a number"},
		{"0x10", 0, "not a number"},
		{"1e999999999", 0, "not a number"},
		{"equals(1,\u200b1)", 9, "invisible"},
		{"", 0, "ends"},
	} {
		t.Run(tt.expression, func(t *testing.T) {
			got, err := Evaluate([]byte(outputs), tt.expression, Options{Now: now()})
			if err != nil {
				t.Fatal(err)
			}
			if got.OK || got.Offset != tt.offset || !strings.Contains(got.Reason, tt.reason) {
				t.Errorf("ok %v at %d: %q, want at %d: … %s …", got.OK, got.Offset, got.Reason, tt.offset, tt.reason)
			}
		})
	}
}

// TestResultsStayBounded builds texts that would grow beyond all measure.
func TestResultsStayBounded(t *testing.T) {
	grow := "'aaaa'"
	for range 60 {
		grow = "replace(" + grow + ",'a','aaaaaaaaaa')"
	}
	deep := strings.Repeat("not(", 200) + "true" + strings.Repeat(")", 200)
	wide := "'" + strings.Repeat("x", 4000) + "'"
	for _, expression := range []string{
		grow, deep,
		"concat(replace(" + wide + ",'x','xxxxxxxxxxxxxxxxxxxx')," + wide + ",replace(" + wide + ",'x','xxxxxxxxxxxxxxxxxxxx'))",
		"join(range(0,10000),'" + strings.Repeat("y", 100) + "')",
		"union(range(0,10000),range(0,10000))", "intersection(range(0,200),range(0,10000))", "union(range(0,200),range(200,200))",
	} {
		got, err := Evaluate([]byte(`{}`), expression, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.OK {
			t.Errorf("%.60s… gave %d bytes", expression, len(got.Text))
		}
	}
}

func TestInterpolation(t *testing.T) {
	for _, tt := range []struct {
		line string
		want Outcome
	}{
		{"@{true}", NotBoolean},
		{"@@true", NotBoolean},
		{"@{concat('a','}')} and @{1}", NotBoolean},
		{"@{true", BadSyntax},
		{"@{}", BadSyntax},
		{"text @{true}", BadSyntax},
		{"", BadSyntax},
		{"@", BadSyntax},
		{"@true", Run},
		{"@false", Skip},
		{"@null", NotBoolean},
	} {
		r, err := Test([]byte(`{"body":{}}`), []string{tt.line}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != tt.want {
			t.Errorf("%q: %s, want %s: %s", tt.line, r.Outcome, tt.want, r.Lines[0].Reason)
		}
	}
}

func TestInterpolatedText(t *testing.T) {
	tpl, err := parseLine("a@@{b}@{concat('x','}')}@@c")
	if err != nil {
		t.Fatal(err)
	}
	got, err := (&evaluator{outputs: newObject(), t: tpl}).run()
	if err != nil || got != "a@{b}x}@@c" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestNumbersOddlyWritten warns where nobody knows how the service writes them.
func TestNumbersOddlyWritten(t *testing.T) {
	for body, odd := range map[string]bool{"123456789012345.6": true, "12345678901234.5": false, "42": false, "19.9": false, "-0.5": false, "19.90": true, "1.0": true, "1e3": true, "12345678901234567890123": false} {
		got, err := Evaluate([]byte(`{"body":`+body+`}`), "string(triggerBody())", Options{})
		if err != nil {
			t.Fatal(err)
		}
		if (len(got.Warnings) > 0) != odd {
			t.Errorf("%s: warnings %q", body, got.Warnings)
		}
	}
}
