// Package describe holds what a route of the HTTP API says of itself: its name, its
// fields, its answers and examples. The route table carries it, the decoder takes
// the names of the fields from it, and the pages and documents are drawn from it, so
// there is nothing to keep in step by hand.
//
// # Units
//
// Durations are seconds as a number, or text such as 90s, 15m, 35d.
//
// # Concurrency
//
// All types are values that nobody changes after the routes are made.
package describe

import "net/http"

// An Operation is a route as people and tools read of it.
type Operation struct {
	ID       string    // unique, in plain words: ClaimKey
	Title    string    // a few words: "Claim a key"
	Text     string    // what it does, in whole sentences
	Group    string    // the heading under which it stands
	Path     []Field   // {names} of the pattern, in its order
	Headers  []Field   // of the request
	Query    []Field   // members that stand in the address alone
	Body     Body      // what the body is
	Fields   []Field   // its members
	Answers  []Answer  // what the handler answers; the guard's refusals are not among them
	Examples []Example // real ones
	// Connector tells whether a custom connector of Power Automate offers it.
	Connector bool
}

// A Body is the kind of a request's body.
type Body string

// The bodies.
const (
	NoBody Body = ""       // none; the fields stand in the address
	Fields Body = "fields" // JSON, a form, or the address, with the same meaning
	Event  Body = "event"  // what the sender sent, as it came
	Object Body = "object" // JSON alone
)

// A Field is one member, header or parameter.
type Field struct {
	Name    string
	Title   string // two or three words, for a form
	Text    string // one sentence or two
	Kind    Kind
	Choices []string // of a Choice
	Needed  bool     // the call is refused without it
	Null    bool     // null means the same as to leave it out
	Example any      // nil for none
	Shown   Shown    // in a custom connector
}

// A Kind is what a field holds.
type Kind string

// The kinds.
const (
	Text     Kind = "text"     // text, or a number whose digits are kept
	Duration Kind = "duration" // seconds as a number, or text
	Whole    Kind = "whole"    // a whole number
	Choice   Kind = "choice"   // one of Choices
	Moment   Kind = "moment"   // RFC 3339
	Flag     Kind = "flag"     // true or false
	Parts    Kind = "parts"    // a list of values, or one value
	Map      Kind = "map"      // an object
	List     Kind = "list"     // a list of objects
	Any      Kind = "any"      // any JSON value
)

// A Shown says where a custom connector shows a field.
type Shown string

// The places. A connector does not offer what is Hidden.
const (
	Hidden    Shown = ""
	Important Shown = "important"
	Advanced  Shown = "advanced"
)

// An Answer is one status, and what comes with it.
type Answer struct {
	Status  int
	Text    string   // when it is given, in one sentence
	Bodies  []any    // values of the types that it may hold; [Results] for a list
	Type    string   // of a body that is no JSON, such as text/plain
	Codes   []string // of problem details, where it may be those
	Headers []string // that it may carry
}

// Results is a list of answers, each of which is one of the values' types.
type Results []any

// An Example is one real call and its answer.
type Example struct {
	Name   string `json:"name"`  // unique within its route
	Title  string `json:"title"` // what happens
	Path   string `json:"path"`  // with the query
	Kind   string `json:"kind,omitempty"`
	Body   string `json:"body,omitempty"`
	Status int    `json:"status"`
	Answer string `json:"answer"` // JSON
}

// Names returns the names of fields, in their order.
func Names(fields []Field) []string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = f.Name
	}
	return all
}

// Problem returns the answer with problem details of the given codes.
func Problem(status int, text string, codes ...string) Answer {
	a := Answer{Status: status, Text: text, Codes: codes}
	if status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests {
		a.Headers = []string{"Retry-After"}
	}
	return a
}
