package admin

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"dedupedesk/app/keeping"
	"dedupedesk/frontend/page"
	"dedupedesk/ledger"
	"dedupedesk/rules"
)

// view turns a draft into the editor's view.
func (p *designer) view(r *http.Request, d *draft, s said) (page.DesignView, error) {
	ctx := r.Context()
	v := page.DesignView{Draft: d.ID, Title: d.title(), May: mayChange(r), Paste: s.paste, Past: pastView(d)}
	v.Paste.Draft = d.ID
	v.Paste.ID = fmt.Sprintf("paste-%d", d.Pasted)
	if !d.SavedAt.IsZero() {
		v.Unsaved, v.Saved = true, page.At(d.SavedAt, p.Clock.Now())
	}
	inUse, err := p.inUse(r, d)
	if err != nil {
		return v, err
	}
	if inUse != nil {
		inUse.Just = s.just
	}
	v.InUse = inUse

	begun, err := p.begun(ctx, d)
	if err != nil {
		return v, err
	}
	judged := d.judged()
	j := p.Rules.JudgeTree(ctx, judged, p.trees.of(judged.Samples).Tree, targets(begun)...)
	tree := p.trees.of(d.seen())
	v.Groups, v.Ask, v.AskAll = p.groupViews(ctx, d, j)
	v.Catch, v.Recipe = p.catchView(d), recipeView(d, tree.Tree)
	v.Fields, v.Chosen = fieldsView(d, tree, s.fold), chosenFields(d)
	v.Fields.Draft, v.Fields.May = v.Draft, v.May
	v.Key = p.keyView(d, j)
	if len(judged.Samples) > 0 {
		v.Key.Suggestion = p.suggestionView(ctx, d, judged.Samples)
	}
	if v.Verdict = verdictViews(j, judged); d.Asked {
		waits := fmt.Sprintf("Say which event sample %d is. Until then it is not judged.", len(d.Rule.Samples))
		v.Verdict = append([]page.VerdictView{{Tone: "info", Word: "Next", Text: waits}}, v.Verdict...)
	}
	if strings.TrimSpace(d.Rule.Key) != "" {
		parts, _ := rules.Parts(d.Rule.Key)
		v.Results, v.Grid = resultViews(j, parts), gridView(j)
	}
	v.Sender = senderView(d, tree.Tree)
	v.Use = p.useView(d, j, v.InUse, s)
	if err := p.askWhy(ctx, d, v.InUse, &v.Use); err != nil {
		return v, err
	}
	v.Settings = p.settingsView(d, begun, slices.Concat(j.Issues, j.Absent), s)
	return v, nil
}

// begun returns the names of the checklists that were begun for the rule in use that
// the draft changes.
func (p *designer) begun(ctx context.Context, d *draft) ([]string, error) {
	if d.Of == "" {
		return nil, nil
	}
	lr, err := p.Ledger.Rule(ctx, d.Of)
	if ledger.CodeOf(err) == ledger.UnknownRule {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return keeping.Begun(ctx, p.Ledger, lr.ID)
}

// targets are the places that will hold the rule's keys, which have the names of their
// checklists. The rules know what some of them take.
func targets(begun []string) []rules.Target {
	var out []rules.Target
	for _, name := range begun {
		out = append(out, rules.Target(name))
	}
	return out
}

// inUse returns what the ledger uses of the rule that the draft changes, nil for a
// new rule.
func (p *designer) inUse(r *http.Request, d *draft) (*page.InUseView, error) {
	if d.Of == "" {
		return nil, nil
	}
	lr, err := p.Ledger.Rule(r.Context(), d.Of)
	if ledger.CodeOf(err) == ledger.UnknownRule {
		return nil, nil // ended meanwhile: the draft would make it anew
	}
	if err != nil {
		return nil, err
	}
	file, err := ruleFile(lr)
	if err != nil {
		return nil, err
	}
	uses, err := p.uses(r)
	if err != nil {
		return nil, err
	}
	return &page.InUseView{Name: lr.Name, Formula: file.Key, Keys: page.Count(uses[lr.Name].Keys), Called: !uses[lr.Name].LastCallAt.IsZero(), Changed: changed(file, &d.Rule)}, nil
}

// sameFormula tells whether two formulas are written alike, blocks or not.
func sameFormula(a, b string) bool {
	if x, y := blocksOf(a), blocksOf(b); x != "" && y != "" {
		return x == y
	}
	return strings.TrimSpace(a) == strings.TrimSpace(b)
}

// useView is the last card of the editor.
func (p *designer) useView(d *draft, j rules.Judgement, inUse *page.InUseView, s said) page.UseView {
	v := page.UseView{
		Title: d.Rule.Title, TitleFault: s.titleFault, Name: d.Rule.Rule, NameFault: s.nameFault, Fault: s.useFault,
		Verb: "Use this key",
	}
	if inUse != nil {
		v.NameFixed, v.Name, v.Verb = true, inUse.Name, "Use the changed rule"
	}
	v.Off = blocked(&d.Rule, j)
	if v.Off == "" && inUse != nil && d.SavedAt.IsZero() {
		v.Off = "Nothing is changed here, so the rule in use stays as it is."
	}
	if v.Off == "" {
		v.Doubt = doubt(j)
		if v.Doubt == "" && !j.OK && (inUse == nil || inUse.Changed) {
			v.Unproved = noProof(j)
		}
	}
	return v
}

// blocked says why a rule cannot be used at all, "" where it can.
func blocked(r *rules.Rule, j rules.Judgement) string {
	keyed := slices.ContainsFunc(j.Samples, func(s rules.SampleResult) bool { return s.Key != "" })
	ignored := slices.ContainsFunc(j.Samples, func(s rules.SampleResult) bool { return s.Ignored })
	switch {
	case strings.TrimSpace(r.Key) == "":
		return "The key has no part yet. Click a field, or use the suggestion."
	case len(j.Issues) > 0:
		return "The formula has an error. It is marked above."
	case slices.ContainsFunc(j.Verdicts, func(v rules.Verdict) bool { return v.Code == rules.VerdictConstantKey }):
		return "The key is the same for every event, so only the first one would ever run."
	case !keyed && ignored:
		return "The condition leaves out every sample that has a key. Add an event that it lets through, or change the condition."
	case len(j.Samples) > 0 && !keyed:
		return "None of the samples gets a key, so every event would be refused."
	}
	return ""
}

// doubt says what the samples have against the key, "" for nothing.
func doubt(j rules.Judgement) string {
	var against []string
	for _, v := range j.Verdicts {
		if v.Fail || v.Code == rules.VerdictOnlyAmount {
			against = append(against, strings.ReplaceAll(v.Text, "`", ""))
		}
	}
	return strings.Join(against[:min(3, len(against))], "\n")
}

// noProof says why samples that speak against nothing prove nothing either.
func noProof(j rules.Judgement) string {
	for _, v := range j.Verdicts {
		if v.Code == rules.VerdictFewSamples {
			return strings.ReplaceAll(v.Text, "`", "")
		}
	}
	return "No two events among the samples have keys of their own, so nothing shows that this key tells events apart."
}
