package sqlite

import "dedupedesk/ledger"

// known is what the writer has read of the file and need not read again: the rules
// and the settings of the clock and of a pause, which every claim asks for. SQLite tells
// by PRAGMA data_version whether another connection has committed anything since.
type known struct {
	version int64 // of the file, as PRAGMA data_version counts
	rules   map[string]ledger.Rule
	values  map[string]map[string]string // settings, by their prefix
	changed bool                         // in this transaction, which may still be undone
}

func (k *known) rule(name string) (ledger.Rule, bool) {
	r, ok := k.rules[name]
	return r, ok
}

// keep remembers a rule, unless it may be one that is never committed.
func (k *known) keep(r ledger.Rule) {
	if k.changed {
		return
	}
	if k.rules == nil {
		k.rules = make(map[string]ledger.Rule)
	}
	k.rules[r.Name] = r
}

// settings returns the settings of a prefix, which nobody may change.
func (k *known) settings(prefix string) (map[string]string, bool) {
	values, ok := k.values[prefix]
	return values, ok
}

// keepSettings remembers settings, unless they may be some that are never committed.
func (k *known) keepSettings(prefix string, values map[string]string) {
	if k.changed || len(k.values) > 10 {
		return
	}
	if k.values == nil {
		k.values = make(map[string]map[string]string)
	}
	k.values[prefix] = values
}

func (k *known) forget() {
	clear(k.rules)
	clear(k.values)
}

// change notes that this transaction changes rules or settings.
func (k *known) change() {
	k.forget()
	k.changed = true
}

// settle notes that the transaction has ended.
func (k *known) settle() { k.changed = false }
