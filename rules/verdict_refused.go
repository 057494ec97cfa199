package rules

import (
	"fmt"
	"strings"
)

// The verdicts of this file are about samples that get no key, or not one for each
// item. What is wrong with someOf samples for one reason is one verdict.

// together lists samples by what same says of them, in the order of the first of each;
// "" leaves a sample out.
func (t *trial) together(same func(row SampleResult) string) [][]int {
	var out [][]int
	at := map[string]int{}
	for i, row := range t.results {
		reason := same(row)
		if reason == "" {
			continue
		}
		n, ok := at[reason]
		if !ok {
			n = len(out)
			at[reason] = n
			out = append(out, nil)
		}
		out[n] = append(out[n], i)
	}
	return out
}

// alikeVerdicts puts verdicts together that say and mend the same of other samples.
func alikeVerdicts(all []Verdict) [][]Verdict {
	var out [][]Verdict
	at := map[string]int{}
	for _, v := range all {
		reason := fmt.Sprintf("%q %q", v.Text, v.Path)
		if v.Fix != nil {
			reason += v.Fix.Formula
		}
		n, ok := at[reason]
		if !ok {
			n = len(out)
			at[reason] = n
			out = append(out, nil)
		}
		out[n] = append(out[n], v)
	}
	return out
}

func (t *trial) unreadable() {
	for _, at := range t.together(func(row SampleResult) string {
		if row.Err == nil || row.Err.Code != KeyBadSample {
			return ""
		}
		return row.Err.Msg
	}) {
		t.add(Verdict{Code: VerdictBadSample, Fail: true, Samples: at,
			Text: fmt.Sprintf("We could not read %s: %s", samplesInWords(at), t.results[at[0]].Err.Msg)})
	}
}

// itemsMerged finds items of one event that share a key.
func (t *trial) itemsMerged() {
	twice := func(row SampleResult) string {
		seen := map[string]bool{}
		for _, k := range row.Keys {
			if seen[k] {
				return k
			}
			seen[k] = true
		}
		return ""
	}
	for _, at := range t.together(func(row SampleResult) string {
		if twice(row) == "" {
			return ""
		}
		return "twice"
	}) {
		text := fmt.Sprintf("Two items of %s would share the key %s, so the second would be dropped.", samplesInWords(at[:1]), twice(t.results[at[0]]))
		if len(at) > 1 {
			text += fmt.Sprintf(" The same goes for %s.", samplesInWords(at[1:]))
		}
		t.add(Verdict{Code: VerdictEventsMerged, Fail: true, Samples: at, Text: text})
	}
}

// refused finds samples that get no key.
func (t *trial) refused() {
	for _, at := range t.together(func(row SampleResult) string {
		switch err := row.Err; {
		case err == nil || err.Code == KeyBadSample:
			return ""
		case err.Code == KeyTooLong && err.Part == 0:
			return string(KeyTooLong)
		case absent(err.Code) && err.Path != "":
			return lacking(err.Code) + err.Path
		default:
			return err.Msg
		}
	}) {
		t.add(t.refusal(at))
	}
}

// refusal is the verdict on samples that are refused for one reason.
func (t *trial) refusal(at []int) Verdict {
	err, who := t.results[at[0]].Err, samplesInWords(at)
	who = strings.ToUpper(who[:1]) + who[1:]
	v := Verdict{Code: VerdictBadPart, Fail: true, Samples: at, Path: err.Path, Text: fmt.Sprintf("%s would be refused: %s", who, err.Msg)}
	switch {
	case err.Code == KeyTooLong && err.Part == 0:
		v.Code, v.Path = VerdictTooLong, ""
		if len(at) > 1 {
			v.Text = fmt.Sprintf("%s would be refused: their keys have more than %d characters. Use fewer or shorter fields, or let the rule store a short code.", who, MaxKey)
		}
		v.Text += fmt.Sprintf(" Stripe and SharePoint accept %d too.", MaxKey)
		v.Fix = &Fix{Label: "Store a short code", Formula: t.rule.Key, Setting: "long_keys", Value: "sha256"}
	case absent(err.Code) && err.Path != "":
		has, event := "has", "This event would be refused with an error, not skipped."
		if len(at) > 1 {
			has, event = "have", "These events would be refused with an error, not skipped."
		}
		v.Code = VerdictEmptyPart
		v.Text = fmt.Sprintf("%s %s %s `%s`.", who, has, lacking(err.Code), shortPath(err.Path))
		v.Fix = t.suggestion("Use another field")
		if near, ok := t.near[err.Path]; ok && near.Place == "key" && near.Instead != "" {
			v.Text += " " + near.Hint
			v.Fix = &Fix{Label: "Write " + near.Instead, Formula: near.Mend(t.rule.Key)}
		}
		v.Text += " " + event
	case err.Code == KeyFormula:
		t.partsInstead(&v)
	}
	return v
}

// lacking says between "has" and a field's name how the field is absent.
func lacking(code KeyCode) string {
	switch code {
	case KeyNull:
		return "null for"
	case KeyEmpty, KeySpaces:
		return "nothing in"
	}
	return "no"
}

// samplesInWords writes "sample 3", "samples 1 and 2" or, of many, "samples 1, 2, 3 and
// 9 others" for indexes that count from 0.
func samplesInWords(at []int) string {
	if len(at) == 1 {
		return fmt.Sprintf("sample %d", at[0]+1)
	}
	return "samples " + numbers(at)
}

// numbers writes "1 and 2" for indexes 0 and 1, of many the first three.
func numbers(at []int) string {
	words := make([]string, len(at))
	for n, i := range at {
		words[n] = fmt.Sprint(i + 1)
	}
	return someOf(words)
}

// someOf writes "A, B and C", of more than five "A, B, C and 9 others".
func someOf(words []string) string {
	if len(words) > 5 {
		words = append(words[:3:3], fmt.Sprintf("%d others", len(words)-3))
	}
	return joinWords(words, "and")
}
