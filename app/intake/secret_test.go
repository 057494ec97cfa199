package intake_test

import (
	"bytes"
	"path/filepath"
	"sync"
	"testing"

	"dedupedesk/app/intake"
	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
)

// TestSecretIsMadeOnce: all who use a ledger have one key of secret(x), also those
// who use a backup of it; another ledger has another.
func TestSecretIsMadeOnce(t *testing.T) {
	l, _, _ := house(t)
	other, _, _ := house(t)
	secret := func(l *ledger.Ledger) []byte {
		key, err := intake.Secret(t.Context(), l)
		if err != nil {
			t.Error(err)
		}
		return key
	}
	keys := make([][]byte, 4)
	var wg sync.WaitGroup
	for i := range keys {
		wg.Go(func() { keys[i] = secret(l) })
	}
	wg.Wait()
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := l.Backup(t.Context(), copied); err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(copied)
	if err != nil {
		t.Fatal(err)
	}
	restored := ledger.New(store, ledger.SystemClock(), nil)
	defer restored.Close()
	for _, key := range append(keys, secret(restored)) {
		if len(key) < rules.MinSecret || !bytes.Equal(key, keys[0]) {
			t.Errorf("one has %x, another %x", key, keys[0])
		}
	}
	if bytes.Equal(secret(other), keys[0]) {
		t.Error("two ledgers have the same key")
	}
}

// TestAnEventIsNotClaimedWithoutTheSecret: where the key of secret(x) cannot be read
// the event is not at fault, and nothing is granted.
func TestAnEventIsNotClaimedWithoutTheSecret(t *testing.T) {
	l, _, _ := house(t)
	broken := &ledger.Error{Code: ledger.Busy, Msg: "Try again."}
	fails := true
	engine, err := rules.New(rules.WithSecret(func() ([]byte, error) {
		if fails {
			return nil, broken
		}
		return intake.Secret(t.Context(), l)
	}))
	if err != nil {
		t.Fatal(err)
	}
	in := intake.New(l, engine)
	mustPut(t, in, `{"rule":"crm","key":"key(\"crm\", secret(body.mail))"}`)
	src := intake.Source{Rule: "crm", Event: event(t, `{"mail":"a@b.example"}`)}
	if res, err := in.Claim(t.Context(), src, intake.Options{}); ledger.CodeOf(err) != ledger.Busy {
		t.Errorf("%v, %v; want busy", res, err)
	}
	fails = false
	res, err := in.Claim(t.Context(), src, intake.Options{})
	if err != nil || res.Items[0].Answer.Status != ledger.StatusClaimed {
		t.Errorf("%v, %v; want claimed", res, err)
	}
}
