package api

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"dedupedesk/app/calls"
	"dedupedesk/app/catch"
	"dedupedesk/app/describe"
	"dedupedesk/app/intake"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// claim answers POST /v1/claim.
func (d desk) claim(w http.ResponseWriter, r *http.Request) error {
	in, err := readInput(r, claimFields)
	if err != nil {
		return err
	}
	src, err := sourceOf(in, r)
	if err != nil {
		return err
	}
	return d.answerClaim(w, r, in, src, func(intake.Result) {})
}

// claimEvent answers POST /v1/rules/{rule}/claim, whose body is the event.
func (d desk) claimEvent(w http.ResponseWriter, r *http.Request) error {
	query, err := queryOf(r)
	if err != nil {
		return err
	}
	// These names are ours; all others are the event's.
	own := input{values: map[string]any{}}
	for _, name := range describe.Names(optionFields) {
		if v, ok := query[name]; ok {
			if len(v) > 1 {
				return invalid(name, name+" is given more than once. Give it once.")
			}
			own.values[name] = v[0]
			query.Del(name)
		}
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	ev, err := eventOf(r, query, text)
	if err != nil {
		return err
	}
	return d.answerClaim(w, r, own, intake.Source{Rule: r.PathValue("rule"), Event: &ev}, func(res intake.Result) {
		d.keep(res, sampleOf(r, query, text))
	})
}

// keep keeps an event that the rule wants kept, for each of its keys.
func (d desk) keep(res intake.Result, s rules.Sample) {
	most := res.Rule.File.KeepSamples
	if most == 0 {
		return
	}
	for _, item := range res.Items {
		if item.Err == nil && !item.Ignored {
			d.kept.Keep(res.Rule.ID, item.Answer.Key, most, catch.Delivery{At: d.ledger.Now(), Headers: s.Headers, Body: s.Body})
		}
	}
}

// answerClaim claims src and answers under the profile asked for, or else the
// rule's. A wrong profile must not cost a grant, so it is looked at first. claimed is told
// what came of it.
func (d desk) answerClaim(w http.ResponseWriter, r *http.Request, in input, src intake.Source, claimed func(intake.Result)) error {
	opt, err := optionsOf(in)
	if err != nil {
		return err
	}
	rule, err := d.intake.Rule(r.Context(), src.Rule)
	if err != nil {
		return err
	}
	asked, err := in.text("answer")
	if err != nil {
		return err
	}
	p, err := profileOf(asked, rule)
	if err != nil {
		return err
	}
	res, err := d.intake.Claim(r.Context(), src, opt)
	if err != nil {
		return err
	}
	claimed(res)
	return replyClaim(w, r, res, p)
}

func optionsOf(in input) (opt intake.Options, err error) {
	if opt.Owner, err = in.text("owner"); err != nil {
		return opt, err
	}
	if opt.Lease, err = in.duration("lease", ledger.MinLease); err != nil {
		return opt, err
	}
	opt.Fingerprint, err = in.text("fingerprint")
	return opt, err
}

// sourceOf returns what a request names: exactly one of key, part and event, or
// the Idempotency-Key header.
func sourceOf(in input, r *http.Request) (src intake.Source, err error) {
	if src.Rule, err = in.text("rule"); err != nil {
		return src, err
	}
	header, err := idempotencyKey(r)
	if err != nil {
		return src, err
	}
	if header != "" {
		if in.has("part") || in.has("event") {
			return src, invalid("Idempotency-Key", "The Idempotency-Key header is a ready key, so it goes neither with part nor with event.")
		}
		if in.has("key") && !in.says("key", header) {
			return src, invalid("key", "The key in the body and the one in the Idempotency-Key header differ.")
		}
		in.values["key"] = header
	}
	return src, in.fill(&src)
}

func (in input) fill(src *intake.Source) (err error) {
	given := 0
	for _, name := range []string{"key", "part", "event"} {
		if in.has(name) {
			given++
		}
	}
	if given != 1 {
		return invalid("key", "Give exactly one of key, part and event.")
	}
	switch {
	case in.has("key"):
		if _, decimal := in.values["key"].(float64); decimal {
			return invalid("key", "key is a decimal number, and 1.5 and 1.50 are the same number but not the same text. Put it in quotes.")
		}
		src.Key, err = in.text("key")
	case in.has("part"):
		src.Parts, err = in.parts()
	default:
		src.Event, err = in.event()
	}
	if in.has("headers") && !in.has("event") && err == nil {
		err = invalid("headers", "headers goes with event only.")
	}
	return err
}

func (in input) parts() ([]any, error) {
	switch v := in.values["part"].(type) {
	case []any:
		if len(v) == 0 {
			return nil, invalid("part", "part is an empty list, so there is no key.")
		}
		return v, nil
	case map[string]any:
		return nil, invalid("part", "part must be a list of values.")
	default:
		return []any{v}, nil
	}
}

// event returns the event member: an object, or text that holds JSON, as form
// fields can only send it so.
func (in input) event() (*rules.Event, error) {
	headers, err := in.headers()
	if err != nil {
		return nil, err
	}
	if text, ok := in.values["event"].(string); ok {
		ev, err := rules.DecodeEvent("application/json", []byte(text), headers, nil)
		if err != nil {
			return nil, invalid("event", "The event is not valid JSON: "+stop(err))
		}
		return &ev, nil
	}
	return &rules.Event{Body: in.values["event"], Headers: rules.LowerNames(headers), Query: map[string]string{}}, nil
}

func (in input) headers() (map[string]string, error) {
	out := map[string]string{}
	v, ok := in.values["headers"]
	if !ok {
		return out, nil
	}
	if text, isText := v.(string); isText {
		decoded, err := rules.DecodeJSON([]byte(text))
		if err != nil {
			return nil, invalid("headers", "headers is not valid JSON: "+stop(err))
		}
		v = decoded
	}
	members, ok := v.(map[string]any)
	if !ok {
		return nil, invalid("headers", "headers must be an object of names and texts.")
	}
	for name := range members {
		text, err := (input{values: members}).text(name)
		if err != nil {
			return nil, invalid("headers", "The header "+clip(name)+" must be text.")
		}
		out[name] = text
	}
	return out, nil
}

// idempotencyKey returns the key of the Idempotency-Key header, "" where there
// is none. It may be in quotes, as the IETF draft writes it.
func idempotencyKey(r *http.Request) (string, error) {
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	if len(values) > 1 {
		return "", invalid("Idempotency-Key", "The Idempotency-Key header is given more than once.")
	}
	key := strings.TrimSpace(values[0])
	if !utf8.ValidString(key) {
		return "", invalid("Idempotency-Key", "The Idempotency-Key header is not UTF-8 text. Set the tool that sends it to UTF-8.")
	}
	if strings.HasPrefix(key, `"`) {
		unquoted, err := rules.DecodeJSON([]byte(key))
		text, ok := unquoted.(string)
		if err != nil || !ok {
			return "", invalid("Idempotency-Key", "The Idempotency-Key header is not a text in quotes.")
		}
		key = text
	}
	if key == "" {
		return "", invalid("Idempotency-Key", "The Idempotency-Key header is empty.")
	}
	return key, nil
}

// eventOf returns the request itself as an event.
func eventOf(r *http.Request, query url.Values, body []byte) (rules.Event, error) {
	flat := map[string]string{}
	for name, values := range query {
		if len(values) > 1 {
			return rules.Event{}, invalid("query", "The address gives "+clip(name)+" more than once. Which one counts cannot be told.")
		}
		flat[name] = values[0]
	}
	ev, err := rules.DecodeEvent(r.Header.Get("Content-Type"), body, headersOf(r), flat)
	if err != nil {
		return rules.Event{}, invalid("body", "The event could not be read: "+stop(err))
	}
	return ev, nil
}

// headersOf returns the event's headers. The caller's proof is ours, not the event's.
func headersOf(r *http.Request) map[string]string {
	headers := map[string]string{}
	for name, values := range r.Header {
		if name != "Authorization" && name != "X-Api-Key" {
			headers[name] = strings.Join(values, ", ")
		}
	}
	return headers
}

// identityOf returns the key that a report names, and who reports.
func (d desk) identityOf(r *http.Request, in input) (id ledger.Identity, err error) {
	src, err := sourceOf(in, r)
	if err != nil {
		return id, err
	}
	if id.Token, err = in.text("token"); err != nil {
		return id, err
	}
	if id.Owner, err = in.text("owner"); err != nil {
		return id, err
	}
	if id.Token == "" && id.Owner == "" {
		return id, invalid("token", "Send the token of the claim's answer, or the owner that you sent with the claim.")
	}
	named, err := d.intake.Identify(r.Context(), src)
	named.Token, named.Owner = id.Token, id.Owner
	if err == nil && ledger.ValidRuleName(named.Rule) {
		call := calls.Of(r.Context()) // of a report that is refused too
		call.Rule, call.Key = named.Rule, named.Key
	}
	return named, err
}
