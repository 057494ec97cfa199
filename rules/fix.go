package rules

// Fix is a change that one click makes.
type Fix struct {
	Label   string
	Formula string // the whole new formula of the key, or the one that it has
	Setting string // a member of the rule that changes too: when, each, long_keys or fold_case; "" if none
	Value   string // its new value
}

// Apply makes the change. It returns false for a setting that no fix changes; then the
// rule is as before.
func (f *Fix) Apply(r *Rule) bool {
	switch f.Setting {
	case "":
	case "when":
		r.When = f.Value
	case "each":
		r.Each = f.Value
	case "long_keys":
		r.LongKeys = f.Value
	case "fold_case":
		r.FoldCase = f.Value == "true"
	default:
		return false
	}
	r.Key = f.Formula
	return true
}
