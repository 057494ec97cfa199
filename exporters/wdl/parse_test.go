package wdl

import (
	"strings"
	"testing"
)

// TestGrammarIsReadToTheEnd holds the details and traps of the grammar: what
// Microsoft's own designer lets pass is refused here.
func TestGrammarIsReadToTheEnd(t *testing.T) {
	for _, tt := range []struct {
		line   string
		want   Outcome
		offset int
		reason string
	}{
		{"@equals( 1 ,\n\t1 )", Run, -1, ""},
		{"@equals(1,1) ", Run, -1, ""},
		{"@equals(-1,-1.0)", Run, -1, ""}, {"@equals(1e2,100)", Run, -1, ""}, {"@equals(1E+2,100)", Run, -1, ""},
		{"@equals(.5,0.5)", BadSyntax, 8, "0.5, not .5"}, {"@equals(+.5,0.5)", BadSyntax, 9, "0.5, not .5"},
		{"@TRUE", Run, -1, ""}, {"@Null", NotBoolean, -1, "empty (null)"},
		{"@equals('@{}','@{}')", Run, -1, ""}, {"@equals('it''s','it''s')", Run, -1, ""}, {`@equals('a\',b')`, BadSyntax, 14, "apostrophe"},
		{"@triggerBody()?", BadSyntax, 15, "question mark"}, {"@triggerBody()?.", BadSyntax, 16, "name of a property"}, {"@Title", BadSyntax, 1, "stands alone"},
		{"@'a'?['b']", BadSyntax, 4, "Nothing can be read"}, {"@1.5.b", BadSyntax, 4, "Nothing can be read"}, {"@true['a']", BadSyntax, 5, "Nothing can be read"},
		{"@equals(1,1) && equals(2,2)", BadSyntax, 13, "and(first, second)"}, {"@equals(1,1) equals(2,2)", BadSyntax, 13, "Nothing may follow"}, {"@equals(1,1))", BadSyntax, 12, "too many"},
		{"@triggerBody()?['Title'] eq 'x'", BadSyntax, 25, "equals(first, second)"}, {"@equals(1,1)@equals(1,1)", BadSyntax, 12, "second @"}, {"@equals(1,1);", BadSyntax, 12, "Nothing may follow"},
		{"@!equals(1,1)", BadSyntax, 1, "not(…)"}, {"@not!(true)", BadSyntax, 1, "not the name of a function"}, {"@(equals(1,1))", BadSyntax, 1, "A value should stand here"}, {"@=equals(1,1)", BadSyntax, 1, "not the name of a function"},
		{"@equals(1,1,)", BadSyntax, 12, "A value should stand here"}, {"@equals(,1)", BadSyntax, 8, "A value should stand here"}, {"@equals[1]", BadSyntax, 1, "stands alone"},
		{"@equals(1,1)\u00a0", Run, -1, ""}, {"\ufeff@equals(1,1)", BadSyntax, 0, "does not begin with @"}, {"@ equals(1,1)", Run, -1, ""}, {"@\u200bequals(1,1)", BadSyntax, 1, "invisible"},
		{"@equals(1，1)", BadSyntax, 9, "Write ,."}, {"@equals（1,1）", BadSyntax, 7, "wide form"}, {"@equals('，','，')", Run, -1, ""},
	} {
		t.Run(tt.line, func(t *testing.T) {
			r, err := Test([]byte(`{"body":{"Title":"x"}}`), []string{tt.line}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			l := r.Lines[0]
			if l.Outcome != tt.want || l.Offset != tt.offset || !strings.Contains(strings.ToLower(l.Reason), strings.ToLower(tt.reason)) {
				t.Errorf("%s at %d: %s\nwant %s at %d: … %s …", l.Outcome, l.Offset, l.Reason, tt.want, tt.offset, tt.reason)
			}
		})
	}
}

// TestMembersAreFoundByTheirExactNameFirst: names are read without regard to
// capitals, the exact spelling first.
func TestMembersAreFoundByTheirExactNameFirst(t *testing.T) {
	outputs := []byte(`{"Body":{"title":"small","Title":"large"},"headers":{"X-Id":"7"}}`)
	for expression, want := range map[string]string{
		"triggerBody()?['Title']": "large", "triggerBody()?['title']": "small", "triggerBody()?['TITLE']": "small", "triggerOutputs()?['headers']?['x-id']": "7", "triggerOutputs().headers.X-ID": "7",
		"triggerBody()?['nothing']?['at']?['all']": "",
	} {
		if r, err := Evaluate(outputs, expression, Options{}); err != nil || !r.OK || r.Text != want {
			t.Errorf("%s: %+v, %v, want %q", expression, r, err, want)
		}
	}
}

// TestPathsComeBack reads back the paths that are written for a click.
func TestPathsComeBack(t *testing.T) {
	for _, path := range [][]string{{"body", "Editor", "Email"}, {"body", "O'Brien", "{Is}"}, {"headers", "X-Id"}, {"body"}, {"body", "a/b", "c"}} {
		if got, ok := ParsePath(Read(path)); !ok || strings.Join(got, "|") != strings.Join(path, "|") {
			t.Errorf("%q came back as %q, %v", path, got, ok)
		}
		slashed, ok := ReadSlashed(path)
		if got, read := ParsePath("@" + slashed); ok != (path[1%len(path)] != "a/b") || ok && (!read || strings.Join(got, "|") != strings.Join(path, "|")) {
			t.Errorf("%s came back as %q", slashed, got)
		}
	}
	for _, expression := range []string{"", "triggerBody", "toLower(triggerBody()?['a'])", "triggerBody()?['a'][0]", "body('x')?['a']", "triggerBody()?[concat('a','b')]", "'a'"} {
		if got, ok := ParsePath(expression); ok {
			t.Errorf("%q became %q", expression, got)
		}
	}
}

// TestFieldsAreListed lists every place of an event, lists as a whole.
func TestFieldsAreListed(t *testing.T) {
	fields, err := Fields([]byte(`{"body":{"ID":9007199254740993,"Status":{"Value":"New"},"Tags":[{"Value":"A"}],"Note":null,"Done":true}}`))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range fields {
		got = append(got, strings.Join(f.Path, "/")+" "+f.Kind+" "+f.Value)
	}
	want := `body object {"ID":9007199254740993,"Status":{"Value":"New"},"Tags":[{"Value":"A"}],"Note":null,"Done":true}
body/ID number 9007199254740993
body/Status object {"Value":"New"}
body/Status/Value text New
body/Tags list [{"Value":"A"}]
body/Note null null
body/Done boolean true`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}
