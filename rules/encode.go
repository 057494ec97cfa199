package rules

// EncodeJSON returns a decoded value as JSON in its canonical form: members
// sorted by code point, no spaces, every digit of a number kept. Values that
// [DecodeJSON] does not make are not allowed.
func EncodeJSON(v any) []byte { return appendCanonical(nil, v) }
