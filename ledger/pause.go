package ledger

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// SettingPaused is the setting that stops all grants while it is there. It is in the
// store, so it holds for every engine and command on it, and after a restart.
const SettingPaused = "ledger.paused"

// A Pause says who stopped all grants, and since when. Both are empty where what is
// stored cannot be read; the pause holds all the same.
type Pause struct {
	Since time.Time `json:"since"`
	By    string    `json:"by"`
}

// Pause stops all grants until [Ledger.EndPause]: every claim of every process on the
// store returns Paused. Once Pause returns, nothing is granted any more. What is in
// progress goes on, and is reported as ever. Paused already, it changes nothing.
//
// Pause returns Invalid without by, Busy and Corrupt.
func (l *Ledger) Pause(ctx context.Context, by string) error {
	if by = cleanError(by); by == "" {
		return invalid("by", "Say who pauses.")
	}
	err := l.write(ctx, func(tx Tx) error {
		if _, paused, err := tx.Setting(ctx, SettingPaused); err != nil || paused {
			return err
		}
		m, err := l.time.in(ctx, tx)
		if err != nil {
			return err
		}
		text, err := json.Marshal(Pause{Since: m.now, By: by})
		if err != nil {
			return err
		}
		if err := tx.PutSetting(ctx, SettingPaused, string(text)); err != nil {
			return err
		}
		return saveRules(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("pause: %w", err)
	}
	return nil
}

// saveRules writes all rules as they are. Where claims are decided side by side, those
// that were decided before and are not on disk yet fail by it, and are decided anew.
func saveRules(ctx context.Context, tx Tx) error {
	rules, err := tx.AllRules(ctx)
	if err != nil {
		return err
	}
	for _, r := range rules {
		// Read by its name, so that a change of the rule meanwhile is not undone.
		r, ok, err := tx.RuleNamed(ctx, r.Name)
		if err == nil && ok {
			_, err = tx.SaveRule(ctx, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EndPause lets claims be granted again. Where nothing is paused, it changes nothing.
// It returns Busy and Corrupt.
func (l *Ledger) EndPause(ctx context.Context) error {
	if err := l.PutSetting(ctx, SettingPaused, ""); err != nil {
		return fmt.Errorf("end the pause: %w", err)
	}
	return nil
}

// Paused returns the pause that holds now and true, or false where none does. It
// returns Busy and Corrupt.
func (l *Ledger) Paused(ctx context.Context) (Pause, bool, error) {
	text, paused, err := l.Setting(ctx, SettingPaused)
	if err != nil || !paused {
		return Pause{}, false, err
	}
	var p Pause
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		p = Pause{}
	}
	return p, true, nil
}

// Warning says what the pause means, in words.
func (p Pause) Warning() string {
	by := ""
	if p.By != "" {
		by = " by " + p.By
	}
	since := ""
	if !p.Since.IsZero() {
		since = " since " + p.Since.UTC().Format("2006-01-02 15:04") + " UTC"
	}
	return "Paused" + by + since + ": nothing is let through. Every claim is told to try later; what is in progress may still be finished."
}

// notPaused returns Paused where a pause holds.
func notPaused(ctx context.Context, tx Tx) error {
	_, paused, err := tx.Setting(ctx, SettingPaused)
	if err != nil || !paused {
		return err
	}
	return Pause{}.Refusal()
}

// Refusal returns what a claim is told. It does not say who paused: callers read it.
func (Pause) Refusal() error {
	return &Error{Code: Paused, Msg: "Dedupe Desk is paused: nothing is let through, so nothing was granted. Try again later, once a person has chosen Resume."}
}
