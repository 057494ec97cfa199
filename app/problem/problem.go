// Package problem writes errors over HTTP as RFC 9457 problem details.
//
// Every problem carries a stable type, a text code that a program can compare,
// one plain sentence for a person, and run: false, so that a step which only
// looks at run never goes ahead on an error.
package problem

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// TypePrefix stands before the code in a problem's type. Both are promises: a
// code is added, never renamed.
const TypePrefix = "urn:dedupe-desk:problem:"

// A Problem is one error as its reader gets it. It is an error itself, so a
// handler can return it.
type Problem struct {
	Status     int           // HTTP status
	Code       string        // stable, such as "invalid"
	Field      string        // the input at fault, "" where there is none
	Detail     string        // one sentence: what is wrong and what to do
	RetryAfter time.Duration // 0 = none; sent as whole seconds
	Issues     []Issue       // places in a formula
	Cause      error         // for the log, never sent
}

// An Issue is one fault in a formula, with its place.
type Issue struct {
	Place  string `json:"place" doc:"The formula: key, each or when."`
	Line   int    `json:"line" doc:"From 1."`
	Column int    `json:"column" doc:"From 1."`
	Detail string `json:"detail" doc:"What is wrong there."`
}

// Error returns the sentence for the person, and the cause where there is one.
func (p *Problem) Error() string {
	if p.Cause != nil {
		return p.Code + ": " + p.Detail + ": " + p.Cause.Error()
	}
	return p.Code + ": " + p.Detail
}

// Unwrap returns the cause.
func (p *Problem) Unwrap() error { return p.Cause }

// RetryBusy is what a caller is told to wait when the ledger could not answer.
const RetryBusy = 2 * time.Second

// RetryPaused is what a caller is told to wait while a person keeps all grants paused.
const RetryPaused = time.Minute

// TooLarge is the refusal of a body over limit bytes.
func TooLarge(limit int64) *Problem {
	return New(http.StatusRequestEntityTooLarge, "too_large",
		"The body is larger than "+strconv.FormatInt(limit>>10, 10)+" KB. Send the fields that the key needs, or the event without its attachments.")
}

// New returns a problem without a field.
func New(status int, code, detail string) *Problem {
	return &Problem{Status: status, Code: code, Detail: detail}
}

// Body is a problem as JSON.
type Body struct {
	Type   string  `json:"type" doc:"urn:dedupe-desk:problem: and the code."`
	Title  string  `json:"title" doc:"The HTTP status in words."`
	Status int     `json:"status" doc:"The HTTP status."`
	Code   string  `json:"code" doc:"What a program compares. Codes are added, never renamed."`
	Detail string  `json:"detail" doc:"One plain sentence: what is wrong and what to do."`
	Field  string  `json:"field,omitempty" doc:"The field at fault."`
	Issues []Issue `json:"issues,omitempty" doc:"Faults in a formula, with their places."`
	Run    bool    `json:"run" enum:"false" doc:"Always false, so that a step which looks at run never goes ahead on an error."` // always false
}

// Body returns what is sent.
func (p *Problem) Body() Body {
	return Body{
		Type: TypePrefix + p.Code, Title: http.StatusText(p.Status), Status: p.Status,
		Code: p.Code, Detail: p.Detail, Field: p.Field, Issues: p.Issues,
	}
}

// Write answers w with p. The connection's own write error, which nobody could
// be told of, is dropped.
func Write(w http.ResponseWriter, p *Problem) {
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(max(1, int(p.RetryAfter/time.Second))))
	}
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(p.Body())
}
