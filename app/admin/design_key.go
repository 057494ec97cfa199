package admin

import (
	"slices"
	"strconv"
	"strings"

	"dedupedesk/rules"
)

// maxTyped is how many bytes of a formula are kept. A longer one than rules take is
// kept too, with its fault, so that nothing typed is lost.
const maxTyped = 64 << 10

// toggleField adds a field to the key, or takes it out. Where the rule goes through a
// list, the fields of its first item stand for those of each.
func (p *designer) toggleField(t *turn) error {
	clicked := t.form.Get("path")
	path := inItem(t.draft.Rule.Each, clicked)
	parts, beyond := t.draft.parts()
	if beyond {
		t.said.refused = true
		t.said.toast = "Blocks cannot show this formula, so a click cannot change it. Type the field into the formula, or go back to blocks."
		return nil
	}
	without := slices.DeleteFunc(slices.Clone(parts), func(p rules.Part) bool { return p.Path != nil && rules.Part{Path: p.Path}.Text() == path })
	if len(without) < len(parts) {
		t.draft.setParts(without)
		return nil
	}
	if _, ok := p.trees.of(t.draft.seen()).Find(clicked); !ok {
		return errMoved
	}
	one, ok := rules.Parts("key(" + path + ")")
	if !ok {
		return errMoved
	}
	t.draft.setParts(append(parts, one...))
	return nil
}

// changePart changes one block.
func changePart(t *turn) error {
	parts, beyond := t.draft.parts()
	act := t.form.Get("act")
	switch {
	case act == "blocks":
		t.draft.setParts(parts)
		return nil
	case beyond:
		return errMoved
	case act == "add":
		if text := t.form.Get("text"); strings.TrimSpace(text) != "" {
			t.draft.setParts(addText(parts, text))
		}
		return nil
	}
	i, err := strconv.Atoi(t.form.Get("part"))
	if err != nil || i < 0 || i >= len(parts) {
		return errMoved
	}
	after, ok := actOn(slices.Clone(parts), i, act, t)
	if !ok {
		return errMoved
	}
	t.draft.setParts(after)
	return nil
}

// addText puts a text in front where no text is there yet, since a key begins with
// its source, and else at the end.
func addText(parts []rules.Part, text string) []rules.Part {
	p := rules.Part{Literal: text}
	if len(parts) > 0 && parts[0].Path != nil {
		return slices.Insert(slices.Clone(parts), 0, p)
	}
	return append(slices.Clone(parts), p)
}

// actOn changes the i-th part. It returns false where the part is not the one that
// the form was drawn for.
func actOn(parts []rules.Part, i int, act string, t *turn) ([]rules.Part, bool) {
	p := &parts[i]
	// Enter in a field sends its change twice; the second finds it done.
	was := t.form.Get("was") == p.Text()
	switch {
	case act == "text" && p.Path == nil && (was || p.Literal == t.form.Get("text")):
		p.Literal = t.form.Get("text")
		if strings.TrimSpace(p.Literal) == "" {
			return slices.Delete(parts, i, i+1), true
		}
	case act == "zone" && p.Path != nil && (was || zoned(*p, t.form.Get("zone")).Text() == p.Text()):
		*p = zoned(*p, t.form.Get("zone"))
	case act == "default" && p.Path != nil && (was || standingIn(*p, t.form.Get("default")).Text() == p.Text()):
		*p = standingIn(*p, t.form.Get("default"))
	case !was:
		return nil, false
	case act == "step" && p.Path != nil:
		p.Steps = steps(t.form.Get("step"))
	case act == "remove":
		return slices.Delete(parts, i, i+1), true
	case act == "up" && i > 0:
		parts[i-1], parts[i] = parts[i], parts[i-1]
	case act == "down" && i < len(parts)-1:
		parts[i+1], parts[i] = parts[i], parts[i+1]
	default:
		return nil, false
	}
	return parts, true
}

// zoned is a part that is used as a day, with the zone in which the day begins.
func zoned(p rules.Part, zone string) rules.Part {
	last := len(p.Steps) - 1
	if last < 0 || !strings.HasPrefix(p.Steps[last], "day:") {
		return p
	}
	p.Steps = append(slices.Clone(p.Steps[:last]), "day:"+strings.TrimSpace(zone))
	return p
}

// standingIn is a part with what stands in where the field is missing, "" for
// nothing.
func standingIn(p rules.Part, text string) rules.Part {
	p.Default = nil
	if text = strings.TrimSpace(text); text != "" {
		p.Default = &text
	}
	return p
}

// stepSeparator joins the steps of a part in a form.
const stepSeparator = "|"

func steps(value string) []string {
	if value == "" {
		return nil
	}
	return strings.Split(value, stepSeparator)
}
