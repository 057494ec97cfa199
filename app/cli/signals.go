package cli

import (
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// Stops returns the signals at which a command of this program stops. Ctrl+C is not among
// them where whoever started it has it ignored, as shells do in the background.
func Stops() []os.Signal {
	return append(notIgnored([]os.Signal{os.Interrupt}), syscall.SIGTERM)
}

// notIgnored leaves out the signals that are ignored since the start, as nohup does with a
// hang-up: to listen for one would end that, for the commands that are run as well.
func notIgnored(all []os.Signal) []os.Signal {
	return slices.DeleteFunc(slices.Clone(all), signal.Ignored)
}
