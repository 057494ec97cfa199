package admin

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dedupedesk/frontend/page"
)

// phrases parts an instruction into words of ours and labels of the vendor's screen.
// A label is what stands between two ** or, in a chain such as
//
//	click the trigger > Settings > Trigger conditions > Add. Then save.
//
// a link that begins like a label: not with a small letter.
func phrases(where string) []page.PhraseView {
	if strings.Contains(where, "**") {
		return marked(where)
	}
	var list []page.PhraseView
	for i, sentence := range sentences(where) {
		if i > 0 {
			list = addPhrase(list, " ", false)
		}
		list = chain(list, sentence)
	}
	return list
}

// marked reads labels between two **.
func marked(where string) []page.PhraseView {
	var list []page.PhraseView
	for i, piece := range strings.Split(where, "**") {
		list = addPhrase(list, piece, i%2 == 1)
	}
	return list
}

// sentences cuts behind a full stop, colon or semicolon that a space follows.
func sentences(where string) []string {
	var list []string
	start := 0
	for i := 0; i+1 < len(where); i++ {
		if strings.IndexByte(".:;", where[i]) >= 0 && where[i+1] == ' ' {
			list, start = append(list, where[start:i+1]), i+2
		}
	}
	return append(list, where[start:])
}

const arrow = " > "

func chain(list []page.PhraseView, sentence string) []page.PhraseView {
	links := strings.Split(sentence, arrow)
	if len(links) == 1 {
		return addPhrase(list, sentence, false)
	}
	for i, link := range links {
		if i > 0 {
			list = addPhrase(list, arrow, false)
		}
		before, label, after := "", link, ""
		switch i {
		case 0:
			before, label = lastLabel(link)
		default:
			label, after = firstLabel(link)
		}
		list = addPhrase(list, before, false)
		list = addPhrase(list, label, startsLikeLabel(label))
		list = addPhrase(list, after, false)
	}
	return list
}

// longestLabel is how many words a label at the front of a chain may have; a longer
// one is a whole clause of ours.
const longestLabel = 3

// verbs of ours stand at the front of a sentence, where labels may stand too.
var verbs = []string{"Add", "Change", "Choose", "Click", "Look", "Move", "Open", "Press", "Right-click", "Set", "Switch", "Take"}

// lastLabel finds the label at the end of a clause: "Click into Inputs" gives Inputs,
// and "Open Power Apps" gives Power Apps.
func lastLabel(clause string) (before, label string) {
	words := strings.Split(clause, " ")
	begins := func(i int) bool {
		return i >= 0 && len(words)-i <= longestLabel && startsLikeLabel(words[i]) && !slices.Contains(verbs, words[i])
	}
	for i := len(words) - 1; i >= 0 && len(words)-i <= longestLabel; i-- {
		if !begins(i) {
			continue
		}
		for begins(i-1) && !strings.HasSuffix(words[i-1], ",") {
			i--
		}
		label = strings.Join(words[i:], " ")
		return clause[:len(clause)-len(label)], label
	}
	return clause, ""
}

// firstLabel cuts off what follows a label: "Add, then save." gives Add.
func firstLabel(clause string) (label, after string) {
	end := len(clause)
	for _, stop := range []string{", ", " (", " when "} {
		if i := strings.Index(clause, stop); i > 0 && i < end {
			end = i
		}
	}
	for end > 0 && strings.IndexByte(".:;,", clause[end-1]) >= 0 {
		end--
	}
	return clause[:end], clause[end:]
}

func startsLikeLabel(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r) || unicode.IsDigit(r) || r == '+'
}

func addPhrase(list []page.PhraseView, text string, label bool) []page.PhraseView {
	switch {
	case text == "":
		return list
	case len(list) > 0 && !label && !list[len(list)-1].Label:
		list[len(list)-1].Text += text
		return list
	}
	return append(list, page.PhraseView{Text: text, Label: label})
}
