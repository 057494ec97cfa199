package api

import (
	"net/http"
	"strconv"
	"time"

	"dedupedesk/app/body"
	"dedupedesk/ledger"
)

// keys answers GET /v1/keys with one page, newest first.
func (d desk) keys(w http.ResponseWriter, r *http.Request) error {
	in, err := readInput(r, keysFields)
	if err != nil {
		return err
	}
	q, err := keyQuery(in)
	if err != nil {
		return err
	}
	page, err := d.ledger.Keys(r.Context(), q)
	if err != nil {
		return err
	}
	return reply(w, http.StatusOK, body.KeysOf(page))
}

// KeyStates are the values of the state filter: the stored states, and stuck.
var KeyStates = []string{"claimed", "done", "retryable", "held", "stuck"}

func keyQuery(in input) (q ledger.KeyQuery, err error) {
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
	in, err := readInput(r, oneKeyFields)
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
	return reply(w, http.StatusOK, body.LifeOf(life))
}
