package intake

import (
	"context"
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
	res := Result{Rule: r, Each: src.Event != nil && r.Splits(), Items: make([]Item, 0, len(keyed))}
	seen := map[string]bool{}
	decided := false
	for _, k := range keyed {
		item := in.claimOne(ctx, r, src, k, opt, seen)
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

func (in *Intake) claimOne(ctx context.Context, r *Rule, src Source, k rules.Keyed, opt Options, seen map[string]bool) Item {
	switch {
	case k.Err != nil:
		return Item{Err: asInvalid(k.Err)}
	case k.Ignored:
		return Item{Ignored: true}
	}
	req := ledger.ClaimRequest{Rule: r.Name, Key: k.Key, Owner: opt.Owner, Lease: opt.Lease, Fingerprint: opt.Fingerprint, Plain: opt.Plain}
	if req.Fingerprint == "" {
		req.Fingerprint = k.Fingerprint
	}
	if src.Event != nil {
		req.RuleVersion = r.Version
	}
	// The second of two equal keys in one request is a copy, whoever owns the first.
	if seen[k.Key] {
		req.Owner = ""
	}
	seen[k.Key] = true
	a, err := in.ledger.Claim(ctx, req)
	return Item{Answer: a, Err: err}
}

// Identify returns the key that src names, for done, release and renew. A source
// that gives several keys is Invalid: each is reported by its own key. A ready key
// needs no live rule: work that began before the rule was archived is reported.
func (in *Intake) Identify(ctx context.Context, src Source) (rule, key string, err error) {
	if src.Event == nil && src.Parts == nil {
		if key, err = rules.CheckKey(src.Key); err != nil {
			return "", "", asInvalid(err)
		}
		return nameOf(src.Rule), key, nil
	}
	r, keyed, err := in.keys(ctx, src)
	if err != nil {
		return "", "", err
	}
	switch {
	case len(keyed) != 1:
		return "", "", &ledger.Error{Code: ledger.Invalid, Field: "event", Msg: "This event holds several keys. Report each by the key that its claim answered."}
	case keyed[0].Err != nil:
		return "", "", asInvalid(keyed[0].Err)
	case keyed[0].Ignored:
		return "", "", &ledger.Error{Code: ledger.Invalid, Field: "event", Msg: "The rule ignores this event, so it has no key."}
	}
	return r.Name, keyed[0].Key, nil
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

func readyKey(r *Rule, src Source) (string, error) {
	if src.Parts != nil {
		return rules.JoinParts(src.Parts, r.File.FoldCase, r.File.LongKeys)
	}
	return rules.CheckKey(src.Key)
}
