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

// A module is one bubble. A directive has no mapper, an if/else has null.
type module struct {
	ID         int        `json:"id"`
	Module     string     `json:"module"`
	Version    int        `json:"version"`
	Parameters any        `json:"parameters,omitempty"`
	Mapper     any        `json:"mapper,omitempty"`
	Branches   []branch   `json:"branches,omitempty"`
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

type test struct {
	A string `json:"a"`
	O string `json:"o"`
	B string `json:"b"`
}

type none struct{}

// null is the mapper of modules that Make wants with an explicit null.
func null() json.RawMessage { return json.RawMessage("null") }

type httpParameters struct {
	AuthenticationType string `json:"authenticationType"`
}

// An httpCall is the mapper of HTTP > Make a request, version 4.
type httpCall struct {
	URL                      string `json:"url"`
	Method                   string `json:"method"`
	Headers                  []pair `json:"headers"`
	QueryParameters          []pair `json:"queryParameters"`
	ContentType              string `json:"contentType"`
	URLEncodedBodyContent    []pair `json:"urlEncodedBodyContent"`
	ParseResponse            bool   `json:"parseResponse"`
	StopOnHTTPError          bool   `json:"stopOnHttpError"`
	AllowRedirects           bool   `json:"allowRedirects"`
	ShareCookies             bool   `json:"shareCookies"`
	RequestCompressedContent bool   `json:"requestCompressedContent"`
	Timeout                  int    `json:"timeout"` // seconds
}

type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A response is the mapper of Webhooks > Webhook response. Its headers have a
// key where those of the HTTP module have a name.
type response struct {
	Status  string     `json:"status"`
	Body    string     `json:"body"`
	Headers []keyValue `json:"headers"`
}

type keyValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type compose struct {
	Value string `json:"value"`
}

// A breakRule is the mapper of the directive Break. Exports write its numbers as
// text.
type breakRule struct {
	Retry    bool   `json:"retry"`
	Count    string `json:"count"`
	Interval string `json:"interval"` // minutes
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
