package rules

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// CEL counts steps and looks at the clock between the rounds of a loop, never
// inside a call; a single replace can take half a second and hundreds of
// megabytes. So every call that makes or reads much is weighed before it runs,
// against a budget of the whole evaluation.

const (
	workBudget = 8 << 20   // bytes read or made in one evaluation
	maxMade    = 1 << 20   // bytes that one call may make
	maxRange   = 10000     // items of lists.range
	callCharge = 32        // for the call itself
	workName   = "@work"   // the budget, as the activation knows it
	costLimit  = 1_000_000 // steps of CEL
)

// errTooMuch stops a formula that needs more than its share.
var errTooMuch = errors.New("the formula needs too much work")

// work is what is left of an evaluation's budget. One evaluation runs in one
// goroutine.
type work struct{ left int }

func (w *work) spend(n int) bool {
	w.left -= n
	return w.left >= 0
}

// weigh estimates what a call reads and makes, from its arguments. A negative
// weight refuses the call.
type weigh func(args []ref.Val) int

// weights lists every call that makes text or lists, or reads them at more than
// one step a byte. A function missing here is bounded by CEL's steps alone.
func weights() map[string]weigh {
	w := map[string]weigh{
		operators.Add: weighAdd, operators.Equals: weighEqual, operators.NotEquals: weighEqual, operators.In: weighIn,
		"replace": weighReplace, "join": weighJoin, "format": weighFormat,
		"split": weighText(20), "charAt": weighText(4), "substring": weighText(4), "trim": weighText(4),
		"lowerAscii": weighText(2), "upperAscii": weighText(2), "reverse": weighAll(8), "strings.quote": weighText(6),
		"indexOf": weighIndexOf, "lastIndexOf": weighIndexOf, "contains": weighText(1), "string": weighText(2), "bytes": weighText(2),
		"lower": weighText(4), "upper": weighText(4), "fold": weighText(8), "secret": weighText(8), "json": weighJSON,
		"matches": weighMatch, "regex.extract": weighMatch, "regex.extractAll": weighExtractAll, "regex.replace": weighRegexReplace,
		"lists.range": weighRange, "flatten": weighAll(2), "slice": weighAll(1),
		"sort": weighSquare, "@sortByAssociatedKeys": weighSquare, "distinct": weighSquare,
		"@digest": weighAll(2), "pick": weighAll(3), "omit": weighAll(3),
		"time": weighText(8), "day": weighZone, "timestamp": weighText(1), "duration": weighText(1),
	}
	for _, name := range []string{"getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours", "getMilliseconds", "getMinutes", "getMonth", "getSeconds"} {
		w[name] = weighZone
	}
	return w
}

// weighZone counts what it takes to read a time zone.
func weighZone(args []ref.Val) int {
	if len(args) < 2 {
		return 0
	}
	return 4<<10 + length(args[0])*8
}

// length is the size of text or bytes, 0 for other values.
func length(v ref.Val) int {
	switch v := v.(type) {
	case types.String:
		return len(v)
	case types.Bytes:
		return len(v)
	}
	return 0
}

// size estimates the bytes of a value with all that is in it, up to limit.
func size(v ref.Val, limit int) int {
	if n, ok := v.Value().(Object); ok {
		return nativeSize(n, limit)
	}
	if n, ok := v.Value().([]any); ok {
		return nativeSize(n, limit)
	}
	sum := 16 + length(v)
	switch v := v.(type) {
	case traits.Lister:
		for it := v.Iterator(); sum < limit && it.HasNext() == types.True; {
			sum += size(it.Next(), limit-sum)
		}
	case traits.Mapper:
		for it := v.Iterator(); sum < limit && it.HasNext() == types.True; {
			name := it.Next()
			sum += size(name, limit-sum) + size(v.Get(name), limit-sum)
		}
	}
	return sum
}

func nativeSize(v any, limit int) int {
	sum := 16
	switch v := v.(type) {
	case string:
		sum += len(v)
	case []any:
		for _, item := range v {
			if sum += nativeSize(item, limit-sum); sum > limit {
				break
			}
		}
	case Object:
		for name, item := range v {
			if sum += len(name) + nativeSize(item, limit-sum); sum > limit {
				break
			}
		}
	}
	return sum
}

func weighText(factor int) weigh {
	return func(args []ref.Val) int {
		sum := 0
		for _, a := range args {
			sum += length(a)
		}
		return sum * factor
	}
}

func weighAll(factor int) weigh {
	return func(args []ref.Val) int {
		sum := 0
		for _, a := range args {
			sum += size(a, workBudget)
		}
		return sum * factor
	}
}

// weighJSON counts what is read and the values that are made of it.
func weighJSON(args []ref.Val) int {
	if length(args[0]) > maxMade {
		return -1
	}
	return length(args[0]) * 16
}

// weighEqual is free for values that are one piece; lists and maps are compared to
// their depths, in one go.
func weighEqual(args []ref.Val) int {
	if len(args) != 2 {
		return 0
	}
	if whole(args[0]) || whole(args[1]) {
		return min(length(args[0]), length(args[1])) / 8
	}
	return size(args[0], workBudget) + size(args[1], workBudget)
}

// weighIn is for a list alone; a member of a map is found at once.
func weighIn(args []ref.Val) int {
	if len(args) != 2 {
		return 0
	}
	list, ok := args[1].(traits.Lister)
	switch {
	case !ok:
		return 0
	case whole(args[0]):
		return int(list.Size().(types.Int)) * 16
	}
	return size(list, workBudget) + int(list.Size().(types.Int))*size(args[0], workBudget)
}

// whole tells values that are one piece.
func whole(v ref.Val) bool {
	switch v.(type) {
	case types.Bool, types.Int, types.Uint, types.Double, types.String, types.Null, types.Timestamp, types.Duration, types.Bytes:
		return true
	}
	return false
}

// weighIndexOf is for a search that looks for the whole needle at every place.
func weighIndexOf(args []ref.Val) int {
	if len(args) < 2 {
		return 0
	}
	n, m := length(args[0]), length(args[1])
	return (n+m)*8 + n*m/8
}

// weighAdd lets lists grow for the price of what is added: CEL shares the rest.
func weighAdd(args []ref.Val) int {
	if len(args) != 2 {
		return 0
	}
	if n := length(args[0]) + length(args[1]); n > 0 {
		return made(n)
	}
	if l, ok := args[1].(traits.Lister); ok {
		return int(l.Size().(types.Int)) * 16
	}
	return 0
}

// made refuses a result above what one call may make.
func made(n int) int {
	if n > maxMade {
		return -1
	}
	return n
}

func weighReplace(args []ref.Val) int {
	if len(args) < 3 {
		return 0
	}
	s, _ := args[0].(types.String)
	old, _ := args[1].(types.String)
	by := length(args[2])
	count := strings.Count(string(s), string(old))
	if len(args) == 4 {
		if n, ok := args[3].(types.Int); ok && n >= 0 && int(n) < count {
			count = int(n)
		}
	}
	if by > 0 && count > maxMade/by {
		return -1
	}
	return made(len(s)*2 + count*by)
}

func weighJoin(args []ref.Val) int {
	list, ok := args[0].(traits.Lister)
	if !ok {
		return 0
	}
	between := 0
	if len(args) == 2 {
		between = length(args[1])
	}
	n := int(list.Size().(types.Int))
	if between > 0 && n > maxMade/between {
		return -1
	}
	return made(size(list, maxMade+1) + n*between)
}

func weighFormat(args []ref.Val) int {
	if format, ok := args[0].(types.String); ok && wideFormat(string(format)) {
		return -1
	}
	sum := 0
	for _, a := range args {
		sum += size(a, maxMade)
	}
	return made(sum * 4)
}

// maxFormatWidth bounds the digits that a format text asks for, as in %.2f.
const maxFormatWidth = 100

// wideFormat tells a format with a width or precision above the bound: the digits
// are made before anybody can count them.
func wideFormat(format string) bool {
	for _, m := range formatWidth.FindAllStringSubmatch(strings.ReplaceAll(format, "%%", ""), -1) {
		for _, digits := range m[1:] {
			if n, err := strconv.Atoi(digits); digits != "" && (err != nil || n > maxFormatWidth) {
				return true
			}
		}
	}
	return false
}

var formatWidth = regexp.MustCompile(`%[-+# 0]*([0-9]*)(?:\.([0-9]*))?`)

func weighRange(args []ref.Val) int {
	n, ok := args[0].(types.Int)
	if !ok || n < 0 {
		return 0 // the call itself says what is wrong
	}
	if n > maxRange {
		return -1
	}
	return int(n) * 16
}

// weighSquare is for calls that compare every item with every other.
func weighSquare(args []ref.Val) int {
	list, ok := args[0].(traits.Lister)
	if !ok {
		return 0
	}
	n := int(list.Size().(types.Int))
	if n > maxRange {
		return -1
	}
	return n * size(list, workBudget) / 16
}

// guarded is a call that is weighed before it runs. It takes the place of the
// planner's own node, whose Exec would evaluate the arguments a second time, and
// is no [interpreter.InterpretableCall] so that no later step replaces it again.
type guarded struct {
	id   int64
	name string
	args []interpreter.InterpretableV2
	weigh
	run     *functions.Overload
	pattern *regexp.Regexp // of a constant regular expression of matches
}

// ID implements [interpreter.Interpretable].
func (g *guarded) ID() int64 { return g.id }

// Eval implements [interpreter.Interpretable].
func (g *guarded) Eval(vars interpreter.Activation) ref.Val {
	return g.Exec(interpreter.AsFrame(vars))
}

// Exec implements [interpreter.InterpretableV2].
func (g *guarded) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	args := make([]ref.Val, len(g.args))
	for i, a := range g.args {
		if args[i] = a.Exec(frame); types.IsUnknownOrError(args[i]) {
			return args[i]
		}
	}
	n := g.weigh(args)
	budget, ok := frame.ResolveName(workName)
	w, isWork := budget.(*work)
	if n < 0 || !ok || !isWork || !w.spend(n+callCharge) {
		return types.WrapErr(errTooMuch)
	}
	if frame.CheckInterrupt() {
		return types.WrapErr(interpreter.InterruptError{})
	}
	return types.LabelErrNode(g.id, g.call(args))
}

func (g *guarded) call(args []ref.Val) ref.Val {
	if g.pattern != nil {
		if s, ok := args[0].(types.String); ok {
			return types.Bool(g.pattern.MatchString(string(s)))
		}
	}
	switch g.name {
	case operators.Equals:
		return equal(args[0], args[1])
	case operators.NotEquals:
		return types.Bool(equal(args[0], args[1]) != types.True)
	}
	if g.run.OperandTrait != 0 && !args[0].Type().HasTrait(g.run.OperandTrait) {
		return types.MaybeNoSuchOverloadErr(args[0])
	}
	switch {
	case len(args) == 1 && g.run.Unary != nil:
		return g.run.Unary(args[0])
	case len(args) == 2 && g.run.Binary != nil:
		return g.run.Binary(args[0], args[1])
	case g.run.Function != nil:
		return g.run.Function(args...)
	}
	return types.MaybeNoSuchOverloadErr(args[0])
}
