package makecom

import (
	"strings"

	"dedupedesk/exporters"
)

// A storeKey is a rule's key as Make writes it by itself.
type storeKey struct {
	text  string   // literals and {{…}}
	parts []string // what is read from the event, trimmed, each as {{…}}
}

// makeKey writes the parts as one text. Text inside a part is trimmed, its white space
// folded and its colons and per cent signs escaped as the rule does it. It returns an
// [exporters.Inexpressible] for what Make cannot say. Make cannot join a letter with
// its accent.
func makeKey(parts []exporters.Part, fold bool, r reader) (storeKey, error) {
	if len(parts) == 0 {
		return storeKey{}, exporters.Cannot("The key has no parts.")
	}
	var k storeKey
	var pieces []string
	for i, p := range parts {
		if len(p.Path) == 0 {
			text, err := literal(i, p.Literal)
			if err != nil {
				return storeKey{}, err
			}
			text = exporters.KeyLiteral(text)
			if text == "" {
				return storeKey{}, exporters.Cannot("Part %d of the key is empty.", i+1)
			}
			if fold {
				text = strings.ToLower(text)
			}
			pieces = append(pieces, text)
			continue
		}
		read, err := r.expression(i, p)
		if err != nil {
			return storeKey{}, err
		}
		read = `trim(replace(` + read + `; "/\s+/g"; " "))`
		k.parts = append(k.parts, "{{"+read+"}}")
		read = `join(split(join(split(` + read + `; "%"); "%25"); ":"); "%3A")`
		if fold {
			read = "lower(" + read + ")"
		}
		pieces = append(pieces, "{{"+read+"}}")
	}
	k.text = strings.Join(pieces, ":")
	return k, nil
}

// holes are the tests for a part that is empty, any of them, and whole is their
// opposite.
func (k storeKey) holes() (holes [][]test, whole []test) {
	for _, p := range k.parts {
		holes = append(holes, []test{empty(p)})
		whole = append(whole, notEmpty(p))
	}
	return holes, whole
}
