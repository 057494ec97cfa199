package guard

import (
	"net/http"
	"time"
)

// Harden sets the time-outs and bounds of a listener's server.
func Harden(s *http.Server) {
	s.ReadHeaderTimeout = 5 * time.Second
	s.ReadTimeout = 10 * time.Second
	s.WriteTimeout = 15 * time.Second
	s.IdleTimeout = 60 * time.Second
	// net/http reads 4 KB more than it is told to.
	s.MaxHeaderBytes = MaxHeader - 4<<10
}
