package wdl

import (
	"strings"
	"testing"
	"time"
)

// TestDocumentedExamples works out the examples that Microsoft's function reference
// gives ("Reference guide to workflow expression functions", read 2026-12-01), with
// what it says they return. Those that it gives wrongly or that engines do not follow
// stand in TestDocumentedExamplesThatDiffer.
func TestDocumentedExamples(t *testing.T) {
	for _, tt := range []struct{ expression, want string }{
		{"add(1, 1.5)", "2.5"}, {"sub(10.3, 0.3)", "10"}, {"mul(1, 2)", "2"}, {"mul(1.5, 2)", "3"}, {"div(10,5)", "2"}, {"div(11,5)", "2"}, {"div(11,5.0)", "2.2"}, {"div(11.0,5)", "2.2"}, {"mod(3, 2)", "1"},
		{"max(1, 2, 3)", "3"}, {"max(createArray(1, 2, 3))", "3"}, {"min(1, 2, 3)", "1"}, {"min(createArray(1, 2, 3))", "1"}, {"range(1, 4)", "[1,2,3,4]"},
		{"addDays('2018-03-15T00:00:00Z', 10)", "2018-03-25T00:00:00.0000000Z"}, {"addDays('2018-03-15T00:00:00Z', -5)", "2018-03-10T00:00:00.0000000Z"},
		{"addHours('2018-03-15T00:00:00Z', 10)", "2018-03-15T10:00:00.0000000Z"}, {"addHours('2018-03-15T15:00:00Z', -5)", "2018-03-15T10:00:00.0000000Z"},
		{"addMinutes('2018-03-15T00:10:00Z', 10)", "2018-03-15T00:20:00.0000000Z"}, {"addMinutes('2018-03-15T00:20:00Z', -5)", "2018-03-15T00:15:00.0000000Z"},
		{"addSeconds('2018-03-15T00:00:00Z', 10)", "2018-03-15T00:00:10.0000000Z"}, {"addSeconds('2018-03-15T00:00:30Z', -5)", "2018-03-15T00:00:25.0000000Z"},
		{"addToTime('2018-01-01T00:00:00Z', 1, 'Day')", "2018-01-02T00:00:00.0000000Z"}, {"addToTime('2018-01-01T00:00:00Z', 1, 'Day', 'D')", "Tuesday, January 2, 2018"},
		{"subtractFromTime('2018-01-02T00:00:00Z', 1, 'Day')", "2018-01-01T00:00:00.0000000Z"}, {"subtractFromTime('2018-01-02T00:00:00Z', 1, 'Day', 'D')", "Monday, January 1, 2018"},
		{"getFutureTime(5, 'Day')", "2018-03-06T00:00:00.0000000Z"}, {"getFutureTime(5, 'Day', 'D')", "Tuesday, March 6, 2018"},
		{"getPastTime(5, 'Day')", "2018-02-24T00:00:00.0000000Z"}, {"getPastTime(5, 'Day', 'D')", "Saturday, February 24, 2018"},
		{"convertFromUtc('2018-01-01T08:00:00.0000000Z', 'Pacific Standard Time')", "2018-01-01T00:00:00.0000000"},
		{"convertFromUtc('2018-01-01T08:00:00.0000000Z', 'Pacific Standard Time', 'D')", "Monday, January 1, 2018"},
		{"convertTimeZone('2018-01-01T08:00:00.0000000Z', 'UTC', 'Pacific Standard Time')", "2018-01-01T00:00:00.0000000"},
		{"convertToUtc('01/01/2018 00:00:00', 'Pacific Standard Time')", "2018-01-01T08:00:00.0000000Z"}, {"convertToUtc('01/01/2018 00:00:00', 'Pacific Standard Time', 'D')", "Monday, January 1, 2018"},
		{"dateDifference('2015-02-08', '2018-07-30')", "1268.00:00:00"},
		{"dayOfMonth('2018-03-15T13:27:36Z')", "15"}, {"dayOfWeek('2018-03-15T13:27:36Z')", "4"}, {"dayOfYear('2018-03-15T13:27:36Z')", "74"},
		{"formatDateTime('03/15/2018')", "2018-03-15T00:00:00.0000000"}, {"formatDateTime('03/15/2018 12:00:00', 'yyyy-MM-ddTHH:mm:ss')", "2018-03-15T12:00:00"}, {"formatDateTime('01/31/2016', 'dddd MMMM d')", "Sunday January 31"},
		{`parseDateTime('10/20/2014 15h', 'en-US', 'MM/dd/yyyy HH\h')`, "2014-10-20T15:00:00.0000000"},
		{"startOfDay('2018-03-15T13:30:30Z')", "2018-03-15T00:00:00.0000000Z"}, {"startOfHour('2018-03-15T13:30:30Z')", "2018-03-15T13:00:00.0000000Z"},
		{"startOfMonth('2018-03-15T13:30:30Z')", "2018-03-01T00:00:00.0000000Z"}, {"startOfMonth('2018-03-15T13:30:30Z', 'yyyy-MM-dd')", "2018-03-01"},
		{"utcNow('D')", "Thursday, March 1, 2018"},
		{"array('hello')", `["hello"]`}, {"createArray('h', 'e')", `["h","e"]`}, {"base64('hello')", "aGVsbG8="}, {"base64ToString('aGVsbG8=')", "hello"}, {"decodeBase64('aGVsbG8=')", "hello"},
		{"bool(1)", "True"}, {"bool(0)", "False"}, {"bool(-1)", "True"}, {"bool('true')", "True"}, {"bool('false')", "False"},
		{"chunk('abcdefghijklmnopqrstuvwxyz', 10)", `["abcdefghij","klmnopqrst","uvwxyz"]`}, {"chunk(createArray(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 5)", "[[1,2,3,4,5],[6,7,8,9,10],[11,12]]"},
		{"coalesce(null, true, false)", "True"}, {"coalesce(null, 'hello', 'world')", "hello"}, {"coalesce(null, null, null)", ""},
		{"concat('Hello', 'World')", "HelloWorld"}, {"contains('hello world', 'world')", "True"}, {"contains('hello world', 'universe')", "False"},
		{"dataUri('hello')", "data:text/plain;charset=utf-8;base64,aGVsbG8="}, {"dataUriToString('data:text/plain;charset=utf-8;base64,aGVsbG8=')", "hello"},
		{"string(decimal('1.2345678912312131'))", "1.2345678912312131"}, {"string(add(decimal('1.2345678912312131'), decimal('1.2345678912312131')))", "2.4691357824624262"},
		{"decodeUriComponent('https%3A%2F%2Fcontoso.com')", "https://contoso.com"}, {"encodeUriComponent('https://contoso.com')", "https%3A%2F%2Fcontoso.com"},
		{"uriComponent('https://contoso.com')", "https%3A%2F%2Fcontoso.com"}, {"uriComponentToString('https%3A%2F%2Fcontoso.com')", "https://contoso.com"},
		{"empty('')", "True"}, {"empty('abc')", "False"}, {"endsWith('hello world', 'world')", "True"}, {"endsWith('hello world', 'universe')", "False"}, {"startsWith('hello world', 'hello')", "True"}, {"startsWith('hello world', 'greetings')", "False"},
		{"equals('abc', 'abcd')", "False"}, {"first('hello')", "h"}, {"first(createArray(0, 1, 2))", "0"}, {"last('abcd')", "d"}, {"last(createArray(0, 1, 2, 3))", "3"},
		{"float('10,000.333')", "10000.333"}, {"float('12,3,4,5678')", "12345678"}, {"float('1234567,8+')", "12345678"}, {"float('12345,6,78,-')", "-12345678"}, {"float('-12,345,678,')", "-12345678"}, {"float('12345678.-')", "-12345678"}, {"float('.12345678')", "0.12345678"},
		{"formatNumber(1234567890, '#,##0.00', 'en-US')", "1,234,567,890.00"}, {"formatNumber(17.35, 'C2')", "$17.35"},
		{"greater(10, 5)", "True"}, {"greater('apple', 'banana')", "False"}, {"greaterOrEquals(5, 5)", "True"}, {"greaterOrEquals('apple', 'banana')", "False"},
		{"less(5, 10)", "True"}, {"less('banana', 'apple')", "False"}, {"lessOrEquals(10, 10)", "True"}, {"lessOrEquals('apply', 'apple')", "False"},
		{"if(equals(1, 1), 'yes', 'no')", "yes"}, {"indexOf('hello world', 'world')", "6"}, {"int('10')", "10"}, {"isFloat('10,000.00')", "True"}, {"isInt('10')", "True"},
		{"json('[1, 2, 3]')", "[1,2,3]"}, {`json('{"fullName": "Sophia Owen"}')`, `{"fullName":"Sophia Owen"}`},
		{"intersection(createArray(1, 2, 3), createArray(101, 2, 1, 10), createArray(6, 8, 1, 2))", "[1,2]"}, {"union(createArray(1, 2, 3), createArray(1, 2, 10, 101))", "[1,2,3,10,101]"},
		{"join(createArray('a', 'b', 'c'), '.')", "a.b.c"}, {"lastIndexOf('hello world hello world', 'world')", "18"}, {"lastIndexOf('hello world hello world', '')", "22"}, {"lastIndexOf('', 'a')", "-1"}, {"lastIndexOf('', '')", "0"},
		{"length('abcd')", "4"}, {"length(createArray(0, 1, 2, 3))", "4"},
		{"nthIndexOf('123456789123465789', '1', 1)", "0"}, {"nthIndexOf('123456789123465789', '1', 2)", "9"}, {"nthIndexOf('123456789123465789', '12', 2)", "9"}, {"nthIndexOf('123456789123465789', '6', 4)", "-1"},
		{"and(true, true)", "True"}, {"and(false, true)", "False"}, {"and(equals(1, 1), equals(1, 2))", "False"}, {"or(true, false)", "True"}, {"or(false, false)", "False"}, {"or(equals(1, 2), equals(1, 3))", "False"}, {"not(false)", "True"}, {"not(equals(1, 2))", "True"},
		{`addProperty(json('{"firstName":"Sophia","lastName":"Owen"}'), 'middleName', 'Anne')`, `{"firstName":"Sophia","lastName":"Owen","middleName":"Anne"}`},
		{`removeProperty(json('{ "firstName": "Sophia", "middleName": "Anne", "surName": "Owen" }'), 'middleName')`, `{"firstName":"Sophia","surName":"Owen"}`},
		{`removeProperty(json('{ "customerName": { "firstName": "Sophia", "middleName": "Anne", "surName": "Owen" } }')['customerName'], 'middleName')`, `{"firstName":"Sophia","surName":"Owen"}`},
		{`setProperty(json('{ "firstName": "Sophia", "surName": "Owen" }'), 'surName', 'Hartnett')`, `{"firstName":"Sophia","surName":"Hartnett"}`},
		{"replace('the old string', 'old', 'new')", "the new string"}, {"reverse(createArray(0, 1, 2, 3))", "[3,2,1,0]"}, {"skip(createArray(0, 1, 2, 3), 1)", "[1,2,3]"}, {"take('abcde', 3)", "abc"}, {"take(createArray(0, 1, 2, 3, 4), 3)", "[0,1,2]"},
		{"slice('Hello World', 2)", "llo World"}, {"slice('Hello World', 30)", ""}, {"slice('Hello World', 10, 2)", ""}, {"slice('Hello World', 0)", "Hello World"}, {"slice('Hello World', 2, 5)", "llo"}, {"slice('Hello World', 6, 20)", "World"}, {"slice('Hello World', -2)", "ld"}, {"slice('Hello World', 3, -1)", "lo Worl"}, {"slice('Hello World', 3, 3)", ""},
		{"sort(createArray(2, 1, 0, 3))", "[0,1,2,3]"}, {`sort(createArray(json('{ "first": "Amalie", "last": "Rose" }'), json('{ "first": "Elise", "last": "Renee" }')), 'last')`, `[{"first":"Elise","last":"Renee"},{"first":"Amalie","last":"Rose"}]`},
		{"split('a_b_c', '_')", `["a","b","c"]`}, {"split('a_b_c', ' ')", `["a_b_c"]`}, {"string(10)", "10"}, {"substring('hello world', 6, 5)", "world"},
		{"toLower('Hello World')", "hello world"}, {"toUpper('Hello World')", "HELLO WORLD"}, {"trim(' Hello World  ')", "Hello World"},
		{"uriHost('https://www.localhost.com:8080')", "www.localhost.com"}, {"uriPath('https://www.contoso.com/catalog/shownew.htm?date=today')", "/catalog/shownew.htm"}, {"uriPathAndQuery('https://www.contoso.com/catalog/shownew.htm?date=today')", "/catalog/shownew.htm?date=today"},
		{"uriPort('https://www.localhost:8080')", "8080"}, {"uriQuery('https://www.contoso.com/catalog/shownew.htm?date=today')", "?date=today"}, {"uriScheme('https://www.contoso.com/catalog/shownew.htm?date=today')", "https"},
	} {
		t.Run(tt.expression, func(t *testing.T) {
			got := evaluate(t, tt.expression)
			if !got.OK || got.Text != tt.want {
				t.Errorf("%q, want %q (at %d: %s)", got.Text, tt.want, got.Offset, got.Reason)
			}
		})
	}
}

// evaluate works an expression out at the first moment of March 2018, which the
// reference's examples suppose.
func evaluate(t *testing.T, expression string) Evaluated {
	t.Helper()
	got, err := Evaluate([]byte(`{"body":null}`), expression, Options{Now: time.Date(2018, 3, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestDocumentedExamplesThatDiffer lists the examples that this package answers in
// another way, or not at all, and what it says instead.
func TestDocumentedExamplesThatDiffer(t *testing.T) {
	for _, tt := range []struct{ expression, text, says string }{
		{"equals(true, 1)", "False", "The documentation calls true and 1 equal"},
		{"sub(10.3, .3)", "", "0.5, not .5"},
		{"convertTimeZone('2018-01-01T80:00:00.0000000Z', 'UTC', 'Pacific Standard Time', 'D')", "", "needs a time"}, // hour 80
		{"formatDateTime('01/31/2016', 'dddd MMMM d', 'fr-fr')", "", "American English"},
		{"float('10.000,333', 'de-DE')", "", "American English"},
		{"formatNumber(17.35, 'C2', 'is-IS')", "", "American English"},
		{"parseDateTime('20/10/2014', 'fr-fr')", "", "American English"},
		{"guid()", "", "gives something else each time"},
		{"rand(1, 5)", "", "gives something else each time"},
		{"xml('<name>Sophia Owen</name>')", "", "can not work it out"},
		{"base64ToBinary('aGVsbG8=')", "", "can not work it out"},
		{"parameters('fullName')", "", "can not work it out"},
		{"workflow().run.name", "", "can not work it out"},
		{"trigger()?['startTime']", "", "the outputs alone"},
		{"triggerFormDataValue('x')", "", "can not work it out"},
	} {
		t.Run(tt.expression, func(t *testing.T) {
			got := evaluate(t, tt.expression)
			if got.OK != (tt.text != "") || got.Text != tt.text || !strings.Contains(got.Reason+strings.Join(got.Warnings, ""), tt.says) {
				t.Errorf("%+v, want %q and … %s …", got, tt.text, tt.says)
			}
		})
	}
}
