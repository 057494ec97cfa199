// Command dedupe is Dedupe Desk: the engine that answers claims, the pages that
// show them, the window around the pages, and the command line, in one binary.
package main

import (
	"context"
	"os"
	"os/signal"

	"dedupedesk/app/cli"
	"dedupedesk/app/launch"
	"dedupedesk/app/serve"
)

// version is set by the release build.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), cli.Stops()...)
	code := cli.Run(ctx, os.Args[1:], cli.Program{
		Version: version,
		In:      os.Stdin, Out: os.Stdout, Err: os.Stderr,
		OpenLedger: openLedger,
		Serve:      runEngine,
		Start:      startApp,
		Open:       openAddress,
		Database:   lookAtDatabase,
		Restore:    restore,
		Stop:       stopEngine,
		Lab:        runLab,
		Browse:     launch.Browser,
		Person:     person(),
		Endpoint:   "http://" + serve.DefaultAPI,
	})
	stop()
	os.Exit(code)
}
