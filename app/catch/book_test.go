package catch

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time       { c.mu.Lock(); defer c.mu.Unlock(); return c.at }
func (c *clock) pass(d time.Duration) { c.mu.Lock(); defer c.mu.Unlock(); c.at = c.at.Add(d) }

func newBook() (*Book, *clock) {
	c := &clock{at: time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)}
	return NewBook(c.now), c
}

func TestEveryEditorThatWaitsGetsADelivery(t *testing.T) {
	b, _ := newBook()
	if err := b.Put(nil, "{}"); !errors.Is(err, ErrNobody) {
		t.Errorf("with nobody waiting: %v", err)
	}
	b.Wait("a")
	b.Wait("b")
	for _, body := range []string{"1", "2"} {
		if err := b.Put(map[string]string{"X-Id": "7"}, body); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a", "b"} {
		for _, want := range []string{"1", "2"} {
			if !b.Has(name) {
				t.Errorf("%s has nothing", name)
			}
			if d, ok := b.Take(name); !ok || d.Body != want || d.Headers["X-Id"] != "7" {
				t.Errorf("%s takes %+v, %v", name, d, ok)
			}
		}
		if _, ok := b.Take(name); ok || b.Has(name) {
			t.Errorf("%s takes one twice", name)
		}
	}
	b.Stop("a")
	b.Stop("b")
	if b.Waiting() {
		t.Error("somebody waits after all have stopped")
	}
}

func TestWaitEndsByItself(t *testing.T) {
	b, c := newBook()
	b.Wait("a")
	for range int(Longest/Patience) + 1 {
		c.pass(Patience - time.Second)
		b.Look("a", true)
	}
	if left := b.Look("a", true); left != 0 || b.Waiting() {
		t.Errorf("%v are left after the longest wait", left)
	}
	b.Wait("a")
	c.pass(Patience - time.Second)
	if left := b.Look("a", false); left != Longest-Patience+time.Second {
		t.Errorf("%v are left", left)
	}
	c.pass(time.Second) // only somebody else looked
	if err := b.Put(nil, "{}"); !errors.Is(err, ErrNobody) {
		t.Errorf("an editor that went away is waited for: %v", err)
	}
}

func TestWaitIsBounded(t *testing.T) {
	b, c := newBook()
	b.Wait("a")
	for range MostDeliveries {
		if err := b.Put(nil, "{}"); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Put(nil, "{}"); !errors.Is(err, ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	b.Wait("a")
	large := strings.Repeat("x", MostBytes/4)
	for range 4 {
		if err := b.Put(nil, large); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Put(nil, "{}"); !errors.Is(err, ErrFull) {
		t.Errorf("too many bytes: %v", err)
	}
	b.Take("a")
	if err := b.Put(nil, large); err != nil {
		t.Errorf("after one was taken: %v", err)
	}
	for i := range MostWaits {
		c.pass(time.Second)
		b.Wait(fmt.Sprint(i))
	}
	if b.Look("a", false) != 0 || b.Look("0", false) == 0 || b.Look(fmt.Sprint(MostWaits-1), false) == 0 {
		t.Error("not the oldest wait was ended")
	}
}

func TestSecretsAreMasked(t *testing.T) {
	headers := map[string]string{
		"Authorization": "Bearer x", "Cookie": "a=b", "Stripe-Signature": "t=1", "X-Hub-Signature-256": "sha256=1", "X-Shopify-Hmac-SHA256": "x",
		"X-Gitlab-Token": "s", "X-Api-Key": "k", "X-GitHub-Delivery": "72d3", "Content-Type": "application/json",
	}
	got := Masked(headers)
	for name := range headers {
		kept := name == "X-GitHub-Delivery" || name == "Content-Type"
		if (got[name] == headers[name]) != kept || !kept && got[name] != Mask {
			t.Errorf("%s is %q", name, got[name])
		}
	}
	if headers["Cookie"] != "a=b" {
		t.Error("the caller's headers were changed")
	}
}
