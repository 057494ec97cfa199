package sharepoint

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"dedupedesk/exporters"
)

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
