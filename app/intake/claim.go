package intake

import (
	"context"
	"fmt"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// A Source says what a key is made of: exactly one of Key, Parts and Event.
type Source struct {
	Rule  string
	Key   string
	Parts []any        // decoded values, joined as key() joins them
	Event *rules.Event // the rule's formula makes the key
}

// Options are a claim's own settings.
type Options struct {
	Owner       string
	Lease       time.Duration // 0 = the rule's
	Fingerprint string
	Plain       bool // the caller cannot carry a token
	One         bool // there is room for one answer: a rule that splits the event is Invalid
	// Seen holds the keys that were answered in one request, by rule, where the caller
	// makes several claims of it; nil starts anew.
	Seen map[string]map[string]bool
}

// An Item is the answer for one key of a source.
type Item struct {
	Answer  ledger.Answer
	Ignored bool // the rule's condition said no; Answer is empty
	Err     error
}

// A Result is the answers for a source, in input order.
type Result struct {
	Rule  *Rule
	Each  bool // the rule splits its events; otherwise Items has one entry
	Items []Item
}

// tries bounds how often a key is built again because its rule changed.
const tries = 4

// Claim claims the keys of src. An error means that nothing was claimed; an
// item's own error concerns that item alone.
func (in *Intake) Claim(ctx context.Context, src Source, opt Options) (Result, error) {
	var err error
	for range tries {
		var res Result
		if res, err = in.claim(ctx, src, opt); ledger.CodeOf(err) != ledger.RuleChanged {
			return res, err
		}
		in.forget(src.Rule)
	}
	return Result{}, err
}

func (in *Intake) claim(ctx context.Context, src Source, opt Options) (Result, error) {
	r, keyed, err := in.keys(ctx, src)
	if err != nil {
		return Result{}, err
	}
	if opt.One && src.Event != nil && r.Splits() {
		return Result{}, &ledger.Error{Code: ledger.Invalid, Field: "event", Msg: "The rule " + r.Name + " splits its events. Send each event to /v1/rules/" + r.Name + "/claim."}
	}
	former, err := r.formerKeys(ctx, src, keyed, in.lookedFor, ledger.MaxFormer)
	if err != nil {
		return Result{}, err
	}
	if opt.Seen == nil {
		opt.Seen = map[string]map[string]bool{}
	}
	if opt.Seen[r.Name] == nil {
		opt.Seen[r.Name] = map[string]bool{}
	}
	res := Result{Rule: r, Each: src.Event != nil && r.Splits(), Items: make([]Item, 0, len(keyed))}
	decided := false
	for i, k := range keyed {
		item := in.claimOne(ctx, r, k, former[i], opt)
		// Before the first decision the whole source can still be sent again, here
		// under the new rule, or by the caller where the ledger does not answer.
		if !decided && ofTheHouse(item.Err) {
			return Result{}, item.Err
		}
		decided = decided || (item.Err == nil && !item.Ignored)
		res.Items = append(res.Items, item)
	}
	if !res.Each && res.Items[0].Err != nil {
		return Result{}, res.Items[0].Err
	}
	return res, nil
}

// ofTheHouse tells whether err is no fault of the item.
func ofTheHouse(err error) bool { return err != nil && ledger.CodeOf(err) != ledger.Invalid }

// lookedFor reports whether a claim now looks for the keys of f.
func (in *Intake) lookedFor(f former) bool { return f.lookedFor(in.ledger.Now()) }

// reported reports whether a report now looks for the keys of f.
func (in *Intake) reported(f former) bool { return f.reported(in.ledger.Now()) }

func (in *Intake) claimOne(ctx context.Context, r *Rule, k rules.Keyed, former []ledger.FormerKey, opt Options) Item {
	switch {
	case k.Err != nil:
		return Item{Err: asInvalid(k.Err)}
	case k.Ignored:
		return Item{Ignored: true}
	}
	req := ledger.ClaimRequest{Rule: r.Name, Key: k.Key, Owner: opt.Owner, Lease: opt.Lease, Fingerprint: opt.Fingerprint, Plain: opt.Plain, Former: former}
	if req.Fingerprint == "" {
		req.Fingerprint, req.PrintsAfter = k.Fingerprint, r.printsAfter
	}
	// The formula and the settings that made the key must still be the rule's.
	req.RuleID, req.RuleVersion = r.ID, r.Version
	// The second of two equal keys in one request is a copy, whoever owns the first.
	req.Seen = opt.Seen[r.Name]
	a, err := in.ledger.Claim(ctx, req)
	if err == nil {
		req.Seen[a.Key] = true
	}
	return Item{Answer: a, Err: err}
}

// Identify returns the key that src names, for done, release and renew, with the keys
// that the event had under former formulas: the ledger takes the one that the caller's
// proof fits. The token and the owner are the caller's to fill in.
//
// A source that gives several keys is Invalid: each is reported by its own key. A ready
// key needs no live rule: work that began before the rule was archived is reported. Nor
// does it have to be one that could be claimed now: files of dedupe.py may hold others.
func (in *Intake) Identify(ctx context.Context, src Source) (ledger.Identity, error) {
	if src.Event == nil && src.Parts == nil {
		return in.identifyReady(ctx, src)
	}
	r, keyed, err := in.keys(ctx, src)
	if err != nil {
		return ledger.Identity{}, err
	}
	switch {
	case len(keyed) != 1:
		return ledger.Identity{}, &ledger.Error{Code: ledger.Invalid, Field: "event", Msg: "This event holds several keys. Report each by the key that its claim answered."}
	case keyed[0].Err != nil:
		return ledger.Identity{}, asInvalid(keyed[0].Err)
	case keyed[0].Ignored:
		return ledger.Identity{}, &ledger.Error{Code: ledger.Invalid, Field: "event", Msg: "The rule ignores this event, so it has no key."}
	}
	return in.identity(ctx, r, src, keyed[0].Key)
}

// identity adds the former keys.
func (in *Intake) identity(ctx context.Context, r *Rule, src Source, key string) (ledger.Identity, error) {
	former, err := r.formerKeys(ctx, src, []rules.Keyed{{Key: key}}, in.reported, 2*ledger.MaxFormer)
	if err != nil {
		return ledger.Identity{}, err
	}
	return ledger.Identity{Rule: r.Name, Key: key, Former: former[0]}, nil
}

func (in *Intake) identifyReady(ctx context.Context, src Source) (ledger.Identity, error) {
	r, err := in.Rule(ctx, src.Rule)
	key := src.Key
	switch {
	case ledger.CodeOf(err) == ledger.UnknownRule:
	case err != nil:
		return ledger.Identity{}, err
	case r.File.FoldCase:
		key = rules.FoldKey(key)
	}
	if key, err = rules.CheckNamedKey(key); err != nil {
		return ledger.Identity{}, asInvalid(err)
	}
	if r == nil {
		return ledger.Identity{Rule: nameOf(src.Rule), Key: key}, nil
	}
	return in.identity(ctx, r, src, key)
}

// keys returns the rule of src and the keys that src gives under it.
func (in *Intake) keys(ctx context.Context, src Source) (*Rule, []rules.Keyed, error) {
	r, err := in.Rule(ctx, src.Rule)
	if err != nil {
		return nil, nil, err
	}
	if src.Event == nil {
		key, err := readyKey(r, src)
		if err != nil {
			return nil, nil, asInvalid(err)
		}
		return r, []rules.Keyed{{Key: key}}, nil
	}
	if r.Program == nil {
		return nil, nil, &ledger.Error{Code: ledger.Invalid, Field: "event",
			Msg: "The rule " + r.Name + " has no formula, so it takes a ready key, not an event."}
	}
	keyed, err := r.Program.Keys(ctx, *src.Event)
	if err != nil {
		return nil, nil, asInvalid(err)
	}
	return r, keyed, nil
}

// readyKey returns the key of src's parts, or the key as it was given, in small
// letters where the rule ignores capitals.
func readyKey(r *Rule, src Source) (string, error) {
	if src.Parts != nil {
		if want, ok := rules.Parts(r.File.Key); ok && !r.Splits() && len(want) != len(src.Parts) {
			return "", &rules.KeyError{Path: "part", Msg: fmt.Sprintf(
				"The rule %s makes its key of %d parts, and %d came. A part that is missing would let different events share one key.", r.Name, len(want), len(src.Parts))}
		}
		return rules.JoinParts(src.Parts, r.File.FoldCase, r.File.LongKeys)
	}
	key := src.Key
	if r.File.FoldCase {
		key = rules.FoldKey(key)
	}
	return rules.CheckKey(key)
}
