package exporters

import (
	"encoding/json"
	"fmt"
)

// A Sample is an event that the person showed us, with the key our own engine
// makes of it.
type Sample struct {
	Name, Group string
	Body        json.RawMessage   // with every digit of its numbers; nil is null
	Headers     map[string]string // lower-case names
	Item        json.RawMessage   // the item of Body that Key is of, where the rule has Setup.Each
	Key         string            // "" where the rule makes no key of this sample
}

// NoSampleKeyed says that the rule makes no key of any sample. Steps made of such a rule
// would stop every run.
const NoSampleKeyed = "The rule makes no key of any of your samples, so every run would stop. Look at its formula in Design a key first."

// Label says in a sentence which sample is meant: by its name, or by its place,
// where i counts from 0.
func (s Sample) Label(i int) string {
	if s.Name == "" {
		return fmt.Sprintf("Sample %d", i+1)
	}
	return fmt.Sprintf("Sample %q", s.Name)
}
