package api

import (
	_ "embed"
	"encoding/json"
	"sync"

	"dedupedesk/app/describe"
)

// examplesFile holds calls and what they were answered. A test makes it by calling,
// and fails where an answer has changed since.
//
//go:embed examples.json
var examplesFile []byte

// examples returns the examples of each route, by its pattern.
var examples = sync.OnceValue(func() map[string][]describe.Example {
	var all map[string][]describe.Example
	if err := json.Unmarshal(examplesFile, &all); err != nil {
		panic("api: " + err.Error()) // the file is embedded and a test reads it
	}
	return all
})

// described returns what a route says of itself, with its examples.
func described(pattern string) describe.Operation {
	op := operations[pattern]
	op.Examples = examples()[pattern]
	return op
}
