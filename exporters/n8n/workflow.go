package n8n

import (
	"encoding/json"

	"github.com/google/uuid"
)

// A workflow is a file that n8n imports. It has no id: with one, n8n would write over the
// workflow that has the same.
type workflow struct {
	Name        string           `json:"name"`
	Nodes       []node           `json:"nodes"`
	Connections map[string]exits `json:"connections"` // by the name of the node that they begin at
	Settings    settings         `json:"settings"`
	Active      bool             `json:"active"`
	VersionID   string           `json:"versionId"`
}

type settings struct {
	ExecutionOrder string `json:"executionOrder"`
}

// A node is one step. Its name is what connections and expressions know it by.
type node struct {
	ID               string  `json:"id"`
	Name             string  `json:"name"`
	Type             string  `json:"type"`
	TypeVersion      float64 `json:"typeVersion"`
	Position         [2]int  `json:"position"`
	Parameters       any     `json:"parameters"`
	WebhookID        string  `json:"webhookId,omitempty"`
	OnError          string  `json:"onError,omitempty"`
	RetryOnFail      bool    `json:"retryOnFail,omitempty"`
	MaxTries         int     `json:"maxTries,omitempty"`
	WaitBetweenTries int     `json:"waitBetweenTries,omitempty"` // milliseconds
	ExecuteOnce      bool    `json:"executeOnce,omitempty"`
	AlwaysOutputData bool    `json:"alwaysOutputData,omitempty"` // an empty item where there is none
	Notes            string  `json:"notes,omitempty"`
	NotesInFlow      bool    `json:"notesInFlow,omitempty"`
}

// exits are the nodes behind each exit of a node.
type exits struct {
	Main [][]target `json:"main"`
}

type target struct {
	Node  string `json:"node"`
	Type  string `json:"type"`
	Index int    `json:"index"`
}

// errorExit lets a node that fails go on at an exit of its own.
const errorExit = "continueErrorOutput"

// A canvas is a workflow in the making.
type canvas struct {
	workflow
	space uuid.UUID // of this rule's ids
}

// namespace is where the ids of all generated workflows lie.
var namespace = uuid.MustParse("1f0b3a52-6a44-5d0e-9f1c-0d6f6b7a2c11")

func newCanvas(rule, name string) *canvas {
	space := uuid.NewSHA1(namespace, []byte(rule))
	return &canvas{space: space, workflow: workflow{
		Name: name, Connections: map[string]exits{}, Settings: settings{"v1"}, VersionID: uuid.NewSHA1(space, []byte("version")).String(),
	}}
}

// add puts a node at a column and row of the drawing. n8n goes through branches from
// the upper row to the lower.
func (c *canvas) add(n node, column, row int) {
	n.ID = uuid.NewSHA1(c.space, []byte(n.Name)).String()
	n.Position = [2]int{220 * column, 180 * row}
	c.Nodes = append(c.Nodes, n)
}

// link leads from an exit of a node to the next one.
func (c *canvas) link(from string, exit int, to string) {
	e := c.Connections[from]
	for len(e.Main) <= exit {
		e.Main = append(e.Main, []target{})
	}
	e.Main[exit] = append(e.Main[exit], target{to, "main", 0})
	c.Connections[from] = e
}

// chain leads from each of the nodes, at its first exit, to the next.
func (c *canvas) chain(names ...string) {
	for i := 1; i < len(names); i++ {
		c.link(names[i-1], 0, names[i])
	}
}

func (w workflow) text() ([]byte, error) {
	data, err := json.MarshalIndent(w, "", "  ")
	return append(data, '\n'), err
}
