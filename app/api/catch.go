package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"unicode/utf8"

	"dedupedesk/app/body"
	"dedupedesk/app/catch"
	"dedupedesk/app/problem"
	"dedupedesk/rules"
)

// catchEvent answers POST /v1/catch: it hands the event to the editors that wait for
// one, as a rule's own route would read it, and claims nothing.
func (d desk) catchEvent(w http.ResponseWriter, r *http.Request) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return invalid("query", "The part of the address after ? could not be read.")
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if !utf8.Valid(text) {
		return invalid("body", "The event is not UTF-8 text, so it cannot be a sample.")
	}
	sample := sampleOf(r, query, text)
	if _, err := sample.Event(); err != nil {
		return invalid("body", "The event could not be read: "+stop(err))
	}
	switch err := d.caught.Put(sample.Headers, sample.Body); {
	case errors.Is(err, catch.ErrNobody):
		return problem.New(http.StatusConflict, "nobody_waits", "No editor waits for an event. Open Design a key, and press Wait for a real event there. Nothing was claimed.")
	case errors.Is(err, catch.ErrFull):
		return problem.New(http.StatusConflict, "caught_enough", "The editor has not taken the events that came before. Look at them first. Nothing was claimed.")
	case err != nil:
		return err
	}
	note(r, "", body.CaughtStatus)
	return reply(w, http.StatusOK, body.Caught{Status: body.CaughtStatus, Reason: "The editor has it as a sample. Nothing was claimed, so do no work for it."})
}

// sampleOf is a request as a sample.
func sampleOf(r *http.Request, query url.Values, text []byte) rules.Sample {
	sample := rules.Sample{Headers: headersOf(r), Body: string(text)}
	if len(query) > 0 {
		// A sample has no query of its own; a pasted request has.
		at := url.URL{Path: r.URL.Path, RawQuery: query.Encode()}
		sample.Body = fmt.Sprintf("POST %s HTTP/1.1\n\n%s", at.RequestURI(), text)
	}
	return sample
}
