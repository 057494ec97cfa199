package presets

import (
	"regexp"
	"testing"

	"dedupedesk/rules"
)

// TestPresetsProveThemselves runs each preset's rule on its deliveries.
func TestPresetsProveThemselves(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 4 {
		t.Fatalf("%d presets, want at least 4", len(all))
	}
	e, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		t.Run(p.Sender, func(t *testing.T) {
			j := e.Judge(t.Context(), &p.Rule)
			if !j.OK {
				t.Errorf("the rule fails on its samples: %+v", j.Verdicts)
			}
			if got := j.Samples[0].Key; got != p.Key || p.Key == "" {
				t.Errorf("key of the sample is %q, want %q", got, p.Key)
			}
			if j.Samples[1].Outcome != "copy_stopped" || j.Samples[2].Outcome != "kept_apart" {
				t.Errorf("outcomes are %s and %s, want copy_stopped and kept_apart", j.Samples[1].Outcome, j.Samples[2].Outcome)
			}
			suggestionFits(t, p.Rule)
			business := p.Rule
			business.Key = p.Facts.BusinessKey
			if _, issues := e.Compile(&business); issues != nil {
				t.Errorf("business key %s: %v", business.Key, issues)
			}
			if p.Notes == "" || p.Title == "" {
				t.Error("notes or title are missing")
			}
		})
	}
}

// suggestionFits holds the ids that Suggest knows by itself to those of the preset. A
// fixed text after the source stands for a name that a person puts there, such as
// that of a SharePoint list, where Suggest takes a field.
func suggestionFits(t *testing.T, r rules.Rule) {
	t.Helper()
	want, _ := rules.Parts(r.Key)
	got := rules.Suggest(r.Samples)
	for i := range min(len(got), len(want)) {
		if i > 0 && want[i].Path == nil {
			want[i] = got[i]
		}
	}
	if rules.Formula(got) != rules.Formula(want) {
		t.Errorf("the samples speak for %s, the rule says %s", rules.Formula(got), r.Key)
	}
}

// TestAPresetIsItsCallersOwn: what one caller changes no other sees.
func TestAPresetIsItsCallersOwn(t *testing.T) {
	first, ok := BySender("github")
	if !ok || len(first.Rule.Samples[0].Headers) == 0 {
		t.Fatalf("%v, %+v", ok, first.Rule.Samples)
	}
	clear(first.Rule.Samples[0].Headers)
	first.Rule.Samples[1].Body = ""
	again, _ := BySender("github")
	if len(again.Rule.Samples[0].Headers) == 0 || again.Rule.Samples[1].Body == "" {
		t.Error("a caller's change is seen by the next")
	}
}

// TestFactsSayWhereTheyStand demands a source and a day for every fact.
func TestFactsSayWhereTheyStand(t *testing.T) {
	day := regexp.MustCompile(`^20[0-9]{2}-[0-9]{2}-[0-9]{2}$`)
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		for name, f := range map[string]Fact{"event id": p.Facts.EventID, "business id": p.Facts.BusinessID, "changes": p.Facts.Changes, "retries": p.Facts.Retries} {
			if f.Text == "" || f.Source == "" || !day.MatchString(f.Read) {
				t.Errorf("%s, %s: %+v lacks text, source or day", p.Sender, name, f)
			}
		}
	}
	if p, ok := BySender("stripe"); !ok || p.Facts.RetryWindow.String() != "3d" {
		t.Errorf("stripe's retry window is %v, want 3d", p.Facts.RetryWindow)
	}
	if _, ok := BySender("nobody"); ok {
		t.Error("BySender found a sender that does not exist")
	}
}
