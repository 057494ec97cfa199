package transfer

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"time"

	"dedupedesk/ledger"
)

// Terms are what the keys of a file have to meet.
type Terms struct {
	Rule    string // the rule of lines that name none, and the only one allowed; "" = any, and the default one
	HasRule func(ctx context.Context, name string) (bool, error)
	Now     time.Time // the ledger's
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
// Check returns the errors of reading and of t.HasRule.
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

// meets gives k its rule and refuses what cannot be imported.
func (t Terms) meets(ctx context.Context, k *ledger.Key, line int) error {
	if fault := t.Place(k, line); fault != nil {
		return fault
	}
	ok, err := t.HasRule(ctx, k.Rule)
	if err != nil {
		return err
	}
	if !ok {
		return &Fault{Line: line, Column: "rule", Msg: "There is no rule of this name. Make it first, or name another with --rule in a file without this column."}
	}
	if err := ledger.CheckImport(*k, t.Now); err != nil {
		return &Fault{Line: line, Column: ledger.FieldOf(err), Msg: ledger.MessageOf(err)}
	}
	return nil
}

// Place gives k its rule. It returns a Fault where the file names another than t does.
func (t Terms) Place(k *ledger.Key, line int) *Fault {
	switch {
	case k.Rule == "" && t.Rule == "":
		k.Rule = ledger.DefaultRule
	case k.Rule == "":
		k.Rule = t.Rule
	case t.Rule != "" && k.Rule != t.Rule:
		return &Fault{Line: line, Column: "rule", Msg: "The file names another rule than you do. Leave out the one or the other."}
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
