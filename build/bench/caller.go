package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// A caller is one connection that is kept, with as little between it and the server as
// can be: what a client costs would make two servers look more alike than they are.
// One goroutine uses it at a time.
type caller struct {
	conn net.Conn
	r    *bufio.Reader
	host string
	head string // further lines of each request, each with its line end
}

func newCaller(ctx context.Context, host, head string) (*caller, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	return &caller{conn: conn, r: bufio.NewReader(conn), host: host, head: head}, nil
}

// call sends a request, with a JSON body where it is not nil, and returns the body of
// an answer 200. Any other one is an error.
func (c *caller) call(method, path string, body []byte) ([]byte, error) {
	if err := c.conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		return nil, err
	}
	request := fmt.Appendf(nil, "%s %s HTTP/1.1\r\nHost: %s\r\n%s", method, path, c.host, c.head)
	if body != nil {
		request = fmt.Appendf(request, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	request = append(append(request, "\r\n"...), body...)
	if _, err := c.conn.Write(request); err != nil {
		return nil, err
	}
	answer, err := http.ReadResponse(c.r, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = &statusError{answer.StatusCode, fmt.Sprintf("%s %s: %s: %.300s", method, path, answer.Status, got)}
	}
	return got, err
}

// A statusError is an answer other than 200.
type statusError struct {
	code int
	text string
}

func (e *statusError) Error() string { return e.text }

// A callerAnswer is what is read of a claim's answer.
type callerAnswer struct {
	Status, Key, Token string
	Run                bool
}

// claim claims a new key over HTTP and wants it granted.
func (c *caller) claim() (callerAnswer, error) {
	var a callerAnswer
	got, err := c.call("POST", "/v1/claim", fmt.Appendf(nil, `{"key":%q,"owner":"run-1"}`, newKey()))
	if err != nil {
		return a, err
	}
	if err := json.Unmarshal(got, &a); err != nil {
		return a, err
	}
	if a.Status != "claimed" || !a.Run {
		return a, fmt.Errorf("a new key was answered %s", got)
	}
	return a, nil
}

// refused sends a claim as long as any, whose second member has a name that nobody
// knows: the server checks the password, decodes the body and answers.
func (c *caller) refused() error {
	got, err := c.call("POST", "/v1/claim", fmt.Appendf(nil, `{"key":%q,"ownr":"run-1"}`, newKey()))
	if err == nil {
		return fmt.Errorf("a member that nobody knows was answered %s", got)
	}
	if wrong, ok := errors.AsType[*statusError](err); !ok || wrong.code != http.StatusBadRequest {
		return err
	}
	return nil
}

// whole claims a new key, asks for it once more as a copy would, and reports it
// finished.
func (c *caller) whole() error {
	a, err := c.claim()
	if err != nil {
		return err
	}
	var again callerAnswer
	got, err := c.call("POST", "/v1/claim", fmt.Appendf(nil, `{"key":%q,"owner":"run-2"}`, a.Key))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(got, &again); err != nil || again.Run || again.Status != "in_progress" {
		return fmt.Errorf("a copy was answered %s", got)
	}
	_, err = c.call("POST", "/v1/done", fmt.Appendf(nil, `{"key":%q,"token":%q,"result":{"id":"in_1"}}`, a.Key, a.Token))
	return err
}

// A crew is callers of one server, a connection each.
type crew chan *caller

// newCrew connects n callers.
func newCrew(ctx context.Context, host, head string, n int) (crew, error) {
	all := make(crew, n)
	for range n {
		c, err := newCaller(ctx, host, head)
		if err != nil {
			all.close()
			return nil, err
		}
		all <- c
	}
	return all, nil
}

func (all crew) close() {
	for len(all) > 0 {
		_ = (<-all).conn.Close() // nothing is on its way
	}
}

// side runs f by all callers at once for so long.
func (all crew) side(lasts time.Duration, f func(*caller) error) side {
	return burst{callers: cap(all), lasts: lasts}.side(func(context.Context) error {
		c := <-all
		defer func() { all <- c }()
		return f(c)
	})
}
