package rules

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// MinSecret is the least length of the key of secret(x), in bytes.
const MinSecret = 32

// An Option adds to what [New] returns.
type Option func(*Engine)

// WithSecret gives secret(x) its key. The engine asks for it when a formula needs it
// first, and keeps it. Where load fails, [Program.Keys] returns its error wrapped, and
// asks again the next time. A key is random and of at least [MinSecret] bytes; another
// key makes other event keys, so it has to be kept for as long as they are.
//
// Without this option a formula that calls secret(x) compiles, and gives no key.
func WithSecret(load func() ([]byte, error)) Option {
	return func(e *Engine) { e.secret.load = load }
}

// secretKey is the key of secret(x), asked for once it is needed.
type secretKey struct {
	load func() ([]byte, error)
	mu   sync.Mutex
	key  []byte
}

// secretFault is a key that could not be had: no fault of the event.
type secretFault struct{ err error }

func (e *secretFault) Error() string { return "secret(…) cannot get its key: " + e.err.Error() }
func (e *secretFault) Unwrap() error { return e.err }

func (s *secretKey) get() ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.key != nil {
		return s.key, nil
	}
	key, err := s.load()
	if err != nil {
		return nil, err
	}
	if len(key) < MinSecret {
		return nil, fmt.Errorf("the key has %d bytes, want at least %d", len(key), MinSecret)
	}
	s.key = key
	return key, nil
}

// call works out secret(x): 64 hex digits of HMAC-SHA-256 over the text that x would be
// in a key, so that spellings which are one part are one secret too.
func (s *secretKey) call(v ref.Val) ref.Val {
	text, code := valueText(v)
	if code != "" {
		return callFault("secret(…) needs text, a number, true or false, or a time, such as could stand in a key by itself.")
	}
	if s.load == nil {
		return callFault("secret(…) needs the secret of a key file, and none is open here.")
	}
	key, err := s.get()
	if err != nil {
		return types.WrapErr(&secretFault{err})
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("dedupedesk.secret.v1\n" + text))
	return types.String(hex.EncodeToString(mac.Sum(nil)))
}

// noSecret tells that the key of secret(x) could not be had.
func noSecret(err error) bool {
	_, ok := errors.AsType[*secretFault](err)
	return ok
}
