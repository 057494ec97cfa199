package rules

// JSON returns the body as JSON text. Every value is exact; members stand in another order
// and with other spaces than they came with, as senders may send them.
func (e Event) JSON() []byte { return appendResent(nil, e.Body, "") }

// Changed returns the event in which one field, written as it stands in a formula, has
// another value of its kind; false where that names no field.
func (e Event) Changed(field string) (Event, bool) {
	path, ok := parsePath(field)
	if !ok || len(path) < 2 || !roots[path[0]] {
		return e, false
	}
	return changeField(e, path), true
}

// FieldsIn lists the fields that a formula reads, as they stand in it; those of a list's
// item are not among them. A formula with a fault reads none.
func FieldsIn(formula string) []string { return fieldsIn(formula) }
