package cli

import (
	"fmt"
	"strconv"
	"strings"

	"dedupedesk/app/body"
	"dedupedesk/ledger"
)

type keysCommand struct {
	State  string `placeholder:"STATE" enum:",claimed,done,retryable,held,stuck" default:"" help:"Only keys that are claimed, done, retryable, held, or stuck (need a decision)."`
	Rule   string `complete:"rule" placeholder:"NAME" help:"Only keys of this rule."`
	Prefix string `placeholder:"TEXT" help:"Only keys that begin so."`
	Limit  int    `default:"50" placeholder:"N" help:"At most so many keys (50)."`
}

// pageSize is the most that one page of the ledger holds.
const pageSize = 200

// Run lists keys, newest first.
func (k *keysCommand) Run(c *call) error {
	if k.Limit < 1 {
		return misuse("--limit must be a whole number, 1 or more.")
	}
	keeper, err := c.keeper()
	if err != nil {
		return err
	}
	q := ledger.KeyQuery{Rule: k.Rule, Prefix: k.Prefix, State: ledger.State(k.State)}
	if k.State == "stuck" {
		q.State, q.View = "", ledger.ViewStuck
	}
	keys, next, err := k.collect(c, keeper, q)
	if err != nil {
		return err
	}
	if c.flags.JSON {
		bodies := make([]any, len(keys))
		for i, key := range keys {
			bodies[i] = body.KeyOf(key)
		}
		return c.printJSON(map[string]any{"keys": bodies, "next": next})
	}
	if len(keys) == 0 {
		c.say("There are no such keys.")
		return nil
	}
	if next != "" {
		c.say("There are more keys; see --limit.")
	}
	return c.table(keyTable(keys))
}

// collect reads pages until there are enough keys.
func (k *keysCommand) collect(c *call, from keeper, q ledger.KeyQuery) (keys []ledger.Key, next string, err error) {
	for len(keys) < k.Limit {
		q.Limit = min(pageSize, k.Limit-len(keys))
		page, err := from.keys(c.ctx, q)
		if err != nil {
			return nil, "", err
		}
		keys = append(keys, page.Keys...)
		if page.Next == "" {
			return keys, "", nil
		}
		q.Cursor = page.Next
	}
	return keys, q.Cursor, nil
}

func keyTable(keys []ledger.Key) [][]string {
	rows := [][]string{{"KEY", "RULE", "STATE", "LAST TRY", "COPIES", ""}}
	for _, k := range keys {
		rows = append(rows, []string{k.Key, k.Rule, k.Word(), clock(k.ClaimedAt), strconv.FormatInt(k.Copies, 10), note(k)})
	}
	return rows
}

// note returns what else a list should say of a key.
func note(k ledger.Key) string {
	var parts []string
	if k.StuckWhy != "" {
		parts = append(parts, k.StuckWhy)
	}
	if k.LastError != "" && k.State != ledger.Done {
		parts = append(parts, "last error: "+shorten(k.LastError, 60))
	}
	if k.Mismatches > 0 {
		parts = append(parts, fmt.Sprintf("same key, different contents: %d", k.Mismatches))
	}
	return strings.Join(parts, "; ")
}

// shorten cuts s to n characters.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
