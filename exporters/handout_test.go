package exporters

import (
	"encoding/base64"
	"html"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func handout(value string) Handout {
	return Handout{Rule: value, Made: "2026-12-01", Checklist: Checklist{
		Title: value, About: value,
		Steps: []Step{
			{ID: "a", Title: value, Where: value, Value: value, ValueLabel: value, File: "f.json", Warning: value, Why: value, NotFixed: value, Tried: value,
				Checks: []Check{{OK, value}}, Sources: []Source{{value, "https://example.com/?a=b&c=d", "2026-10-31"}}},
		},
		Covers: []Cover{{Cause: Replay, Label: value, State: No, By: value}},
		Files:  []File{{Name: "f.json", Data: []byte(value), About: value}},
	}}
}

var (
	block = regexp.MustCompile(`(?s)<pre>(.*?)</pre>`)
	saved = regexp.MustCompile(`download="f.json" href="data:application/octet-stream;base64,([^"]*)"`)
	bold  = strings.NewReplacer("<strong>", "", "</strong>", "") // two stars in a text of ours
	tags  = regexp.MustCompile(`<[^>]*>`)
)

// TestHandoutKeepsEveryText: what comes out of the page is what went in, and nothing of
// it is taken for a tag.
func TestHandoutKeepsEveryText(t *testing.T) {
	plain := handout("x")
	known, err := plain.HTML()
	if err != nil {
		t.Fatal(err)
	}
	shape := tags.FindAllString(bold.Replace(saved.ReplaceAllString(string(known), "")), -1)
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.StringMatching(`[ -~]{1,40}`), rapid.SampledFrom([]string{
			`</pre><script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `{{.}} ${x} @{y} \ ' "`, "two\nlines", "שלום 👩‍👧", "`~``` ```",
		})).Draw(t, "value")
		page, err := handout(value).HTML()
		if err != nil {
			t.Fatal(err)
		}
		if got := tags.FindAllString(bold.Replace(saved.ReplaceAllString(string(page), "")), -1); strings.Join(got, "") != strings.Join(shape, "") {
			t.Fatalf("the tags of the page depend on a text: %q", value)
		}
		for i, m := range block.FindAllStringSubmatch(string(page), -1) {
			if got := html.UnescapeString(m[1]); got != value {
				t.Fatalf("block %d is %q, want %q", i, got, value)
			}
		}
		m := saved.FindStringSubmatch(string(page))
		if m == nil {
			t.Fatal("the file cannot be saved")
		}
		if data, err := base64.StdEncoding.DecodeString(html.UnescapeString(m[1])); err != nil || string(data) != value {
			t.Fatalf("the file is %q, %v", data, err)
		}
	})
}

func TestHandoutLeavesOutWhatIsBlocked(t *testing.T) {
	h := Handout{Rule: "R", Made: "2026-12-01", Checklist: Checklist{Title: "T", About: "A",
		Steps: []Step{{ID: "a", Title: "A", Where: "W", Value: "secret-value", File: "f.json", Blocked: "It differs."}},
		Files: []File{{Name: "f.json", Data: []byte("secret-value"), About: "F"}}}}
	page, err := h.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"HTML": string(page), "Markdown": string(h.Markdown())} {
		if strings.Contains(text, "secret-value") || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte("secret-value"))) {
			t.Errorf("%s: what is blocked is there", name)
		}
		for _, want := range []string{"Do not copy yet: It differs.", "Rule: R.", "2026-12-01", NoPassword} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing", name, want)
			}
		}
	}
}
