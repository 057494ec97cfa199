package makecom

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A blueprint is what Make's editor imports.
type blueprint struct {
	Name        string            `json:"name"`
	Description string            `json:"description,omitempty"`
	Flow        []module          `json:"flow"`
	Metadata    blueprintMetadata `json:"metadata"`
}

type blueprintMetadata struct {
	Instant  bool     `json:"instant"`
	Version  int      `json:"version"`
	Scenario scenario `json:"scenario"`
	Designer orphans  `json:"designer"`
}

type orphans struct {
	Orphans []module `json:"orphans"`
}

// A scenario holds the settings that Make keeps with a blueprint.
type scenario struct {
	Roundtrips            int  `json:"roundtrips"`
	MaxErrors             int  `json:"maxErrors"`
	AutoCommit            bool `json:"autoCommit"`
	AutoCommitTriggerLast bool `json:"autoCommitTriggerLast"`
	Sequential            bool `json:"sequential"`
	Confidential          bool `json:"confidential"`
	Dataloss              bool `json:"dataloss"`
	DLQ                   bool `json:"dlq"` // storing of incomplete executions
	FreshVariables        bool `json:"freshVariables"`
}

// A module is one bubble. A directive has no mapper, an if/else and a router have null.
type module struct {
	ID         int        `json:"id"`
	Module     string     `json:"module"`
	Version    int        `json:"version"`
	Parameters any        `json:"parameters,omitempty"`
	Filter     *filter    `json:"filter,omitempty"`
	Mapper     any        `json:"mapper,omitempty"`
	Branches   []branch   `json:"branches,omitempty"`
	Routes     []route    `json:"routes,omitempty"`
	OnError    []module   `json:"onerror,omitempty"`
	Metadata   moduleMeta `json:"metadata"`
}

type moduleMeta struct {
	Designer designer `json:"designer"`
}

type designer struct {
	X    int    `json:"x"`
	Y    int    `json:"y"`
	Name string `json:"name,omitempty"`
}

// A branch of an if/else runs where its conditions hold: the outer list is OR,
// the inner one AND.
type branch struct {
	Type       string   `json:"type"` // condition, else
	Label      string   `json:"label,omitempty"`
	Conditions [][]test `json:"conditions,omitempty"`
	Merge      bool     `json:"merge"`
	Flow       []module `json:"flow"`
}

// A filter lets a bundle on to its module: the outer list is OR, the inner one AND.
type filter struct {
	Name       string   `json:"name"`
	Conditions [][]test `json:"conditions"`
}

// A route of a router runs where the filter of its first module holds, one route
// after the other.
type route struct {
	Flow []module `json:"flow"`
}

type test struct {
	A string `json:"a"`
	O string `json:"o"`
	B string `json:"b"`
}

// text writes the blueprint as a file.
func (b blueprint) text() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(b); err != nil {
		return nil, fmt.Errorf("blueprint: %w", err)
	}
	return out.Bytes(), nil
}
