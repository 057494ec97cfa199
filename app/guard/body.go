package guard

import (
	"errors"
	"io"
	"net/http"

	"dedupedesk/app/problem"
)

// A wholeBody is a request's body whose end is told from a break: a connection that
// was cut off, or a body that came too slowly, is no fault of the house.
type wholeBody struct{ io.ReadCloser }

// Read returns a [*problem.Problem] where the body breaks off, and leaves the errors
// of an end and of a body that is too large as they are.
func (b wholeBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return n, err
	}
	return n, &problem.Problem{Status: http.StatusBadRequest, Code: "invalid", Field: "body", Cause: err,
		Detail: "The body did not arrive whole: the connection broke off, or it took longer than 10 seconds. Nothing was granted. Send it again."}
}
