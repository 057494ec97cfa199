package makecom

import "encoding/json"

// pairing checks that an if/else whose branches come together again is followed
// by the module that joins them, and that this one has an entry for each.
func (v *validator) pairing(flow []any, i int, m map[string]any, at string) {
	switch m["module"] {
	case "builtin:BasicIfElse":
		if merging(m) > 0 && nameAt(flow, i+1) != "builtin:BasicMerge" {
			v.fail(at, "Branches come together again here, so builtin:BasicMerge must be the very next module.")
		}
	case "builtin:BasicMerge":
		if nameAt(flow, i-1) != "builtin:BasicIfElse" {
			v.fail(at, "builtin:BasicMerge must directly follow a builtin:BasicIfElse.")
			return
		}
		v.merge(m, at, merging(flow[i-1].(map[string]any)))
	}
}

func (v *validator) merge(m map[string]any, at string, branches int) {
	if branches == 0 {
		v.fail(at, "No branch of the if/else before it says that it comes together here (merge).")
	}
	if m["mapper"] != nil {
		v.fail(at, "The mapper of this module must be null.")
	}
	outputs, _ := m["outputs"].([]any)
	if len(outputs) == 0 {
		v.fail(at, "The module that joins branches has no outputs.")
	}
	for _, item := range outputs {
		o, _ := item.(map[string]any)
		if name, _ := o["name"].(string); name == "" {
			v.fail(at, "An output has no name.")
		}
		if mappings, _ := o["mappings"].([]any); len(mappings) != branches {
			v.fail(at, "Each output needs %d values, one for each branch that comes together, in their order.", branches)
		}
	}
	if filters, ok := m["filters"].([]any); ok && len(filters) != branches {
		v.fail(at, "There must be %d filters, one for each branch that comes together.", branches)
	}
}

// merging counts the branches that come together again.
func merging(m map[string]any) int {
	n := 0
	branches, _ := m["branches"].([]any)
	for _, item := range branches {
		b, _ := item.(map[string]any)
		if yes, _ := b["merge"].(bool); yes {
			n++
		}
	}
	return n
}

func nameAt(flow []any, i int) string {
	if i < 0 || i >= len(flow) {
		return ""
	}
	m, _ := flow[i].(map[string]any)
	name, _ := m["module"].(string)
	return name
}

func isNumber(v any) bool {
	_, ok := v.(json.Number)
	return ok
}
