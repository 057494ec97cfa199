package ledger

import "context"

// EventNoted is the kind of the event that holds a person's note.
const EventNoted = "noted"

// A NoteRequest adds a person's note to a key's history.
type NoteRequest struct {
	Rule, Key string
	By, Text  string // who, and what; both are needed
}

// Note writes a note into the history of a key, which it changes in nothing else. It
// returns Invalid for a note without a text or a name, NotFound where there is no such row,
// UnknownRule, Busy and Corrupt.
func (l *Ledger) Note(ctx context.Context, req NoteRequest) error {
	if err := namedKey(req.Key); err != nil {
		return err
	}
	by, text := cleanError(req.By), cleanError(req.Text)
	switch {
	case by == "":
		return invalid("by", "Say whose note it is.")
	case text == "":
		return invalid("note", "The note is empty.")
	}
	_, err := l.act(ctx, "note", named{rule: req.Rule, key: req.Key}, func(_ Rule, row Row, found bool, m moment) (outcome, error) {
		if !found {
			return outcome{row: row, refuse: unknownKey()}, nil
		}
		return outcome{row: row, events: []Event{{At: m.now, Kind: EventNoted, By: by, Text: text, Fence: row.Fence}}}, nil
	})
	return err
}
