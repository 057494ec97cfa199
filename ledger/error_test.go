package ledger_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"dedupedesk/ledger"
)

func TestErrorHasTwoReaders(t *testing.T) {
	cause := errors.New("/secret/path: disk I/O error")
	err := fmt.Errorf("claim: %w", &ledger.Error{Code: ledger.Invalid, Field: "lease", Msg: "Too long.", Err: cause})
	if ledger.CodeOf(err) != ledger.Invalid || ledger.FieldOf(err) != "lease" || ledger.MessageOf(err) != "Too long." {
		t.Errorf("got %q, %q, %q", ledger.CodeOf(err), ledger.FieldOf(err), ledger.MessageOf(err))
	}
	if !errors.Is(err, cause) || !strings.Contains(err.Error(), cause.Error()) {
		t.Errorf("the log does not see the cause: %v", err)
	}
	if ledger.CodeOf(cause) != ledger.Internal || strings.Contains(ledger.MessageOf(cause), "secret") {
		t.Errorf("a plain error: %q, %q", ledger.CodeOf(cause), ledger.MessageOf(cause))
	}
	if ledger.CodeOf(nil) != "" || ledger.MessageOf(nil) != "" || ledger.FieldOf(nil) != "" {
		t.Error("nil is told as an error")
	}
}
