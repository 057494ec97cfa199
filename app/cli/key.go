package cli

import (
	"errors"
	"strings"

	"dedupedesk/app/body"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

type keyCommand struct {
	Key  string `arg:"" help:"The event key."`
	Rule string `complete:"rule" placeholder:"NAME" help:"The rule that the key belongs to."`
}

// Run tells one key's history, oldest first.
func (k *keyCommand) Run(c *call) error {
	keeper, err := c.keeper()
	if err != nil {
		return err
	}
	life, err := keeper.key(c.ctx, ruleName(k.Rule), k.Key)
	if err != nil {
		return err
	}
	if c.flags.JSON {
		return c.printJSON(body.LifeOf(life))
	}
	return c.tell(life)
}

func (c *call) tell(life ledger.Life) error {
	k := life.Key
	if err := c.print("%s (rule %s)", k.Key, k.Rule); err != nil {
		return err
	}
	now := k.Word()
	if k.StuckWhy != "" {
		now += ": " + printable(k.StuckWhy)
	}
	if err := c.print("%s", now); err != nil {
		return err
	}
	var rows [][]string
	for _, e := range life.Events {
		rows = append(rows, []string{clock(e.At), eventWords(e)})
	}
	if k.Copies > 0 {
		rows = append(rows, []string{"", plural(k.Copies, "copy came", "copies came") + " besides; the newest first:"})
	}
	for _, a := range life.Arrivals {
		rows = append(rows, []string{clock(a.At), arrivalWords(a)})
	}
	return c.table(rows)
}

// eventKinds are the words for what happened to a key.
var eventKinds = map[string]string{
	ledger.EventGranted:         "Reserved",
	ledger.EventTookOver:        "Taken over: the time allowed was up",
	ledger.EventFinished:        "Finished",
	ledger.EventReleased:        "Failed, given back",
	ledger.EventHeld:            "Set aside for a decision",
	ledger.EventStaleDone:       "Finished by a run that had lost the key: probably done twice",
	ledger.EventStaleRelease:    "Given back by a run that had lost the key; ignored",
	ledger.EventDecidedFinished: "Decided: finished",
	ledger.EventDecidedAgain:    "Decided: let it run again",
	ledger.EventDecidedBlock:    "Decided: keep blocked",
	ledger.EventForgotten:       "Decided: forgotten",
	ledger.EventImported:        "Imported",
	ledger.EventNoted:           "Note",
}

func eventWords(e ledger.Event) string {
	words, ok := eventKinds[e.Kind]
	if !ok {
		words = strings.ReplaceAll(e.Kind, "_", " ")
	}
	if e.By != "" {
		words += ", by " + e.By
	}
	if e.Owner != "" {
		words += " (" + e.Owner + ")"
	}
	// Of a late report the words above say all.
	if e.Text != "" && e.Kind != ledger.EventStaleDone && e.Kind != ledger.EventStaleRelease {
		words += ": " + e.Text
	}
	return words
}

func arrivalWords(a ledger.Arrival) string {
	words := "Copy stopped"
	switch a.Status {
	case ledger.StatusInProgress:
		words += ", the work was in progress"
	case ledger.StatusDone:
		words += ", the work was finished"
	case ledger.StatusHeld:
		words += ", the key needed a decision"
	case ledger.StatusMismatch:
		words = "Same key, different contents"
	}
	if a.Owner != "" {
		words += " (" + a.Owner + ")"
	}
	return words
}

// keyFault turns the refusal of a key into the ledger's Invalid.
func keyFault(err error) error {
	var bad *rules.KeyError
	if errors.As(err, &bad) {
		return &ledger.Error{Code: ledger.Invalid, Field: "key", Msg: bad.Msg}
	}
	return err
}
