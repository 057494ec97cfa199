package alerts

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"

	"dedupedesk/ledger"
)

// Kinds of targets.
const (
	Slack   = "slack"
	Teams   = "teams"
	JSON    = "json"
	Desktop = "desktop" // a notification on the computer that this program runs on
)

// A Target is where a rule's alerts go.
type Target struct {
	Kind string `json:"kind"`
	URL  string `json:"url,omitempty"`  // "" for Desktop
	Keys bool   `json:"keys,omitempty"` // the message names the keys
	By   string `json:"by,omitempty"`   // who set it
}

// maxURL bounds an address, in bytes.
const maxURL = 2000

// Check returns Invalid, with a sentence, for a target that cannot be one: another kind,
// or an address that is not https, but for one of this computer.
func (t Target) Check() error {
	wrong := func(field, msg string) error { return &ledger.Error{Code: ledger.Invalid, Field: field, Msg: msg} }
	switch t.Kind {
	case Slack, Teams, JSON:
	case Desktop:
		if t.URL != "" {
			return wrong("url", "A notification on this computer needs no address. Leave it empty.")
		}
		return nil
	default:
		return wrong("kind", "An alert goes to Slack, to Teams, as JSON to an address, or onto the screen of this computer.")
	}
	u, err := url.Parse(t.URL)
	switch {
	case t.URL == "":
		return wrong("url", "The address is missing. It looks like https://hooks.slack.com/services/…")
	case len(t.URL) > maxURL || err != nil || u.Host == "" || u.User != nil:
		return wrong("url", "This is no address. It looks like https://hooks.slack.com/services/…")
	case u.Scheme == "https":
	case u.Scheme == "http" && loopback(u.Hostname()):
	default:
		return wrong("url", "The address has to begin with https://. Only one of this computer may begin with http://.")
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Masked is the address with all but its host and its last four characters hidden, "" where
// there is none.
func (t Target) Masked() string {
	if t.URL == "" {
		return ""
	}
	u, err := url.Parse(t.URL)
	if err != nil || u.Host == "" {
		return "····"
	}
	tail := t.URL[len(u.Scheme+"://"+u.Host):]
	if len(tail) > 12 {
		tail = tail[len(tail)-4:]
	} else {
		tail = ""
	}
	return u.Scheme + "://" + u.Host + "/····" + tail
}

func targetName(ruleID int64) string { return "alerts/target/" + strconv.FormatInt(ruleID, 10) }
func stateName(ruleID int64) string  { return "alerts/state/" + strconv.FormatInt(ruleID, 10) }
func turnName(ruleID int64) string   { return "alerts/turn/" + strconv.FormatInt(ruleID, 10) }

// Target returns where the alerts of a rule go, false for nowhere.
func (b *Book) Target(ctx context.Context, ruleID int64) (Target, bool, error) {
	var t Target
	ok, err := b.kept(ctx, targetName(ruleID), &t)
	return t, ok, err
}

// SetTarget says where the alerts of a rule go from now on. It returns what Check does.
func (b *Book) SetTarget(ctx context.Context, ruleID int64, t Target) error {
	t.URL = strings.TrimSpace(t.URL)
	if err := t.Check(); err != nil {
		return err
	}
	if err := b.keep(ctx, targetName(ruleID), t); err != nil {
		return err
	}
	// What an address refused says nothing about another one.
	return b.ledger.PutSetting(ctx, stateName(ruleID), "")
}

// DropTarget ends the alerts of a rule.
func (b *Book) DropTarget(ctx context.Context, ruleID int64) error {
	if err := b.ledger.PutSetting(ctx, targetName(ruleID), ""); err != nil {
		return err
	}
	return b.ledger.PutSetting(ctx, stateName(ruleID), "")
}

// kept reads a setting, and keep writes one.
func (b *Book) kept(ctx context.Context, name string, into any) (bool, error) {
	text, ok, err := b.ledger.Setting(ctx, name)
	if err != nil || !ok {
		return false, err
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return false, fmt.Errorf("setting %s: %w", name, err)
	}
	return true, nil
}

func (b *Book) keep(ctx context.Context, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("setting %s: %w", name, err)
	}
	return b.ledger.PutSetting(ctx, name, string(text))
}
