package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// completeWord is the command that the scripts of `dedupe completion` call, with the
// shell's name and what was typed. It prints what fits, a line each: the word, a tab,
// a few words about it. A last line such as ":file" says what the shell should look
// for by itself. It never fails: what cannot be found out is left out.
const completeWord = "__complete"

// Hints for the shell: what it should offer by itself.
const (
	hintFile    = ":file"
	hintDir     = ":dir"
	hintCommand = ":command" // a program of this computer
	hintNoSpace = ":nospace" // the word goes on
)

// A suggestion is a word that fits where the cursor stands.
type suggestion struct{ word, about string }

// A typed is a command line up to the cursor.
type typed struct {
	node  *kong.Node          // the command so far
	args  []string            // its arguments so far
	given map[string][]string // values of flags so far
	flag  *kong.Flag          // the flag whose value is typed; nil = none
	plain bool                // after --, where no flag can stand
	word  string              // what is being typed
}

// complete prints what fits at the end of what was typed.
func (c *call) complete(app *kong.Application, args []string) int {
	if len(args) == 0 {
		return yes
	}
	shell, words := args[0], shellWords(args[0], args[1:])
	t := readTyped(app, words)
	list, hint := c.suggest(t)
	for _, s := range list {
		word := s.word
		if shell == "bash" {
			// bash takes what stands before these for words of its own.
			word = word[strings.LastIndexAny(t.word, "=:")+1:]
		}
		_ = c.print("%s\t%s", word, printable(s.about))
	}
	if hint != "" {
		_ = c.print("%s", hint)
	}
	return yes
}

// shellWords returns the words after the program's name; the last is being typed.
func shellWords(shell string, args []string) []string {
	words := slices.Clone(args)
	switch {
	case shell == "bash" && len(args) == 2:
		line, point := args[1], len(args[1])
		if n, err := strconv.Atoi(args[0]); err == nil && n >= 0 {
			point = min(n, point)
		}
		words = splitWords(line[:point])[1:]
	case shell == "fish" && len(args) >= 2:
		// The mark before the last keeps fish's own flags and ours apart.
		words = slices.Delete(words, len(args)-2, len(args)-1)
	case shell == "powershell":
		for i := range words {
			words[i] = strings.TrimPrefix(words[i], "=")
		}
	}
	if len(words) == 0 {
		return []string{""}
	}
	return words
}

// splitWords splits a line as a shell does, without its quotes. There are two words at
// least: the program's name, and the one being typed, which may be empty.
func splitWords(line string) []string {
	words := []string{""}
	var quote rune
	escaped, open := false, false // open: a word has begun, though it may be empty
	for _, r := range line {
		last := &words[len(words)-1]
		switch {
		case escaped:
			*last += string(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, open = true, true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, open = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if open {
				words, open = append(words, ""), false
			}
		default:
			*last += string(r)
			open = true
		}
	}
	if len(words) == 1 {
		words = append(words, "")
	}
	return words
}

// readTyped follows the words through the commands.
func readTyped(app *kong.Application, words []string) typed {
	t := typed{node: app.Node, given: map[string][]string{}}
	last := len(words) - 1
	for _, w := range words[:last] {
		t.read(w)
	}
	t.word = words[last]
	return t
}

func (t *typed) read(w string) {
	name, value, hasValue := strings.Cut(w, "=")
	switch {
	case t.flag != nil:
		t.given[t.flag.Name] = append(t.given[t.flag.Name], w)
		t.flag = nil
	case t.plain || !strings.HasPrefix(w, "-") || w == "-":
		if child := t.child(w); child != nil {
			t.node, t.args = child, nil
			return
		}
		t.args = append(t.args, w)
	case w == "--":
		t.plain = true
	default:
		f := t.flagNamed(name)
		if f == nil {
			return
		}
		if !f.IsBool() && !hasValue {
			t.flag = f
			return
		}
		t.given[f.Name] = append(t.given[f.Name], value)
	}
}

func (t *typed) child(name string) *kong.Node {
	for _, n := range t.node.Children {
		if n.Name == name && len(t.args) == 0 && !t.plain {
			return n
		}
	}
	return nil
}

// flags returns what flags may stand here.
func (t *typed) flags() []*kong.Flag {
	var all []*kong.Flag
	groups := t.node.AllFlags(true)
	for i := len(groups) - 1; i >= 0; i-- { // the command's own come first
		all = append(all, groups[i]...)
	}
	if t.node.DefaultCmd != nil {
		all = append(all, t.node.DefaultCmd.Flags...)
	}
	return all
}

func (t *typed) flagNamed(word string) *kong.Flag {
	for _, f := range t.flags() {
		if word == "--"+f.Name || (f.Short != 0 && word == "-"+string(f.Short)) {
			return f
		}
	}
	return nil
}

// suggest returns what fits, and a hint for the shell.
func (c *call) suggest(t typed) (list []suggestion, hint string) {
	name, value, hasValue := strings.Cut(t.word, "=")
	switch {
	case t.flag != nil:
		list, hint = c.valuesOf(t.flag.Value, t)
	case !t.plain && strings.HasPrefix(t.word, "--") && hasValue:
		f := t.flagNamed(name)
		if f == nil {
			return nil, ""
		}
		inner := t
		inner.word = value
		list, hint = c.valuesOf(f.Value, inner)
		for i := range list {
			list[i].word = name + "=" + list[i].word
		}
	case !t.plain && strings.HasPrefix(t.word, "-"):
		list = t.flagSuggestions()
	case len(t.node.Children) > 0 && len(t.args) == 0:
		for _, n := range t.node.Children {
			if !n.Hidden {
				list = append(list, suggestion{n.Name, firstSentence(n.Help)})
			}
		}
	case len(t.node.Positional) > 0:
		p, more := t.positional()
		if p == nil {
			return nil, ""
		}
		list, hint = c.valuesOf(p, t)
		if hint == hintCommand && more {
			hint = hintFile // arguments of the program
		}
	}
	return slices.DeleteFunc(list, func(s suggestion) bool { return !strings.HasPrefix(s.word, t.word) }), hint
}

// positional returns the argument that is typed, nil where no more is taken, and whether
// it is a further one of a list.
func (t *typed) positional() (p *kong.Value, more bool) {
	all := t.node.Positional
	last := all[len(all)-1]
	switch {
	case len(t.args) < len(all):
		return all[len(t.args)], false
	case last.IsCumulative():
		return last, true
	}
	return nil, false
}

func (t *typed) flagSuggestions() []suggestion {
	var list []suggestion
	for _, f := range t.flags() {
		_, given := t.given[f.Name]
		if !given || f.IsCumulative() {
			list = append(list, suggestion{"--" + f.Name, firstSentence(f.Help)})
		}
	}
	return list
}

// valuesOf returns the values that v may take.
func (c *call) valuesOf(v *kong.Value, t typed) (list []suggestion, hint string) {
	for _, e := range v.EnumSlice() {
		if e != "" {
			list = append(list, suggestion{e, aboutValue(v.Help, e)})
		}
	}
	if len(list) > 0 {
		return list, ""
	}
	switch v.Tag.Get("complete") {
	case "file":
		return nil, hintFile
	case "dir":
		return nil, hintDir
	case "command":
		return nil, hintCommand
	case "rule":
		return c.knownRules(t.given), ""
	case "rulefile":
		return c.knownRules(t.given), hintFile
	case "password":
		return c.knownPasswords(t.given), ""
	case "platform":
		return platformSuggestions(), ""
	case "detail":
		if len(t.args) > 0 && !strings.Contains(t.word, "=") {
			return detailSuggestions(t.args[0]), hintNoSpace
		}
	}
	return nil, ""
}

// firstSentence returns the beginning of a help text.
func firstSentence(help string) string {
	if i := strings.Index(help, ". "); i >= 0 {
		return help[:i]
	}
	return strings.TrimSuffix(help, ".")
}

// aboutValue returns what a help text such as "look: see all. change: everything." says
// of one value, "" where it says nothing.
func aboutValue(help, value string) string {
	for sentence := range strings.SplitSeq(help, ". ") {
		if about, ok := strings.CutPrefix(sentence, value+": "); ok {
			return strings.TrimSuffix(about, ".")
		}
	}
	return ""
}
