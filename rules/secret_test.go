package rules

import (
	"errors"
	"strings"
	"testing"
)

// hidden is what the key of zeros makes of a@b.example: HMAC-SHA-256 of
// "dedupedesk.secret.v1\na@b.example", worked out by Python's hmac.
const hidden = "0db47a45a3fdd2e89ce64e19edd91864e5eb7373dd5cd64c06aab6fb55b94911"

func zeros() ([]byte, error) { return make([]byte, MinSecret), nil }

func secretEngine(tb testing.TB, load func() ([]byte, error)) *Engine {
	tb.Helper()
	e, err := New(WithSecret(load))
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

func TestSecret(t *testing.T) {
	e := secretEngine(t, zeros)
	s := Sample{Body: `{"mail":" a@b.example\n","big":"A@B.example","id":42,"text":"42","nul":null,"empty":"","blank":" ","o":{"a":1}}`}
	for _, tt := range []struct{ formula, key, code string }{
		{`key("crm", secret(body.mail))`, "crm:" + hidden, ""},
		{`key("crm", secret(lower(body.big)))`, "crm:" + hidden, ""},
		{`key(secret(body.big) == secret(body.mail))`, "false", ""},
		{`key(secret(body.id) == secret(body.text), secret(digest(body.o)).size())`, "true:64", ""},
		{`key(secret("é") == secret("e\u0301"))`, "true", ""},
		{`key(secret(body.nope))`, "", "missing"},
		{`key(secret(lower(body.nope)))`, "", "missing"},
		{`key(secret(body.nul))`, "", "null"},
		{`key(secret(body.empty))`, "", "empty"},
		{`key(secret(body.blank))`, "", "spaces"},
		{`key(secret(body.o))`, "", "map"},
		{`key(secret(""))`, "", "formula"},
		{`key(secret(either(body.nope, body.mail)))`, hidden, ""},
		{`secret(body.mail)`, hidden, ""},
	} {
		key, code := keyOf(t, e, &Rule{Key: tt.formula}, s)
		if key != tt.key || code != tt.code {
			t.Errorf("%s\n\tkey %q, code %q; want %q, %q", tt.formula, key, code, tt.key, tt.code)
		}
	}
	other := secretEngine(t, func() ([]byte, error) { return []byte(strings.Repeat("x", 40)), nil })
	if key, _ := keyOf(t, other, &Rule{Key: `key(secret(body.mail))`}, s); key == hidden || len(key) != 64 {
		t.Errorf("under another key: %q", key)
	}
}

// TestSecretWithoutAKey: such a formula can be checked and kept, and gives no key.
func TestSecretWithoutAKey(t *testing.T) {
	p := mustCompile(t, newEngine(t), &Rule{Key: `key("crm", secret(body.mail))`})
	keyed, err := p.Keys(t.Context(), Event{Body: Object{"mail": "a@b.example"}})
	if keyed != nil || codeOf(t, err) != "formula" || !strings.Contains(err.Error(), "Part 2") || !strings.Contains(err.Error(), "none is open here") {
		t.Errorf("%v, %v", keyed, err)
	}
}

// TestAKeyOfSecretThatFailsIsNoFaultOfTheEvent: the caller learns that nothing was
// decided, and the next event asks for the key again.
func TestAKeyOfSecretThatFailsIsNoFaultOfTheEvent(t *testing.T) {
	busy := errors.New("busy")
	answers := []struct {
		key []byte
		err error
	}{{nil, busy}, {[]byte("short"), nil}, {make([]byte, MinSecret), nil}, {nil, busy}}
	asked := 0
	e := secretEngine(t, func() ([]byte, error) {
		asked++
		return answers[asked-1].key, answers[asked-1].err
	})
	event := Event{Body: Object{"mail": "a@b.example", "lines": []any{int64(1)}}}
	for _, r := range []*Rule{{Key: `key(secret(body.mail))`}, {Key: `key(either(secret(body.mail), "x"))`}} {
		_, err := mustCompile(t, e, r).Keys(t.Context(), event)
		if _, ofTheEvent := errors.AsType[*KeyError](err); err == nil || ofTheEvent {
			t.Errorf("%s: %v", r.Key, err)
		}
		if asked == 1 && !errors.Is(err, busy) {
			t.Errorf("%v does not tell the cause", err)
		}
	}
	for range 2 {
		keyed, err := mustCompile(t, e, &Rule{Key: `key(secret(body.mail))`, Each: "body.lines", Fingerprint: []string{`secret(body.mail)`}}).Keys(t.Context(), event)
		if err != nil || keyed[0].Key != hidden {
			t.Errorf("%v, %v", keyed, err)
		}
	}
	busyEngine := secretEngine(t, func() ([]byte, error) { return nil, busy })
	j := busyEngine.Judge(t.Context(), &Rule{Key: `key(secret(body.mail))`, Samples: samples(`A {"mail":"a@b.example"}`)})
	if j.OK || !strings.Contains(j.Samples[0].Err.Error(), "cannot be read just now") {
		t.Errorf("the editor says %+v", j.Samples[0])
	}
	if asked != 3 {
		t.Errorf("the key was asked for %d times, want 3", asked)
	}
}
