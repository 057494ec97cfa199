package keeping

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"dedupedesk/app/setup"
	"dedupedesk/exporters/catalog"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
)

func TestTheLongestWindowAndAQuarterIsTheFloor(t *testing.T) {
	for _, tt := range []struct {
		sender     string
		checklists []string
		floor      time.Duration
		platform   time.Duration
		sentence   string
	}{
		{"", nil, 0, 0, ""},
		{"sharepoint", []string{"sharepoint", "unheard-of"}, 0, 0, ""},
		{"github", nil, 90 * time.Hour, 0, "A person can let GitHub send an event again for 3 days. Keep finished keys 3.75 days or longer."},
		{"shopify", nil, 5 * time.Hour, 0, "Shopify may send an event again for 4 hours. Keep finished keys 5 hours or longer."},
		{"", []string{"n8n"}, 420 * time.Hour, 14 * day, "n8n keeps executions that a person can try again for 14 days (longer where EXECUTIONS_DATA_MAX_AGE says so). Keep finished keys 17.5 days or longer."},
		{"stripe", []string{"make"}, 90 * time.Hour, 3 * day, "Stripe may send an event again for 3 days, and Make can replay an event of its webhook log for 3 days " +
			"(30 days on an Enterprise plan). Keep finished keys 3.75 days or longer."},
		{"stripe", []string{"make", "power-automate"}, 35 * day, 28 * day, "Power Automate can run an event of its run history again for 28 days, and " +
			"Stripe may send an event again for 3 days, and Make can replay an event of its webhook log for 3 days (30 days on an Enterprise plan). Keep finished keys 35 days or longer."},
	} {
		a := Of(tt.sender, tt.checklists)
		if a.Floor() != tt.floor || a.Platform != tt.platform || a.Sentence() != tt.sentence {
			t.Errorf("%s %v: %v, %v, %s", tt.sender, tt.checklists, a.Floor(), a.Platform, a.Sentence())
		}
		if len(a.Sources()) != len(a.Windows) {
			t.Errorf("%s %v: sources %q", tt.sender, tt.checklists, a.Sources())
		}
		if a.Warning(tt.floor) != "" {
			t.Errorf("%s %v warns at its floor", tt.sender, tt.checklists)
		}
	}
}

func TestWarningSaysWhatToDo(t *testing.T) {
	got := Of("stripe", nil).Warning(26 * time.Hour)
	want := "Finished keys are forgotten after 26 hours, but Stripe may send an event again for 3 days. A copy that comes later would run again. Keep them 3.75 days or longer."
	if got != want {
		t.Errorf("got %s", got)
	}
}

// TestThePlatformsAreCatalogued: a checklist by another name would never be found.
func TestThePlatformsAreCatalogued(t *testing.T) {
	for name, w := range platforms {
		if _, ok := catalog.ByName(name); !ok {
			t.Errorf("there is no checklist %s", name)
		}
		if _, err := time.Parse(time.DateOnly, w.Read); err != nil || w.Source == "" {
			t.Errorf("%s: source %q, read %q", name, w.Source, w.Read)
		}
	}
}

// TestTheDefaultIsLongEnough for everything that is known.
func TestTheDefaultIsLongEnough(t *testing.T) {
	all := Of("stripe", []string{"power-automate", "make", "sharepoint"})
	if w := all.Warning(ledger.DefaultPolicy().Keep); w != "" {
		t.Error(w)
	}
}

func TestABegunChecklistCounts(t *testing.T) {
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	l := ledger.New(store, ledgertest.NewClock(), nil)
	t.Cleanup(func() { _ = l.Close() })
	doc := []byte(`{"rule":"pay","sender":"stripe","key":"key(\"stripe\", body.id)"}`)
	r, err := l.PutRule(t.Context(), "", ledger.Rule{Name: "pay", Doc: doc, Policy: ledger.DefaultPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	other, err := l.PutRule(t.Context(), "", ledger.Rule{Name: "other", Doc: []byte("no rule file"), Policy: ledger.DefaultPolicy()})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{setup.RecordName(r.ID, "power-automate"), setup.RecordName(r.ID, "make"), setup.RecordName(0, "make"), setup.RecordName(other.ID*10, "make")} {
		if err := l.PutSetting(t.Context(), name, "{}"); err != nil {
			t.Fatal(err)
		}
	}
	for rule, want := range map[*ledger.Rule]string{&r: "[make power-automate] 840h0m0s", &other: "[] 0s"} {
		names, err := Begun(t.Context(), l, rule.ID)
		if err != nil {
			t.Fatal(err)
		}
		a, err := OfRule(t.Context(), l, *rule)
		if got := fmt.Sprint(names, " ", a.Floor()); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", rule.Name, got, err, want)
		}
	}
}
