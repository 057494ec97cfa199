package alerts

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A Message is what is told.
type Message struct {
	Rule, Title string
	Test        bool
	Total       int  // keys that need a decision now
	More        bool // there are more than Total
	New         int  // of them, those that were not told before
	Oldest      time.Duration
	Keys        []string // named ones; none where keys are not to be named
}

// named is how many keys a message names.
const named = 5

// Text is the message in words.
func (m Message) Text() string {
	if m.Test {
		return "A test from Dedupe Desk: alerts about the rule “" + m.Title + "” arrive here."
	}
	need := "1 key needs a decision"
	if m.Total != 1 {
		need = fmt.Sprintf("%d keys need a decision", m.Total)
	}
	if m.More {
		need = fmt.Sprintf("More than %d keys need a decision", m.Total)
	}
	text := m.Title + ": " + need
	if m.New > 0 && m.New < m.Total {
		text += fmt.Sprintf(", %d of them new", m.New)
	}
	text += ". The oldest waits for " + m.Oldest.Truncate(time.Minute).String() + ". Open Dedupe Desk: Keys, Needs a decision."
	text = strings.ReplaceAll(text, "m0s", "m")
	for _, key := range m.Keys {
		text += "\n" + key
	}
	if len(m.Keys) > 0 && m.Total > len(m.Keys) {
		text += "\n…"
	}
	return text
}

// body is what is sent.
func (m Message) body(kind string) ([]byte, error) {
	switch kind {
	case Slack:
		// Slack reads these three characters as its own.
		return json.Marshal(map[string]string{"text": strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(m.Text())})
	case Teams:
		return json.Marshal(card(m.Text()))
	}
	keys := m.Keys
	if keys == nil {
		keys = []string{}
	}
	return json.Marshal(map[string]any{
		"test": m.Test, "rule": m.Rule, "title": m.Title, "text": m.Text(), "need_decision": m.Total, "more": m.More, "new": m.New,
		"oldest_seconds": int64(m.Oldest / time.Second), "keys": keys,
	})
}

type attachment struct {
	ContentType string `json:"contentType"`
	Content     any    `json:"content"`
}

// card is a message of Teams. Its texts are plain: what Markdown would read as a link or a
// list is written so that it does not.
func card(text string) any {
	var blocks []map[string]any
	for _, line := range strings.Split(text, "\n") {
		blocks = append(blocks, map[string]any{"type": "TextBlock", "text": plain(line), "wrap": true})
	}
	return map[string]any{"type": "message", "attachments": []attachment{{
		ContentType: "application/vnd.microsoft.card.adaptive",
		Content:     map[string]any{"$schema": "http://adaptivecards.io/schemas/adaptive-card.json", "type": "AdaptiveCard", "version": "1.4", "body": blocks},
	}}}
}

// plain takes Markdown's signs their meaning.
func plain(text string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\*_[]()#`~>", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
