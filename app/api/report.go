package api

import (
	"encoding/json"
	"net/http"
	"strings"

	"dedupedesk/app/body"
	"dedupedesk/app/calls"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// done answers POST /v1/done.
func (d desk) done(w http.ResponseWriter, r *http.Request) error {
	in, err := readInput(r, doneFields)
	if err != nil {
		return err
	}
	a, err := d.doneInput(r, in)
	if err != nil {
		return err
	}
	return replyReport(w, r, a)
}

func (d desk) doneInput(r *http.Request, in input) (ledger.Answer, error) {
	id, err := d.identityOf(r, in)
	if err != nil {
		return ledger.Answer{}, err
	}
	result, err := in.result()
	if err != nil {
		return ledger.Answer{}, err
	}
	return d.ledger.Done(r.Context(), ledger.DoneRequest{Identity: id, Result: result})
}

// result returns the result member as JSON. A form can send text only, so there a
// text that is an object or a list is taken as that; every other text stays text,
// since a record's id such as 12e5 must not become a number.
func (in input) result() (json.RawMessage, error) {
	v, ok := in.values["result"]
	if !ok {
		return nil, nil
	}
	if text, isText := v.(string); isText && in.form["result"] && strings.ContainsAny(firstOf(text), "{[") {
		if _, err := rules.DecodeJSON([]byte(text)); err == nil {
			return json.RawMessage(text), nil
		}
	}
	return rules.EncodeJSON(v), nil
}

// firstOf returns the first character that is no white space, "" for none.
func firstOf(text string) string {
	text = strings.TrimSpace(text)
	return text[:min(1, len(text))]
}

// release answers POST /v1/release.
func (d desk) release(w http.ResponseWriter, r *http.Request) error {
	in, err := readInput(r, releaseFields)
	if err != nil {
		return err
	}
	a, err := d.releaseInput(r, in)
	if err != nil {
		return err
	}
	return replyReport(w, r, a)
}

func (d desk) releaseInput(r *http.Request, in input) (ledger.Answer, error) {
	id, err := d.identityOf(r, in)
	if err != nil {
		return ledger.Answer{}, err
	}
	req := ledger.ReleaseRequest{Identity: id}
	if in.has("error") && in.values["error"] != nil {
		if req.Error, err = in.text("error"); err != nil {
			return ledger.Answer{}, err
		}
	}
	if req.RetryAfter, err = in.duration("retry_after", 0); err != nil {
		return ledger.Answer{}, err
	}
	return d.ledger.Release(r.Context(), req)
}

// renew answers POST /v1/renew.
func (d desk) renew(w http.ResponseWriter, r *http.Request) error {
	in, err := readInput(r, renewFields)
	if err != nil {
		return err
	}
	id, err := d.identityOf(r, in)
	if err != nil {
		return err
	}
	lease, err := in.duration("lease", ledger.MinLease)
	if err != nil {
		return err
	}
	a, err := d.ledger.Renew(r.Context(), ledger.RenewRequest{Identity: id, Lease: lease})
	if err != nil {
		return err
	}
	return replyReport(w, r, a)
}

func replyReport(w http.ResponseWriter, r *http.Request, a ledger.Answer) error {
	note(r, a.Rule, string(a.Status))
	calls.Of(r.Context()).Key = a.Key
	return reply(w, http.StatusOK, body.ReportOf(a))
}
