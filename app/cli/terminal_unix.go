//go:build unix

package cli

import "os"

// takesCodes reports whether a terminal obeys codes. All do here but those named dumb.
func takesCodes(*os.File) bool { return true }
