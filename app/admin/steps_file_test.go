package admin

import (
	"encoding/json"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/exporters"
	"dedupedesk/exporters/makecom"
)

func TestBlueprintIsADownloadInABrowserAndTextInTheWindow(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, paidRule)
	s := sit(t, d, "Ana", session.Change)
	form := url.Values{"rule": {"paid-invoices"}, "tool": {"make"}, "detail.computer": {"always"}}
	wantStatus(t, s.post("/steps/answer", form), http.StatusOK)
	address := "/steps/file?rule=paid-invoices&tool=make&name="
	if w := s.get(address + "make-paid-invoices.blueprint.json"); w.Code != http.StatusConflict {
		t.Errorf("a file without an address: status %d, want 409", w.Code)
	}
	form.Set("detail.address", "https://dedupe.example.com")
	body := wantStatus(t, s.post("/steps/details", form), http.StatusOK)
	m := regexp.MustCompile(`href="(/steps/file[^"]+)"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatal("no download on the page")
	}
	w := s.get(html.UnescapeString(m[1]))
	data := wantStatus(t, w, http.StatusOK)
	if got := w.Header().Get("Content-Disposition"); !strings.HasPrefix(got, "attachment; filename=") || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("disposition %q, type %q", got, w.Header().Get("Content-Type"))
	}
	if !json.Valid([]byte(data)) || !strings.Contains(data, "https://dedupe.example.com/v1/") {
		t.Errorf("no blueprint: %.200s", data)
	}
	for _, f := range makecom.Validate([]byte(data)) {
		if f.Result == exporters.Fail {
			t.Errorf("blueprint: %s: %s", f.Where, f.Text)
		}
	}
	// The step that says to import it has it, so nobody looks for it further down.
	part, _ := stepHTML(t, body, "import")
	if got := shown(t, part, "step-import-file"); got != data {
		t.Error("the text in the step is not the file")
	}
	if !strings.Contains(part, `download="make-paid-invoices.blueprint.json"`) || strings.Count(body, `href="/steps/file`) != 1 {
		t.Error("the download is not in the step, or not there alone")
	}
	if strings.Contains(part, `id="step-import-value"`) {
		t.Error("the step offers the file's name for copying")
	}

	r := httptest.NewRequest(http.MethodGet, "/steps?rule=paid-invoices&tool=make", nil)
	r.Header.Set("X-Dedupe-Window", "window-secret")
	body = wantStatus(t, s.send(r), http.StatusOK)
	if strings.Contains(body, "/steps/file") || strings.Contains(body, `target="_blank"`) {
		t.Error("the native window, which saves no files and opens no links, is offered one")
	}
	part, _ = stepHTML(t, body, "import")
	if got := shown(t, part, "step-import-file"); got != data {
		t.Error("the text in the window is not the file")
	}
	if !strings.Contains(part, `<copy-button for="step-import-file">`) {
		t.Error("the window has no copy of the file's text in the step")
	}

	form.Set("detail.address", "http://dedupe.example.com")
	part, _ = stepHTML(t, wantStatus(t, s.post("/steps/details", form), http.StatusUnprocessableEntity), "import")
	if strings.Contains(part, "/steps/file") || strings.Contains(part, "copy-button") {
		t.Error("the file of the address before is offered beside a wrong one")
	}
}

func TestChangedFormulaCallsTheImportedFileIntoQuestion(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, paidRule)
	s := sit(t, d, "Ana", session.Change)
	form := url.Values{"rule": {"paid-invoices"}, "tool": {"make"}, "detail.computer": {"always"}, "detail.address": {"https://dedupe.example.com"}}
	wantStatus(t, s.post("/steps/answer", form), http.StatusOK)
	wantStatus(t, s.post("/steps/details", form), http.StatusOK)
	form.Set("step", "import")
	form.Set("done", "yes")
	wantStatus(t, s.post("/steps/tick", form), http.StatusOK)
	putRule(t, d, strings.Replace(paidRule, `key("stripe",`, `key("orders",`, 1))
	if _, state := stepHTML(t, wantStatus(t, s.get("/steps?rule=paid-invoices&tool=make"), http.StatusOK), "import"); state != "again" {
		t.Errorf("the import is %q although the file changed", state)
	}
}
