package kept_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"dedupedesk/app/catch"
	"dedupedesk/app/kept"
)

func TestTheFirstOfAnEventIsKeptAndTheOldestGo(t *testing.T) {
	b := kept.NewBook()
	has := func(rule int64, key, want string) {
		t.Helper()
		if d, ok := b.Of(rule, key); ok != (want != "") || d.Body != want {
			t.Errorf("rule %d, %s: %q, %v", rule, key, d.Body, ok)
		}
	}
	b.Keep(1, "a", 0, catch.Delivery{Body: "not asked for"})
	has(1, "a", "")
	b.Keep(1, "a", 2, catch.Delivery{Body: "first", Headers: map[string]string{"X-Signature": "s", "X-Id": "7"}})
	b.Keep(1, "a", 2, catch.Delivery{Body: "copy"})
	has(1, "a", "first")
	if d, _ := b.Of(1, "a"); d.Headers["X-Signature"] != catch.Mask || d.Headers["X-Id"] != "7" {
		t.Errorf("headers %v", d.Headers)
	}
	b.Keep(2, "a", 2, catch.Delivery{Body: "another rule's"})
	b.Keep(1, "b", 2, catch.Delivery{Body: "b"})
	b.Keep(1, "c", 2, catch.Delivery{Body: "c"})
	has(1, "a", "")
	has(1, "b", "b")
	has(2, "a", "another rule's")
	b.Forget(1, "b")
	b.Forget(1, "never")
	has(1, "b", "")
	has(1, "c", "c")
}

func TestAllRulesTogetherAreBounded(t *testing.T) {
	b := kept.NewBook()
	body := strings.Repeat("x", kept.MostBytes/4)
	var wg sync.WaitGroup
	for rule := range int64(8) {
		wg.Go(func() { b.Keep(rule, "a", 1000, catch.Delivery{Body: body}) })
	}
	wg.Wait()
	left := 0
	for rule := range int64(8) {
		if _, ok := b.Of(rule, "a"); ok {
			left++
		}
	}
	if left != 4 {
		t.Errorf("%d kept", left)
	}
	b.Keep(9, "z", 1, catch.Delivery{Body: body + body + body + body + "y"})
	if _, ok := b.Of(9, "z"); ok {
		t.Error("one that is larger than all may be is kept")
	}
	for i := range 100 {
		b.Keep(9, fmt.Sprint(i), 5, catch.Delivery{Body: "small"})
	}
	if _, ok := b.Of(9, "94"); ok {
		t.Error("more than five are kept")
	}
}
