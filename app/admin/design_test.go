package admin

import (
	"context"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/session"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
	"dedupedesk/rules/presets"
)

// A drawer is a person at the page Design a key, with what the last answer showed.
type drawer struct {
	seat
	draft string
	shown string // HTML, unescaped
}

// startRule makes a new rule and opens its editor.
func startRule(t *testing.T, d Desk, form url.Values) *drawer {
	t.Helper()
	dr := &drawer{seat: sit(t, d, "Robin", session.Change)}
	w := dr.post("/design/new", form)
	to := w.Header().Get("HX-Redirect")
	if w.Code != http.StatusOK || !strings.HasPrefix(to, "/design/rule?draft=new-") {
		t.Fatalf("new rule: %d, leads to %q: %s", w.Code, to, w.Body)
	}
	dr.draft = strings.TrimPrefix(to, "/design/rule?draft=")
	dr.open(to)
	return dr
}

// open looks at a page of the editor.
func (dr *drawer) open(path string) {
	dr.t.Helper()
	w := dr.get(path)
	if w.Code != http.StatusOK {
		dr.t.Fatalf("GET %s: %d: %s", path, w.Code, w.Body)
	}
	dr.shown = html.UnescapeString(w.Body.String())
}

// do posts a change and wants the status; pairs are names and values.
func (dr *drawer) do(status int, path string, pairs ...string) *httptest.ResponseRecorder {
	dr.t.Helper()
	form := url.Values{"draft": {dr.draft}}
	for i := 0; i < len(pairs); i += 2 {
		form.Set(pairs[i], pairs[i+1])
	}
	w := dr.post("/design/"+path, form)
	if w.Code != status {
		dr.t.Fatalf("POST /design/%s: %d, want %d: %.300s", path, w.Code, status, w.Body)
	}
	dr.shown = html.UnescapeString(w.Body.String())
	return w
}

func (dr *drawer) wants(texts ...string) {
	dr.t.Helper()
	for _, text := range texts {
		if !strings.Contains(dr.shown, text) {
			dr.t.Errorf("the page does not show %q", text)
		}
	}
}

func (dr *drawer) lacks(texts ...string) {
	dr.t.Helper()
	for _, text := range texts {
		if strings.Contains(dr.shown, text) {
			dr.t.Errorf("the page shows %q", text)
		}
	}
}

var (
	formulaField = regexp.MustCompile(`(?s)<textarea[^>]*id="formula"[^>]*>(.*?)</textarea>`)
	sampleValue  = regexp.MustCompile(`name="sample" value="([0-9]+)-([0-9a-f]+)"`)
)

// formula is what the formula's field holds.
func (dr *drawer) formula() string {
	dr.t.Helper()
	m := formulaField.FindStringSubmatch(dr.shown)
	if m == nil {
		dr.t.Fatal("the page has no formula field")
	}
	return m[1]
}

// sampleNo is how forms name the sample at a place, from 0.
func (dr *drawer) sampleNo(n string) string {
	dr.t.Helper()
	for _, m := range sampleValue.FindAllStringSubmatch(dr.shown, -1) {
		if m[1] == n {
			return m[1] + "-" + m[2]
		}
	}
	dr.t.Fatalf("no sample at place %s", n)
	return ""
}

// keptDraft returns the draft as the key file has it, nil where it has none.
func keptDraft(t testing.TB, d Desk, id string) *draft {
	t.Helper()
	text, ok, err := d.Ledger.Setting(t.Context(), draftPrefix+id)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return nil
	}
	dr, err := readDraft(text)
	if err != nil {
		t.Fatal(err)
	}
	return dr
}

// keyOf claims an event under a rule and returns key and status.
func keyOf(t *testing.T, d Desk, rule string, s rules.Sample) (string, ledger.Status) {
	t.Helper()
	e, err := s.Event()
	if err != nil {
		t.Fatal(err)
	}
	res, err := d.Intake.Claim(t.Context(), intake.Source{Rule: rule, Event: &e}, intake.Options{})
	if err != nil {
		t.Fatalf("claim under %s: %v", rule, err)
	}
	return res.Items[0].Answer.Key, res.Items[0].Answer.Status
}

func stripe(t *testing.T) presets.Preset { return preset(t, "stripe") }

func preset(t *testing.T, name string) presets.Preset {
	t.Helper()
	p, ok := presets.BySender(name)
	if !ok {
		t.Fatalf("no preset %s", name)
	}
	return p
}

// A newcomer pastes, takes the suggestion, uses it: three clicks, and a question, since
// one sample proves nothing.
func TestPastedStripeEventIsAGoodKeyInThreeClicks(t *testing.T) {
	d := newDesk(t)
	p := stripe(t)
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {p.Rule.Samples[0].Body}})
	dr.wants("Suggested key", "Use this suggestion", "Stops repeats of one message", "Once per order, charge or item", "Source: Stripe")
	if got := dr.formula(); got != "" {
		t.Errorf("a new rule has the formula %q", got)
	}

	dr.do(http.StatusOK, "suggest", "formula", `key("stripe", body.id)`)
	dr.wants("stripe:evt_3TbGBUJEe0yY0QKr1eTEBGsV", "With one sample nothing can be proved.", "Use a key that nothing has proved yet?")
	dr.lacks("Looks like an id")

	w := dr.do(http.StatusOK, "use", "title", "Stripe events", "name", "", "lease", "15m", "keep", "35d", "on_expiry", "next")
	if got, want := w.Header().Get("HX-Redirect"), "/design/rule?rule=stripe-events&saved=1"; got != want {
		t.Errorf("leads to %q, want %q", got, want)
	}
	dr.open("/design/rule?rule=stripe-events&saved=1")
	dr.wants("The rule stripe-events is in use", `href="/steps?rule=stripe-events"`)
	if keptDraft(t, d, dr.draft) != nil {
		t.Error("the draft is still kept")
	}

	for i, want := range []ledger.Status{ledger.StatusClaimed, ledger.StatusInProgress, ledger.StatusClaimed} {
		if _, got := keyOf(t, d, "stripe-events", p.Rule.Samples[i]); got != want {
			t.Errorf("sample %d is answered %s, want %s", i+1, got, want)
		}
	}
}

func TestEachSenderToStartFromClaimsAsItsPresetSays(t *testing.T) {
	d := newDesk(t)
	for _, name := range firstSenders {
		p := preset(t, name)
		dr := startRule(t, d, url.Values{"start": {name}})
		dr.wants("Event A", "Event B", "Copy stopped, as 1", "New event, runs", "Both copies of A share one key. A and B differ.", "What is known of")
		dr.do(http.StatusOK, "use", "title", p.Title, "name", name, "lease", "15m", "keep", "35d", "on_expiry", "ask")
		key, status := keyOf(t, d, name, p.Rule.Samples[0])
		if key != p.Keys[0] || status != ledger.StatusClaimed {
			t.Errorf("%s: key %q %s, want %q claimed", name, key, status, p.Keys[0])
		}
		lr, err := d.Ledger.Rule(t.Context(), name)
		if err != nil || lr.Policy.OnExpiry != ledger.Ask || lr.Policy.Lease != 15*time.Minute || lr.Title != p.Title {
			t.Errorf("%s is kept as %+v, %v", name, lr, err)
		}
	}
}

// What is not suggested says what to add instead.
func TestNoSuggestionSaysWhatToAdd(t *testing.T) {
	d := newDesk(t)
	for _, tt := range []struct{ name, first, second, says string }{
		{"only an account", `{"user_id":7,"amount":5}`, "", "No field of this sample surely names the event"},
		{"copies alone", `{"user_id":7,"n":1}`, `{"user_id":7,"n":2}`, "Add a different event: with copies of one event alone"},
		{"a list", `[{"id":1},{"id":2}]`, "", "This sample is a list of events"},
		{"the id of a thing", `{"id":7,"type":"order.updated","updated_at":"2026-01-01T00:00:00Z"}`, "", "are what names one change of what the message is about"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {tt.first}, "take": {"one"}})
			if tt.second != "" {
				dr.do(http.StatusOK, "samples/add", "text", tt.second)
				dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo("1"), "group", "A")
			}
			dr.wants(tt.says)
		})
	}
}

// An amount that differs by chance is no good field, and the button asks.
func TestAmountAloneIsDoubted(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {`{"amount":1990}`}})
	dr.do(http.StatusOK, "samples/add", "text", `{"amount":2400}`)
	dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo("1"), "group", "+")
	dr.do(http.StatusOK, "field", "path", "body.amount")
	dr.lacks("GOOD", "A and B differ")
	dr.wants("Two different orders can have the same amount.", "Use this key all the same?")
}

const (
	tryOne = `{"id":"evt_1","type":"paid","attempt":1,"order":{"id":77,"email":"robin@example.com"},"lines":[{"id":"l1"}]}`
	tryTwo = `{"id":"evt_1","type":"paid","attempt":2,"order":{"id":77,"email":"robin@example.com"},"lines":[{"id":"l1"}]}`
	other  = `{"id":"evt_2","type":"paid","attempt":1,"order":{"id":78,"email":"kim@example.com"},"lines":[{"id":"l2"}]}`
)

// sorted is a rule with two copies and a different event, and no formula.
func sorted(t *testing.T, d Desk) *drawer {
	t.Helper()
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {tryOne}})
	dr.do(http.StatusOK, "samples/add", "text", tryTwo)
	dr.wants("Sample 2: a copy of one you have, or a different event?", "Copy of event A", "A different event")
	dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo("1"), "group", "A")
	dr.lacks("a copy of one you have, or a different event?")
	dr.do(http.StatusOK, "samples/add", "text", other)
	dr.do(http.StatusOK, "samples/group", "sample", dr.sampleNo("2"), "group", "+")
	return dr
}

func TestFieldsAreClickedAndVerdictsFixInOneClick(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	dr.wants("GOOD", "CHANGES", "SAME EVERYWHERE", "PERSONAL?", "LIST POSITION")

	dr.do(http.StatusOK, "field", "path", "body.type")
	dr.wants("Events A and B would share one key, so B would be dropped.", "Dropped, taken for 1", "Use this key all the same?")
	dr.do(http.StatusOK, "field", "path", "body.type")
	if got := dr.formula(); got != "" {
		t.Errorf("a second click leaves the formula %q", got)
	}

	dr.do(http.StatusOK, "field", "path", "body.order.id")
	dr.do(http.StatusOK, "field", "path", "body.attempt")
	if got, want := dr.formula(), "key(body.order.id, body.attempt)"; got != want {
		t.Errorf("formula %q, want %q", got, want)
	}
	dr.wants("Copies 1 and 2 of event A get different keys, because", "<code>attempt</code> changes on each try.", "Copy missed, runs again", "Remove it", `name="formula" value="key(body.order.id)"`)
	dr.do(http.StatusOK, "formula", "formula", "key(body.order.id)")
	dr.wants("Both copies of A share one key. A and B differ.", "Copy stopped, as 1")
	dr.do(http.StatusOK, "part", "act", "add", "text", "shop")
	if got, want := dr.formula(), `key("shop", body.order.id)`; got != want {
		t.Errorf("formula %q, want %q", got, want)
	}
}

func TestSamplesKeepTheirPlaceAndCanBeTakenBack(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	third := dr.sampleNo("2")
	dr.do(http.StatusOK, "samples/show", "sample", third)
	dr.wants("Values of sample 3.", "kim@example.com")
	dr.do(http.StatusOK, "samples/group", "sample", third, "group", "A")
	dr.wants("3 copies")
	first := dr.sampleNo("0")
	dr.do(http.StatusConflict, "samples/group", "sample", third, "group", "Q")
	dr.do(http.StatusOK, "samples/remove", "sample", first)
	// The form of the older page means a sample that stands elsewhere now.
	dr.do(http.StatusConflict, "samples/remove", "sample", third)
	if got := len(keptDraft(t, d, dr.draft).Rule.Samples); got != 2 {
		t.Errorf("%d samples are kept, want 2", got)
	}
}

func TestUnsortedSampleBecomesADifferentEvent(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {tryOne}})
	dr.do(http.StatusOK, "samples/add", "text", tryOne)
	dr.wants("Not sorted yet", "It is the same text as sample 1.")
	dr.lacks("Event of its own")
	dr.do(http.StatusOK, "samples/add", "text", other)
	got := keptDraft(t, d, dr.draft)
	if got.Rule.Samples[1].Group != "B" || !got.Asked || got.Rule.Samples[2].Group != "" {
		t.Errorf("groups are %q and %q, asked %v", got.Rule.Samples[1].Group, got.Rule.Samples[2].Group, got.Asked)
	}
}

func TestHeadersComeWithTheSample(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {`{"action":"opened"}`}, "headers": {"X-GitHub-Delivery: 72d3162e\r\nX-GitHub-Event: issues\r\n"}})
	dr.do(http.StatusOK, "field", "path", `headers["x-github-delivery"]`)
	dr.wants("<code class=\"key-text\">72d3162e</code>")
	dr.do(http.StatusUnprocessableEntity, "samples/add", "text", "{}", "headers", "fine: 1\nnot a header")
	dr.wants("Line 2 is not a header.", "not a header</textarea>")
}

func TestDraftOutlivesTheDesk(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	dr.do(http.StatusOK, "formula", "formula", "key(body.order.id")
	store, err := sqlite.Open(d.KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	again := d
	again.Ledger = ledger.New(store, d.Clock.(*ledgertest.Clock), nil)
	again.Intake = intake.New(again.Ledger, d.Rules)
	t.Cleanup(func() {
		if err := again.Ledger.Close(); err != nil {
			t.Error(err)
		}
	})
	later := &drawer{seat: sit(t, again, "Kim", session.Change), draft: dr.draft}
	later.open("/design")
	later.wants("Drafts", "3 samples", "/design/rule?draft="+dr.draft)
	later.open("/design/rule?draft=" + dr.draft)
	if got, want := later.formula(), "key(body.order.id"; got != want {
		t.Errorf("formula %q after a restart, want %q", got, want)
	}
	later.wants("Event A", "Event B")
}

// Drafts are kept for years; this is how the first release wrote one.
func TestFirstDraftsCanBeRead(t *testing.T) {
	d := newDesk(t)
	text := `{"id":"new-00112233aabbccdd","rule":{"Title":"Paid","Key":"key(body.id)","Lease":900000000000,"OnExpiry":"ask",` +
		`"Samples":[{"Group":"A","Headers":{"x-a":"1"},"Body":"{\"id\":1}"}]},"blocks":"key(body.id)","added":1,"saved_at":"2026-11-30T14:00:00Z"}`
	if err := d.Ledger.PutSetting(context.Background(), "draft/new-00112233aabbccdd", text); err != nil {
		t.Fatal(err)
	}
	dr := &drawer{seat: sit(t, d, "Robin", session.Change), draft: "new-00112233aabbccdd"}
	dr.open("/design/rule?draft=new-00112233aabbccdd")
	dr.wants("Paid", "15 minutes", `value="ask" checked`, "Event A")
	if got := dr.formula(); got != "key(body.id)" {
		t.Errorf("formula %q", got)
	}
}

func TestLargeSampleIsRefusedAndNothingIsLost(t *testing.T) {
	d := newDesk(t)
	dr := sorted(t, d)
	before := keptDraft(t, d, dr.draft)
	for _, size := range []int{guard.MaxSampleBody + 1, 4 * guard.MaxSampleBody} {
		w := dr.do(http.StatusRequestEntityTooLarge, "samples/add", "text", `{"a":"`+strings.Repeat("x", size)+`"}`)
		if !strings.Contains(w.Body.String(), "larger than") {
			t.Errorf("%d bytes are refused without a sentence: %s", size, w.Body)
		}
	}
	if after := keptDraft(t, d, dr.draft); len(after.Rule.Samples) != len(before.Rule.Samples) {
		t.Errorf("%d samples after a refusal, %d before", len(after.Rule.Samples), len(before.Rule.Samples))
	}
	// As a form each of these bytes takes three, and it is still one sample.
	body := `{"a":"` + strings.Repeat("é", 200_000) + `"}`
	dr.do(http.StatusOK, "samples/add", "text", body)
	for range 8 {
		w := dr.post("/design/samples/add", url.Values{"draft": {dr.draft}, "text": {`{"a":"` + strings.Repeat("é", 500_000) + `"}`}})
		if w.Code == http.StatusUnprocessableEntity {
			if !strings.Contains(w.Body.String(), "as many samples as it can keep") {
				t.Errorf("no sentence for a full draft")
			}
			return
		}
	}
	t.Error("a draft takes more samples than a setting holds")
}
