package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"dedupedesk/app/intake"
	"dedupedesk/exporters"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// errNo is the answer no. What there is to say about it has been said.
var errNo = errors.New("no")

// An exitError hands on the exit code of the command that run ran.
type exitError struct{ code int }

func (e *exitError) Error() string { return fmt.Sprintf("exit status %d", e.code) }

// A usageError is a command line that cannot be read as one.
type usageError struct {
	err     error
	command string // the command that was recognized, for a hint
}

func (e *usageError) Error() string {
	hint := "dedupe --help"
	if e.command != "" {
		hint = "dedupe " + e.command + " --help"
	}
	return e.err.Error() + "; see " + hint
}

func (e *usageError) Unwrap() error { return e.err }

// misuse is a fault in what the person typed.
func misuse(sentence string) error {
	return &ledger.Error{Code: ledger.Invalid, Msg: sentence}
}

// fail reports err and returns the exit code for it, [yes] for nil.
func (c *call) fail(err error) int {
	var exit *exitError
	switch {
	case err == nil:
		return yes
	case errors.Is(err, errNo):
		return no
	case errors.As(err, &exit):
		return exit.code
	}
	_, _ = fmt.Fprintf(c.program.Err, "%s %s\n", painted(c.program.Err, red, "dedupe:"), printable(sentence(err)))
	if c.flags.JSON {
		c.printError(err)
	}
	return fault
}

// say writes one line to the error output.
func (c *call) say(format string, args ...any) {
	line := printable(fmt.Sprintf(format, args...))
	_, _ = fmt.Fprintf(c.program.Err, "dedupe: %s\n", line)
}

// errorBody is an error under --json. run is always false, so that a script
// which looks at nothing else does not go ahead.
type errorBody struct {
	Code   string `json:"code"`
	Field  string `json:"field,omitempty"`
	Detail string `json:"detail"`
	Run    bool   `json:"run"`
}

func (c *call) printError(err error) {
	body := errorBody{Code: string(ledger.CodeOf(err)), Field: ledger.FieldOf(err), Detail: sentence(err)}
	var usage *usageError
	var file *rules.FileError
	var issues *intake.IssuesError
	var input *exporters.InputError
	switch {
	case errors.As(err, &usage), errors.As(err, &input):
		body.Code = string(ledger.Invalid)
	case errors.As(err, &file):
		body.Code, body.Field = "bad_rule_file", file.Field
	case errors.As(err, &issues):
		body.Code, body.Field = "faulty_formula", issues.Issues[0].Place
	}
	_ = json.NewEncoder(c.program.Out).Encode(body)
}

// sentence returns what a person is told of err. Here the person owns the
// machine, so a fault of the house is told as it is.
func sentence(err error) string {
	var at *placeError
	if errors.As(err, &at) {
		return at.place + ": " + sentence(at.err)
	}
	if code := ledger.CodeOf(err); code != ledger.Internal {
		return ledger.MessageOf(err)
	}
	return err.Error()
}

// told puts words before the sentence of err and keeps its code.
func told(words string, err error) error {
	if ledger.CodeOf(err) == ledger.Internal {
		return fmt.Errorf("%s%w", words, err)
	}
	return &ledger.Error{Code: ledger.CodeOf(err), Field: ledger.FieldOf(err), Msg: words + sentence(err), Err: err}
}

// A placeError says in which file, and where in it, something is wrong.
type placeError struct {
	place string
	err   error
}

func (e *placeError) Error() string { return e.place + ": " + e.err.Error() }
func (e *placeError) Unwrap() error { return e.err }

func at(place string, err error) error {
	if err == nil {
		return nil
	}
	return &placeError{place, err}
}

// printable replaces characters that control a terminal or turn the direction of a
// line, so that a text from outside cannot steer what shows it.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Bidi_Control, r):
			return '\ufffd'
		}
		return r
	}, s)
}
