package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ruleFile gives the members of a rule file their names and their order.
type ruleFile struct {
	Rule          string       `json:"rule"`
	Title         string       `json:"title,omitempty"`
	Sender        string       `json:"sender,omitempty"`
	Key           string       `json:"key"`
	Each          string       `json:"each,omitempty"`
	When          string       `json:"when,omitempty"`
	Lease         string       `json:"lease,omitempty"`
	Keep          string       `json:"keep,omitempty"`
	OnExpiry      string       `json:"on_expiry,omitempty"`
	MaxAttempts   int          `json:"max_attempts,omitempty"`
	Answer        string       `json:"answer,omitempty"`
	LongKeys      string       `json:"long_keys,omitempty"`
	FoldCase      bool         `json:"fold_case,omitempty"`
	KeepSamples   int          `json:"keep_samples,omitempty"`
	Fingerprint   []string     `json:"fingerprint,omitempty"`
	IfUnreachable string       `json:"if_unreachable,omitempty"`
	CostPerDouble string       `json:"cost_per_double,omitempty"`
	Samples       []sampleFile `json:"samples,omitempty"`
}

type sampleFile struct {
	Group   string            `json:"group,omitempty"`
	Name    string            `json:"name,omitempty"`
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body"`
}

func (r *Rule) file() ruleFile {
	f := ruleFile{
		Rule: r.Rule, Title: r.Title, Sender: r.Sender, Key: r.Key, Each: r.Each, When: r.When,
		OnExpiry: r.OnExpiry, MaxAttempts: r.MaxAttempts, Answer: r.Answer, LongKeys: r.LongKeys,
		FoldCase: r.FoldCase, KeepSamples: r.KeepSamples, Fingerprint: r.Fingerprint,
		IfUnreachable: r.IfUnreachable, CostPerDouble: r.CostPerDouble,
	}
	if r.Lease != 0 {
		f.Lease = r.Lease.String()
	}
	if r.Keep != 0 {
		f.Keep = r.Keep.String()
	}
	for _, s := range r.Samples {
		f.Samples = append(f.Samples, sampleFile(s))
	}
	return f
}

// JSON writes the rule file as JSON. [Parse] reads it back to an equal rule.
func (r *Rule) JSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r.file()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// YAML writes the rule file as YAML, bodies as text blocks where YAML can hold
// them unchanged. [Parse] reads it back to an equal rule.
func (r *Rule) YAML() ([]byte, error) {
	var doc yaml.Node
	text, err := r.JSON()
	if err != nil {
		return nil, err
	}
	root, err := jsonNode(text)
	if err != nil {
		return nil, err
	}
	doc = *toYAML(root)
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(&doc); err != nil {
		return nil, err
	}
	return b.Bytes(), e.Close()
}

func toYAML(n node) *yaml.Node {
	switch n.kind {
	case "map":
		y := &yaml.Node{Kind: yaml.MappingNode}
		for _, m := range n.members {
			y.Content = append(y.Content, yamlText(m.name), toYAML(m.value))
		}
		return y
	case "list":
		y := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range n.items {
			y.Content = append(y.Content, toYAML(item))
		}
		return y
	case "text":
		return yamlText(n.text)
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: n.text}
}

func yamlText(s string) *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	switch {
	case blockable(s):
		y.Style = yaml.LiteralStyle
	case tooLarge(s), strings.ContainsAny(s, "\n\r\t\u0085\u2028\u2029\ufeff") || strings.TrimSpace(s) != s:
		y.Style = yaml.DoubleQuotedStyle
	}
	return y
}

// tooLarge tells a number that no double holds, such as 1e309: the library writes it
// without quotes, and it would be read as a number.
func tooLarge(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return errors.Is(err, strconv.ErrRange)
}

// blockable tells whether a text block keeps s: several lines of plain text
// without blanks at a line's end or a first line that starts with one.
func blockable(s string) bool {
	if !strings.Contains(strings.TrimSuffix(s, "\n"), "\n") || strings.HasPrefix(s, " ") || strings.HasPrefix(s, "\n") || strings.HasSuffix(s, "\n\n") {
		return false
	}
	for _, r := range s {
		if r != '\n' && (r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r > 0xffff) {
			return false
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimRight(line, " ") != line {
			return false
		}
	}
	return true
}
