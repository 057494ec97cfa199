package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"golang.org/x/text/unicode/norm"
)

// keyLib holds the functions that a formula may call beside CEL's own.
//
//	key(<part>, …) -> <string>
//
// key builds an event key. A part is text, a number, a bool or a time; one that
// is missing, null, empty, all spaces, a list or a map is an error that names
// it. Text is trimmed, white space inside becomes one space, Unicode NFC; % and
// : become %25 and %3A; the parts are joined with a colon.
//
//	either(<value>, <value>) -> <value>
//
// either is the second value where the first is missing, null, empty or spaces.
//
//	header(<string>) -> <string>          the header of that name, in any case
//	lower(<scalar>), upper(<scalar>)      Unicode's mappings, letter by letter
//	fold(<scalar>)                        as lower, and ß equals ss, ς equals σ
//	time(<string|int|timestamp>)          UTC, as 20240101T000000Z
//	day(<string|int|timestamp>, <zone>)   the day there, as 20240101
//	digest(<value>, …)                    SHA-256 of canonical JSON, 64 hex digits
//	pick(<map>, <list of names>)          the map with those members alone
//	omit(<map>, <list of names>)          the map without those members
//	json(<string>)                        what the text says as JSON, as [DecodeJSON] reads it
//	secret(<scalar>)                      HMAC-SHA-256 under the key of [WithSecret], 64 hex digits
//
// A key made last year must be made the same way today, so a function that would
// have to change its result gets a new name.
type keyLib struct {
	secret *secretKey
	zones  *zones
}

// LibraryName implements [cel.SingletonLibrary].
func (keyLib) LibraryName() string { return "dedupedesk.keys.v1" }

// CompileOptions implements [cel.Library].
func (l keyLib) CompileOptions() []cel.EnvOption {
	text := func(name string, f func(string) string) cel.EnvOption {
		return cel.Function(name, cel.Overload(name+"_dyn", []*cel.Type{cel.DynType}, cel.StringType,
			cel.UnaryBinding(func(v ref.Val) ref.Val { return onText(name, v, f) })))
	}
	names := cel.ListType(cel.StringType)
	return []cel.EnvOption{
		cel.Macros(keyMacros()...),
		text("lower", strings.ToLower),
		text("upper", strings.ToUpper),
		text("fold", foldText),
		cel.Function("time", cel.Overload("time_dyn", []*cel.Type{cel.DynType}, cel.StringType, cel.UnaryBinding(timeCall))),
		cel.Function("day", cel.Overload("day_dyn_string", []*cel.Type{cel.DynType, cel.StringType}, cel.StringType, cel.BinaryBinding(l.dayCall))),
		cel.Function("pick", cel.Overload("pick_map_list", []*cel.Type{cel.DynType, names}, cel.DynType,
			cel.BinaryBinding(func(m, n ref.Val) ref.Val { return choose("pick", m, n, true) }))),
		cel.Function("omit", cel.Overload("omit_map_list", []*cel.Type{cel.DynType, names}, cel.DynType,
			cel.BinaryBinding(func(m, n ref.Val) ref.Val { return choose("omit", m, n, false) }))),
		cel.Function("json", cel.Overload("json_dyn", []*cel.Type{cel.DynType}, cel.DynType, cel.UnaryBinding(jsonCall))),
		cel.Function("secret", cel.Overload("secret_dyn", []*cel.Type{cel.DynType}, cel.StringType, cel.UnaryBinding(l.secret.call))),
		cel.Function("@digest", cel.Overload("digest_dyn", []*cel.Type{cel.DynType}, cel.StringType, cel.UnaryBinding(digestCall))),
		cel.Function("@key", cel.Overload("key_list", []*cel.Type{cel.ListType(cel.StringType)}, cel.StringType, cel.UnaryBinding(keyCall))),
		// The next two are replaced by nodes of the house when a formula is planned
		// (see planNode): their bindings never run.
		cel.Function("@part", cel.Overload("part_dyn", []*cel.Type{cel.IntType, cel.StringType, cel.DynType}, cel.StringType, cel.FunctionBinding(unplanned))),
		cel.Function("@either", cel.Overload("either_dyn", []*cel.Type{cel.StringType, cel.DynType, cel.DynType}, cel.DynType, cel.FunctionBinding(unplanned))),
	}
}

// ProgramOptions implements [cel.Library].
func (keyLib) ProgramOptions() []cel.ProgramOption { return nil }

func unplanned(...ref.Val) ref.Val { return types.NewErr("this node was not planned") }

// callError is a fault of a function of the house, in words made to be shown.
type callError struct{ msg string }

func (e *callError) Error() string { return e.msg }

func callFault(msg string) ref.Val { return types.WrapErr(&callError{msg}) }

// textOf writes a scalar as text, without trimming.
func textOf(v ref.Val) (string, bool) {
	switch v := v.(type) {
	case types.String:
		return string(v), true
	case types.Timestamp:
		return timeText(v.Time), true
	case *types.Optional:
		if v.HasValue() {
			return textOf(v.GetValue())
		}
		return "", false
	}
	return scalarText(v.Value())
}

func onText(name string, v ref.Val, f func(string) string) ref.Val {
	s, ok := textOf(v)
	if !ok {
		return callFault(name + "(…) needs text or a number.")
	}
	return types.String(f(norm.NFC.String(s)))
}

func timeCall(v ref.Val) ref.Val {
	s, ok := textOf(v)
	if t, is := v.(types.Timestamp); is {
		return types.String(timeText(t.Time))
	}
	if !ok {
		return callFault("time(…) needs a time as text or number.")
	}
	t, err := ReadTime(s)
	if err != nil {
		return callFault(err.Error() + ".")
	}
	return types.String(timeText(t))
}

func (l keyLib) dayCall(v, zone ref.Val) ref.Val {
	s, ok := textOf(v)
	z, isText := zone.(types.String)
	if !ok || !isText {
		return callFault("day(…) needs a time and a time zone.")
	}
	t, is := v.(types.Timestamp)
	moment := t.Time
	if !is {
		var err error
		if moment, err = ReadTime(s); err != nil {
			return callFault(err.Error() + ".")
		}
	}
	text, err := l.zones.day(moment, string(z))
	if err != nil {
		return callFault(err.Error() + ".")
	}
	return types.String(text)
}

// choose keeps or drops members. Names that the map lacks are passed over.
func choose(name string, m, names ref.Val, keep bool) ref.Val {
	object, ok := native(m)
	members, isMap := object.(Object)
	list, isList := names.(traits.Lister)
	if !ok || !isMap || !isList {
		return callFault(name + "(…) needs a group of fields and a list of names.")
	}
	listed := map[string]bool{}
	for it := list.Iterator(); it.HasNext() == types.True; {
		if s, ok := it.Next().(types.String); ok {
			listed[string(s)] = true
		}
	}
	out := Object{}
	for n, v := range members {
		if listed[n] == keep {
			out[n] = v
		}
	}
	return adapter{}.NativeToValue(out)
}

// jsonCall reads JSON inside text. What is read already is refused: a sender that sends
// now text and now a list has two rules.
func jsonCall(v ref.Val) ref.Val {
	if o, ok := v.(*types.Optional); ok && o.HasValue() {
		v = o.GetValue()
	}
	text, ok := v.(types.String)
	if !ok {
		return callFault("json(…) needs text that holds JSON.")
	}
	value, err := DecodeJSON([]byte(text))
	if err != nil {
		return callFault("The text in json(…) is no JSON: " + err.Error())
	}
	return adapter{}.NativeToValue(value)
}

func digestCall(v ref.Val) ref.Val {
	value, ok := native(v)
	if !ok {
		return callFault("digest(…) needs values as JSON has them.")
	}
	sum := sha256.Sum256(appendCanonical(nil, value))
	return types.String(hex.EncodeToString(sum[:]))
}

// keyCall joins parts that @part has made ready.
func keyCall(v ref.Val) ref.Val {
	list, ok := v.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(v)
	}
	n := int(list.Size().(types.Int))
	parts := make([]string, n)
	for i := range parts {
		s, ok := list.Get(types.Int(i)).(types.String)
		if !ok {
			return types.MaybeNoSuchOverloadErr(v)
		}
		parts[i] = string(s)
	}
	return types.String(strings.Join(parts, ":"))
}

// native turns a value of a formula back into a decoded one. It returns false
// for what JSON has no word for.
func native(v ref.Val) (any, bool) {
	switch v := v.(type) {
	case types.Null:
		return nil, true
	case types.String:
		return string(v), true
	case types.Timestamp:
		return timeText(v.Time), true
	case *types.Optional:
		if v.HasValue() {
			return native(v.GetValue())
		}
		return nil, true
	case traits.Lister:
		return nativeList(v)
	case traits.Mapper:
		return nativeMap(v)
	}
	value := v.Value()
	_, ok := scalarText(value)
	return value, ok
}

func nativeList(list traits.Lister) (any, bool) {
	if plain, ok := list.Value().([]any); ok {
		return plain, true
	}
	out := []any{}
	for it := list.Iterator(); it.HasNext() == types.True; {
		item, ok := native(it.Next())
		if !ok {
			return nil, false
		}
		out = append(out, item)
	}
	return out, true
}

func nativeMap(m traits.Mapper) (any, bool) {
	if plain, ok := m.Value().(Object); ok {
		return plain, true
	}
	out := Object{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		name := it.Next()
		text, isText := name.(types.String)
		item, ok := native(m.Get(name))
		if !isText || !ok {
			return nil, false
		}
		out[string(text)] = item
	}
	return out, true
}

// adapter hands decoded values to CEL. A [Number] is text there.
type adapter struct{}

// NativeToValue implements [types.Adapter].
func (a adapter) NativeToValue(v any) ref.Val {
	switch v := v.(type) {
	case Number:
		return types.String(v)
	case Object:
		return types.NewStringInterfaceMap(a, v)
	case []any:
		return types.NewDynamicList(a, v)
	}
	return types.DefaultTypeAdapter.NativeToValue(v)
}
