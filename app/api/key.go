package api

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"dedupedesk/ledger"
)

// keyBody is one key as the API shows it. The grant's token is never in it.
type keyBody struct {
	Rule        string          `json:"rule"`
	Key         string          `json:"key"`
	State       string          `json:"state"`
	Stuck       bool            `json:"stuck"`
	StuckWhy    string          `json:"stuck_why,omitempty"`
	Expired     bool            `json:"expired"`
	Owner       string          `json:"owner,omitempty"`
	Fence       int64           `json:"fence"`
	Attempts    int             `json:"attempts"`
	FirstSeen   string          `json:"first_seen"`
	ClaimedAt   string          `json:"claimed_at,omitempty"`
	LeaseUntil  string          `json:"lease_until,omitempty"`
	DoneAt      string          `json:"done_at,omitempty"`
	NextTryAt   string          `json:"next_try_at,omitempty"`
	LastError   string          `json:"last_error,omitempty"`
	Result      json.RawMessage `json:"result,omitempty"`
	Fingerprint string          `json:"fingerprint,omitempty"`
	Copies      int64           `json:"copies"`
	Mismatches  int64           `json:"mismatches"`
	StaleCalls  int64           `json:"stale_calls"`
	Generation  int64           `json:"generation"`
}

type eventBody struct {
	At    string `json:"at"`
	Kind  string `json:"kind"`
	Owner string `json:"owner,omitempty"`
	By    string `json:"by,omitempty"`
	Text  string `json:"text,omitempty"`
	Fence int64  `json:"fence,omitempty"`
}

type arrivalBody struct {
	At     string `json:"at"`
	Owner  string `json:"owner,omitempty"`
	Status string `json:"status"`
}

// KeyBody returns k as the API shows it, so that the command line's --json is
// the same.
func KeyBody(k ledger.Key) any { return bodyOf(k) }

func bodyOf(k ledger.Key) keyBody {
	return keyBody{
		Rule: k.Rule, Key: k.Key, State: string(k.State), Stuck: k.Stuck, StuckWhy: k.StuckWhy, Expired: k.Expired,
		Owner: k.Owner, Fence: k.Fence, Attempts: k.Attempts, FirstSeen: stamp(k.FirstSeen), ClaimedAt: stamp(k.ClaimedAt),
		LeaseUntil: stamp(k.LeaseUntil), DoneAt: stamp(k.DoneAt), NextTryAt: stamp(k.NextTryAt), LastError: k.LastError,
		Result: k.Result, Fingerprint: k.Fingerprint, Copies: k.Copies, Mismatches: k.Mismatches, StaleCalls: k.StaleCalls,
		Generation: k.Generation,
	}
}

// LifeBody returns one key with its history as the API shows it.
func LifeBody(l ledger.Life) any {
	events := make([]eventBody, len(l.Events))
	for i, e := range l.Events {
		events[i] = eventBody{stamp(e.At), e.Kind, e.Owner, e.By, e.Text, e.Fence}
	}
	arrivals := make([]arrivalBody, len(l.Arrivals))
	for i, a := range l.Arrivals {
		arrivals[i] = arrivalBody{stamp(a.At), a.Owner, string(a.Status)}
	}
	return struct {
		keyBody
		History  []eventBody   `json:"history"`
		Arrivals []arrivalBody `json:"arrivals"`
	}{bodyOf(l.Key), events, arrivals}
}

// keys answers GET /v1/keys with one page, newest first.
func (d desk) keys(w http.ResponseWriter, r *http.Request) error {
	in, err := readInput(r, "rule", "state", "prefix", "since", "cursor", "limit")
	if err != nil {
		return err
	}
	q, err := queryOf(in)
	if err != nil {
		return err
	}
	page, err := d.ledger.Keys(r.Context(), q)
	if err != nil {
		return err
	}
	out := make([]keyBody, len(page.Keys))
	for i, k := range page.Keys {
		out[i] = bodyOf(k)
	}
	return reply(w, http.StatusOK, map[string]any{"keys": out, "next": page.Next})
}

// KeyStates are the values of the state filter: the stored states, and stuck.
var KeyStates = []string{"claimed", "done", "retryable", "held", "stuck"}

func queryOf(in input) (q ledger.KeyQuery, err error) {
	texts := map[string]*string{"rule": &q.Rule, "prefix": &q.Prefix, "cursor": &q.Cursor}
	for name, to := range texts {
		if *to, err = in.text(name); err != nil {
			return q, err
		}
	}
	state, err := in.text("state")
	if err != nil {
		return q, err
	}
	if q.State, q.View, err = stateOf(state); err != nil {
		return q, err
	}
	since, err := in.text("since")
	if err != nil {
		return q, err
	}
	if since != "" {
		if q.Since, err = time.Parse(time.RFC3339, since); err != nil {
			return q, invalid("since", "since must be a time such as 2026-11-30T08:00:00Z.")
		}
	}
	limit, err := in.text("limit")
	if err != nil || limit == "" {
		return q, err
	}
	if q.Limit, err = strconv.Atoi(limit); err != nil || q.Limit < 1 || q.Limit > 200 {
		return q, invalid("limit", "limit must be a whole number from 1 to 200.")
	}
	return q, nil
}

func stateOf(s string) (ledger.State, ledger.View, error) {
	switch s {
	case "":
		return "", ledger.ViewAll, nil
	case "stuck":
		return "", ledger.ViewStuck, nil
	case string(ledger.Claimed), string(ledger.Done), string(ledger.Retryable), string(ledger.Held):
		return ledger.State(s), ledger.ViewAll, nil
	}
	return "", "", invalid("state", `state is claimed, done, retryable, held or stuck, not "`+clip(s)+`".`)
}

// key answers GET /v1/keys/one with one key's whole life.
func (d desk) key(w http.ResponseWriter, r *http.Request) error {
	in, err := readInput(r, "rule", "key")
	if err != nil {
		return err
	}
	rule, err := in.text("rule")
	if err != nil {
		return err
	}
	key, err := in.text("key")
	if err != nil {
		return err
	}
	if key == "" {
		return invalid("key", "Name the key: ?key=…")
	}
	if rule == "" {
		rule = ledger.DefaultRule
	}
	life, err := d.ledger.Key(r.Context(), rule, key)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, LifeBody(life))
}
