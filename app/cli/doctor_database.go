package cli

import (
	"fmt"
	"os"
	"time"

	"dedupedesk/app/datafolder"
)

// tolerable is how far the clocks of two computers may part without a word.
const tolerable = 30 * time.Second

// databaseFindings says what is known of a database.
func databaseFindings(d Database) []finding {
	found := []finding{{"ok", fmt.Sprintf("The database is %s, schema %s, on %s. A trip to it takes %s.",
		d.Name, d.Schema, d.Version, d.Latency.Round(10*time.Microsecond))}}
	if !d.Syncs {
		found = append(found, finding{"fault", "The database server has fsync off: a power cut there loses claims that were granted. Set fsync = on."})
	}
	if d.Ahead.Abs() > tolerable {
		side := "ahead of"
		if d.Ahead < 0 {
			side = "behind"
		}
		found = append(found, finding{"note", fmt.Sprintf("The clock of the database server is %s %s this computer's. The server's decides when time is up.",
			d.Ahead.Abs().Round(time.Second), side)})
	}
	return found
}

// folderFindings looks at where a data folder lies and at what it says of its keys.
func (c *call) folderFindings(folder *datafolder.Folder) []finding {
	if c.flags.database == "" {
		var found []finding
		for _, w := range folder.Warnings() {
			found = append(found, finding{"fault", w})
		}
		return found
	}
	// No key is in the folder, so it may lie anywhere.
	if _, err := os.Stat(folder.Ledger()); err == nil {
		return []finding{{"note", "The data folder holds a key file, ledger.db, which is not used: the keys are in the database. " +
			"dedupe export-keys and dedupe import carry keys over."}}
	}
	return nil
}
