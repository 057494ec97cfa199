package rules

import (
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Go's regular expressions take time in proportion to the text times the states of the
// expression, for one search. To find all matches may take the square of the text: each
// search can look to the end before it takes the next letter. So a search is weighed by
// text and states, and many searches are tried first, by a reader that counts.

const (
	maxMatched  = 64 << 10 // bytes of text that a regular expression may read
	maxPattern  = 1000     // bytes of a regular expression
	regexStates = 500      // size of a compiled regular expression
	maxSteps    = 4 << 20  // letters times states of one call
	cheapSteps  = 1 << 17  // so few need no trial
)

// weighMatch is for one search; the pattern is the second argument.
func weighMatch(args []ref.Val) int {
	n, states := searched(args)
	if n < 0 {
		return -1
	}
	return weighSearch(n, states) + length(args[1])*64
}

// weighSearch is for one search in n bytes by an expression that is compiled.
func weighSearch(n, states int) int {
	if n > maxMatched || n*states > maxSteps {
		return -workBudget
	}
	return n * states
}

func weighExtractAll(args []ref.Val) int {
	n, states := searched(args)
	if n < 0 {
		return -1
	}
	return weighSearches(args, n, states)
}

func weighRegexReplace(args []ref.Val) int {
	n, states := searched(args)
	if n < 0 || len(args) < 3 {
		return -1
	}
	by, _ := args[2].(types.String)
	groups := strings.Count(string(by), `\`)
	if made((n+1)*(len(by)+1)+groups*n) < 0 {
		return -1
	}
	return weighSearches(args, n, states)
}

// searched returns the length of the text and the states of the pattern, -1 for what
// is too large.
func searched(args []ref.Val) (n, states int) {
	if len(args) < 2 || length(args[0]) > maxMatched || length(args[1]) > maxPattern {
		return -1, 0
	}
	pattern, _ := args[1].(types.String)
	if states = patternSize(string(pattern)); states > regexStates {
		return -1, 0
	}
	return length(args[0]), states
}

// patternSize is the number of states of a regular expression, 0 if it cannot be
// read. CEL's own limit panics on a repeat such as a{4}, so it stays off.
func patternSize(pattern string) int {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0
	}
	prog, err := syntax.Compile(re.Simplify())
	if err != nil {
		return 0
	}
	return len(prog.Inst)
}

// weighSearches is for all matches in a text of n bytes.
func weighSearches(args []ref.Val, n, states int) int {
	text, _ := args[0].(types.String)
	pattern, _ := args[1].(types.String)
	re, err := regexp.Compile(string(pattern))
	if err != nil {
		return 0 // the call itself says so
	}
	perMatch := 16 * (re.NumSubexp() + 4)
	if worst := (n + 1) * (n*states/2 + perMatch); worst < cheapSteps {
		return worst + len(pattern)*64
	}
	steps, matches := trySearches(string(text), re, string(pattern), maxSteps/max(1, states))
	if steps < 0 || matches*perMatch > workBudget {
		return -1
	}
	return 2*steps*states + matches*perMatch + len(pattern)*64
}

// trySearches finds all matches as regexp does, one after the other, and counts the
// letters that were looked at, up to a limit: beyond it steps is -1.
func trySearches(text string, first *regexp.Regexp, pattern string, limit int) (steps, matches int) {
	// From the second search on the letter before is read too, for \b and the like.
	next, err := regexp.Compile(`\A(?s:.)(?s:.*?)(?:` + pattern + `)`)
	if err != nil {
		return -1, 0
	}
	meter := &meter{left: limit}
	for at, before := 0, 0; at <= len(text); matches++ {
		re := first
		if at > 0 {
			re = next
		}
		meter.text = text[before:]
		found := re.FindReaderIndex(meter)
		if meter.left < 0 {
			return -1, 0
		}
		if found == nil {
			break
		}
		end := before + found[1]
		if end == at { // nothing was matched: go on behind the next letter
			_, width := utf8.DecodeRuneInString(text[at:])
			end += max(1, width)
		}
		_, width := utf8.DecodeLastRuneInString(text[:min(end, len(text))])
		at, before = end, min(end, len(text))-width
		meter.left -= 4 // a search costs something even where it finds at once
	}
	return limit - meter.left, matches
}

// meter is a text that ends where too much of it was read.
type meter struct {
	text string
	left int
}

// ReadRune implements [io.RuneReader].
func (m *meter) ReadRune() (r rune, size int, err error) {
	if m.left--; m.left < 0 || m.text == "" {
		return 0, 0, io.EOF
	}
	r, size = utf8.DecodeRuneInString(m.text)
	m.text = m.text[size:]
	return r, size, nil
}
