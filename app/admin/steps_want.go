package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"dedupedesk/app/guard"
	"dedupedesk/app/intake"
	"dedupedesk/app/problem"
	"dedupedesk/exporters"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// settingWords are what screens call the settings of a rule file.
func settingWords(setting string) string {
	switch setting {
	case "lease":
		return "time allowed"
	case "on_expiry":
		return "if a run dies half way"
	case "answer":
		return "when a copy arrives"
	case "keep":
		return "forget finished keys after"
	case "max_attempts":
		return "how often a failed event may run"
	case "if_unreachable":
		return "if this program cannot be reached"
	}
	return setting
}

// settingValue writes the value of a setting as screens do.
func settingValue(value string) string {
	if d, err := time.ParseDuration(value); err == nil && d > 0 {
		return exporters.Spell(d)
	}
	switch value {
	case "next":
		return "let the next copy run"
	case "ask":
		return "ask a person"
	case "branch":
		return "stop quietly"
	case "wait":
		return "try later"
	case "strict":
		return "error"
	case "go_on":
		return "go on"
	}
	return value
}

// wants are what the way that was chosen needs the rule to say, and it does not say.
func (s sheet) wants() []exporters.Want {
	way, err := exporters.Chosen(s.tool, s.told)
	if err != nil || s.rule == nil {
		return nil
	}
	return way.Wants
}

func (s sheet) wantViews(may bool) []page.WantView {
	var list []page.WantView
	for _, w := range s.wants() {
		v := page.WantView{
			Rule: s.rule.Name, RuleTitle: titleOf(s.rule.Rule), Tool: s.tool.Name(), Version: strconv.FormatInt(s.rule.Version, 10),
			Setting: w.Setting, Value: w.Value, Words: settingWords(w.Setting), Should: settingValue(w.Value), Why: w.Why, May: may,
		}
		if now, err := settingOf(s.rule.File, w.Setting); err == nil {
			v.Now = settingValue(now)
		}
		list = append(list, v)
	}
	return list
}

// members reads a rule file as its members in JSON.
func members(file *rules.Rule) (map[string]json.RawMessage, error) {
	doc, err := file.JSON()
	if err != nil {
		return nil, fmt.Errorf("rule %q: %w", file.Rule, err)
	}
	all := map[string]json.RawMessage{}
	if err := json.Unmarshal(doc, &all); err != nil {
		return nil, fmt.Errorf("rule %q: %w", file.Rule, err)
	}
	return all, nil
}

// settingOf returns the text of a setting, "" where the file does not name it.
func settingOf(file *rules.Rule, setting string) (string, error) {
	all, err := members(file)
	if err != nil {
		return "", err
	}
	var text string
	if json.Unmarshal(all[setting], &text) != nil {
		text = string(all[setting])
	}
	return text, nil
}

// withSetting returns the file with another value of a setting.
func withSetting(file *rules.Rule, setting, value string) (*rules.Rule, error) {
	all, err := members(file)
	if err != nil {
		return nil, err
	}
	if _, err := strconv.Atoi(value); err == nil {
		all[setting] = json.RawMessage(value)
	} else if all[setting], err = json.Marshal(value); err != nil {
		return nil, fmt.Errorf("rule %q: %w", file.Rule, err)
	}
	doc, err := json.Marshal(all)
	if err != nil {
		return nil, fmt.Errorf("rule %q: %w", file.Rule, err)
	}
	return rules.Parse(doc)
}

// changeRule gives the rule in use the value that the chosen way needs, if the rule is
// still the one that the person saw.
func (d stepsDesk) changeRule(w http.ResponseWriter, r *http.Request) error {
	d.turn.Lock()
	defer d.turn.Unlock()
	s, err := d.posted(r)
	if err != nil {
		return err
	}
	want := exporters.Want{Setting: r.PostFormValue("setting"), Value: r.PostFormValue("value")}
	known := slices.ContainsFunc(s.wants(), func(o exporters.Want) bool { return o.Setting == want.Setting && o.Value == want.Value })
	switch {
	case s.rule == nil:
		return problem.New(http.StatusNotFound, "no_such_rule", "These steps are about no rule.")
	case r.PostFormValue("version") != strconv.FormatInt(s.rule.Version, 10):
		return d.refuseWant(w, r, s, "This rule was changed elsewhere meanwhile. Nothing was changed now. Look at what it says, and press the button again if it still should be changed.")
	case !known:
		return d.refuseWant(w, r, s, "These steps do not ask for this change any more.")
	}
	if fault, err := d.putSetting(r, s, want); err != nil || fault != "" {
		if err != nil {
			return err
		}
		return d.refuseWant(w, r, s, fault)
	}
	old := s
	if s, err = d.sheet(r.Context(), s.rule.Name, s.tool.Name()); err != nil {
		return err
	}
	v, err := d.checklist(r, s)
	if err != nil {
		return err
	}
	v.Fields = s.fields(s.typedIn(r.PostForm))
	told := page.ToastView{Tone: "ok", Text: "The rule says it now: " + settingWords(want.Setting) + " " + settingValue(want.Value) + ". " + againWords(old, s)}
	return d.fragment(w, r, http.StatusOK, templ.Join(page.Checklist(v), page.ToastPartial(told)))
}

// putSetting changes the rule, or says why it cannot.
func (d stepsDesk) putSetting(r *http.Request, s sheet, want exporters.Want) (string, error) {
	file, err := rules.Parse(s.rule.Doc)
	if err != nil {
		return "", fmt.Errorf("rule %q: %w", s.rule.Name, err)
	}
	if file, err = withSetting(file, want.Setting, want.Value); err != nil {
		return "", err
	}
	visitor, _ := guard.Visitor(r)
	_, err = d.Intake.ChangeRule(r.Context(), intake.Change{Name: s.rule.Name, File: file, By: visitor.Name})
	if faulty, ok := errors.AsType[*intake.IssuesError](err); ok {
		return faulty.Issues[0].String(), nil
	}
	if ledger.CodeOf(err) == ledger.Invalid {
		return ledger.MessageOf(err), nil
	}
	return "", err
}

func (d stepsDesk) refuseWant(w http.ResponseWriter, r *http.Request, s sheet, text string) error {
	v, err := d.checklist(r, s)
	if err != nil {
		return err
	}
	v.Fields, v.WantFault = s.fields(s.typedIn(r.PostForm)), text
	return d.fragment(w, r, http.StatusUnprocessableEntity, page.Checklist(v))
}
