package api_test

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger/sqlite"

	_ "modernc.org/sqlite"
)

// TestHeadersThatDifferInCaseHaveOneMeaning: such an event got a key by chance,
// and so was granted several times.
func TestHeadersThatDifferInCaseHaveOneMeaning(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"hd","key":"key(header(\"X-Id\"))"}`)
	const event = `{"rule":"hd","event":{},"headers":{"X-Id":"1","x-id":"2","X-ID":"3"}}`
	for range 20 {
		h.send(call{path: "/v1/claim", body: event})
	}
	if n := h.count("hd"); n != 1 {
		t.Errorf("one event has %d keys", n)
	}
}

// TestResultKeepsItsType: a record's id must not become a number.
func TestResultKeepsItsType(t *testing.T) {
	for _, tt := range []struct{ name, kind, body, want string }{
		{"text like a number", "", `{"key":"k","owner":"o","result":"12e5"}`, `"12e5"`},
		{"text of many digits", "", `{"key":"k","owner":"o","result":"9007199254740993"}`, `"9007199254740993"`},
		{"text null", "", `{"key":"k","owner":"o","result":"null"}`, `"null"`},
		{"text like an object", "", `{"key":"k","owner":"o","result":"{\"id\":7}"}`, `"{\"id\":7}"`},
		{"object", "", `{"key":"k","owner":"o","result":{"id":9007199254740993}}`, `{"id":9007199254740993}`},
		{"form, digits", form, "key=k&owner=o&result=12e5", `"12e5"`},
		{"form, object", form, `key=k&owner=o&result={"id":7}`, `{"id":7}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := newHouse(t)
			h.send(call{path: "/v1/claim", body: `{"key":"k","owner":"o"}`})
			if a := h.send(call{path: "/v1/done", kind: tt.kind, body: tt.body}); a.code != http.StatusOK || !strings.Contains(a.raw, `"result":`+tt.want) {
				t.Errorf("%d %s, want result %s", a.code, a.raw, tt.want)
			}
		})
	}
}

// TestMissingPartIsRefused: with a part left out, different events would share
// one key and all but the first be lost.
func TestMissingPartIsRefused(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"pg","key":"key(\"shop\", body.id)"}`)
	for _, tt := range []struct {
		name, body string
		code       int
		key        string
	}{
		{"numbered", "rule=pg&part.1=shop&part.2=7", http.StatusOK, "shop:7"},
		{"by its plain name", "rule=pg&part=shop&part=8", http.StatusOK, "shop:8"},
		{"last one left out", "rule=pg&part.1=shop", http.StatusBadRequest, ""},
		{"gap", "rule=pg&part.1=shop&part.3=7", http.StatusBadRequest, ""},
		{"one too many", "rule=pg&part.1=shop&part.2=7&part.3=8", http.StatusBadRequest, ""},
		{"both ways", "rule=pg&part.1=shop&part=7", http.StatusBadRequest, ""},
	} {
		if a := h.send(call{path: "/v1/claim", kind: form, body: tt.body}); a.code != tt.code || a.text("key") != tt.key {
			t.Errorf("%s: %d %s, want %d with key %q", tt.name, a.code, a.raw, tt.code, tt.key)
		}
	}
	if n := h.count("pg"); n != 2 {
		t.Errorf("%d keys, want the two good ones", n)
	}
}

// TestReadyKeyIsFoldedWhereTheRuleIgnoresCapitals, at the claim and the report.
func TestReadyKeyIsFoldedWhereTheRuleIgnoresCapitals(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"fold","key":"key(body.id)","fold_case":true}`)
	h.send(call{path: "/v1/claim", body: `{"rule":"fold","event":{"id":"EVT_A"},"owner":"o"}`})
	if a := h.send(call{path: "/v1/claim", body: `{"rule":"fold","key":"EVT_A"}`}); a.text("status") != "in_progress" {
		t.Errorf("the same key in capitals: %s", a.raw)
	}
	if a := h.send(call{path: "/v1/done", body: `{"rule":"fold","key":"EVT_A","owner":"o"}`}); a.code != http.StatusOK {
		t.Errorf("done in capitals: %d %s", a.code, a.raw)
	}
}

func TestQueryNameThatComesTwiceIsRefused(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"q","key":"key(query.id)"}`)
	if a := h.send(call{path: "/v1/rules/q/claim?id=1&id=2", body: "{}"}); a.code != http.StatusBadRequest {
		t.Errorf("%d %s, want 400", a.code, a.raw)
	}
	if n := h.count("q"); n != 0 {
		t.Errorf("%d keys were made", n)
	}
}

// TestLockedFileIsAnswered503: another program holds the file for longer than a
// call may take; the caller is told to try again, and nothing was granted.
func TestLockedFileIsAnswered503(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	store, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	h := newHouseOn(t, store)
	h.send(call{path: "/v1/claim", body: `{"key":"before"}`})
	other, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	tx, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	released := time.AfterFunc(25*time.Second, func() { _ = tx.Rollback() })
	defer released.Stop()
	a := h.send(call{path: "/v1/batch", body: `{"op":"claim","items":[{"key":"b1"},{"key":"b2"},{"key":"b3"}]}`})
	_ = tx.Rollback()
	if a.code != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" || a.members["run"] != false {
		t.Errorf("%d %s, want 503 with Retry-After", a.code, a.raw)
	}
	if n := h.count("default"); n != 1 {
		t.Errorf("%d keys, want the one made before the lock", n)
	}
}

// TestAnOwnerOfSpacesIsNone: a field that is empty by mistake gave every copy of an
// event the same owner, and so the same grant again.
func TestAnOwnerOfSpacesIsNone(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"pay","key":"key(body.id)"}`)
	for _, c := range []call{
		{path: "/v1/claim", body: `{"key":"a","owner":" "}`},
		{path: "/v1/claim", kind: form, body: "key=a&owner=%20%09"},
		{path: "/v1/claim", body: `{"key":"a","owner":"\u200b"}`},
		{path: "/v1/rules/pay/claim?owner=%20", body: `{"id":1}`},
		{path: "/v1/done", body: `{"key":"a","owner":" "}`},
	} {
		if a := h.send(c); a.code != http.StatusBadRequest || !strings.Contains(a.raw, `"field":"owner"`) || !strings.Contains(a.raw, `"run":false`) {
			t.Errorf("%s %s: %d %s", c.path, c.body, a.code, a.raw)
		}
	}
	if n := h.count("pay"); n != 0 {
		t.Errorf("%d keys were made", n)
	}
}

// TestADecimalIsNoReadyKey: as JSON 1.50 is 1.5, as a form it is 1.50, and one event
// would have two keys.
func TestADecimalIsNoReadyKey(t *testing.T) {
	h := newHouse(t)
	if a := h.send(call{path: "/v1/claim", body: `{"key":1.50}`}); a.code != http.StatusBadRequest || !strings.Contains(a.raw, "Put it in quotes") {
		t.Errorf("%d %s", a.code, a.raw)
	}
	for _, c := range []call{{path: "/v1/claim", body: `{"key":"1.50","owner":"o"}`}, {path: "/v1/claim", kind: form, body: "key=1.50&owner=o"}, {path: "/v1/claim?key=1.50&owner=o"}} {
		if a := h.send(c); a.code != http.StatusOK || !strings.Contains(a.raw, `"key":"1.50"`) {
			t.Errorf("%s %s: %d %s", c.path, c.body, a.code, a.raw)
		}
	}
	if n := h.count("default"); n != 1 {
		t.Errorf("one key became %d", n)
	}
}

// TestABatchTakesNoIdempotencyKey: it was passed over in silence.
func TestABatchTakesNoIdempotencyKey(t *testing.T) {
	h := newHouse(t)
	a := h.send(call{path: "/v1/batch", body: `{"op":"claim","items":[{"key":"a"}]}`, header: []string{"Idempotency-Key", "x"}})
	if a.code != http.StatusBadRequest || h.count("default") != 0 {
		t.Errorf("%d %s", a.code, a.raw)
	}
}

// TestALookBackSaysWhatItDoesNotReach: where a list is split another way, old keys may
// not be found, and a script that changes the rule was not told.
func TestALookBackSaysWhatItDoesNotReach(t *testing.T) {
	h := newHouse(t)
	h.rule(`{"rule":"o","key":"key(body.id)"}`)
	h.send(call{path: "/v1/rules/o/claim?owner=r", body: `{"id":1,"l":["a","b"]}`})
	put := func(file string) answer {
		return h.send(call{method: http.MethodPut, path: "/v1/rules/o?why=copies", as: h.admin, body: file})
	}
	if a := put(`{"rule":"o","key":"key(\"o\", body.id)"}`); a.code != http.StatusOK || strings.Contains(a.raw, "look_back_note") {
		t.Errorf("%d %s", a.code, a.raw)
	}
	if a := put(`{"rule":"o","each":"body.l","key":"key(\"o\", body.id, item)"}`); a.code != http.StatusOK || !strings.Contains(a.raw, `"look_back_note":"The list is split in another way`) {
		t.Errorf("%d %s", a.code, a.raw)
	}
}

// TestATooShortLeaseNamesTheBound: it was called no time.
func TestATooShortLeaseNamesTheBound(t *testing.T) {
	h := newHouse(t)
	if a := h.send(call{path: "/v1/claim", body: `{"key":"a","lease":4}`}); a.code != http.StatusBadRequest || !strings.Contains(a.raw, "at least 5 seconds") {
		t.Errorf("%d %s", a.code, a.raw)
	}
}
