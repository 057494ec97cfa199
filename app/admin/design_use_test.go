package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
	"dedupedesk/rules"
	"pgregory.net/rapid"
)

func TestPasteThatCannotBeReadStaysWithItsPlace(t *testing.T) {
	d := newDesk(t)
	s := sit(t, d, "Robin", session.Change)
	for _, tt := range []struct{ name, text, place, says string }{
		{"missing-comma", "{\n  \"a\": 1\n  \"b\": 2\n}", "Line 3, column 3:", "data-line=\"3\" data-column=\"3\""},
		{"cut-off", `{"a": `, "Line 1, column", "We could not read this sample."},
		{"twice-the-same-member", `{"a":1,"a":2}`, "Line 1, column 8:", "We could not read this sample."},
		{"emoji-before-the-fault", `{"😀": x}`, "Line 1, column 8:", "data-column=\"8\""},
		{"empty", "  ", "", "Paste a sample first"},
		{"words", "hello there", "", "We could not read this sample."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dr := &drawer{seat: s}
			dr.seat.t = t
			dr.do(http.StatusUnprocessableEntity, "new", "start", "paste", "text", tt.text)
			dr.wants(tt.place, tt.says, tt.text+"</textarea>")
		})
	}
	if drafts, err := d.Ledger.SettingsWithPrefix(t.Context(), draftPrefix); err != nil || len(drafts) != 0 {
		t.Errorf("%d drafts were kept, %v", len(drafts), err)
	}
}

func TestPasteInTheEditorStaysWithItsPlace(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	dr.do(http.StatusUnprocessableEntity, "samples/add", "text", "{\"a\": nul}")
	dr.wants("Line 1, column", `{"a": nul}</textarea>`, "Event B")
	if got := len(keptDraft(t, d, dr.draft).Rule.Samples); got != 3 {
		t.Errorf("%d samples are kept, want 3", got)
	}
}

func TestNullPartIsToldAndAskedAbout(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {`{"id":"a","ref":"r1"}`}})
	dr.do(http.StatusOK, "samples/add", "text", `{"id":"b","ref":null}`)
	dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo("1"), "group", "+")
	dr.do(http.StatusOK, "field", "path", "body.ref")
	dr.wants("EMPTY in 2", "Refused", "This event would be refused with an error, not skipped.", "Use this key all the same?")
}

func TestFormulaFaultsHaveTheirPlaceAndAreKept(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	dr.do(http.StatusOK, "field", "path", "body.id")
	for _, tt := range []struct{ formula, place, marked string }{
		{`key("s", bdy.id)`, "Line 1, column 10:", "<mark>bdy</mark>"},
		{"key(\"s\",\n  body.id, foo(1))", "Line 2, column 12:", "<mark>foo</mark>"},
		{`key("😀", bdy.id)`, "Line 1, column 11:", "<mark>bdy</mark>"},
		{`key(body.id`, "Line 1, column 4:", "<mark>(</mark>"},
	} {
		dr.do(http.StatusOK, "formula", "formula", tt.formula)
		dr.wants(tt.place, tt.marked, `aria-invalid="true"`, "The formula has an error. It is marked above.", "Back to blocks")
		if got := keptDraft(t, d, dr.draft).Rule.Key; got != tt.formula {
			t.Errorf("kept %q, want %q", got, tt.formula)
		}
		dr.do(http.StatusUnprocessableEntity, "use", "title", "T", "lease", "15m", "keep", "35d")
		dr.wants("This cannot be used yet.")
		if live, err := d.Ledger.Rules(t.Context()); err != nil || len(live) != 1 {
			t.Fatalf("%d rules, %v: a faulty formula was put to use", len(live), err)
		}
	}
	dr.do(http.StatusUnprocessableEntity, "field", "path", "body.type")
	dr.wants("Blocks cannot show this formula")
	dr.do(http.StatusOK, "part", "act", "blocks")
	if got := dr.formula(); got != "key(body.id)" {
		t.Errorf("back to blocks gives %q", got)
	}
	dr.do(http.StatusUnprocessableEntity, "formula", "formula", strings.Repeat("x", maxTyped+1))
	if got := keptDraft(t, d, dr.draft).Rule.Key; got != "key(body.id)" {
		t.Errorf("an endless formula left %q", got)
	}
}

func TestEmptyFormulaCannotBeUsed(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	dr.wants("The key has no part yet.")
	for _, formula := range []string{"", "   ", `key("")`} {
		dr.do(http.StatusOK, "formula", "formula", formula)
		w := dr.do(http.StatusUnprocessableEntity, "use", "title", "T", "name", "empty", "lease", "15m", "keep", "35d")
		if w.Header().Get("HX-Redirect") != "" {
			t.Errorf("%q leads on", formula)
		}
	}
	if _, err := d.Ledger.Rule(t.Context(), "empty"); ledger.CodeOf(err) != ledger.UnknownRule {
		t.Errorf("the rule exists: %v", err)
	}
}

func TestSettingsThatNoRuleMayHaveAreRefused(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	dr.do(http.StatusOK, "field", "path", "body.id")
	for _, tt := range []struct{ name, value, says string }{
		{"name", "Paid Invoices", "Use 1 to 64 of the characters a to z"},
		{"name", "default", "There is a rule of this name already."},
		{"name", "-x", "Use 1 to 64"},
		{"lease", "0", "Choose one of the times"},
		{"lease", "-5", "Choose one of the times"},
		{"lease", "NaN", "Choose one of the times"},
		{"lease", "8d", "The time allowed lies between 5s and 7d."},
		{"on_expiry", "guess", "is none of"},
		{"title", strings.Repeat("x", 201), "Use at most 200 characters."},
	} {
		t.Run(tt.name+"-"+tt.value[:min(8, len(tt.value))], func(t *testing.T) {
			dr.seat.t = t
			pairs := []string{"title", "T", "name", "t", "lease", "15m", "keep", "35d", "on_expiry", "next", tt.name, tt.value}
			dr.do(http.StatusUnprocessableEntity, "use", pairs...)
			dr.wants(tt.says)
		})
	}
	dr.seat.t = t
	if live, err := d.Ledger.Rules(t.Context()); err != nil || len(live) != 1 {
		t.Errorf("%d rules, %v, want default alone", len(live), err)
	}
	// What was typed is kept at once and used later.
	dr.do(http.StatusOK, "settings", "title", "Ship it", "name", "", "lease", "1h", "keep", "90d", "on_expiry", "ask")
	got := keptDraft(t, d, dr.draft).Rule
	if got.Title != "Ship it" || got.Lease.String() != "1h" || got.Keep.String() != "90d" || got.OnExpiry != "ask" {
		t.Errorf("kept %+v", got)
	}
}

// putStripe puts the Stripe rule to use as paid.
func putStripe(t *testing.T, d Desk) *drawer {
	t.Helper()
	dr := startRule(t, d, url.Values{"start": {"stripe"}})
	dr.do(http.StatusOK, "use", "title", "Paid", "name", "paid", "lease", "15m", "keep", "35d", "on_expiry", "next")
	dr.draft = draftOf("paid")
	return dr
}

func TestRuleInUseIsChangedWithAWarningAndCanGoBack(t *testing.T) {
	d := newDesk(t)
	dr := putStripe(t, d)
	if key, _ := keyOf(t, d, "paid", stripe(t).Rule.Samples[0]); key != "stripe:evt_3TbGBUJEe0yY0QKr1eTEBGsV" {
		t.Errorf("key %q", key)
	}
	dr.open("/design?rule=paid")
	dr.wants("In use, no changes")
	dr.lacks("Back to the version in use", "Why do you change the formula?")
	if keptDraft(t, d, dr.draft) != nil {
		t.Error("looking made a draft")
	}

	dr.do(http.StatusOK, "field", "path", "body.type")
	dr.wants("Why do you change the formula?", "1 key follows the formula in use", "for 35 days we look for its old key", "Back to the version in use",
		`data-confirm-title="Change the formula of a rule in use?"`)
	dr.do(http.StatusOK, "discard")
	dr.lacks("Why do you change the formula?", "data-confirm-title=\"Change the formula")
	if got := dr.formula(); got != `key("stripe", body.id)` {
		t.Errorf("formula %q after going back", got)
	}

	dr.do(http.StatusOK, "field", "path", "body.type")
	dr.do(http.StatusOK, "use", "title", "Paid", "lease", "1h", "keep", "35d", "on_expiry", "next")
	dr.wants("It holds from the next call on. Its 1 key from before")
	dr.lacks("Nothing is stopped by it until your automation asks.")
	// Nobody said that it merged events, so what is under way is not begun anew.
	if key, status := keyOf(t, d, "paid", stripe(t).Rule.Samples[0]); key != "stripe:evt_3TbGBUJEe0yY0QKr1eTEBGsV" || status != ledger.StatusInProgress {
		t.Errorf("after the change: key %q, %s", key, status)
	}
	lr, err := d.Ledger.Rule(t.Context(), "paid")
	if err != nil || lr.Version != 2 || lr.Policy.Lease.String() != "1h0m0s" {
		t.Errorf("kept as version %d, lease %s, %v", lr.Version, lr.Policy.Lease, err)
	}
}

func TestDraftDoesNotSilentlyOverwriteAnothersChange(t *testing.T) {
	d := newDesk(t)
	dr := putStripe(t, d)
	dr.do(http.StatusOK, "field", "path", "body.type")
	file := stripe(t).Rule
	file.Rule, file.Title = "paid", "Changed elsewhere"
	if _, err := d.Intake.PutRule(t.Context(), "", &file); err != nil {
		t.Fatal(err)
	}
	settings := []string{"title", "Paid", "lease", "15m", "keep", "35d", "on_expiry", "next"}
	dr.do(http.StatusUnprocessableEntity, "use", settings...)
	dr.wants("This rule was changed elsewhere since your draft began.")
	if lr, _ := d.Ledger.Rule(t.Context(), "paid"); lr.Title != "Changed elsewhere" {
		t.Errorf("the title is %q", lr.Title)
	}
	dr.do(http.StatusOK, "use", settings...)
	if lr, _ := d.Ledger.Rule(t.Context(), "paid"); lr.Title != "Paid" || lr.Version != 3 {
		t.Errorf("asked again: %q, version %d", lr.Title, lr.Version)
	}
}

func TestUseChangesNothingElseOfTheRuleFile(t *testing.T) {
	d := newDesk(t)
	file, err := rules.Parse([]byte("rule: lines\nkey: key(\"shop\", item.id)\neach: body.lines\nwhen: body.live == true\nmax_attempts: 3\nanswer: wait\nfold_case: true\ncost_per_double: 12.50 EUR\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Intake.PutRule(t.Context(), "", file); err != nil {
		t.Fatal(err)
	}
	dr := &drawer{seat: sit(t, d, "Robin", session.Change), draft: draftOf("lines")}
	dr.do(http.StatusOK, "use", "title", "Lines", "lease", "15m", "keep", "35d", "on_expiry", "next")
	lr, err := d.Ledger.Rule(t.Context(), "lines")
	if err != nil {
		t.Fatal(err)
	}
	got, err := rules.Parse(lr.Doc)
	if err != nil {
		t.Fatal(err)
	}
	if got.Each != file.Each || got.When != file.When || got.MaxAttempts != 3 || got.Answer != "wait" || !got.FoldCase || got.CostPerDouble != file.CostPerDouble || got.Key != file.Key {
		t.Errorf("the file is now %+v", got)
	}
}

func TestNewRulesOfOneTitleGetNamesOfTheirOwn(t *testing.T) {
	d := newDesk(t)
	for _, want := range []string{"zamowienie-1", "zamowienie-1-2", "zamowienie-1-3"} {
		dr := startRule(t, d, url.Values{"start": {"stripe"}})
		w := dr.do(http.StatusOK, "use", "title", "Zamowienie #1", "name", "", "lease", "15m", "keep", "35d")
		if got := w.Header().Get("HX-Redirect"); got != "/design/rule?rule="+want+"&saved=1" {
			t.Errorf("leads to %q, want the rule %s", got, want)
		}
	}
	for title, want := range map[string]string{
		"Bestellungen prüfen": "bestellungen-pruefen", "Größe & Maß": "groesse-mass", "Zamówienie: Łódź": "zamowienie-lodz", "Commande à l’été": "commande-a-lete",
		"Ordre på Ærø": "ordre-pa-aero", "Cafe\u0301 №5": "cafe-no5", " -- ": "new-rule", strings.Repeat("ü", 40): strings.Repeat("ue", 30),
	} {
		if got := nameFrom(title); got != want {
			t.Errorf("%q gives %q, want %q", title, got, want)
		}
	}
	if got := nameFrom("订单"); got != "new-rule" {
		t.Errorf("a title without Latin letters gives %q", got)
	}
}

func TestWhoMayOnlyLookChangesNoRule(t *testing.T) {
	d := newDesk(t)
	putStripe(t, d)
	for _, role := range []session.Role{session.Look, session.Decide} {
		dr := &drawer{seat: sit(t, d, "Kim", role), draft: draftOf("paid")}
		dr.open("/design/rule?rule=paid")
		dr.wants("You may look at rules, but not change them.", "stripe:evt_3TbGBUJEe0yY0QKr1eTEBGsV")
		dr.lacks("Use the changed rule", "hx-post=\"/design/part\"")
		for _, path := range []string{"field", "formula", "use", "discard", "samples/add", "new"} {
			dr.do(http.StatusForbidden, path, "path", "body.type", "formula", "x", "start", "empty")
		}
	}
	if drafts, err := d.Ledger.SettingsWithPrefix(t.Context(), draftPrefix); err != nil || len(drafts) != 0 {
		t.Errorf("%d drafts, %v", len(drafts), err)
	}
}

func TestDraftsAndRulesThatAreNotThere(t *testing.T) {
	d := newDesk(t)
	s := sit(t, d, "Robin", session.Change)
	for _, path := range []string{"/design/rule", "/design/rule?draft=new-0000000000000000", "/design/rule?draft=../x", "/design/rule?rule=nobody", "/design?rule=nobody", "/design?rule=default"} {
		if w := s.get(path); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "All rules and drafts") {
			t.Errorf("GET %s: %d", path, w.Code)
		}
	}
	if w := s.post("/design/field", url.Values{"draft": {"new-0000000000000000"}, "path": {"body.id"}}); w.Code != http.StatusNotFound {
		t.Errorf("a change of a draft that is not there: %d", w.Code)
	}
	if w := s.post("/design/new", url.Values{"start": {"nobody"}}); w.Code != http.StatusBadRequest {
		t.Errorf("an unknown sender to start from: %d", w.Code)
	}
}

func TestSampleCannotBringMarkup(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {`{"id":"<img src=x onerror=alert(1)>","<b>":"</textarea><script>"}`}})
	w := dr.get("/design/rule?draft=" + dr.draft)
	for _, bad := range []string{"<img src=x", "<script>", "<b>"} {
		if strings.Contains(w.Body.String(), bad) {
			t.Errorf("the page holds %s", bad)
		}
	}
}

// Whatever is pressed, the blocks are those of a plain list, and the formula is
// theirs.
func TestBlocksFollowAPlainList(t *testing.T) {
	p := new(designer)
	rapid.Check(t, func(t *rapid.T) {
		d := newDraft(time.Now())
		d.Rule.Samples = []rules.Sample{{Body: `{"a":1,"b":{"c d":"x"},"e":[{"f":2}]}`}}
		var model []string
		paths := []string{"body.a", `body.b["c d"]`, "body.e[0].f"}
		for range rapid.IntRange(1, 25).Draw(t, "acts") {
			tn := &turn{draft: d, form: url.Values{}}
			act := rapid.SampledFrom([]string{"field", "add", "up", "down", "remove"}).Draw(t, "act")
			i := rapid.IntRange(0, max(0, len(model)-1)).Draw(t, "at")
			switch {
			case act == "field":
				path := rapid.SampledFrom(paths).Draw(t, "path")
				tn.form.Set("path", path)
				model = toggled(model, path)
				if err := p.toggleField(tn); err != nil {
					t.Fatal(err)
				}
			case act == "add":
				tn.form = url.Values{"act": {"add"}, "text": {"x:y"}}
				if len(model) > 0 && strings.HasPrefix(model[0], "body") {
					model = append([]string{`"x:y"`}, model...)
				} else {
					model = append(model, `"x:y"`)
				}
				if err := changePart(tn); err != nil {
					t.Fatal(err)
				}
			case len(model) > 0:
				tn.form = url.Values{"act": {act}, "part": {string(rune('0'+i/10)) + string(rune('0'+i%10))}, "was": {model[i]}}
				before := strings.Join(model, ", ")
				model = acted(model, i, act)
				if err := changePart(tn); (err == nil) == (before == strings.Join(model, ", ")) && !twins(model) {
					t.Fatalf("%s at %d of %s: %v", act, i, before, err)
				}
			}
			if want := "key(" + strings.Join(model, ", ") + ")"; d.Rule.Key != want && len(model) > 0 {
				t.Fatalf("formula %s, want %s", d.Rule.Key, want)
			}
			if len(model) == 0 && d.Rule.Key != "" {
				t.Fatalf("formula %s, want none", d.Rule.Key)
			}
		}
	})
}

func toggled(model []string, path string) []string {
	var out []string
	for _, m := range model {
		if m != path {
			out = append(out, m)
		}
	}
	if len(out) == len(model) {
		out = append(out, path)
	}
	return out
}

func acted(model []string, i int, act string) []string {
	out := append([]string{}, model...)
	switch {
	case act == "remove":
		return append(out[:i], out[i+1:]...)
	case act == "up" && i > 0:
		out[i-1], out[i] = out[i], out[i-1]
	case act == "down" && i < len(out)-1:
		out[i+1], out[i] = out[i], out[i+1]
	}
	return out
}

// twins tells whether swapping two equal blocks may change nothing.
func twins(model []string) bool {
	for i := 1; i < len(model); i++ {
		if model[i] == model[i-1] {
			return true
		}
	}
	return false
}
