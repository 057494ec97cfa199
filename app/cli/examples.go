package cli

// Each command's help ends with calls that work as they stand. A test reads every line
// of them that begins with "dedupe" as the command line that it shows.

// Help shows claim in use.
func (claimCommand) Help() string {
	return `Exit 0 and "claimed": the key is yours, do the work and say done or release. Exit 1: a copy. Exit 2: nothing was decided, so do not go ahead.

In a shell script:

    dedupe claim stripe:evt_1 && ./send-invoice.sh evt_1 && dedupe done stripe:evt_1

With an owner, so that the same attempt may ask again after a lost answer:

    dedupe claim order:1001 --rule shop-orders --owner "$RUN_ID" --lease 30m

At an engine elsewhere, with the token of the grant in the answer:

    dedupe claim order:1001 --url https://dedupe.example.com --token dd_… --json`
}

// Help shows done in use.
func (doneCommand) Help() string {
	return `Examples:

    dedupe done order:1001
    dedupe done order:1001 --owner "$RUN_ID" --result '{"invoice": 77}'
    dedupe done order:1001 --token 1.kq… --url https://dedupe.example.com --token dd_…`
}

// Help shows release in use.
func (releaseCommand) Help() string {
	return `Examples:

    dedupe release order:1001
    dedupe release order:1001 --owner "$RUN_ID" --error "mailbox full" --retry-after 10m`
}

// Help shows renew in use.
func (renewCommand) Help() string {
	return `Examples:

    dedupe renew order:1001 --owner "$RUN_ID" --lease 1h
    dedupe renew order:1001 --token 1.kq…`
}

// Help shows run in use.
func (runCommand) Help() string {
	return `The command gets the input and the signals; its output and exit code are handed on as they are. While it runs, the key is kept; where it ends with 0 the key is finished, else it is given back. A copy ends with 0 and runs nothing; one that needs a decision ends with 1.

    dedupe run stripe:evt_1 -- ./send-invoice.sh evt_1
    dedupe run backup:2026-11-30 --lease 2h -- pg_dump -f shop.sql shop
    dedupe run order:1001 --url https://dedupe.example.com -- ./ship.sh 1001`
}

// Help shows prune in use.
func (pruneCommand) Help() string {
	return `Examples:

    dedupe prune 35 --dry-run
    dedupe prune 35
    dedupe prune 7 --rule shop-orders`
}

// Help shows keys in use.
func (keysCommand) Help() string {
	return `Examples:

    dedupe keys --state stuck
    dedupe keys --rule shop-orders --prefix order:2026- --limit 200
    dedupe keys --state held --json`
}

// Help shows key in use.
func (keyCommand) Help() string {
	return `Example:

    dedupe key order:1001 --rule shop-orders`
}

// Help shows decide in use.
func (decideCommand) Help() string {
	return `Look first whether the work happened, then say so:

    dedupe decide order:1001 finished --why "the invoice is in the books"
    dedupe decide order:1001 again --why "no invoice was made" --rule shop-orders
    dedupe decide order:1001 block --why "a customer disputes it" --name Ana`
}

// Help shows how a password is made.
func (tokenNew) Help() string {
	return `Examples:

    dedupe token new make-orders
    dedupe token new desk --scope admin`
}

// Help shows how passwords are listed.
func (tokenList) Help() string {
	return `Example:

    dedupe token list`
}

// Help shows how a password is rotated.
func (tokenRevoke) Help() string {
	return `To change a password without a gap, make a new one, end the old one in a day, and put the new one in place meanwhile:

    dedupe token new make-orders-2
    dedupe token revoke make-orders --after 24h`
}

// Help shows how rules are judged.
func (ruleTest) Help() string {
	return `Examples:

    dedupe rule test orders.yaml
    dedupe rule test shop-orders stripe-events --json`
}

// Help shows how rules are shown.
func (ruleShow) Help() string {
	return `Examples:

    dedupe rule show
    dedupe rule show shop-orders`
}

// Help shows how rules are taken over.
func (ruleImport) Help() string {
	return `Examples:

    dedupe rule import orders.yaml payments.yaml
    dedupe rule import - --url https://dedupe.example.com < orders.yaml`
}

// Help shows how a rule is written to a file.
func (ruleExport) Help() string {
	return `Examples:

    dedupe rule export shop-orders --out orders.yaml
    dedupe rule export shop-orders --json`
}

// Help shows how keys are worked out.
func (ruleKey) Help() string {
	return `Examples:

    dedupe rule key event.json --rule shop-orders
    dedupe rule key yesterday.jsonl --file orders.yaml
    dedupe rule key history.xlsx --rule shop-orders --groups
    dedupe rule key event.json --file github.yaml --headers headers.json`
}

// Help shows how a checklist is made.
func (exportCommand) Help() string {
	return `Examples:

    dedupe export power-automate --out flow --set account=flows@example.com
    dedupe export make --rule shop-orders --out scenario --set computer=always --set address=https://dedupe.example.com
    dedupe export sharepoint --out list --set list=Orders`
}

// Help shows how a destination is compared with the keys.
func (labCommand) Help() string {
	return `The events and the work are invented, the table with its unique column and this program's endpoint are real. No key of yours is touched. It takes about ten seconds.

    dedupe lab
    dedupe lab --scattered --method look-first --method reserve-first
    dedupe lab --crash 5 --json`
}

func (reconcileCommand) Help() string {
	return `Exit 0: every row has its finished key, and every finished key its row. Exit 1: something to look at. Nothing is changed.

    dedupe reconcile invoices.csv --rule paid-invoices --column "Event key"
    dedupe reconcile orders.xlsx --rule shop-orders --prefix shop --part "Order number" --since 30d`
}

// Help shows how keys are written to a file.
func (exportKeysCommand) Help() string {
	return `Examples:

    dedupe export-keys keys.csv
    dedupe export-keys orders.jsonl --rule shop-orders --state done
    dedupe export-keys - --prefix order:2026- | gzip > orders.gz`
}

// Help shows how keys are taken from a file.
func (importCommand) Help() string {
	return `No key that is there already is changed.

    dedupe import keys.csv --dry-run
    dedupe import keys.csv
    dedupe import sent.txt --format lines --rule shop-orders`
}

// Help shows how a backup is made.
func (backupCommand) Help() string {
	return `Example:

    dedupe backup keys-2026-11-30.db`
}

// Help shows how a backup is put back.
func (restoreCommand) Help() string {
	return `The engine must not run meanwhile. The key file as it was stays beside the new one:

    dedupe stop && dedupe restore keys-2026-11-30.db`
}

// Help shows which files are checked.
func (checkCommand) Help() string {
	return `The file is recognised by its content. Exit 0: no fault; 1: faults; 2: none of the known files. Examples:

    dedupe check orders.blueprint.json
    pbpaste | dedupe check -`
}

// Help shows how conditions are checked.
func (conditionTest) Help() string {
	return `Put the lines in single quotes, for $ and ! mean something to a shell:

    dedupe condition test --outputs run.json '@equals(triggerBody()?[''Status''], ''Paid'')'
    dedupe condition test --outputs run.json --why '@empty(triggerBody()?[''Note''])'`
}

// Help shows how a condition is made.
func (conditionMake) Help() string {
	return `The made events are an own change, a null, a missing field and the like. Examples:

    dedupe condition make
    dedupe condition make sharepoint-item
    dedupe condition make sharepoint-item own-edits --value flows@example.com --outputs run.json
    dedupe condition make sharepoint-item value-is --field Status/Value --value Approved`
}

// Help shows doctor in use.
func (doctorCommand) Help() string {
	return `Examples:

    dedupe doctor
    dedupe doctor --db seen.db --json
    dedupe doctor --accept-clock`
}

// Help shows how an engine is run.
func (serveCommand) Help() string {
	return `Examples:

    dedupe serve
    dedupe serve --data /var/lib/dedupe --public-host dedupe.example.com
    dedupe serve --db seen.db --api 127.0.0.1:0`
}

// Help shows how the pages are opened.
func (openCommand) Help() string {
	return `Examples:

    dedupe open
    dedupe open --print --name Ana --role decide`
}

// Help shows how an engine is stopped.
func (stopCommand) Help() string {
	return `Example:

    dedupe stop --data /var/lib/dedupe`
}

// Help says how each shell is told.
func (completionCommand) Help() string {
	return `Once, for the shell that you use:

    echo 'source <(dedupe completion bash)' >> ~/.bashrc
    echo 'source <(dedupe completion zsh)' >> ~/.zshrc
    echo 'dedupe completion fish | source' >> ~/.config/fish/config.fish
    echo 'dedupe completion powershell | Out-String | Invoke-Expression' >> $PROFILE

For example:

    dedupe completion bash`
}
