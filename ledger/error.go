package ledger

import "errors"

// A Code names a kind of failure. Codes are part of the HTTP API and of the
// command line: they are added to, never renamed.
type Code string

// The codes.
const (
	Invalid     Code = "invalid"      // the request is wrong as it stands; do not retry it
	NotFound    Code = "not_found"    // the ledger holds no such key or token
	UnknownRule Code = "unknown_rule" // no live rule has that name
	Stale       Code = "stale"        // the token or owner does not hold the key any more
	Closed      Code = "closed"       // the key is finished, or not open for this call
	RuleChanged Code = "rule_changed" // the rule was changed since the key was worked out
	Changed     Code = "changed"      // the key was changed since the page was drawn
	Busy        Code = "busy"         // locked, full or read-only; retry after a while
	Paused      Code = "paused"       // a person stopped all grants; retry later
	Corrupt     Code = "corrupt"      // what is stored cannot be trusted; a person has to look
	Internal    Code = "internal"     // a fault of the house; see its log
)

// An Error is a failure with two readers: Msg is for the person or program that
// asked, Err for whoever runs the house.
type Error struct {
	Code  Code
	Field string // the request member at fault, where Code is Invalid
	Msg   string // safe to show; never a path, a query or a token
	Err   error  // the cause, logged and not shown; may be nil
}

// Error returns the message, followed by the cause where there is one.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Msg
	}
	return e.Msg + ": " + e.Err.Error()
}

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of the first [*Error] in err's tree, [Internal] where
// there is none, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Code
	}
	return Internal
}

// FieldOf returns the request member that err blames, or "".
func FieldOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Field
	}
	return ""
}

// MessageOf returns the sentence of err that is safe to show: the Msg of the
// first [*Error] in its tree, a general sentence for any other error, and "" for
// nil.
func MessageOf(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok && e.Msg != "" {
		return e.Msg
	}
	return "Something went wrong in the ledger. Nothing was granted. The log has the details."
}

// unknownKey answers a question about a key that has no row.
func unknownKey() *Error {
	return &Error{Code: NotFound, Msg: "The ledger does not know this event key."}
}

// unknownKeyKept answers a call that would have changed such a key.
func unknownKeyKept() error {
	e := unknownKey()
	e.Msg += " Nothing was changed."
	return e
}

// invalid makes the error of a request that is wrong in one member.
func invalid(field, msg string) error {
	return &Error{Code: Invalid, Field: field, Msg: msg}
}
