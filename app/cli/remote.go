package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"dedupedesk/app/body"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// remote answers through the HTTP API of an engine elsewhere.
type remote struct {
	base, password string
	client         *http.Client
}

// Bounds of one exchange.
const (
	patience  = 30 * time.Second
	maxAnswer = 16 << 20 // bytes
)

// newRemote returns the engine at address. It is Invalid for what is no http or
// https address.
func newRemote(address, password string) (*remote, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.RawQuery != "" || u.User != nil {
		return nil, misuse("--url must be the engine's address, such as https://dedupe.example.com or http://127.0.0.1:47821.")
	}
	return &remote{
		base: strings.TrimSuffix(u.Scheme+"://"+u.Host+u.EscapedPath(), "/"), password: password,
		client: &http.Client{
			Timeout: patience,
			// A redirect would turn a POST into a GET and could carry the password elsewhere.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// decisions are the answers to a claim that an engine may give.
var decisions = []ledger.Status{
	ledger.StatusClaimed, ledger.StatusInProgress, ledger.StatusDone, ledger.StatusHeld, ledger.StatusMismatch,
}

func (r *remote) claim(ctx context.Context, q ledger.ClaimRequest) (decision, error) {
	// The answer's status must not depend on the rule's profile.
	members := map[string]any{"rule": q.Rule, "key": q.Key, "answer": "branch"}
	put(members, "owner", q.Owner)
	put(members, "lease", seconds(q.Lease))
	put(members, "fingerprint", q.Fingerprint)
	var out body.Claim
	// Only an owner gets the same grant again, so without one a lost answer stays lost.
	header, err := r.ask(ctx, http.MethodPost, "/v1/claim", members, &out, q.Owner != "")
	if err != nil {
		return decision{}, err
	}
	status := ledger.Status(out.Status)
	if !slices.Contains(decisions, status) || out.Run != (status == ledger.StatusClaimed) || (out.Run && out.Token == "") ||
		out.Rule != q.Rule || !answers(out, q.Key) {
		return decision{}, errNotOurs
	}
	return decision{out.Answer(), allowed(q.Lease, out, header)}, nil
}

// allowed returns the time that a grant allows. The engine tells its end; its own
// Date header, not this computer's clock, says how far off that is.
func allowed(asked time.Duration, b body.Claim, header http.Header) time.Duration {
	if asked > 0 {
		return asked
	}
	sent, err := http.ParseTime(header.Get("Date"))
	left := body.Moment(b.LeaseUntil).Sub(sent)
	if err != nil || left < ledger.MinLease {
		return ledger.MinLease
	}
	return min(left, ledger.MaxLease)
}

func (r *remote) done(ctx context.Context, q ledger.DoneRequest) (ledger.Answer, error) {
	members := identityBody(q.Identity)
	if len(q.Result) > 0 {
		members["result"] = q.Result
	}
	return r.report(ctx, "/v1/done", q.Identity, ledger.StatusDone, members)
}

func (r *remote) release(ctx context.Context, q ledger.ReleaseRequest) (ledger.Answer, error) {
	members := identityBody(q.Identity)
	put(members, "error", q.Error)
	put(members, "retry_after", seconds(q.RetryAfter))
	return r.report(ctx, "/v1/release", q.Identity, ledger.StatusReleased, members)
}

func (r *remote) renew(ctx context.Context, q ledger.RenewRequest) (ledger.Answer, error) {
	members := identityBody(q.Identity)
	put(members, "lease", seconds(q.Lease))
	return r.report(ctx, "/v1/renew", q.Identity, ledger.StatusClaimed, members)
}

// answers reports whether an answer is one about this key. A grant is of the key itself,
// but for capitals, which a rule may ignore; a copy may be one by an earlier formula's key.
func answers(b body.Claim, key string) bool {
	return b.Key != "" && (!b.Run || rules.FoldKey(b.Key) == rules.FoldKey(key))
}

// report takes only the answer that an engine gives to this report.
func (r *remote) report(ctx context.Context, path string, id ledger.Identity, want ledger.Status, members map[string]any) (ledger.Answer, error) {
	var out body.Report
	if _, err := r.ask(ctx, http.MethodPost, path, members, &out, true); err != nil {
		return ledger.Answer{}, err
	}
	if ledger.Status(out.Status) != want || out.Rule != id.Rule || out.Key == "" { // which may be that of an earlier formula
		return ledger.Answer{}, errNotOurs
	}
	return out.Answer(), nil
}

func (r *remote) keys(ctx context.Context, q ledger.KeyQuery) (ledger.KeyPage, error) {
	v := url.Values{}
	state := string(q.State)
	if q.View == ledger.ViewStuck {
		state = string(ledger.ViewStuck)
	}
	for name, value := range map[string]string{"rule": q.Rule, "state": state, "prefix": q.Prefix, "cursor": q.Cursor} {
		if value != "" {
			v.Set(name, value)
		}
	}
	if q.Limit > 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	var out body.Keys
	if _, err := r.ask(ctx, http.MethodGet, "/v1/keys?"+v.Encode(), nil, &out, true); err != nil {
		return ledger.KeyPage{}, err
	}
	if out.Keys == nil {
		return ledger.KeyPage{}, errNotOurs
	}
	page := ledger.KeyPage{Next: out.Next}
	for _, k := range out.Keys {
		if k.Rule == "" || k.Key == "" || k.State == "" {
			return ledger.KeyPage{}, errNotOurs
		}
		page.Keys = append(page.Keys, k.Value())
	}
	return page, nil
}

func (r *remote) key(ctx context.Context, rule, key string) (ledger.Life, error) {
	var out body.Life
	path := "/v1/keys/one?" + url.Values{"rule": {rule}, "key": {key}}.Encode()
	if _, err := r.ask(ctx, http.MethodGet, path, nil, &out, true); err != nil {
		return ledger.Life{}, err
	}
	if out.Rule != rule || out.Key.Key == "" || out.State == "" || out.History == nil || out.Arrivals == nil {
		return ledger.Life{}, errNotOurs
	}
	return out.Value(), nil
}

func (r *remote) rules(ctx context.Context) ([]ledger.Rule, error) {
	var out struct {
		Rules []body.Rule `json:"rules"`
	}
	if _, err := r.ask(ctx, http.MethodGet, "/v1/rules", nil, &out, true); err != nil {
		return nil, err
	}
	if out.Rules == nil {
		return nil, errNotOurs
	}
	list := make([]ledger.Rule, len(out.Rules))
	for i, b := range out.Rules {
		if b.Rule == "" {
			return nil, errNotOurs
		}
		list[i] = b.Value()
	}
	return list, nil
}

func (r *remote) rule(ctx context.Context, name string) (ledger.Rule, error) {
	out, err := r.askRule(ctx, http.MethodGet, name, "", nil)
	return out.Value(), err
}

// askRule asks about one rule by its path, and takes no other rule as the answer. query
// follows the path, "" for none.
func (r *remote) askRule(ctx context.Context, method, name, query string, members any) (body.Rule, error) {
	var out body.Rule
	if _, err := r.ask(ctx, method, "/v1/rules/"+url.PathEscape(name)+query, members, &out, true); err != nil {
		return body.Rule{}, err
	}
	if out.Rule != name {
		return body.Rule{}, errNotOurs
	}
	return out, nil
}

func (r *remote) putRule(ctx context.Context, file *rules.Rule, why ledger.Why) (body.Rule, error) {
	doc, err := file.JSON()
	if err != nil {
		return body.Rule{}, fmt.Errorf("encode rule %q: %w", file.Rule, err)
	}
	query := ""
	if why != ledger.WhyNone {
		query = "?" + url.Values{"why": {string(why)}}.Encode()
	}
	return r.askRule(ctx, http.MethodPut, file.Rule, query, json.RawMessage(doc))
}

// pauses lie between the tries of an exchange that may be repeated.
var pauses = [...]time.Duration{200 * time.Millisecond, time.Second}

// ask sends members and reads the answer into out. Where again is true, the call may
// be repeated without another effect, and is after a lost answer.
func (r *remote) ask(ctx context.Context, method, path string, members, out any, again bool) (http.Header, error) {
	var sent []byte
	if members != nil {
		var err error
		if sent, err = json.Marshal(members); err != nil {
			return nil, fmt.Errorf("encode the call: %w", err)
		}
	}
	for _, pause := range pauses {
		header, err := r.once(ctx, method, path, sent, out)
		if err == nil || !again || ledger.CodeOf(err) != ledger.Busy {
			return header, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
	}
	return r.once(ctx, method, path, sent, out)
}

func (r *remote) once(ctx context.Context, method, path string, sent []byte, out any) (http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, method, r.base+path, bytes.NewReader(sent))
	if err != nil {
		return nil, fmt.Errorf("call the engine: %w", err)
	}
	req.Header.Set("Authorization", "Bearer "+r.password)
	if len(sent) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := r.client.Do(req)
	if err != nil {
		return nil, unreachable(err)
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, unreachable(err)
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch {
	case kind == "application/problem+json":
		return nil, problemOf(data)
	case resp.StatusCode/100 != 2 || kind != "application/json" || json.Unmarshal(data, out) != nil:
		return nil, fmt.Errorf("the address answered %s, and not as an engine of Dedupe Desk does; check --url", resp.Status)
	}
	return resp.Header, nil
}

var errNotOurs = errors.New("the answer is not one of an engine of Dedupe Desk; check --url. Nothing may be taken from it")

// unreachable is a call that got no answer. It may or may not have had an effect.
func unreachable(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address, whose query holds a key
	}
	return &ledger.Error{Code: ledger.Busy, Msg: "The engine gave no answer: " + err.Error() + ".", Err: err}
}

// problemOf turns problem details into the error that the ledger itself gives.
func problemOf(data []byte) error {
	var p struct {
		Code   string `json:"code"`
		Detail string `json:"detail"`
		Field  string `json:"field"`
	}
	if err := json.Unmarshal(data, &p); err != nil || p.Code == "" {
		return errNotOurs
	}
	return &ledger.Error{Code: ledger.Code(p.Code), Field: p.Field, Msg: p.Detail}
}

func identityBody(id ledger.Identity) map[string]any {
	members := map[string]any{"rule": id.Rule, "key": id.Key}
	put(members, "token", id.Token)
	put(members, "owner", id.Owner)
	return members
}

// put sets a member that has a value.
func put(members map[string]any, name, value string) {
	if value != "" {
		members[name] = value
	}
}

// seconds returns d as the API takes it, "" for none.
func seconds(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
}
