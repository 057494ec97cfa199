package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"dedupedesk/app/intake"
	"dedupedesk/app/setup"
	"dedupedesk/exporters"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
)

// A stepsRecord is what is kept of a checklist, as the setting
// steps/<rule's id, or ->/<tool>. The id stays when a rule is renamed.
type stepsRecord struct {
	Details    map[string]string    `json:"details,omitempty"` // as typed, by the field's name
	SavedAt    time.Time            `json:"saved_at,omitzero"`
	Ticks      map[string]stepsMark `json:"ticks,omitempty"`      // by the step's id
	Understood map[string]stepsMark `json:"understood,omitempty"` // warnings, by the step's id
}

// A stepsMark says who did something, when, and by its stamp what it was about.
type stepsMark struct {
	At    time.Time `json:"at"`
	By    string    `json:"by"`
	Stamp string    `json:"stamp"`
}

func (s sheet) name() string {
	if s.rule == nil {
		return setup.RecordName(0, s.tool.Name())
	}
	return setup.RecordName(s.rule.ID, s.tool.Name())
}

func (d Desk) record(ctx context.Context, name string) (stepsRecord, error) {
	text, ok, err := d.Ledger.Setting(ctx, name)
	if err != nil || !ok {
		return stepsRecord{}, err
	}
	var rec stepsRecord
	if err := json.Unmarshal([]byte(text), &rec); err != nil {
		return rec, fmt.Errorf("setting %s: %w", name, err)
	}
	return rec, nil
}

// keep stores what people made of the sheet.
func (d stepsDesk) keep(ctx context.Context, s sheet) error {
	if err := d.keepAnswers(ctx, s); err != nil {
		return err
	}
	text, err := json.Marshal(s.kept)
	if err != nil {
		return fmt.Errorf("setting %s: %w", s.name(), err)
	}
	return d.Ledger.PutSetting(ctx, s.name(), string(text))
}

// stamp says what a tick of step is about: the value, the details that its
// instructions name, the files. A tick with another stamp has to be checked again; a
// new wording of the instructions alone changes none. The proof is about all of them.
func (s sheet) stamp(step exporters.Step) string {
	h := sha256.New()
	if step.Prove {
		for _, other := range s.list.Steps {
			hashTexts(h, other.ID, other.Value, strconv.FormatBool(other.Blocked != ""))
		}
		for _, f := range s.list.Files {
			hashTexts(h, f.Name, string(f.Data))
		}
		return hex.EncodeToString(h.Sum(nil))
	}
	hashTexts(h, step.Value, strconv.FormatBool(step.Blocked != ""))
	words := step.Title + "\n" + step.Where
	if step.Value == "" {
		for _, c := range step.Checks {
			words += "\n" + c.Text
		}
	}
	for _, f := range s.tool.Fields() {
		if typed := strings.TrimSpace(s.kept.Details[f.Name]); typed != "" && strings.Contains(words, typed) {
			hashTexts(h, f.Name, typed)
		}
	}
	for _, f := range s.list.Files {
		if step.File == f.Name {
			hashTexts(h, f.Name, string(f.Data))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashTexts writes texts so that no two lists of texts look alike.
func hashTexts(w io.Writer, texts ...string) {
	for _, t := range texts {
		// A hash never fails to be written to.
		_, _ = fmt.Fprintf(w, "%d:%s", len(t), t)
	}
}

// Of a step: nothing was done, it is done, or its tick has to be checked again.
const (
	stepOpen  = ""
	stepDone  = "done"
	stepAgain = "again"
)

func (s sheet) state(step exporters.Step) string {
	mark, ticked := s.kept.Ticks[step.ID]
	switch {
	case !ticked:
		return stepOpen
	case mark.Stamp == s.stamp(step):
		return stepDone
	}
	return stepAgain
}

func (s sheet) understands(step exporters.Step) bool {
	return s.kept.Understood[step.ID].Stamp == warningStamp(step) && step.Warning != ""
}

func warningStamp(step exporters.Step) string {
	sum := sha256.Sum256([]byte(step.Warning))
	return hex.EncodeToString(sum[:])
}

func (s sheet) progress() page.StepsProgressView {
	p := page.StepsProgressView{Tool: s.tool.Name(), Title: s.tool.Title(), Total: len(s.list.Steps), StopsCopies: s.list.StopsCopies()}
	for _, step := range s.list.Steps {
		switch s.state(step) {
		case stepDone:
			p.Done++
		case stepAgain:
			p.Again++
		}
	}
	return p
}

// stepsBegun returns how far the checklists of a rule are, without those that nobody
// began. A rule whose formula has faults has none.
func (d Desk) stepsBegun(ctx context.Context, rule ledger.Rule) ([]page.StepsProgressView, error) {
	kept, err := d.Ledger.SettingsWithPrefix(ctx, setup.RecordName(rule.ID, ""))
	if err != nil {
		return nil, err
	}
	var list []page.StepsProgressView
	for _, x := range d.Exporters {
		if _, begun := kept[setup.RecordName(rule.ID, x.Name())]; !begun {
			continue
		}
		s, err := stepsDesk{Desk: d}.sheet(ctx, rule.Name, x.Name())
		if _, broken := errors.AsType[*intake.IssuesError](err); broken {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		p := s.progress()
		p.Guard = stepsDesk{Desk: d}.guard(s)
		list = append(list, p)
	}
	return list, nil
}
