package alerts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"dedupedesk/ledger"
)

// How often is looked, and how often is told.
const (
	every       = 10 * time.Second // from one look to the next
	settle      = time.Minute      // from one message about a rule to the next
	RemindAfter = 24 * time.Hour   // while keys are left
	turnTime    = 2 * time.Minute  // after which another engine may send
	watched     = 1000             // keys of a rule that are told apart
)

// A State is how the alerts of a rule stand.
type State struct {
	Told    []string  `json:"told,omitempty"` // short codes of the keys that were told and still need a decision
	SentAt  time.Time `json:"sent_at,omitzero"`
	Failure string    `json:"failure,omitempty"` // of the newest try, "" where it was taken
	Tries   int       `json:"tries,omitempty"`   // without success since then
	NextAt  time.Time `json:"next_at,omitzero"`  // of the next try
}

// A Book sends the alerts of all rules.
type Book struct {
	ledger *ledger.Ledger
	log    *slog.Logger
	client *http.Client
	engine string // this engine among others on one database
}

// NewBook returns a book about l.
func NewBook(l *ledger.Ledger, log *slog.Logger) *Book {
	return &Book{ledger: l, log: log, client: newClient(), engine: rand.Text()}
}

// State returns how the alerts of a rule stand.
func (b *Book) State(ctx context.Context, ruleID int64) (State, error) {
	var s State
	_, err := b.kept(ctx, stateName(ruleID), &s)
	return s, err
}

// Run looks again and again until ctx ends.
func (b *Book) Run(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		if err := b.Look(ctx); err != nil && ctx.Err() == nil {
			b.log.Error("alerts", "cause", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// Look sends what is due now, for every rule that has a target.
func (b *Book) Look(ctx context.Context) error {
	targets, err := b.ledger.SettingsWithPrefix(ctx, "alerts/target/")
	if err != nil || len(targets) == 0 {
		return err
	}
	list, err := b.ledger.Rules(ctx)
	if err != nil {
		return err
	}
	for _, rule := range list {
		if _, has := targets[targetName(rule.ID)]; has {
			err = errors.Join(err, b.tell(ctx, rule))
		}
	}
	return err
}

// tell sends what is due about a rule.
func (b *Book) tell(ctx context.Context, rule ledger.Rule) error {
	now := b.ledger.Now()
	s, err := b.State(ctx, rule.ID)
	if err != nil || now.Before(s.NextAt) {
		return err
	}
	m, codes, err := b.message(ctx, rule, s, now)
	if err != nil {
		return err
	}
	if left := stillThere(s.Told, codes); len(left) < len(s.Told) {
		s.Told = left
		if err := b.keep(ctx, stateName(rule.ID), s); err != nil {
			return err
		}
	}
	if m.Total == 0 || m.New == 0 && now.Sub(s.SentAt) < RemindAfter {
		return nil
	}
	mine, err := b.takeTurn(ctx, rule.ID, now)
	if err != nil || !mine {
		return err
	}
	// What began in the meantime by another engine is not told again.
	if again, err := b.State(ctx, rule.ID); err != nil || !again.SentAt.Equal(s.SentAt) {
		return errors.Join(err, b.endTurn(ctx, rule.ID))
	}
	return errors.Join(b.send(ctx, rule, s, m, codes), b.endTurn(ctx, rule.ID))
}

// send sends m and writes down what came of it.
func (b *Book) send(ctx context.Context, rule ledger.Rule, s State, m Message, codes []string) error {
	t, ok, err := b.Target(ctx, rule.ID)
	if err != nil || !ok {
		return err
	}
	err = b.Send(ctx, t, m)
	if ctx.Err() != nil {
		return nil // the engine stops: the next one tries again
	}
	now := b.ledger.Now()
	if err == nil {
		b.log.Info("alert sent", "rule", rule.Name, "kind", t.Kind, "keys", m.Total)
		return b.keep(ctx, stateName(rule.ID), State{Told: codes, SentAt: now, NextAt: now.Add(settle)})
	}
	s.Failure, s.Tries = err.Error(), s.Tries+1
	s.NextAt = now.Add(pause(err, s.Tries))
	b.log.Warn("alert not taken", "rule", rule.Name, "kind", t.Kind, "tries", s.Tries, "cause", s.Failure)
	return b.keep(ctx, stateName(rule.ID), s)
}

// pause is how long after a fault the next try comes: what the answer asks for, an hour
// where nothing will change by itself, else longer each time.
func pause(err error, tries int) time.Duration {
	if r, ok := errors.AsType[*Refusal](err); ok {
		if r.Wait > 0 {
			return r.Wait
		}
		if r.lasting() {
			return time.Hour
		}
	}
	return min(10*time.Second<<min(tries-1, 10), 30*time.Minute)
}

// message is what is to be told about a rule, with short codes of the keys.
func (b *Book) message(ctx context.Context, rule ledger.Rule, s State, now time.Time) (m Message, codes []string, err error) {
	m = Message{Rule: rule.Name, Title: rule.Title}
	if m.Title == "" {
		m.Title = rule.Name
	}
	q := ledger.KeyQuery{Rule: rule.Name, View: ledger.ViewStuck, Limit: 200}
	for {
		found, err := b.ledger.Keys(ctx, q)
		if err != nil {
			return m, nil, err
		}
		for _, k := range found.Keys {
			code := codeOf(k)
			codes = append(codes, code)
			if !slices.Contains(s.Told, code) {
				m.New++
			}
			if len(m.Keys) < named {
				m.Keys = append(m.Keys, k.Key)
			}
			m.Oldest = max(m.Oldest, now.Sub(since(k)))
		}
		if q.Cursor = found.Next; q.Cursor == "" || len(codes) >= watched {
			m.Total, m.More = len(codes), q.Cursor != ""
			return m, codes, nil
		}
	}
}

// since is from when on a key waits for a person.
func since(k ledger.Key) time.Time {
	if k.State == ledger.Claimed && k.Expired {
		return k.LeaseUntil
	}
	return k.ChangedAt
}

// codeOf is a short code of a key as it stands, which tells nobody the key.
func codeOf(k ledger.Key) string {
	sum := sha256.Sum256([]byte(k.Key + "\x00" + strconv.FormatInt(k.Fence, 10) + "\x00" + strconv.FormatInt(k.ChangedAt.UnixMilli(), 10)))
	return hex.EncodeToString(sum[:6])
}

func stillThere(told, now []string) []string {
	return slices.DeleteFunc(slices.Clone(told), func(code string) bool { return !slices.Contains(now, code) })
}

// takeTurn tells whether this engine sends. One that took its turn and was not heard of
// for turnTime has lost it.
func (b *Book) takeTurn(ctx context.Context, ruleID int64, now time.Time) (bool, error) {
	mine := b.engine + "|" + strconv.FormatInt(now.UnixMilli(), 10)
	kept, err := b.ledger.KeepSetting(ctx, turnName(ruleID), mine)
	if err != nil || kept == mine {
		return err == nil, err
	}
	owner, at, _ := strings.Cut(kept, "|")
	since, err := strconv.ParseInt(at, 10, 64)
	if owner == b.engine || err != nil || now.Sub(time.UnixMilli(since)) > turnTime {
		// The next look takes it.
		return false, b.endTurn(ctx, ruleID)
	}
	return false, nil
}

func (b *Book) endTurn(ctx context.Context, ruleID int64) error {
	return b.ledger.PutSetting(context.WithoutCancel(ctx), turnName(ruleID), "")
}
