package api

import (
	"io"
	"net/http"

	"dedupedesk/app/body"
	"dedupedesk/app/intake"
)

// maxBatch is how many items one batch may hold.
const maxBatch = 100

// batch answers POST /v1/batch. Each item takes the same road as a single call,
// so a batch knows no rules of its own.
func (d desk) batch(w http.ResponseWriter, r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	in := input{values: map[string]any{}}
	if err := in.addBody(r.Header.Get("Content-Type"), body); err != nil {
		return err
	}
	if err := in.only([]string{"op", "items"}); err != nil {
		return err
	}
	items, ok := in.values["items"].([]any)
	if !ok || len(items) == 0 || len(items) > maxBatch {
		return invalid("items", "items must be a list of 1 to 100 entries.")
	}
	op, err := in.text("op")
	if err != nil {
		return err
	}
	one, ok := map[string]func(*http.Request, input, map[string]bool) (any, error){
		"claim": d.batchClaim, "done": d.batchDone, "release": d.batchRelease,
	}[op]
	if !ok {
		return invalid("op", `op is claim, done or release, not "`+clip(op)+`".`)
	}
	results := make([]any, len(items))
	seen := map[string]bool{}
	for i, item := range items {
		results[i] = d.batchItem(r, item, one, seen)
	}
	return reply(w, http.StatusOK, map[string]any{"results": results})
}

func (d desk) batchItem(r *http.Request, item any, one func(*http.Request, input, map[string]bool) (any, error), seen map[string]bool) any {
	members, ok := item.(map[string]any)
	err := invalid("items", "Each entry of items must be an object.")
	if ok {
		var out any
		if out, err = one(r, input{values: members}, seen); err == nil {
			return out
		}
	}
	p := problemOf(err)
	b := p.Body()
	return body.Claim{HTTP: p.Status, Status: body.Invalid, Reason: b.Detail, Problem: &b}
}

func (d desk) batchClaim(r *http.Request, in input, seen map[string]bool) (any, error) {
	if err := in.only(append([]string{"owner", "lease", "fingerprint"}, identityFields...)); err != nil {
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
	rule, key, err := d.intake.Identify(r.Context(), src)
	if err == nil {
		// The second of two equal keys in one request is a copy, whoever owns the first.
		if seen[rule+"\n"+key] {
			opt.Owner = ""
		}
		seen[rule+"\n"+key] = true
	}
	res, err := d.intake.Claim(r.Context(), src, opt)
	if err != nil {
		return nil, err
	}
	if res.Each {
		return nil, invalid("event", "This rule splits its events. Send each event to /v1/rules/"+res.Rule.Name+"/claim.")
	}
	return itemAnswer(res.Rule.Name, res.Items[0], Branch), nil
}

func (d desk) batchDone(r *http.Request, in input, _ map[string]bool) (any, error) {
	if err := in.only(append([]string{"result"}, reportFields...)); err != nil {
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

func (d desk) batchRelease(r *http.Request, in input, _ map[string]bool) (any, error) {
	if err := in.only(append([]string{"error", "retry_after"}, reportFields...)); err != nil {
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
