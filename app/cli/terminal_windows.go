package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// takesCodes tells a Windows console to obey codes, and reports whether it does.
func takesCodes(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if err := windows.GetConsoleMode(console, &mode); err != nil {
		return true // no console but a terminal of another kind, such as that of Git for Windows
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
