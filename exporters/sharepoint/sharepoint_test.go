package sharepoint

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
	"dedupedesk/exporters/wdl"
)

// TestC01To08DuplicateIsToldByItsText runs the reference cases for failures that
// SharePoint's create step may see through the generated condition.
func TestC01To08DuplicateIsToldByItsText(t *testing.T) {
	for _, tt := range []struct {
		id   string
		body string
		want string
	}{
		{"c1", `{"statusCode":500,"body":{"odata.error":{"code":"-2130575169, Microsoft.SharePoint.SPDuplicateValuesFoundException","message":{"value":"The list item could not be added or updated because duplicate values were found in the following field(s) in the list: [DedupeKey]."}}}}`, "True"},
		{"c2", `{"statusCode":400,"body":{"status":400,"message":"The item could not be added because Duplicate values were found in the list.\r\nclientRequestId: 0000"}}`, "True"},
		{"c5", `{"statusCode":412,"body":{"error":{"code":"0x80060882","message":"The version of the existing record doesn't match."}}}`, "False"},
		{"c6", `{"statusCode":500,"body":{"error":{"code":"-2147024860, Microsoft.SharePoint.SPQueryThrottledException","message":"The attempted operation is prohibited because it exceeds the list view threshold."}}}`, "False"},
		{"c7", `{"statusCode":429,"body":"Rate limit is exceeded."}`, "False"},
		{"c8", `{"statusCode":400,"body":{"status":400,"message":"The specified user could not be found."}}`, "False"},
	} {
		t.Run(tt.id, func(t *testing.T) {
			got, err := wdl.Evaluate([]byte(tt.body), duplicateTest("triggerOutputs()"), wdl.Options{Now: time.Unix(0, 0)})
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != tt.want || got.Kind != "boolean" {
				t.Errorf("%+v, want %s", got, tt.want)
			}
		})
	}
	if !strings.Contains(runAfterStep().Value, "'"+duplicateText+"'") {
		t.Error("the step offers another condition")
	}
}

func TestK03KeysThatDifferInCapitalsAlone(t *testing.T) {
	for _, tt := range []struct {
		name string
		keys []string
		want string
	}{
		{"outlook ids", []string{"mail:AAMkAbC=", "mail:AAMkaBc="}, exporters.Fail},
		{"the same key twice is a copy", []string{"mail:A", "mail:A"}, exporters.OK},
		{"letters beyond ASCII", []string{"x:Żak", "x:żAK"}, exporters.Fail},
		{"different keys", []string{"x:1", "x:2"}, exporters.OK},
		{"no keys", []string{"", ""}, exporters.Warn},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var s exporters.Setup
			for _, k := range tt.keys {
				s.Samples = append(s.Samples, exporters.Sample{Key: k})
			}
			step := fitStep(s)
			if step.Checks[0].Result != tt.want || (step.Blocked != "") != (tt.want == exporters.Fail) {
				t.Errorf("%+v, blocked %q", step.Checks, step.Blocked)
			}
		})
	}
}

func TestK14KeyOver255(t *testing.T) {
	for n, want := range map[int]string{255: exporters.OK, 256: exporters.Fail} {
		for _, letter := range []string{"x", "𝄞"} { // the second takes two UTF-16 units
			units := len(utf16Units(letter))
			key := strings.Repeat(letter, n/units) + strings.Repeat("y", n%units)
			c := fitChecks([]exporters.Sample{{Key: key}})
			if c[0].Result != want {
				t.Errorf("%d units of %s: %+v, want %s", n, letter, c, want)
			}
		}
	}
}

func utf16Units(s string) []struct{} {
	n := 0
	for _, r := range s {
		n++
		if r > 0xffff {
			n++
		}
	}
	return make([]struct{}, n)
}

// TestListTitlesSurviveTheAddress takes the title back out of the Uri as a
// server would.
func TestListTitlesSurviveTheAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.String().Draw(t, "title")
		got := urlText(title)
		if strings.ContainsAny(got, "/?#& \"") {
			t.Fatalf("%q has a character that means something in an address", got)
		}
		inner := got[1 : len(got)-1]
		if strings.Contains(strings.ReplaceAll(inner, "''", ""), "'") {
			t.Fatalf("%q ends early", got)
		}
		if back := unescape(t, strings.ReplaceAll(inner, "''", "'")); back != title {
			t.Fatalf("%q came back as %q", title, back)
		}
	})
}

func unescape(t *rapid.T, s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		n := strings.IndexByte("0123456789ABCDEF", s[i+1])<<4 | strings.IndexByte("0123456789ABCDEF", s[i+2])
		b.WriteByte(byte(n))
		i += 2
	}
	return b.String()
}

func TestBadNamesAreRefused(t *testing.T) {
	for _, details := range []map[string]string{
		{"column": "Event Key"}, {"column": "1st"}, {"column": "a'b"}, {"column": strings.Repeat("a", 33)}, {"list": "two\nlines"},
	} {
		_, err := New().Build(exporters.Setup{Details: details})
		var input *exporters.InputError
		if !errors.As(err, &input) || details[input.Field] == "" {
			t.Errorf("%v: %v", details, err)
		}
	}
}

func TestRESTBodyIsJSON(t *testing.T) {
	steps, err := restSteps(target{list: "Orders", column: "EventKey"})
	if err != nil {
		t.Fatal(err)
	}
	var body struct {
		Title                        string
		FieldTypeKind                int
		EnforceUniqueValues, Indexed bool
	}
	if err := json.Unmarshal([]byte(steps[2].Value), &body); err != nil {
		t.Fatal(err)
	}
	if body.Title != "EventKey" || body.FieldTypeKind != 2 || !body.EnforceUniqueValues || !body.Indexed {
		t.Errorf("%+v", body)
	}
}
