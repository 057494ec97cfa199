package rules

// leftOut are the parts of CEL's data that do not apply, with the reason.
var leftOut = map[string]string{
	"bindings_ext":   "names for values inside a formula: not part of the language",
	"block_ext":      "a form that optimisers write, not people",
	"dynamic":        "messages of protocol buffers; an event is JSON",
	"encoders_ext":   "base64: not part of the language",
	"enums":          "messages of protocol buffers",
	"macros2":        "loops with two names: not part of the language",
	"namespace":      "names with a package before them; a formula knows body, headers, query and item",
	"proto2":         "messages of protocol buffers",
	"proto2_ext":     "messages of protocol buffers",
	"proto3":         "messages of protocol buffers",
	"type_deduction": "what the checker says of functions and messages that formulas do not have",
	"unknowns":       "values that come later; an event is whole when it comes",
	"wrappers":       "messages of protocol buffers",
}

const (
	unknownName  = "a name that nobody knows is an error while the formula is written, not when an event comes"
	checkedFirst = "kinds that can be known are compared before an event comes; CEL tries this case without that check"
	absentField  = "cel-go answers that a field of what has no fields is absent; what is absent makes no key all the same"
	lastWins     = "cel-go keeps the last of two values under one name of a map that a formula writes; an event with a member twice is refused"
)

// differences are cases in which a formula does otherwise than CEL demands, with the
// reason. A star stands for every test of a section.
var differences = map[string]string{
	"basic/variables/unbound_is_runtime_error": unknownName,
	"basic/functions/unbound_is_runtime_error": unknownName,
	"parse/receiver_function_names/*":          unknownName,

	"comparisons/eq_literal/not_eq_list_length":       checkedFirst,
	"comparisons/eq_literal/eq_mixed_types":           checkedFirst,
	"comparisons/eq_literal/eq_list_elem_mixed_types": checkedFirst,
	"comparisons/ne_literal/ne_mixed_types":           checkedFirst,
	"logic/conditional/mixed_type":                    checkedFirst,
	"logic/AND/short_circuit_type_left":               checkedFirst,
	"logic/AND/short_circuit_type_right":              checkedFirst,
	"logic/OR/short_circuit_type_left":                checkedFirst,
	"logic/OR/short_circuit_type_right":               checkedFirst,

	"fields/qualified_identifier_resolution/map_value_repeat_key":               lastWins,
	"fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous": lastWins,
	"fields/qualified_identifier_resolution/map_key_float":                      "cel-go takes 1.0 for the place 1; members of an event have text for a name",

	"optionals/optionals/map_null_entry_no_such_key":    absentField,
	"optionals/optionals/map_present_key_invalid_field": absentField,

	"string_ext/value_errors/indexof_out_of_range":     "cel-go answers -1, nowhere, for a place behind the end of the text",
	"string_ext/value_errors/lastindexof_out_of_range": "cel-go answers -1, nowhere, for a place behind the end of the text",
}
