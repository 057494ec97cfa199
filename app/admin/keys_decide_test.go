package admin

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
	"github.com/google/go-cmp/cmp"
)

const oneKey = "/keys/one?rule=default&key="

// drawnForm returns the form of one answer as the page carries it.
func drawnForm(t *testing.T, body, decision string) url.Values {
	t.Helper()
	for _, part := range strings.Split(body, "<form")[1:] {
		part, _, _ = strings.Cut(part, "</form>")
		form := url.Values{}
		for _, m := range hiddenIn.FindAllStringSubmatch(part, -1) {
			form.Set(m[1], html.UnescapeString(m[2]))
		}
		if form.Get("decision") == decision || (decision == "forget" && strings.Contains(part, "/keys/forget")) {
			form.Set("why", "I looked at the invoices.")
			return form
		}
	}
	t.Fatalf("no form for %q on the page", decision)
	return nil
}

func TestNeedsADecisionOnceTheTimeIsOver(t *testing.T) {
	d := newDesk(t)
	grantKey(t, d, "stripe:in_77:invoice.paid", "8841")
	at := sit(t, d, "Mira", session.Decide)
	address := oneKey + "stripe:in_77:invoice.paid"

	move(d, 14*time.Minute)
	body := at.get(address).Body.String()
	wantTold(t, body, "In progress", "Reserved by run 8841", "14 minutes used", "60 seconds left", "Decide before the time is over…")
	wantAbsent(t, body, "Did the work happen?", "The time allowed is over")

	move(d, 27*time.Minute)
	body = at.get(address).Body.String()
	wantTold(t, body, "Needs a decision", "The time allowed is over, nothing came back", "15 minutes allowed", "waiting for 26 minutes",
		"Did the work happen?", "Look for in_77 in the destination", "Yes, it finished", "No, let it run again…", "I cannot tell, block it", "From now on copies are stopped",
		"It is not blocked: until you answer, the next copy that comes may run.", "the last call came 41 minutes ago")
	if !strings.Contains(body, `data-confirm-title="Let this event run again?"`) {
		t.Error("letting it run again asks nothing")
	}
}

func TestDecideEachWay(t *testing.T) {
	for decision, want := range map[string]struct {
		said, word, history string
		next                ledger.Status // what the next copy is told
	}{
		"finished": {"Marked as finished. Copies stay stopped.", "Finished", "Mira marked it as finished", ledger.StatusDone},
		"again":    {"The next copy may run.", "Waiting for another try", "Mira let it run again", ledger.StatusClaimed},
		"block":    {"Blocked. Copies are stopped", "Needs a decision", "Mira blocked it", ledger.StatusHeld},
	} {
		t.Run(decision, func(t *testing.T) {
			d := newDesk(t)
			stuckKey(t, d, "a:1", "8841")
			at := sit(t, d, "Mira", session.Decide)
			form := drawnForm(t, at.get(oneKey+"a:1").Body.String(), decision)
			w := at.post("/keys/decide", form)
			wantCode(t, w.Code, http.StatusOK, w.Body.String())
			wantAbsent(t, w.Body.String(), "<html")
			wantTold(t, w.Body.String(), want.said, want.word, want.history, "I looked at the invoices.")
			if got := askFor(t, d, "a:1", "8842"); got != want.next {
				t.Errorf("the next copy is answered %q, want %q", got, want.next)
			}
		})
	}
}

// Only what a person had blocked comes back as it was: a decision ends what the run
// before it may say, so from any other state the way back is not there.
func TestDecisionCanBeUndoneWhereThatIsExact(t *testing.T) {
	d := newDesk(t)
	stuckKey(t, d, "a:1", "8841")
	at := sit(t, d, "Mira", session.Decide)
	w := at.post("/keys/decide", drawnForm(t, at.get(oneKey+"a:1").Body.String(), "block"))
	wantAbsent(t, w.Body.String(), "<toast-note")
	before, err := d.Ledger.Key(t.Context(), "default", "a:1")
	if err != nil {
		t.Fatal(err)
	}
	w = at.post("/keys/decide", drawnForm(t, w.Body.String(), "finished"))
	_, toast, found := strings.Cut(w.Body.String(), "<toast-note")
	if !found {
		t.Fatal("no message with Undo")
	}
	w = at.post("/keys/decide", drawnForm(t, toast, "block"))
	wantCode(t, w.Code, http.StatusOK, w.Body.String())
	wantTold(t, w.Body.String(), "Needs a decision", "Did the work happen?", "It is blocked as before, until somebody decides.")
	after, err := d.Ledger.Key(t.Context(), "default", "a:1")
	if err != nil {
		t.Fatal(err)
	}
	after.Key.ChangedAt = before.Key.ChangedAt // when it was taken back
	if diff := cmp.Diff(before.Key, after.Key); diff != "" {
		t.Errorf("the key is not as it was (-before +after):\n%s", diff)
	}
}

func TestDecisionIsNotUndoneWhereTheWayBackIsNotThere(t *testing.T) {
	for name, prepare := range map[string]func(*testing.T, Desk, seat){
		"time over": func(*testing.T, Desk, seat) {},
		"given back": func(t *testing.T, d Desk, _ seat) {
			giveBack(t, d, "a:1", askAgain(t, d, "a:1"), "HTTP 503")
		},
		"let run again": func(t *testing.T, _ Desk, at seat) {
			at.post("/keys/decide", drawnForm(t, at.get(oneKey+"a:1").Body.String(), "again"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			stuckKey(t, d, "a:1", "8841")
			at := sit(t, d, "Mira", session.Decide)
			prepare(t, d, at)
			w := at.post("/keys/decide", drawnForm(t, at.get(oneKey+"a:1").Body.String(), "finished"))
			wantCode(t, w.Code, http.StatusOK, w.Body.String())
			wantTold(t, w.Body.String(), "Marked as finished.")
			wantAbsent(t, w.Body.String(), "<toast-note", "Undo")
		})
	}
}

// askAgain claims a key whose run before is out of time, and returns the token.
func askAgain(t *testing.T, d Desk, key string) string {
	t.Helper()
	return grantKey(t, d, key, "8842").Token
}

// A reason is the person's own: the page holds none, and none is refused at the field.
func TestReasonIsNotWrittenByThePage(t *testing.T) {
	d := newDesk(t)
	stuckKey(t, d, "a:1", "8841")
	at := sit(t, d, "Mira", session.Decide)
	body := at.get(oneKey + "a:1").Body.String()
	for _, decision := range []string{"finished", "again", "block"} {
		field := regexp.MustCompile(`<input[^>]*id="why-` + decision + `"[^>]*>`).FindString(body)
		if !strings.Contains(field, ` value=""`) || !strings.Contains(field, " required") || !strings.Contains(field, `placeholder="Such as: `) {
			t.Errorf("the reason's field is %s", field)
		}
		form := drawnForm(t, body, decision)
		form.Set("why", " ")
		w := at.post("/keys/decide", form)
		wantCode(t, w.Code, http.StatusUnprocessableEntity, w.Body.String())
		if !strings.Contains(w.Body.String(), `id="why-`+decision+`-fault"`) {
			t.Errorf("%s: no sentence at the field", decision)
		}
	}
}

func TestWhatChangedMeanwhileIsLeftAlone(t *testing.T) {
	d := newDesk(t)
	a := grantKey(t, d, "a:1", "8841")
	move(d, 18*time.Minute)
	at := sit(t, d, "Mira", session.Change)
	body := at.get(oneKey + "a:1").Body.String()
	finishKey(t, d, "a:1", a.Token)
	move(d, 7*time.Second)
	for _, decision := range []string{"again", "finished", "block", "forget"} {
		path := "/keys/decide"
		if decision == "forget" {
			path = "/keys/forget"
		}
		w := at.post(path, drawnForm(t, body, decision))
		wantCode(t, w.Code, http.StatusUnprocessableEntity, w.Body.String())
		wantTold(t, w.Body.String(), "Run 8841 finished it 7 seconds ago. Nothing was changed.")
	}
	life, err := d.Ledger.Key(t.Context(), "default", "a:1")
	if err != nil {
		t.Fatal(err)
	}
	if life.Key.State != ledger.Done || len(life.Key.Result) == 0 {
		t.Errorf("state %q, result %q: the run's finish was overwritten", life.Key.State, life.Key.Result)
	}
}

func TestForgottenMeanwhile(t *testing.T) {
	d := newDesk(t)
	stuckKey(t, d, "a:1", "8841")
	at := sit(t, d, "Mira", session.Change)
	body := at.get(oneKey + "a:1").Body.String()
	w := at.post("/keys/forget", drawnForm(t, body, "forget"))
	wantCode(t, w.Code, http.StatusOK, w.Body.String())
	wantTold(t, w.Body.String(), "Forgotten")
	w = at.post("/keys/decide", drawnForm(t, body, "finished"))
	wantCode(t, w.Code, http.StatusUnprocessableEntity, w.Body.String())
	wantTold(t, w.Body.String(), "It was forgotten meanwhile")
	if got := askFor(t, d, "a:1", "8842"); got != ledger.StatusClaimed {
		t.Errorf("after forgetting, a copy is answered %q, want claimed", got)
	}
}

func TestFinishedKeyRunsAgainOnPurposeOnly(t *testing.T) {
	d := newDesk(t)
	finishKey(t, d, "a:1", grantKey(t, d, "a:1", "8841").Token)
	at := sit(t, d, "Mira", session.Decide)
	body := at.get(oneKey + "a:1").Body.String()
	wantTold(t, body, "Finished by run 8841", "Run it again on purpose…", `"id": 9007199254740993`)
	wantAbsent(t, body, `value="block"`, `value="finished"`)
	form := drawnForm(t, body, "again")
	form.Set("why", "  ")
	w := at.post("/keys/decide", form)
	wantCode(t, w.Code, http.StatusUnprocessableEntity, w.Body.String())
	wantTold(t, w.Body.String(), "Say in a few words why.")
	if got := askFor(t, d, "a:1", "8842"); got != ledger.StatusDone {
		t.Fatalf("without a reason the key changed: a copy is answered %q", got)
	}
	form.Set("why", "The invoice was deleted by hand.")
	w = at.post("/keys/decide", form)
	wantCode(t, w.Code, http.StatusOK, w.Body.String())
	if got := askFor(t, d, "a:1", "8843"); got != ledger.StatusClaimed {
		t.Errorf("a copy is answered %q, want claimed", got)
	}
}

func TestDecisionsAskForARole(t *testing.T) {
	d := newDesk(t)
	stuckKey(t, d, "a:1", "8841")
	form := drawnForm(t, sit(t, d, "Mira", session.Change).get(oneKey+"a:1").Body.String(), "finished")

	look := sit(t, d, "Ben", session.Look)
	body := look.get(oneKey + "a:1").Body.String()
	wantTold(t, body, "Did the work happen?", "You may look, but not answer.")
	wantAbsent(t, body, "/keys/decide", "/keys/forget")
	wantCode(t, look.post("/keys/decide", form).Code, http.StatusForbidden, "")

	decide := sit(t, d, "Ana", session.Decide)
	wantAbsent(t, decide.get(oneKey+"a:1").Body.String(), "/keys/forget")
	wantCode(t, decide.post("/keys/forget", form).Code, http.StatusForbidden, "")

	decide.header = "wrong"
	wantCode(t, decide.post("/keys/decide", form).Code, http.StatusUnauthorized, "")
	life, err := d.Ledger.Key(t.Context(), "default", "a:1")
	if err != nil {
		t.Fatal(err)
	}
	if life.Key.State != ledger.Claimed || len(life.Events) != 1 {
		t.Errorf("state %q with %d events: somebody decided without the role", life.Key.State, len(life.Events))
	}
}

func TestDecideRefusesFormsOfUnknownOrigin(t *testing.T) {
	d := newDesk(t)
	stuckKey(t, d, "a:1", "8841")
	at := sit(t, d, "Mira", session.Change)
	good := drawnForm(t, at.get(oneKey+"a:1").Body.String(), "finished")
	for name, change := range map[string]func(url.Values){
		"no fence":         func(f url.Values) { f.Del("fence") },
		"fence as text":    func(f url.Values) { f.Set("fence", "one") },
		"no state":         func(f url.Values) { f.Del("state") },
		"unknown decision": func(f url.Values) { f.Set("decision", "forget") },
		"no decision":      func(f url.Values) { f.Del("decision") },
		"unknown rule":     func(f url.Values) { f.Set("rule", "no-such") },
		"long reason":      func(f url.Values) { f.Set("why", strings.Repeat("x", 301)) },
	} {
		form := url.Values{}
		for k, v := range good {
			form[k] = v
		}
		change(form)
		if w := at.post("/keys/decide", form); w.Code/100 != 4 {
			t.Errorf("%s: status %d", name, w.Code)
		}
	}
	if life, err := d.Ledger.Key(t.Context(), "default", "a:1"); err != nil || life.Key.State != ledger.Claimed {
		t.Errorf("state %q, %v: want it untouched", life.Key.State, err)
	}
}
