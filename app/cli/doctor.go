package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"dedupedesk/app/datafolder"
	"dedupedesk/ledger"
)

type doctorCommand struct {
	AcceptRestore bool   `help:"Accept that keys may be missing since a restore. You have looked in the destinations for what was done since."`
	AcceptClock   bool   `help:"Accept this computer's clock after it was set back. You have seen that it is right."`
	Resume        bool   `help:"End a pause: keys are given out again."`
	Name          string `placeholder:"NAME" help:"Who accepts; your user name if not given."`
}

// A finding is one sentence about the set-up.
type finding struct {
	Result string `json:"result"` // ok, note, fault
	Text   string `json:"text"`
}

// resultColours are for people who look for the one line that matters.
var resultColours = map[string]colour{"ok": green, "note": yellow, "fault": red}

// Run says what is right and wrong with this set-up. The answer is no where
// something is wrong.
func (d *doctorCommand) Run(c *call) error {
	if c.flags.URL != "" {
		return misuse("dedupe doctor looks at this computer, so it takes no --url.")
	}
	if d.AcceptRestore {
		if err := d.acceptRestore(c); err != nil {
			return err
		}
	}
	if d.AcceptClock {
		if err := acceptClock(c); err != nil {
			return err
		}
	}
	if d.Resume {
		if err := endPause(c); err != nil {
			return err
		}
	}
	found := []finding{{"ok", "This is Dedupe Desk " + c.program.Version + "."}}
	found = append(found, clockFindings(os.Getenv(ledger.TestClockEnv))...)
	exists, place, err := c.placeFindings()
	if err != nil {
		return err
	}
	found = append(found, place...)
	if exists {
		found = append(found, c.ledgerFindings()...)
	}
	if c.flags.JSON {
		err = c.printJSON(map[string]any{"findings": found})
	} else {
		for _, f := range found {
			word := painted(c.program.Out, resultColours[f.Result], fmt.Sprintf("%-5s", f.Result))
			if err = c.print("%s  %s", word, printable(f.Text)); err != nil {
				break
			}
		}
	}
	if err != nil {
		return err
	}
	for _, f := range found {
		if f.Result == "fault" {
			return errNo
		}
	}
	return nil
}

func clockFindings(path string) []finding {
	if path == "" {
		return nil
	}
	text, err := ledger.TestClock(path, ledger.SystemClock()).Shift()
	switch {
	case err != nil:
		return []finding{{"fault", ledger.TestClockEnv + " is set, but its file does not shift the time: " + err.Error()}}
	case text == "":
		return []finding{{"note", ledger.TestClockEnv + " is set. Its file is missing or empty, so the time is the real one."}}
	}
	return []finding{{"fault", ledger.TestClockEnv + " shifts the time by " + text + ". Only tests should do that."}}
}

// placeFindings looks at the folder or file, without making it.
func (c *call) placeFindings() (exists bool, found []finding, err error) {
	if c.flags.DB != "" {
		path, err := filepath.Abs(c.flags.DB)
		if err != nil {
			return false, nil, err
		}
		exists, found, err := stat(path, "The key file", "the first claim makes it")
		if exists {
			found = append(found, spaceFindings(path)...)
		}
		return exists, found, err
	}
	path := c.flags.Data
	if path == "" {
		if path, err = datafolder.DefaultPath(); err != nil {
			return false, nil, err
		}
	}
	exists, found, err = stat(path, "The data folder", "the first start makes it")
	if err != nil || !exists {
		return exists || c.flags.database != "", found, err
	}
	folder, err := datafolder.Open(path)
	if err != nil {
		return false, nil, err
	}
	found = append(found, c.folderFindings(folder)...)
	if c.flags.database == "" {
		found = append(found, spaceFindings(folder.Ledger())...)
	}
	return true, append(found, runningFindings(c.ctx, folder)...), nil
}

// runningFindings says whether an engine runs on folder and takes claims.
func runningFindings(ctx context.Context, folder *datafolder.Folder) []finding {
	engine, running, err := folder.Running()
	switch {
	case err != nil:
		return []finding{{"fault", err.Error()}}
	case running:
		found := []finding{{"ok", fmt.Sprintf("The engine runs: claims at %s, pages at %s.", engine.API, engine.Admin)}}
		return append(found, engineFindings(ctx, engine.API)...)
	}
	return []finding{{"note", "No engine runs, so nothing can be claimed over HTTP. Start it with dedupe, or dedupe serve. Commands here work without it."}}
}

// engineFindings asks the engine itself whether it takes claims. It may know better
// than a look at the file: what it met of damage, or that the file it has open is not
// the one that is there now.
func engineFindings(ctx context.Context, address string) []finding {
	ctx, cancel := context.WithTimeout(ctx, engineTime)
	defer cancel()
	engine, err := newRemote(address, "")
	if err == nil {
		var ready struct{}
		_, err = engine.once(ctx, http.MethodGet, "/readyz", nil, &ready)
	}
	if err != nil {
		return []finding{{"fault", "The engine takes no claims. " + sentence(err)}}
	}
	return nil
}

// engineTime is a little more than an engine waits for a file that is locked.
const engineTime = 12 * time.Second

func stat(path, what, hint string) (bool, []finding, error) {
	_, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, []finding{{"note", what + " " + path + " does not exist yet; " + hint + "."}}, nil
	case err != nil:
		return false, nil, err
	}
	return true, []finding{{"ok", what + " is " + path + "."}}, nil
}

// ledgerFindings asks the ledger whether it can answer and what waits in it.
func (c *call) ledgerFindings() []finding {
	what, found := "The key file", []finding(nil)
	wrong := func(err error) []finding { return append(found, finding{"fault", sentence(err)}) }
	if c.flags.database != "" {
		what = "The database"
		about, err := c.program.Database(c.ctx, c.flags.database)
		if err != nil {
			return wrong(err)
		}
		found = databaseFindings(about)
	}
	l, err := c.openLedger()
	if err != nil {
		return wrong(err)
	}
	for _, look := range []func(*ledger.Ledger) ([]finding, error){
		c.healthFindings(what), c.timeFindings, c.restoreFindings, c.keepFindings, c.unreadableFindings, c.tokenFindings,
	} {
		more, err := look(l)
		found = append(found, more...)
		if err != nil {
			return wrong(err)
		}
	}
	return found
}

// sizeOf returns the size of a file, 0 where there is none.
func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// plural writes a count with its noun.
func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
