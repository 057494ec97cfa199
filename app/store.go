package main

import (
	"context"
	"fmt"
	"os"

	"dedupedesk/app/cli"
	"dedupedesk/app/datafolder"
	"dedupedesk/ledger"
	"dedupedesk/ledger/postgres"
	"dedupedesk/ledger/sqlite"
)

// openStore opens the database or key file that t names.
func openStore(ctx context.Context, t cli.Target) (ledger.Store, error) {
	if t.DatabaseURL != "" {
		return postgres.Open(ctx, t.DatabaseURL)
	}
	path := t.DB
	if path == "" {
		folder, err := datafolder.Open(t.Data)
		if err != nil {
			return nil, err
		}
		if err := inFile(folder); err != nil {
			return nil, err
		}
		path = folder.Ledger()
	}
	return sqlite.Open(path)
}

// inFile returns Invalid where the keys of a folder are in a database: another ledger
// in its key file would grant them all once more.
func inFile(folder *datafolder.Folder) error {
	name, ok, err := folder.Database()
	if err != nil || !ok {
		return err
	}
	return &ledger.Error{Code: ledger.Invalid, Field: "database_url", Msg: fmt.Sprintf(
		"The engine of this data folder keeps its keys in the database %s. Nothing was granted. Name it with --database-url or in %s. "+
			"To keep keys in a file again, delete %s.", name, cli.DatabaseEnv, folder.DatabaseMark())}
}

// keepIn writes down in an engine's folder that its keys are in a database.
func keepIn(folder *datafolder.Folder, t cli.Target) error {
	if t.DatabaseURL == "" {
		return nil
	}
	name, err := postgres.Name(t.DatabaseURL)
	if err != nil {
		return err
	}
	return folder.KeepIn(name)
}

// sameDatabase returns an error where an engine runs on folder and keeps its keys
// elsewhere than in the database that t names: whoever named one would believe that
// it is used.
func sameDatabase(folder *datafolder.Folder, t cli.Target) error {
	if t.DatabaseURL == "" {
		return nil
	}
	want, err := postgres.Name(t.DatabaseURL)
	if err != nil {
		return err
	}
	_, running, err := folder.Running()
	if err != nil || !running {
		return err
	}
	name, marked, err := folder.Database()
	if err == nil && (!marked || name != want) {
		err = fmt.Errorf("the engine that runs on this data folder keeps its keys elsewhere. Stop it first with: %s", command(folder, "stop"))
	}
	return err
}

// unusedFile is what to say where a folder whose keys are in a database holds a key file.
func unusedFile(folder *datafolder.Folder, t cli.Target) string {
	if _, err := os.Stat(folder.Ledger()); t.DatabaseURL == "" || err != nil {
		return ""
	}
	return "The data folder holds a key file, ledger.db, which is not used: the keys are in the database. What was finished there may run again; dedupe export-keys and dedupe import carry keys over."
}

// lookAtDatabase tells of the database at url.
func lookAtDatabase(ctx context.Context, url string) (cli.Database, error) {
	a, err := postgres.Look(ctx, url)
	return cli.Database(a), err
}
