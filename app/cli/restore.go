package cli

import (
	"time"

	"dedupedesk/app/body"
	"dedupedesk/ledger"
)

type restoreCommand struct {
	File string `arg:"" complete:"file" help:"The backup."`
}

// Restored is what a restore came to.
type Restored struct {
	Keys  int64
	Since time.Time // keys that were claimed after it may be missing
	Path  string    // the key file
	Aside string    // where the one before is kept; "" = there was none
}

// Run puts a backup in the place of the key file, while no engine runs.
func (r *restoreCommand) Run(c *call) error {
	if c.flags.URL != "" {
		return misuse("dedupe restore works on the key file itself, not through --url. Run it on the computer where the engine runs.")
	}
	var done Restored
	err := c.during("Reading the backup and writing the key file", func() (err error) {
		done, err = c.program.Restore(c.ctx, c.target(), r.File)
		return err
	})
	if err != nil {
		return at(r.File, err)
	}
	c.say("%s", ledger.RestoreWarning(done.Since))
	c.say("Passwords, rules and checklists are as they were then, too.")
	if done.Aside != "" {
		c.say("The key file as it was before is kept as %s.", done.Aside)
	}
	return c.answer(map[string]any{"restored": done.Keys, "since": body.Stamp(done.Since), "file": done.Path, "kept": done.Aside}, "restored %d", done.Keys)
}
