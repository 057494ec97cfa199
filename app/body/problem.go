package body

import (
	"context"
	"errors"
	"net/http"

	"dedupedesk/app/problem"
	"dedupedesk/ledger"
)

// statuses is the one place where a code of the ledger becomes an HTTP status.
var statuses = map[ledger.Code]int{
	ledger.Invalid:     http.StatusBadRequest,
	ledger.UnknownRule: http.StatusNotFound,
	ledger.NotFound:    http.StatusNotFound,
	ledger.Stale:       http.StatusConflict,
	ledger.Closed:      http.StatusConflict,
	ledger.Changed:     http.StatusConflict,
	ledger.RuleChanged: http.StatusServiceUnavailable,
	ledger.Paused:      http.StatusServiceUnavailable,
	ledger.Busy:        http.StatusServiceUnavailable,
	ledger.Corrupt:     http.StatusServiceUnavailable,
	ledger.Internal:    http.StatusInternalServerError,
}

// ProblemOf returns what a caller is told of err: a problem as it is, a body that
// was too large, or the ledger's own code and sentence.
func ProblemOf(err error) *problem.Problem {
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		return p
	}
	if tooBig, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return problem.TooLarge(tooBig.Limit)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return &problem.Problem{
			Status: http.StatusServiceUnavailable, Code: string(ledger.Busy), RetryAfter: problem.RetryBusy,
			Detail: "The ledger did not answer in time. Nothing was granted to this call; try again.", Cause: err,
		}
	}
	code := ledger.CodeOf(err)
	p := &problem.Problem{
		Status: statuses[code], Code: string(code), Field: ledger.FieldOf(err), Detail: ledger.MessageOf(err), Cause: err,
	}
	switch {
	case code == ledger.Paused:
		p.RetryAfter = problem.RetryPaused
	case p.Status == http.StatusServiceUnavailable:
		p.RetryAfter = problem.RetryBusy
	}
	return p
}
