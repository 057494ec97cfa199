package admin

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"dedupedesk/app/problem"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// A draft is a rule file in the making, kept in the ledger on every change as the
// setting draft/<id>. The draft of a rule in use has the id rule.<name>; until its
// first change it is the rule itself and is kept nowhere.
type draft struct {
	ID      string     `json:"id"`
	Rule    rules.Rule `json:"rule"`             // name and formula may be missing yet
	Of      string     `json:"of,omitempty"`     // the rule in use that it changes
	Base    int64      `json:"base,omitempty"`   // the version of it that the draft began with
	Why     ledger.Why `json:"why,omitempty"`    // why the formula in use is changed; "" = nobody said
	Blocks  string     `json:"blocks,omitempty"` // the last formula that blocks could show
	Recipe  string     `json:"recipe,omitempty"` // what the rule was begun as, while its card is shown
	Asked   bool       `json:"asked,omitempty"`  // the last sample waits for the question which event it is
	Shown   int        `json:"shown,omitempty"`  // index of the sample whose values are shown
	Pasted  int        `json:"added,omitempty"`  // how often samples were pasted
	Begun   time.Time  `json:"begun,omitzero"`   // when it was made; zero for the draft of a rule in use
	SavedAt time.Time  `json:"saved_at"`         // zero while it is kept nowhere
	Rev     int64      `json:"rev,omitempty"`    // +1 each time it is kept

	Past    []step                  `json:"past,omitempty"`   // what can be undone, the latest last
	Future  []step                  `json:"future,omitempty"` // what can be done again, the next one last
	Texts   map[string]rules.Sample `json:"texts,omitempty"`  // of samples that steps alone have, by sumOf
	TypedAt time.Time               `json:"typed_at,omitzero"`

	sums []summed // of texts that this request has seen
}

const draftPrefix = "draft/"

// maxDraft bounds a draft as it is kept, in bytes: what a setting may hold, less
// room for a formula to grow.
const maxDraft = 4<<20 - 256<<10

const defaultTakesKeys = "Plain keys come ready made, so they have no rule and no formula. Make a rule for each thing that must happen once."

var newDraftID = regexp.MustCompile(`^new-[0-9a-f]{16}$`)

// isDraftID tells what may be the id of a draft.
func isDraftID(id string) bool {
	rule, ok := strings.CutPrefix(id, "rule.")
	return ok && ledger.ValidRuleName(rule) || newDraftID.MatchString(id)
}

// draftOf is the id of the draft of a rule in use.
func draftOf(rule string) string { return "rule." + rule }

// newDraft returns an empty draft of a new rule.
func newDraft(now time.Time) *draft {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	return &draft{ID: fmt.Sprintf("new-%x", id), Begun: now}
}

// load returns the draft with that id, or the rule in use that it would change. It
// returns NotFound or UnknownRule where there is neither.
func (p *designer) load(ctx context.Context, id string) (*draft, error) {
	gone := &ledger.Error{Code: ledger.NotFound, Field: "draft", Msg: "This draft is not here any more. It was put to use or thrown away."}
	if !isDraftID(id) {
		return nil, gone
	}
	text, ok, err := p.Ledger.Setting(ctx, draftPrefix+id)
	if err != nil {
		return nil, err
	}
	if ok {
		return readDraft(text)
	}
	name, ofRule := strings.CutPrefix(id, "rule.")
	if !ofRule {
		return nil, gone
	}
	return p.ofRule(ctx, name)
}

func readDraft(text string) (*draft, error) {
	d := new(draft)
	if err := json.Unmarshal([]byte(text), d); err != nil {
		return nil, fmt.Errorf("read a draft: %w", err)
	}
	return d, nil
}

// ofRule returns a draft that is the rule in use, unchanged.
func (p *designer) ofRule(ctx context.Context, name string) (*draft, error) {
	if name == ledger.DefaultRule {
		return nil, &ledger.Error{Code: ledger.NotFound, Field: "rule", Msg: defaultTakesKeys}
	}
	lr, err := p.Ledger.Rule(ctx, name)
	if err != nil {
		return nil, err
	}
	file, err := ruleFile(lr)
	if err != nil {
		return nil, err
	}
	return &draft{ID: draftOf(name), Rule: *file, Of: lr.Name, Base: lr.Version, Blocks: blocksOf(file.Key)}, nil
}

// ruleFile decodes what the ledger keeps of a rule. A rule without a file, such as
// default, takes ready keys and has no formula.
func ruleFile(lr ledger.Rule) (*rules.Rule, error) {
	if len(lr.Doc) == 0 {
		return &rules.Rule{Rule: lr.Name, Title: lr.Title}, nil
	}
	file, err := rules.Parse(lr.Doc)
	if err != nil {
		return nil, fmt.Errorf("rule %q as kept in the ledger: %w", lr.Name, err)
	}
	file.Rule = lr.Name // a rename changes the name alone
	return file, nil
}

// keep writes a draft down.
func (p *designer) keep(ctx context.Context, d *draft) error {
	d.SavedAt = p.Clock.Now()
	d.Rev++
	text, err := d.write()
	if err != nil {
		return err
	}
	err = p.Ledger.PutSetting(ctx, draftPrefix+d.ID, text)
	if ledger.CodeOf(err) == ledger.Invalid {
		return problem.New(http.StatusRequestEntityTooLarge, "too_large", "The samples of this rule are too large together to be kept as a draft. Remove one first.")
	}
	return err
}

// rev names the state of the draft that a page was drawn from.
func (d *draft) rev() string { return strconv.FormatInt(d.Rev, 10) }

// write returns the draft as it is kept. Where it is too large, the oldest changes
// can no longer be undone.
func (d *draft) write() (string, error) {
	for {
		text, err := d.encode()
		if err != nil || len(text) <= maxDraft || !d.forgetOldest() {
			return text, err
		}
	}
}

func (d *draft) encode() (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // samples are full of it, and no browser reads this
	if err := e.Encode(d); err != nil {
		return "", fmt.Errorf("write a draft: %w", err)
	}
	return b.String(), nil
}

// drop removes a draft; one that is not there is no error.
func (p *designer) drop(ctx context.Context, id string) error {
	return p.Ledger.PutSetting(ctx, draftPrefix+id, "")
}

// setFormula makes text the draft's formula and remembers it for the blocks where
// they can show it.
func (d *draft) setFormula(text string) {
	d.Rule.Key = text
	if blocks := blocksOf(text); blocks != "" || strings.TrimSpace(text) == "" {
		d.Blocks = blocks
	}
}

// setParts makes blocks the draft's formula; no block is no formula.
func (d *draft) setParts(parts []rules.Part) {
	if len(parts) == 0 {
		d.setFormula("")
		return
	}
	d.setFormula(rules.Formula(parts))
}

// blocksOf returns a formula in the form that blocks write, "" where they cannot
// show it.
func blocksOf(formula string) string {
	parts, ok := rules.Parts(formula)
	if !ok {
		return ""
	}
	return rules.Formula(parts)
}

// parts returns the blocks, and whether the formula is something else by now.
func (d *draft) parts() (parts []rules.Part, beyond bool) {
	if parts, ok := rules.Parts(d.Rule.Key); ok {
		return parts, false
	}
	parts, _ = rules.Parts(d.Blocks)
	return parts, strings.TrimSpace(d.Rule.Key) != ""
}

// judged is the rule without the sample that nobody sorted yet. That one is the
// last, so the numbers of the others stay.
func (d *draft) judged() *rules.Rule {
	r := d.Rule
	if d.Asked && len(r.Samples) > 0 {
		r.Samples = r.Samples[:len(r.Samples)-1]
	}
	return &r
}
