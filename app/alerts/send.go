package alerts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// A Refusal is an answer that did not take the message.
type Refusal struct {
	Status int
	Wait   time.Duration // that the answer asked for; 0 for none
}

// Error says what the answer was, in a sentence for a person.
func (r *Refusal) Error() string {
	switch {
	case r.Status == http.StatusNotFound || r.Status == http.StatusGone:
		return fmt.Sprintf("The address answered %d: the hook is gone. Make a new one there and put its address in.", r.Status)
	case r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden:
		return fmt.Sprintf("The address answered %d: it does not let this program in. Look at the hook there.", r.Status)
	case r.Status >= 300 && r.Status < 400:
		return fmt.Sprintf("The address answered %d and sends elsewhere, which is not followed. Put in the address of the hook itself.", r.Status)
	}
	return fmt.Sprintf("The address answered %d.", r.Status)
}

// lasting tells whether another try will get the same answer.
func (r *Refusal) lasting() bool {
	return r.Status < 500 && r.Status != http.StatusRequestTimeout && r.Status != http.StatusTooManyRequests
}

// sendTime bounds one message on its way.
const sendTime = 10 * time.Second

// newClient follows no redirect: a message goes where a person said, and nowhere else.
func newClient() *http.Client {
	return &http.Client{Timeout: sendTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// Send sends a message once. It returns a [*Refusal], an [*Unreached], or what
// [Target.Check] does; none of them holds the address.
func (b *Book) Send(ctx context.Context, t Target, m Message) error {
	if err := t.Check(); err != nil {
		return err
	}
	if !t.Keys {
		m.Keys = nil
	}
	if t.Kind == Desktop {
		return notify(ctx, m)
	}
	body, err := m.body(t.Kind)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.URL, bytes.NewReader(body))
	if err != nil {
		return errors.New("this is no address")
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := b.client.Do(r)
	if err != nil {
		return unreached(err)
	}
	defer answer.Body.Close()
	// Read so that the connection can be used again; what it says may quote the message.
	_, _ = io.CopyN(io.Discard, answer.Body, 64<<10)
	if answer.StatusCode < 200 || answer.StatusCode > 299 {
		return &Refusal{Status: answer.StatusCode, Wait: waitOf(answer.Header)}
	}
	return nil
}

// An Unreached says why nobody answered, without the address.
type Unreached struct{ Msg string }

// Error returns the message.
func (u *Unreached) Error() string { return u.Msg }

func unreached(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		if wrapped.Timeout() {
			return &Unreached{"The address did not answer within 10 seconds."}
		}
		err = wrapped.Err
	}
	return &Unreached{"The address could not be reached: " + err.Error() + "."}
}

// waitOf reads Retry-After as seconds, an hour at most.
func waitOf(h http.Header) time.Duration {
	n, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || n < 0 {
		return 0
	}
	return min(time.Duration(n)*time.Second, time.Hour)
}
