package transfer

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// Terms are what the keys of a file have to meet.
type Terms struct {
	Rule string    // the rule of lines that name none, and the only one allowed; "" = any, and the default one
	Now  time.Time // the ledger's
	// Find tells whether there is a rule, and whether it ignores capitals: then its
	// claims ask for keys in small letters, and so have its keys to be.
	Find func(ctx context.Context, name string) (fold, ok bool, err error)
}

// maxFaults is how many faults of a file are told one by one.
const maxFaults = 20

// A Survey is what a file holds.
type Survey struct {
	Keys    int          // lines that can be imported
	Repeats map[int]bool // those of them whose key came in a line before
	Refused int          // lines that cannot
	Faults  []*Fault
}

// Check reads a whole file without importing any of it, and calls progress, which may
// be nil, after each line. A key that stands there twice is one key, unless its states
// differ: then it is not clear whether it is finished.
//
// Check returns the errors of reading and of t.Find.
func Check(ctx context.Context, r *Reader, t Terms, progress func(lines int)) (Survey, error) {
	s := Survey{Repeats: map[int]bool{}}
	seen := map[[16]byte]ledger.State{}
	for {
		k, line, err := r.Next()
		if err == io.EOF {
			return s, nil
		}
		if err == nil {
			err = t.meets(ctx, &k, line)
		}
		if err == nil {
			err = s.once(seen, k, line)
		}
		var fault *Fault
		switch {
		case err == nil:
			s.Keys++
		case errors.As(err, &fault):
			s.Refused++
			if len(s.Faults) < maxFaults {
				s.Faults = append(s.Faults, fault)
			}
		default:
			return s, err
		}
		if progress != nil {
			progress(s.Keys + s.Refused)
		}
		if err := ctx.Err(); err != nil {
			return s, err
		}
	}
}

// meets refuses what cannot be imported.
func (t Terms) meets(ctx context.Context, k *ledger.Key, line int) error {
	if err := t.Place(ctx, k, line); err != nil {
		return err
	}
	if err := ledger.CheckImport(*k, t.Now); err != nil {
		return &Fault{Line: line, Column: ledger.FieldOf(err), Msg: ledger.MessageOf(err)}
	}
	return nil
}

// Place gives k its rule, and its key the form that the rule's claims ask for. It
// returns a [*Fault] where there is no such rule or the file names another than t does,
// and the errors of t.Find.
func (t Terms) Place(ctx context.Context, k *ledger.Key, line int) error {
	switch {
	case k.Rule == "" && t.Rule == "":
		k.Rule = ledger.DefaultRule
	case k.Rule == "":
		k.Rule = t.Rule
	case t.Rule != "" && k.Rule != t.Rule:
		return &Fault{Line: line, Column: "rule", Msg: "The file names another rule than you do. Leave out the one or the other."}
	}
	fold, ok, err := t.Find(ctx, k.Rule)
	switch {
	case err != nil:
		return err
	case !ok:
		return &Fault{Line: line, Column: "rule", Msg: "There is no rule of this name. Make it first, or name another with --rule in a file without this column."}
	case fold:
		k.Key = rules.FoldKey(k.Key)
	}
	return nil
}

// once remembers a key and refuses it where it came before in another state.
func (s *Survey) once(seen map[[16]byte]ledger.State, k ledger.Key, line int) error {
	sum := sha256.Sum256([]byte(k.Rule + "\n" + k.Key))
	code := [16]byte(sum[:16])
	if k.State == "" {
		k.State = ledger.Done
	}
	before, ok := seen[code]
	if ok {
		s.Repeats[line] = true
	}
	if ok && before != k.State {
		return &Fault{Line: line, Column: "state", Msg: "The same key stands in a line before with the state " + string(before) + ". Keep the line that is right."}
	}
	seen[code] = k.State
	return nil
}
