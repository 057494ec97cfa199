package cause_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"dedupedesk/app/cause"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// pairsOf reads the two deliveries of every pair that the rules are tested on.
func pairsOf(t *testing.T) map[string][2]rules.Sample {
	t.Helper()
	all := map[string][2]rules.Sample{}
	add := func(name string, read func(string) string) {
		var two [2]rules.Sample
		for i, which := range []string{"first", "second"} {
			two[i].Body = read(which)
			if text := read(which + ".headers.json"); text != "" {
				var request struct{ Headers map[string]string } // as some were recorded
				if json.Unmarshal([]byte(text), &request) == nil && request.Headers != nil {
					two[i].Headers = request.Headers
				} else if err := json.Unmarshal([]byte(text), &two[i].Headers); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			if two[i].Body == "" {
				t.Fatalf("%s has no %s delivery", name, which)
			}
		}
		all[name] = two
	}
	dirs, err := filepath.Glob("../../rules/testdata/pairs/*/expect.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range dirs {
		dir := filepath.Dir(path)
		add(filepath.Base(dir), func(part string) string {
			if !strings.HasSuffix(part, ".json") {
				part += ".json"
			}
			text, _ := os.ReadFile(filepath.Join(dir, part)) // not every pair has headers
			return string(text)
		})
	}
	files, err := filepath.Glob("../../rules/testdata/samples/pairs/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		add(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(part string) string {
			for _, f := range archive.Files {
				if f.Name == part {
					return string(f.Data)
				}
			}
			return ""
		})
	}
	return all
}

func engine(t *testing.T) *rules.Engine {
	t.Helper()
	e, err := rules.New(rules.WithSenders(presets.Known), rules.WithSecret(func() ([]byte, error) { return []byte("s"), nil }))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestPairsLeadToTheirCause: two events of each pair leave what its description says, and
// nothing that it rules out.
func TestPairsLeadToTheirCause(t *testing.T) {
	came := []cause.ID{cause.SecondCopy, cause.DoubleHook, cause.SenderRetry, cause.Replay, cause.Overlap, cause.TwoPaths}
	again := []cause.ID{cause.SenderRetry}
	hooks := []cause.ID{cause.DoubleHook, cause.TwoEvents}
	thing := []cause.ID{cause.SecondCopy, cause.StartsItself, cause.TwoEvents, cause.DoubleClick, cause.TwoPaths}
	untold := []cause.ID{cause.SecondCopy, cause.DoubleHook, cause.SenderRetry, cause.Replay, cause.Overlap, cause.StartsItself, cause.TwoEvents, cause.DoubleClick, cause.TwoPaths}
	two := []cause.ID{cause.NotTwice}
	want := map[string]struct {
		left []cause.ID
		same bool
		fact string
	}{
		"brevo-id-is-not-an-event-id":       {two, false, "two different things"},
		"calendly-two-invitees-one-slot":    {two, false, "two different things"},
		"decimal-text":                      {untold, false, "the same thing (id)"},
		"github-org-and-repo-hook":          {hooks, true, "two delivery ids (x-github-delivery)"},
		"github-redelivery":                 {came, true, "id is the same in both"},
		"hubspot-retry":                     {again, true, "another try: attemptNumber"},
		"hubspot-test-button":               {cause.Stand(nil).Left, false, "test button"},
		"intercom-retry":                    {again, true, "delivery_attempts"},
		"key-order-and-spacing":             {untold, false, "the same thing (id)"},
		"mailgun-resigned":                  {came, true, "id is the same in both"},
		"notion-retry":                      {again, true, "attempt_number"},
		"pipedrive-retry":                   {again, true, "attempt"},
		"sharepoint-two-edits-same-second":  {thing, false, "The event's id differs"},
		"sheet-inserted-row-above":          {append(slices.Clone(untold), cause.NotTwice), false, "No field names the event"},
		"sheet-two-identical-rows":          {append(slices.Clone(untold), cause.NotTwice), false, "No field names the event"},
		"shopify-ids-above-2-53":            {two, false, "two different things"},
		"shopify-two-subscriptions":         {hooks, true, "two delivery ids"},
		"slack-new-event-id-same-message":   {thing, false, "the same thing: slack:"},
		"slack-retry":                       {again, true, "x-slack-retry-num"},
		"standard-webhooks-retry":           {came, true, "id is the same in both"},
		"stripe-two-events-one-object":      {thing, false, "stripe:ch_3TbGBUJEe0yY0QKr18Sf1VVH"},
		"tally-two-people-same-answer":      {two, false, "two different things"},
		"unicode-nfc-nfd":                   {append(slices.Clone(untold), cause.NotTwice), false, "No field names the event"},
		"whitespace-differs":                {append(slices.Clone(untold), cause.NotTwice), false, "No field names the event"},
		"woocommerce-delivery-id-collision": {two, false, "two different things"},
	}
	e, all := engine(t), pairsOf(t)
	if len(all) != 25 || len(want) != 25 {
		t.Fatalf("%d pairs, %d expected", len(all), len(want))
	}
	for name, pair := range all {
		c, err := cause.Compare(t.Context(), e, pair[0], pair[1])
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		w, left := want[name], cause.Stand(c.Given).Left
		slices.Sort(left)
		slices.Sort(w.left)
		if !slices.Equal(left, w.left) || c.Same != w.same || !strings.Contains(strings.Join(c.Facts, " "), w.fact) {
			t.Errorf("%s: left %v, want %v; same %v\n%s", name, left, w.left, c.Same, strings.Join(c.Facts, "\n"))
		}
	}
}

func TestWhatCannotBeReadIsNamed(t *testing.T) {
	for _, pair := range [][2]string{{"{", "{}"}, {"{}", "{"}} {
		if _, err := cause.Compare(t.Context(), engine(t), rules.Sample{Body: pair[0]}, rules.Sample{Body: pair[1]}); err == nil || !strings.HasPrefix(err.Error(), "the ") {
			t.Errorf("%q: %v", pair, err)
		}
	}
}
