package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"dedupedesk/app/intake"
	"dedupedesk/rules"
)

type ruleKey struct {
	Files   []string `arg:"" complete:"file" name:"file" help:"Payload files. One JSON document is one event; a file of JSON lines holds one event a line. - is the input."`
	Rule    string   `complete:"rule" placeholder:"NAME" help:"Use this rule."`
	File    string   `complete:"file" placeholder:"RULE.yaml" help:"Use the rule in this file."`
	Headers string   `complete:"file" placeholder:"FILE" help:"A JSON object with the headers that came with every event."`
}

// A keyLine is what became of one event, or of one item of it.
type keyLine struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"` // in a file of JSON lines
	Key     string `json:"key,omitempty"`
	Ignored bool   `json:"ignored,omitempty"`
	Error   string `json:"error,omitempty"`
}

// Run prints one key a line, in the order of the events. Events that the rule
// ignores and events without a key are told on the error output.
func (k *ruleKey) Run(c *call) error {
	program, err := k.program(c)
	if err != nil {
		return err
	}
	headers, err := k.headers(c)
	if err != nil {
		return err
	}
	var lines []keyLine
	for _, path := range k.Files {
		events, err := c.payloads(path)
		if err != nil {
			return err
		}
		for _, e := range events {
			lines = append(lines, keysOf(c, program, e, headers)...)
		}
	}
	return c.printKeys(lines)
}

func (k *ruleKey) program(c *call) (*rules.Program, error) {
	if (k.Rule == "") == (k.File == "") {
		return nil, misuse("Give one of --rule NAME and --file RULE.yaml.")
	}
	var file *rules.Rule
	var err error
	if k.File != "" {
		file, err = c.readRule(k.File)
	} else {
		file, err = c.namedRule(k.Rule)
	}
	if err != nil {
		return nil, err
	}
	return c.compile(file)
}

func (c *call) namedRule(name string) (*rules.Rule, error) {
	keeper, err := c.keeper()
	if err != nil {
		return nil, err
	}
	r, err := keeper.rule(c.ctx, name)
	if err != nil {
		return nil, err
	}
	return decodeRule(r)
}

func (c *call) compile(file *rules.Rule) (*rules.Program, error) {
	e, err := c.rulesEngine()
	if err != nil {
		return nil, err
	}
	full := file.WithDefaults()
	p, issues := e.Compile(&full)
	if len(issues) > 0 {
		return nil, &intake.IssuesError{Rule: full.Rule, Issues: issues}
	}
	return p, nil
}

func (k *ruleKey) headers(c *call) (map[string]string, error) {
	if k.Headers == "" {
		return nil, nil
	}
	data, err := c.read(k.Headers)
	if err != nil {
		return nil, err
	}
	v, err := rules.DecodeJSON(data)
	if err != nil {
		return nil, at(k.Headers, err)
	}
	members, ok := v.(rules.Object)
	if !ok {
		return nil, at(k.Headers, misuse("This must be an object of names and texts."))
	}
	out := make(map[string]string, len(members))
	for name, value := range members {
		if out[name], ok = value.(string); !ok {
			return nil, at(k.Headers, misuse("The header "+name+" must be text."))
		}
	}
	return out, nil
}

// A payload is the text of one event and where it stands.
type payload struct {
	file string
	line int // 0 where the file is one event
	text string
}

// notRead are files that people will try, and that no key is worked out of.
var notRead = []string{".csv", ".xlsx", ".xls"}

// payloads returns the events of a file. A file of JSON lines is known by its
// name, or by not being one document while each of its lines is.
func (c *call) payloads(path string) ([]payload, error) {
	ext := strings.ToLower(filepath.Ext(path))
	if slices.Contains(notRead, ext) {
		return nil, misuse(path + ": tables are not read here. Give JSON, or one JSON object a line.")
	}
	data, err := c.read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, misuse("There is no file " + path + ".")
	}
	if err != nil {
		return nil, err
	}
	whole := []payload{{file: path, text: string(data)}}
	if strings.TrimSpace(string(data)) == "" {
		return nil, misuse(path + " is empty, so there is no event in it.")
	}
	lines := splitLines(path, string(data))
	switch {
	case ext == ".jsonl" || ext == ".ndjson":
		return lines, nil
	case len(lines) < 2:
		return whole, nil
	}
	if _, err := rules.ParseSample(whole[0].text, nil); err == nil {
		return whole, nil
	}
	for _, l := range lines {
		if _, err := rules.DecodeJSON([]byte(l.text)); err != nil {
			return whole, nil
		}
	}
	return lines, nil
}

func splitLines(path, text string) []payload {
	var out []payload
	for i, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) != "" {
			out = append(out, payload{path, i + 1, line})
		}
	}
	return out
}

func keysOf(c *call, p *rules.Program, from payload, headers map[string]string) []keyLine {
	place := keyLine{File: from.file, Line: from.line}
	refused := func(err error) []keyLine {
		place.Error = err.Error()
		return []keyLine{place}
	}
	event, err := rules.ParseSample(from.text, headers)
	if err != nil {
		return refused(err)
	}
	keyed, err := p.Keys(c.ctx, event)
	if err != nil {
		return refused(err)
	}
	out := make([]keyLine, len(keyed))
	for i, k := range keyed {
		out[i] = keyLine{File: from.file, Line: from.line, Key: k.Key, Ignored: k.Ignored}
		if k.Err != nil {
			out[i].Error = k.Err.Error()
		}
	}
	return out
}

// printKeys prints what was worked out. One event without a key makes the whole
// an error, after all keys are printed.
func (c *call) printKeys(lines []keyLine) error {
	failed := 0
	for _, l := range lines {
		place := l.File
		if l.Line > 0 {
			place = fmt.Sprintf("%s:%d", l.File, l.Line)
		}
		switch {
		case l.Error != "":
			failed++
			c.say("%s: %s", place, l.Error)
		case l.Ignored:
			c.say("%s: The rule ignores this event.", place)
		case !c.flags.JSON:
			if err := c.print("%s", l.Key); err != nil {
				return err
			}
		}
	}
	if c.flags.JSON {
		if err := c.printJSON(map[string]any{"keys": lines}); err != nil {
			return err
		}
	}
	if failed > 0 {
		return &exitError{fault}
	}
	return nil
}
