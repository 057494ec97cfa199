package api

import (
	"net/http"
	"strconv"

	"dedupedesk/app/body"
	"dedupedesk/app/intake"
	"dedupedesk/rules"
)

// maxBatch is how many items one batch may hold.
const maxBatch = 100

// batch answers POST /v1/batch. Each item takes the same road as a single call,
// so a batch knows no rules of its own.
func (d desk) batch(w http.ResponseWriter, r *http.Request) error {
	in, err := readInput(r, batchFields)
	if err != nil {
		return err
	}
	if len(r.Header.Values("Idempotency-Key")) > 0 {
		return invalid("Idempotency-Key", "A batch has several keys, so no Idempotency-Key goes with it. Give each item its key.")
	}
	items, err := in.items()
	if err != nil {
		return err
	}
	op, err := in.text("op")
	if err != nil {
		return err
	}
	asked, err := in.text("answer")
	if err != nil {
		return err
	}
	// A wrong profile must not cost a grant, so it is looked at before the claims.
	if _, err := profileNamed(asked); err != nil {
		return err
	}
	seen := map[string]map[string]bool{}
	one, ok := map[string]batchOp{
		"claim":   func(r *http.Request, in input) (any, error) { return d.batchClaim(r, in, asked, seen) },
		"done":    d.batchDone,
		"release": d.batchRelease,
	}[op]
	if !ok {
		return invalid("op", `op is claim, done or release, not "`+clip(op)+`".`)
	}
	results, err := batchItems(r, items, one)
	if err != nil {
		return err
	}
	note(r, "", strconv.Itoa(len(results))+" events")
	return reply(w, http.StatusOK, map[string]any{"results": results})
}

// A batchOp does what op names for one item.
type batchOp func(*http.Request, input) (any, error)

// items returns the items member: a list, or text that holds one, as form fields
// can only send it so.
func (in input) items() ([]any, error) {
	v := in.values["items"]
	if text, isText := v.(string); isText {
		decoded, err := rules.DecodeJSON([]byte(text))
		if err != nil {
			return nil, invalid("items", "items is not valid JSON: "+stop(err))
		}
		v = decoded
	}
	items, ok := v.([]any)
	if !ok || len(items) == 0 || len(items) > maxBatch {
		return nil, invalid("items", "items must be a list of 1 to 100 entries.")
	}
	return items, nil
}

// batchItems answers each item, the others going on where one is refused. Where
// the house fails before anything was decided, the whole call fails, so that the
// caller's own retry sends it again.
func batchItems(r *http.Request, items []any, one batchOp) ([]any, error) {
	results := make([]any, len(items))
	decided := false
	for i, item := range items {
		members, ok := item.(map[string]any)
		err := invalid("items", "Each entry of items must be an object.")
		if ok {
			if results[i], err = one(r, input{values: members}); err == nil {
				decided = true
				continue
			}
		}
		p := problemOf(err)
		if p.Status >= http.StatusInternalServerError && !decided {
			return nil, err
		}
		b := p.Body()
		results[i] = body.Claim{HTTP: p.Status, Status: body.Invalid, Reason: b.Detail, Problem: &b}
	}
	return results, nil
}

func (d desk) batchClaim(r *http.Request, in input, asked string, seen map[string]map[string]bool) (any, error) {
	if err := in.knows(itemFields); err != nil {
		return nil, err
	}
	var src intake.Source
	var err error
	if src.Rule, err = in.text("rule"); err != nil {
		return nil, err
	}
	if err := in.fill(&src); err != nil {
		return nil, err
	}
	opt, err := optionsOf(in)
	if err != nil {
		return nil, err
	}
	// An item has one answer, and equal keys in one batch are copies of the first.
	opt.One, opt.Seen = true, seen
	rule, err := d.intake.Rule(r.Context(), src.Rule)
	if err != nil {
		return nil, err
	}
	p, err := profileOf(asked, rule)
	if err != nil {
		return nil, err
	}
	res, err := d.intake.Claim(r.Context(), src, opt)
	if err != nil {
		return nil, err
	}
	out := itemAnswer(res.Rule.Name, res.Items[0], p)
	count(r, res.Rule.Name, out.Status)
	return out, nil
}

func (d desk) batchDone(r *http.Request, in input) (any, error) {
	if err := in.knows(doneFields); err != nil {
		return nil, err
	}
	a, err := d.doneInput(r, in)
	if err != nil {
		return nil, err
	}
	out := body.ReportOf(a)
	out.HTTP = http.StatusOK
	return out, nil
}

func (d desk) batchRelease(r *http.Request, in input) (any, error) {
	if err := in.knows(releaseFields); err != nil {
		return nil, err
	}
	a, err := d.releaseInput(r, in)
	if err != nil {
		return nil, err
	}
	out := body.ReportOf(a)
	out.HTTP = http.StatusOK
	return out, nil
}
