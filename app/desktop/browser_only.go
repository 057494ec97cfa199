//go:build !desktop

// Without the tag desktop there is no window, and the program is pure Go.

package desktop

import (
	"errors"
	"net/http"
)

// Available tells whether this build has a native window.
const Available = false

// Run returns an error: this build has no window.
func Run(string, http.Handler) error { return errors.New("this build has no native window") }
