package cli

import (
	"context"
	"io"
	"time"

	"github.com/alecthomas/kong"

	"dedupedesk/ledger"
	"dedupedesk/ledger/lab"
)

// The exit codes of every command but run, which hands on its command's own.
const (
	yes   = 0
	no    = 1
	fault = 2
)

// A Program is what the commands are made of: the parts that know databases,
// listeners and windows, which this package does not.
type Program struct {
	Version  string
	In       io.Reader
	Out, Err io.Writer

	// OpenLedger opens the key file or database of t. The command closes it.
	OpenLedger func(ctx context.Context, t Target) (*ledger.Ledger, error)
	// Serve runs an engine in the foreground until ctx ends.
	Serve func(ctx context.Context, o ServeOptions) error
	// Start starts the app: an engine where none runs, and the pages.
	Start func(ctx context.Context, o ServeOptions) error
	// Open returns a one-time address of the pages of the engine on the data folder of
	// t. It starts an engine where none runs.
	Open func(ctx context.Context, t Target, name, role string) (url string, err error)
	// Database tells of the database at url, for dedupe doctor.
	Database func(ctx context.Context, url string) (Database, error)
	// Restore puts the backup at file in the place of the key file of t.
	Restore func(ctx context.Context, t Target, file string) (Restored, error)
	// Endpoint is the usual address of the endpoint on this computer, with its scheme.
	Endpoint string
	// Person signs what is decided here where no other name is given.
	Person string
	// Browse shows an address in the person's browser. It may be nil; where it
	// fails, the address is printed.
	Browse func(url string) error
	// Lab makes an experiment on a ledger of its own, and tells how far it is.
	Lab func(ctx context.Context, c lab.Config, told func(lab.Progress)) (*lab.Result, error)
	// Stop ends the engine on dataDir and waits for its end.
	Stop func(ctx context.Context, dataDir string) error
}

// A Target says where keys are kept: in the key file DB, in the database at
// DatabaseURL, or else in the data folder Data, "" meaning that of this user. At most
// one of DB and DatabaseURL is set.
type Target struct{ Data, DB, DatabaseURL string }

// A Database is what people are told of one.
type Database struct {
	Name    string // its address without user and password
	Version string
	Schema  string
	Latency time.Duration
	Ahead   time.Duration // of the server's clock before this computer's
	Syncs   bool          // what is committed is on the server's disk
}

// ServeOptions are an engine's settings. An empty address means the usual one.
type ServeOptions struct {
	Target
	API, Admin  string
	PublicHosts []string
	Log         io.Writer
}

// stopped is thrown by kong's exit hook, so that --help and --version end the
// command and not the process.
type stopped struct{ code int }

// Run runs the command that args name, without the program's own name, and
// returns its exit code. Where ctx ends, the command stops what it is waiting
// for; run passes signals on to its command instead.
func Run(ctx context.Context, args []string, p Program) (exit int) {
	defer func() {
		if v := recover(); v != nil {
			s, ok := v.(stopped)
			if !ok {
				panic(v)
			}
			exit = s.code
		}
	}()
	var g grammar
	c := &call{ctx: ctx, program: p, flags: &g.flags}
	parser, err := kong.New(&g, options(p)...)
	if err != nil {
		return c.fail(err)
	}
	if len(args) > 0 && args[0] == completeWord {
		return c.complete(parser.Model, args[1:])
	}
	chosen, err := parser.Parse(numbersAsValues(args, valueFlags(parser.Model.Node)))
	if err != nil {
		c.flags.JSON = c.flags.JSON || asksJSON(args)
		return c.fail(&usageError{err: err, command: commandOf(err)})
	}
	c.command = chosen.Command()
	if err := g.check(c.command); err != nil {
		return c.fail(err)
	}
	err = chosen.Run(c)
	if closing := c.close(); err == nil {
		err = closing
	}
	return c.fail(err)
}

func options(p Program) []kong.Option {
	return []kong.Option{
		kong.Name("dedupe"),
		kong.Description(about),
		kong.Writers(p.Out, p.Err),
		kong.Vars{"version": "dedupe " + p.Version, "passwordEnv": passwordEnv, "databaseEnv": DatabaseEnv},
		kong.Exit(func(code int) { panic(stopped{code}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.ExplicitGroups([]kong.Group{
			{Key: where, Title: "Where the keys are kept (one of these; none means your data folder)"},
			{Key: everywhere, Title: "With every command"},
		}),
	}
}
