package powerautomate

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// TestPicksThatCannotBe names the field of the page that is wrong.
func TestPicksThatCannotBe(t *testing.T) {
	for name, tt := range map[string]struct {
		pick    Pick
		outputs string
		field   string
		says    string
	}{
		"no trigger":              {Pick{}, "", triggerName, "how the flow starts"},
		"no recipe":               {Pick{Trigger: SharePointItem}, "", recipeName, "what the condition is for"},
		"recipe of another":       {Pick{Trigger: FormsResponse, Recipe: OwnEdits}, "", recipeName, "what the condition is for"},
		"no field":                {Pick{Trigger: SharePointItem, Recipe: ValueIs, Value: "x"}, "", fieldName, "Click the field"},
		"field is more":           {Pick{Trigger: SharePointItem, Recipe: ValueIs, Field: "toLower(triggerBody()?['a'])", Value: "x"}, "", fieldName, "more than a path"},
		"no value":                {Pick{Trigger: SharePointItem, Recipe: ValueIs, Field: "a"}, "", valueName, "Type the value"},
		"MS05 choice itself":      {Pick{Trigger: SharePointItem, Recipe: ValueIs, Field: "Status", Value: "New"}, `{"body":{"Status":{"Value":"New"}}}`, fieldName, "an object"},
		"MS56 several choices":    {Pick{Trigger: SharePointItem, Recipe: ValueIs, Field: "Tags", Value: "A"}, `{"body":{"Tags":[{"Value":"A"}]}}`, fieldName, "a list"},
		"MS40 text for a number":  {Pick{Trigger: HTTPRequest, Recipe: AmountAbove, Field: "total", Value: "10"}, `{"body":{"total":"many"}}`, fieldName, "no number"},
		"limit with a comma":      {Pick{Trigger: HTTPRequest, Recipe: AmountAbove, Field: "total", Value: "1,5"}, "", valueName, "with a point"},
		"number and a word":       {Pick{Trigger: HTTPRequest, Recipe: ValueIs, Field: "n", Value: "seven"}, `{"body":{"n":7}}`, fieldName, "holds a number"},
		"yes/no and a word":       {Pick{Trigger: HTTPRequest, Recipe: ValueIs, Field: "n", Value: "maybe"}, `{"body":{"n":true}}`, fieldName, "yes or no"},
		"text for yes/no":         {Pick{Trigger: HTTPRequest, Recipe: Yes, Field: "n"}, `{"body":{"n":"yes"}}`, fieldName, "no yes or no"},
		"no id":                   {Pick{Trigger: DataverseRow, Recipe: OwnEdits, Value: "flows@example.com"}, "", valueName, "no id of a user"},
		"no kind of change":       {Pick{Trigger: DataverseRow, Recipe: Message, Value: "upsert"}, "", valueName, "added, changed or deleted"},
		"no beginnings":           {Pick{Trigger: OutlookMail, Recipe: ReplyLoop, Value: " , "}, "", valueName, "how an answer begins"},
		"a zone by another name":  {Pick{Trigger: Schedule, Recipe: WorkingDays, Value: "CET"}, "", valueName, "no time zone"},
		"a value with line break": {Pick{Trigger: SharePointItem, Recipe: ValueIs, Field: "a", Value: "a\nb"}, "", valueName, "line break"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tt.pick.Try([]byte(tt.outputs), time.Unix(0, 0))
			var input *exporters.InputError
			if !errors.As(err, &input) || input.Field != tt.field || !strings.Contains(input.Msg, tt.says) {
				t.Errorf("%v, want %s: … %s …", err, tt.field, tt.says)
			}
		})
	}
	if _, err := (Pick{Trigger: SharePointItem, Recipe: OnlyNew}).Try([]byte("{"), time.Unix(0, 0)); err == nil || !strings.Contains(err.Error(), "trigger outputs") {
		t.Errorf("outputs that are no JSON: %v", err)
	}
}

// TestKindsOfFields writes another line for each kind that a field has in the sample.
func TestKindsOfFields(t *testing.T) {
	for _, tt := range []struct{ recipe, value, outputs, line string }{
		{ValueIs, "7", `{"body":{"f":7.0}}`, "@equals(triggerBody()?['f'],7)"},
		{ValueIs, "Yes", `{"body":{"f":false}}`, "@equals(triggerBody()?['f'],true)"},
		{ValueIs, "no", `{"body":{"f":false}}`, "@not(equals(triggerBody()?['f'],true))"},
		{ValueIs, "O'Brien", `{"body":{"f":"x"}}`, "@equals(toLower(trim(coalesce(triggerBody()?['f'],''))),'o''brien')"},
		{HasValue, "", `{"body":{"f":[]}}`, "@not(empty(triggerBody()?['f']))"},
		{HasValue, "", `{"body":{"f":{"a":1}}}`, "@not(empty(triggerBody()?['f']))"},
		{HasValue, "", `{"body":{"f":0}}`, "@not(equals(coalesce(triggerBody()?['f'],''),''))"},
		{IsEmpty, "", `{"body":{"f":"x"}}`, "@empty(trim(coalesce(triggerBody()?['f'],'')))"},
		{AmountAbove, "1e2", `{"body":{"f":"250"}}`, "@greater(float(if(empty(triggerBody()?['f']),'0',triggerBody()?['f'])),100)"},
		{AmountAbove, "-5", `{"body":{"f":3}}`, "@greater(coalesce(triggerBody()?['f'],0),-5)"},
	} {
		t.Run(tt.recipe+" "+tt.outputs, func(t *testing.T) {
			trial, err := Pick{Trigger: HTTPRequest, Recipe: tt.recipe, Field: "f", Value: tt.value}.Try([]byte(tt.outputs), time.Unix(0, 0))
			if err != nil {
				t.Fatal(err)
			}
			if trial.Nested != tt.line || !trial.OK() || trial.Sample == nil {
				t.Errorf("%s, right %v: %+v", trial.Nested, trial.OK(), trial.Variants)
			}
		})
	}
}

// TestOddTextComesBack writes any value and any name of a field into a line, and the
// line does what is right on all made events, or what was typed is refused.
func TestOddTextComesBack(t *testing.T) {
	text := rapid.StringOfN(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("'\"@{}[]()\\/?&|.,%$#ßİı\u200f😀 "))), 1, 30, -1)
	rapid.Check(t, func(t *rapid.T) {
		name, value := text.Draw(t, "name"), text.Draw(t, "value")
		path := wdl.Read([]string{"body", "x", name})
		pick := rapid.SampledFrom([]Pick{
			{Trigger: HTTPRequest, Recipe: ValueIs, Value: value}, {Trigger: OutlookMail, Recipe: ReplyLoop, Value: value}, {Trigger: SharePointItem, Recipe: HasValue},
			{Trigger: OutlookMail, Recipe: OwnEdits, Value: strings.Join(strings.Fields(value), "") + "@example.com"}, {Trigger: SharePointItem, Recipe: OwnEdits, Value: strings.Join(strings.Fields(value), "") + "@example.com"},
		}).Draw(t, "pick")
		pick.Field = path
		trial, err := pick.Try(nil, time.Unix(0, 0))
		var input *exporters.InputError
		if errors.As(err, &input) {
			plain := strings.TrimSpace(value) != "" && !strings.ContainsFunc(value, isControl)
			if input.Field == valueName && (pick.Recipe != ValueIs || !plain) || strings.ContainsFunc(name, isControl) {
				return // refused in words
			}
			t.Fatalf("%q %q: %v", name, value, err)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range trial.Variants {
			if !v.OK() {
				t.Fatalf("%+v, %s: %s instead of %s: %s\n%s", pick, v.Name, v.Result.Outcome, v.Want, trial.Nested, v.Outputs)
			}
		}
	})
}

// TestAnEventWithoutTheFieldIsSaid: whether the path is right cannot be seen then.
func TestAnEventWithoutTheFieldIsSaid(t *testing.T) {
	trial, err := Pick{Trigger: SharePointItem, Recipe: OwnEdits, Value: "flows@example.com"}.Try([]byte(`{"body":{"ID":1}}`), time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(trial.Advice, "\n"), "holds nothing at Editor/Email") || trial.Sample.Outcome != wdl.Run {
		t.Errorf("%q, %+v", trial.Advice, trial.Sample)
	}
}
