package api_test

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

// A brittleStore is a real store whose writes fail from the n-th on, once told to.
type brittleStore struct {
	ledger.Store
	left atomic.Int64 // writes that still work; below 0 all do
	err  atomic.Pointer[error]
}

func (s *brittleStore) Write(ctx context.Context, f func(tx ledger.Tx) error) error {
	if err := s.err.Load(); err != nil && s.left.Add(-1) < 0 {
		return *err
	}
	return s.Store.Write(ctx, f)
}

// fail lets n writes through and then none.
func (s *brittleStore) fail(n int64, err error) {
	s.left.Store(n)
	s.err.Store(&err)
}

func newBrittleHouse(t *testing.T) (*house, *brittleStore) {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	s := &brittleStore{Store: store}
	return newHouseOn(t, s), s
}

// TestPeers58NoRunWhenTheLedgerFails: whatever the fault and the profile, nobody
// is told to run, and the fault is not told to strangers.
func TestPeers58NoRunWhenTheLedgerFails(t *testing.T) {
	for name, tt := range map[string]struct {
		err              error
		code             int
		problem, waiting string
	}{
		"busy or full": {&ledger.Error{Code: ledger.Busy, Msg: "The key file is full.", Err: errors.New("/secret/path")}, 503, "busy", "2"},
		"corrupt":      {&ledger.Error{Code: ledger.Corrupt, Msg: "The key file is damaged."}, 503, "corrupt", "2"},
		"anything":     {errors.New("/secret/path: disk I/O error"), 500, "internal", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h, store := newBrittleHouse(t)
			h.rule(`{"rule":"lines","key":"key(item)","each":"body.lines"}`)
			h.send(call{path: "/v1/claim", body: `{"key":"held","owner":"o"}`})
			store.fail(0, tt.err)
			var rows []row
			for _, c := range []call{
				{path: "/v1/claim", body: `{"key":"a"}`},
				{path: "/v1/claim?answer=wait", body: `{"key":"a"}`},
				{path: "/v1/claim?answer=strict", body: `{"key":"a"}`},
				{path: "/v1/rules/lines/claim", body: `{"lines":["a","b"]}`},
				{path: "/v1/batch", body: `{"op":"claim","items":[{"key":" "},{"key":"a"},{"key":"b"}]}`},
				{path: "/v1/done", body: `{"key":"held","owner":"o"}`},
				{path: "/v1/release", body: `{"key":"held","owner":"o"}`},
				{path: "/v1/renew", body: `{"key":"held","owner":"o"}`},
				{method: http.MethodPut, path: "/v1/rules/new", body: `{"rule":"new","key":"key(body.id)"}`, as: h.admin},
				{method: http.MethodGet, path: "/readyz", as: "none"},
			} {
				rows = append(rows, row{name: c.method + c.path, call: c, code: tt.code,
					want: `{"code":"` + tt.problem + `","run":false}`, headers: []string{"Retry-After", tt.waiting}, lacks: []string{"token", "results"}})
			}
			for n, r := range rows {
				t.Run(r.name, func(t *testing.T) {
					if a := h.try(t, n, r); strings.Contains(a.raw, "/secret") {
						t.Errorf("the fault is told as %s", a.raw)
					}
				})
			}
			if a := h.send(call{method: http.MethodGet, path: "/healthz", as: "none"}); a.code != 200 {
				t.Errorf("healthz: %d; the process does live", a.code)
			}
		})
	}
}

// TestGrantsBeforeAFaultAreStillAnswered: an answer of 503 for all would lose the
// tokens of those that were written.
func TestGrantsBeforeAFaultAreStillAnswered(t *testing.T) {
	h, store := newBrittleHouse(t)
	h.rule(`{"rule":"lines","key":"key(item)","each":"body.lines"}`)
	h.send(call{path: "/v1/claim", body: `{"key":"first"}`}) // notes the password's first use
	for path, body := range map[string]string{
		"/v1/rules/lines/claim": `{"lines":["a","b","c"]}`,
		"/v1/batch":             `{"op":"claim","items":[{"key":"a"},{"key":"b"},{"key":"c"}]}`,
	} {
		t.Run(path, func(t *testing.T) {
			store.fail(1, &ledger.Error{Code: ledger.Busy, Msg: "The key file is full."})
			got := shown(t, h.send(call{path: path, body: body}), "http", "status", "problem")
			if diff := cmp.Diff([]string{"200 claimed <nil>", "503 invalid busy:<nil>", "503 invalid busy:<nil>"}, got); diff != "" {
				t.Errorf("results (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAPanicIsProblemDetails: a fault of the house grants nothing and ends no
// other call.
func TestAPanicIsProblemDetails(t *testing.T) {
	h, store := newBrittleHouse(t)
	h.send(call{path: "/v1/claim", body: `{"key":"first"}`}) // notes the password's first use
	store.fail(0, panicError{})
	drive(t, h, []row{{name: "claim", call: call{path: "/v1/claim", body: `{"key":"a"}`}, code: 500, want: `{"code":"internal","run":false}`}})
	if a := h.send(call{method: http.MethodGet, path: "/healthz", as: "none"}); a.code != 200 {
		t.Errorf("after a panic healthz says %d", a.code)
	}
}

// A panicError panics when it is looked at.
type panicError struct{}

func (panicError) Error() string { return "never asked" }
func (panicError) Unwrap() error { panic("looked at") }

// TestPeers59UnknownStateIsNeverGranted: a row whose state this version does not
// know is an error, not a free key. Another program wrote it, past the file's own
// checks.
func TestPeers59UnknownStateIsNeverGranted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	store, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	h := newHouseOn(t, store)
	h.send(call{path: "/v1/claim", body: `{"key":"a"}`})
	db, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(5000)&_pragma=ignore_check_constraints(1)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "UPDATE claims SET state = 'parked'"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	drive(t, h, []row{
		{name: "claim", call: call{path: "/v1/claim?answer=strict", body: `{"key":"a"}`}, code: 503, want: `{"code":"corrupt","run":false}`},
		{name: "done", call: call{path: "/v1/done", body: `{"key":"a","owner":"o"}`}, code: 503, want: `{"code":"corrupt","run":false}`},
	})
}
