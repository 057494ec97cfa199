package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
)

func TestReadyRequestsAreForTheChosenRule(t *testing.T) {
	d := newDesk(t)
	at := sit(t, d, "Robin", session.Change)
	plain := at.get("/connect").Body.String()
	wantTold(t, plain, "--data-urlencode 'rule=default'", "Give the event key when you run it", "Plain keys (no rule)")
	wantAbsent(t, plain, `id="request-kind"`, "rules/default/claim")

	putRule(t, d, "rule: paid\ntitle: Paid invoices\nkey: key(\"stripe\", body.id)\n")
	putRule(t, d, "rule: lines\ntitle: Order lines\nkey: key(\"shop\", item.id)\neach: body.lines\n")
	for _, tt := range []struct {
		query string
		says  []string
		lacks []string
	}{
		{"", []string{"/v1/rules/lines/claim?owner=", "Tools that cannot take a list apart are left out here."}, []string{`id="tool-curl"`, `id="tool-n8n"`}},
		{"?rule=paid", []string{"rules/paid/claim?owner=", "Give the file that holds the event"}, []string{"rule=lines&amp;kind"}},
		{"?rule=paid&kind=key", []string{"--data-urlencode 'rule=paid'", "Give the event key when you run it"}, []string{"rules/paid/claim"}},
		{"?rule=paid&tool=n8n", []string{`/v1/rules/paid/claim`, "$json.body ?? $json"}, nil},
		{"?rule=default", []string{"--data-urlencode 'rule=default'"}, []string{`id="request-kind"`}},
		{"?rule=default&kind=event", []string{"--data-urlencode 'rule=default'"}, []string{"rules/default/claim"}},
		{"?rule=nobody", []string{"--data-urlencode 'rule=default'"}, []string{"nobody"}},
	} {
		w := at.get("/connect" + tt.query)
		wantCode(t, w.Code, http.StatusOK, w.Body.String())
		wantTold(t, w.Body.String(), tt.says...)
		wantAbsent(t, w.Body.String(), tt.lacks...)
	}
	if body := at.get("/connect?rule=paid&kind=key").Body.String(); !strings.Contains(body, `href="/connect?rule=paid&amp;kind=key&amp;tool=node#requests"`) {
		t.Error("the tools forget rule and kind")
	}
}

// Controls that a role may not use are not there, and the page says why in words.
func TestConnectShowsARoleWhatItMayUse(t *testing.T) {
	d := newDesk(t)
	for _, tt := range []struct {
		role        session.Role
		try, change bool
		bounds      string
	}{
		{session.Look, false, false, "You may look at everything, but not change anything."},
		{session.Decide, true, false, "You may decide on keys and try the address."},
		{session.Change, true, true, ""},
	} {
		at := sit(t, d, "Kim", tt.role)
		body := at.get("/connect").Body.String()
		if got := strings.Contains(body, "/connect/try"); got != tt.try {
			t.Errorf("%s: Try it now is there: %v", tt.role, got)
		}
		if got := strings.Contains(body, "/connect/token"); got != tt.change {
			t.Errorf("%s: passwords can be changed: %v", tt.role, got)
		}
		wantTold(t, body, tt.bounds)
		wantAbsent(t, body, "Your role", "&#34;look&#34;")
		form := url.Values{"act": {"reserve"}, "rule": {"default"}, "key": {"test:hello"}}
		if got := at.post("/connect/try", form).Code == http.StatusOK; got != tt.try {
			t.Errorf("%s: a press of Reserve is answered: %v", tt.role, got)
		}
	}
}

func TestPasswordFaultSpeaksOfAPassword(t *testing.T) {
	d := newDesk(t)
	w := sit(t, d, "Robin", session.Change).post("/connect/token", url.Values{"act": {"new"}, "name": {strings.Repeat("x", 65)}})
	wantCode(t, w.Code, http.StatusUnprocessableEntity, w.Body.String())
	wantTold(t, w.Body.String(), "The name of a password is 1 to 64 characters")
}

func TestPagesNameTheCommandThatWorksHere(t *testing.T) {
	d := newDesk(t)
	d.Open = "go run ./app open --data /tmp/a"
	at := sit(t, d, "Robin", session.Change)
	if body := at.get("/connect").Body.String(); !strings.Contains(body, `data-command="go run ./app open --data /tmp/a"`) {
		t.Error("the script is not told the command")
	}
	at.cookie = ""
	w := at.get("/connect")
	wantCode(t, w.Code, http.StatusUnauthorized, w.Body.String())
	wantTold(t, w.Body.String(), "go run ./app open --data /tmp/a")
}

// A password that takes the place of another may do what that one may.
func TestAReplacedPasswordKeepsItsScope(t *testing.T) {
	d := newDesk(t)
	at := sit(t, d, "Kim", session.Change)
	for _, scope := range []ledger.Scope{ledger.ScopeAdmin, ledger.ScopeClaim} {
		name := string(scope)
		if _, _, err := d.Ledger.NewToken(t.Context(), name, scope); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			w := at.post("/connect/token", url.Values{"act": {"replace"}, "name": {name}})
			wantCode(t, w.Code, http.StatusOK, w.Body.String())
		}
	}
	all, err := d.Ledger.Tokens(t.Context())
	if err != nil || len(all) != 6 {
		t.Fatalf("%d passwords, %v", len(all), err)
	}
	for _, k := range all {
		if string(k.Scope) != k.Name {
			t.Errorf("%s has the scope %s", k.Name, k.Scope)
		}
	}
}
