package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"dedupedesk/rules/presets"
)

func TestBrokenPasteIsMendedInOnePress(t *testing.T) {
	d := newDesk(t)
	dr := &drawer{seat: sit(t, d, "Robin", "change")}
	text := "{'id': 'evt_1',\n 'type': 'paid',\n 'n': 12345678901234567890.10,\n}"
	w := dr.post("/design/new", url.Values{"start": {"paste"}, "text": {text}})
	wantStatus(t, w, http.StatusUnprocessableEntity)
	wantTold(t, w.Body.String(), "Fix commas and quotes", "Use this", "Line 1", `{'id': 'evt_1',`, `{"id": "evt_1",`, "12345678901234567890.10", text[:5])
	dr = startRule(t, d, url.Values{"text": {text}, "take": {"fixed"}})
	if got, want := keptDraft(t, d, dr.draft).Rule.Samples[0].Body, "{\"id\": \"evt_1\",\n \"type\": \"paid\",\n \"n\": 12345678901234567890.10\n}"; got != want {
		t.Errorf("kept is %q, want %q", got, want)
	}
	// Nothing is offered where it would be a guess, and nothing typed is lost.
	dr.do(http.StatusUnprocessableEntity, "samples/add", "text", `{"a": "x`)
	dr.wants("We could not read this sample.", `{"a": "x</textarea>`)
	dr.lacks("Fix commas and quotes")
}

func TestPasteOfSeveralDeliveriesAsks(t *testing.T) {
	lines := `{"id":"evt_1","type":"paid","try":1}` + "\n" + `{"id":"evt_1","type":"paid","try":2}` + "\n" + `{"id":"evt_2","type":"paid","try":1}`
	list := "[" + strings.ReplaceAll(lines, "\n", ",") + "]"
	for _, tt := range []struct {
		name, text, take string
		samples          int
		groups           string
	}{
		{"lines", lines, "all", 3, "A A B"},
		{"first line", lines, "first", 1, "A"},
		{"list", list, "all", 3, "A A B"},
		{"list as one", list, "one", 1, "A"},
		{"rows", "id,total\n1,2\n2,3\n", "all", 2, "A B"},
		{"one id, and nothing says what happened", `[{"id":"a1","n":1},{"id":"a1","n":2},{"id":"b2","n":1}]`, "all", 3, "A  B"},
		{"mended list", strings.ReplaceAll(list, `"`, "'"), "fixed", 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := newDesk(t)
			seat := sit(t, d, "Robin", "change")
			if tt.take != "fixed" {
				w := seat.post("/design/new", url.Values{"start": {"paste"}, "text": {tt.text}})
				wantStatus(t, w, http.StatusUnprocessableEntity)
				wantTold(t, w.Body.String(), "These look like", "Add all", "Add the first alone")
			} else {
				w := seat.post("/design/new", url.Values{"take": {"fixed"}, "text": {tt.text}})
				wantStatus(t, w, http.StatusUnprocessableEntity)
				wantTold(t, w.Body.String(), "These look like 3 deliveries")
				return
			}
			dr := startRule(t, d, url.Values{"text": {tt.text}, "take": {tt.take}})
			got := keptDraft(t, d, dr.draft).Rule.Samples
			var groups []string
			for _, s := range got {
				groups = append(groups, s.Group)
			}
			if len(got) != tt.samples || strings.Join(groups, " ") != tt.groups {
				t.Errorf("%d samples in %v, want %d in %s", len(got), groups, tt.samples, tt.groups)
			}
		})
	}
}

// Many at once are sorted as few are: by what names the event, and by their text where
// nothing does.
func TestManyDeliveriesAreSorted(t *testing.T) {
	for name, line := range map[string]string{
		"by the event's id": `{"id":"evt_%d","type":"paid","try":%d}`,
		"by their text":     `{"total":%d}`,
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for i := range 120 {
				if strings.Count(line, "%") == 2 {
					fmt.Fprintf(&b, line+"\n", i/2, i)
				} else {
					fmt.Fprintf(&b, line+"\n", i/2)
				}
			}
			d := newDesk(t)
			got := keptDraft(t, d, startRule(t, d, url.Values{"text": {b.String()}, "take": {"all"}}).draft).Rule.Samples
			events := map[string]bool{}
			for i, s := range got {
				events[s.Group] = true
				if i%2 == 1 && s.Group != got[i-1].Group {
					t.Fatalf("samples %d and %d are %s and %s", i, i+1, got[i-1].Group, s.Group)
				}
			}
			if len(got) != 120 || len(events) != 60 {
				t.Errorf("%d samples of %d events", len(got), len(events))
			}
		})
	}
}

func TestTooManyDeliveriesAreToldWhereToGo(t *testing.T) {
	d := newDesk(t)
	var b strings.Builder
	for i := range 201 {
		fmt.Fprintf(&b, "{\"id\":%d}\n", i)
	}
	w := sit(t, d, "Robin", "change").post("/design/new", url.Values{"text": {b.String()}, "take": {"all"}})
	wantStatus(t, w, http.StatusUnprocessableEntity)
	wantTold(t, w.Body.String(), "These look like 201 deliveries", "A rule keeps 200 samples at most")
	wantAbsent(t, w.Body.String(), "Add all")
}

// The one question has its likely answer marked, with the reason.
func TestQuestionMarksTheLikelyAnswer(t *testing.T) {
	d := newDesk(t)
	p := stripe(t)
	for _, tt := range []struct{ name, body, why, primary string }{
		{"the same text", p.Rule.Samples[0].Body, "It is the same text as sample 1.", "Copy of event A"},
		{"a copy", p.Rule.Samples[1].Body, "It has the same id as sample 1, so it is probably a copy.", "Copy of event A"},
		{"another event", p.Rule.Samples[2].Body, "No other sample has its id, so it is probably a different event.", "A different event"},
		{"something else", `{"hello":1}`, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dr := startRule(t, d, url.Values{"text": {p.Rule.Samples[0].Body}})
			dr.do(http.StatusOK, "samples/add", "text", tt.body)
			dr.wants("a copy of one you have, or a different event?", tt.why)
			ask := dr.shown[strings.Index(dr.shown, `class="ask"`):]
			ask = ask[:strings.Index(ask, "</form>")]
			marked := ""
			for _, button := range strings.Split(ask, "<button")[1:] {
				if strings.Contains(button, "btn-primary") {
					marked += button
				}
			}
			if tt.primary == "" && marked != "" || !strings.Contains(marked, tt.primary) {
				t.Errorf("marked is %q, want %q", marked, tt.primary)
			}
		})
	}
}

func TestSendersSamplesComeSorted(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {tryOne}})
	dr.do(http.StatusOK, "samples/sender", "sender", "github")
	dr.lacks("a copy of one you have, or a different event?")
	var groups []string
	for _, s := range keptDraft(t, d, dr.draft).Rule.Samples {
		groups = append(groups, s.Group)
	}
	if got, want := strings.Join(groups, " "), "A B B C"; got != want {
		t.Errorf("groups are %s, want %s", got, want)
	}
	dr.do(http.StatusBadRequest, "samples/sender", "sender", "nobody")
	dr.do(http.StatusBadRequest, "samples/sender", "sender", "github/nothing")
}

func TestEverySenderCanBeStartedFrom(t *testing.T) {
	d := newDesk(t)
	list, err := senderViews()
	if err != nil || len(list) < len(firstSenders) {
		t.Fatalf("%d senders, %v", len(list), err)
	}
	var first []string
	for _, s := range list {
		if s.First {
			first = append(first, s.Sender)
		}
	}
	if got := strings.Join(first, " "); got != strings.Join(firstSenders[:], " ") {
		t.Errorf("first are %s", got)
	}
	for _, s := range list {
		dr := startRule(t, d, url.Values{"start": {s.Sender}})
		if got := keptDraft(t, d, dr.draft).Rule; len(got.Samples) < 3 || got.Key == "" {
			t.Errorf("%s: %d samples, formula %q", s.Sender, len(got.Samples), got.Key)
		}
	}
}

// A paste with a repeated id and nothing that says what happened is asked about: a key
// that took the two for different events would run a resend twice.
func TestRepeatedIDIsAskedAbout(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {`[{"id":"a1","n":1},{"id":"a1","n":2},{"id":"b2","n":1}]`}, "take": {"all"}})
	const question = "are they copies of one event, or different events?"
	dr.wants(question, "Not sorted yet")
	dr.lacks("body.n)")
	dr.do(http.StatusOK, "formula", "formula", `key("event", body.id, body.n)`)
	dr.wants(question, "This key takes them for different events: each would run.")
	dr.lacks("All 3 events differ")
	second := keptDraft(t, d, dr.draft).Rule.Samples[1]
	dr.do(http.StatusOK, "samples/group", "sample", sampleID(1, second), "group", "A")
	dr.lacks(question)
	dr.wants("Copies 1 and 2 of event A get different keys")
}

// A list that its sender is known to send is one delivery: that is offered first.
func TestListOfAKnownSenderIsOneDelivery(t *testing.T) {
	p, ok := presets.BySender("sendgrid")
	if !ok {
		t.Fatal("there is no such preset")
	}
	d := newDesk(t)
	w := sit(t, d, "Robin", "change").post("/design/new", url.Values{"start": {"paste"}, "text": {p.Rule.Samples[0].Body}})
	wantStatus(t, w, http.StatusUnprocessableEntity)
	wantTold(t, w.Body.String(), "This looks like one delivery of "+p.Name, "Add it as one delivery with a list", "apart", "Add the first alone")
	if body := w.Body.String(); strings.Index(body, `value="one"`) > strings.Index(body, `value="all"`) {
		t.Error("to add all comes first")
	}
	dr := startRule(t, d, url.Values{"text": {p.Rule.Samples[0].Body}, "take": {"one"}})
	dr.wants("item.sg_event_id")
}

// What is no JSON is named as what it is, not as JSON with a fault; a curl command is read.
func TestPasteThatIsNoJSONIsNamed(t *testing.T) {
	seat := sit(t, newDesk(t), "Robin", "change")
	for text, says := range map[string]string{
		"<order><id>7</id></order>":             "This is XML. Dedupe Desk reads JSON, forms, CSV rows and requests",
		"<!doctype html><html></html>":          "This is HTML",
		"Dear Robin, your order is on its way":  "This is plain text",
		"curl https://h.example -d @event.json": "This command sends what is not in it",
	} {
		w := seat.post("/design/new", url.Values{"start": {"paste"}, "text": {text}})
		wantStatus(t, w, http.StatusUnprocessableEntity)
		wantTold(t, w.Body.String(), says)
		wantAbsent(t, w.Body.String(), "A value is missing", "Text must stand in double quotes")
	}
	dr := startRule(t, newDesk(t), url.Values{"text": {"curl https://h.example -H 'X-Event-Id: 7' -d '{\"id\":1}'"}})
	dr.wants("x-event-id", "body.id")
}
