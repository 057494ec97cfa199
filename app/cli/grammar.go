package cli

import (
	"errors"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"dedupedesk/ledger"
	"dedupedesk/rules"
)

const about = `Stops automations from running twice.

Without a command, dedupe starts the app. Exit codes: 0 yes, 1 no (a copy, a false condition, a failed verdict), 2 error.`

// The groups of flags in the help text.
const (
	where      = "where"
	everywhere = "everywhere"
)

// passwordEnv is the environment variable for a remote engine's password.
const passwordEnv = "DEDUPE_TOKEN"

// DatabaseEnv is the environment variable that names a database where no flag says
// where the keys are, but for --data.
const DatabaseEnv = "DEDUPE_DATABASE_URL"

// flags go with every command, before or after its name.
type flags struct {
	Data        string   `complete:"dir" group:"where" placeholder:"DIR" help:"Keep keys in this data folder. DEDUPE_DATA names one too."`
	DB          string   `name:"db" complete:"file" group:"where" placeholder:"FILE" help:"Keep keys in this file. One that dedupe.py made is upgraded."`
	DatabaseURL string   `name:"database-url" group:"where" placeholder:"URL" help:"Keep keys in this PostgreSQL database, for engines on several servers. ${databaseEnv} names one too, and a list of processes does not show it."`
	URL         string   `name:"url" group:"where" placeholder:"URL" help:"Ask the engine at this address. Needs its password in --token or ${passwordEnv}."`
	Token       []string `sep:"none" group:"everywhere" placeholder:"TOKEN" help:"The password of --url (dd_…), or the token of a grant for done, release and renew. Give the flag twice for both."`
	Lease       string   `group:"everywhere" placeholder:"TIME" help:"Time allowed, for claim, run and renew: seconds, or 90s, 15m, 8h, 2d. The rule's own (15m) if not given."`
	JSON        bool     `name:"json" group:"everywhere" help:"Print the whole answer as JSON."`
	Verbose     bool     `short:"v" group:"everywhere" help:"Say on the error output why."`

	database string // the address of --database-url, or of the environment
}

type grammar struct {
	flags
	Version kong.VersionFlag `group:"everywhere" help:"Print the version."`

	Start      startCommand      `cmd:"" default:"withargs" hidden:"" help:"Start the app."`
	Serve      serveCommand      `cmd:"" help:"Run the engine in the foreground."`
	Open       openCommand       `cmd:"" help:"Open the app's pages by a one-time address."`
	Stop       stopCommand       `cmd:"" help:"Stop the engine."`
	Claim      claimCommand      `cmd:"" help:"Ask for a key: exit 0 and \"claimed\" means it is yours, do the work."`
	Done       doneCommand       `cmd:"" help:"Say that the work for a key is finished."`
	Release    releaseCommand    `cmd:"" help:"Give a key back, because the work failed."`
	Renew      renewCommand      `cmd:"" help:"Ask for more time for a key."`
	Prune      pruneCommand      `cmd:"" help:"Forget finished keys older than DAYS days."`
	Run        runCommand        `cmd:"" help:"Run a command once per key: claim, run, then done or release. A copy ends with 0, quietly."`
	Keys       keysCommand       `cmd:"" help:"List keys, newest first."`
	Key        keyCommand        `cmd:"" help:"Tell one key's history."`
	Decide     decideCommand     `cmd:"" help:"Decide on a key yourself."`
	Token      tokenCommand      `cmd:"" help:"Make, list and revoke passwords of the claim endpoint."`
	Rule       ruleCommand       `cmd:"" help:"Test, show, import and export rules, or work out keys."`
	Export     exportCommand     `cmd:"" help:"Write a platform's checklist and files for a rule."`
	Check      checkCommand      `cmd:"" help:"Say what is wrong with a Make blueprint, an n8n workflow or a flow definition of yours."`
	Reconcile  reconcileCommand  `cmd:"" help:"Compare the rows of a destination with the keys of a rule."`
	ExportKeys exportKeysCommand `cmd:"" help:"Write keys to a file, as JSON lines or CSV."`
	Import     importCommand     `cmd:"" help:"Take keys from a file: JSON lines, CSV, or one finished key a line."`
	Backup     backupCommand     `cmd:"" help:"Write a copy of the key file, while the engine goes on."`
	Restore    restoreCommand    `cmd:"" help:"Put a backup in the place of the key file, while no engine runs."`
	Condition  conditionCommand  `cmd:"" help:"Check trigger conditions of Power Automate."`
	Lab        labCommand        `cmd:"" help:"Show the race and the cure on invented events: how many rows each method writes too many."`
	Doctor     doctorCommand     `cmd:"" help:"Say what is wrong with this set-up."`
	Completion completionCommand `cmd:"" help:"Print a script by which a shell completes commands, flags and names."`
}

// takeLease are the commands that take --lease. The script dedupe.py takes it
// everywhere, so done, release and prune read it and need it not.
var takeLease = []string{"claim", "run", "renew", "done", "release", "prune"}

// check refuses flags that do not go together.
func (g *grammar) check(command string) error {
	name, _, _ := strings.Cut(command, " ")
	places := 0
	for _, v := range []string{g.Data, g.DB, g.DatabaseURL, g.URL} {
		if v != "" {
			places++
		}
	}
	// An engine whose keys are in a database still has a data folder of its own.
	if places > 1 && (places > 2 || g.Data == "" || g.DatabaseURL == "") {
		return misuse("Give one of --data, --db, --database-url and --url, not several.")
	}
	if g.DB == "" && g.DatabaseURL == "" && g.URL == "" {
		g.database = strings.TrimSpace(os.Getenv(DatabaseEnv))
	} else {
		g.database = g.DatabaseURL
	}
	if g.flags.Lease != "" {
		if !slices.Contains(takeLease, name) {
			return misuse("--lease goes with claim, run and renew, not with " + name + ".")
		}
		if _, err := g.lease(); err != nil {
			return err
		}
	}
	return g.checkTokens(name)
}

func (g *grammar) checkTokens(name string) error {
	passwords, grants := 0, 0
	for _, t := range g.flags.Token {
		switch {
		case strings.TrimSpace(t) == "":
			return misuse("--token is empty. The step before gave no value.")
		case strings.HasPrefix(t, ledger.TokenPrefix):
			passwords++
		default:
			grants++
		}
	}
	reports := name == "done" || name == "release" || name == "renew"
	switch {
	case passwords > 1 || grants > 1:
		return misuse("--token is given twice with the same kind of token.")
	case passwords > 0 && g.URL == "":
		return misuse("A password (dd_…) goes with --url. The key file on this computer needs none.")
	case grants > 0 && !reports && g.URL != "":
		return misuse("This is not a password of an engine: those begin with dd_.")
	case grants > 0 && !reports:
		return misuse("--token goes with done, release and renew, or with --url.")
	}
	return nil
}

// lease returns --lease, 0 where it was not given.
func (f *flags) lease() (time.Duration, error) { return duration("--lease", f.Lease) }

// grant returns the token of a grant, "" where none was given.
func (f *flags) grant() string {
	for _, t := range f.Token {
		if !strings.HasPrefix(t, ledger.TokenPrefix) {
			return t
		}
	}
	return ""
}

// password returns the remote engine's password.
func (f *flags) password() (string, error) {
	for _, t := range f.Token {
		if strings.HasPrefix(t, ledger.TokenPrefix) {
			return t, nil
		}
	}
	if t := strings.TrimSpace(os.Getenv(passwordEnv)); t != "" {
		return t, nil
	}
	return "", misuse("--url needs the engine's password: --token dd_…, or " + passwordEnv + " in the environment.")
}

// duration reads a flag's time. "" is 0.
func duration(flag, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := rules.ParseDuration(text)
	if err != nil || d == 0 {
		return 0, misuse(flag + " must be a time above zero: seconds as a number, or text such as 90s, 15m, 8h, 35d.")
	}
	return time.Duration(d), nil
}

var negative = regexp.MustCompile(`^-[0-9.]`)

// numbersAsValues lets a negative number reach the flag or argument that it was
// meant for, whose own sentence about it is better than "unknown flag". No flag
// of ours begins with a digit. takesValue tells the flags, with their hyphens, that
// a value follows.
func numbersAsValues(args []string, takesValue map[string]bool) []string {
	var out, values []string
	for i, a := range args {
		if a == "--" {
			return append(append(append(out, "--"), values...), args[i+1:]...)
		}
		switch last := len(out) - 1; {
		case !negative.MatchString(a):
			out = append(out, a)
		case last >= 0 && takesValue[out[last]]:
			out[last] += "=" + a
		default:
			values = append(values, a)
		}
	}
	if len(values) > 0 {
		out = append(append(out, "--"), values...)
	}
	return out
}

// valueFlags returns the flags of n and of its commands that a value follows.
func valueFlags(n *kong.Node) map[string]bool {
	takes := map[string]bool{}
	for _, f := range n.Flags {
		if !f.IsBool() {
			takes["--"+f.Name] = true
		}
	}
	for _, child := range n.Children {
		maps.Copy(takes, valueFlags(child))
	}
	return takes
}

// asksJSON looks for --json in arguments that could not be read as a whole.
func asksJSON(args []string) bool {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return slices.Contains(args, "--json")
}

// commandOf returns the command in which a usage error was found, "" for none.
func commandOf(err error) string {
	var parse *kong.ParseError
	if !errors.As(err, &parse) || parse.Context == nil {
		return ""
	}
	var words []string
	for _, p := range parse.Context.Path {
		if p.Command != nil && !p.Command.Hidden {
			words = append(words, p.Command.Name)
		}
	}
	return strings.Join(words, " ")
}
