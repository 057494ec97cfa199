package guard

import (
	"net/http"
	"strconv"
	"time"

	"dedupedesk/app/problem"
)

// retryBusy is what a caller is told to wait when storage was busy.
const retryBusy = 2 * time.Second

// TooLarge is the refusal of a body over limit bytes.
func TooLarge(limit int64) *problem.Problem {
	return problem.New(http.StatusRequestEntityTooLarge, "too_large",
		"The body is larger than "+strconv.FormatInt(limit>>10, 10)+" KB. Send the fields that the key needs, or the event without its attachments.")
}

// Harden sets the time-outs and bounds of a listener's server.
func Harden(s *http.Server) {
	s.ReadHeaderTimeout = 5 * time.Second
	s.ReadTimeout = 10 * time.Second
	s.WriteTimeout = 15 * time.Second
	s.IdleTimeout = 60 * time.Second
	// net/http reads 4 KB more than it is told to.
	s.MaxHeaderBytes = MaxHeader - 4<<10
}
