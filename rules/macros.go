package rules

import (
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// maxParts bounds the parts of one key.
const maxParts = 32

// keyMacros replaces the calls that must see how they were written: key and
// either to know which field a value came from, digest because CEL has no
// functions of any number of arguments.
func keyMacros() []cel.Macro {
	return []cel.Macro{
		cel.GlobalVarArgMacro("key", expandKey),
		cel.GlobalMacro("either", 2, expandEither),
		cel.GlobalMacro("header", 1, expandHeader),
		cel.GlobalVarArgMacro("digest", expandDigest),
	}
}

// expandKey turns key(a, b) into @key([@part(1, paths, a), @part(2, paths, b)]).
func expandKey(mef cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	if len(args) == 0 || len(args) > maxParts {
		return nil, mef.NewError(0, "key(…) takes 1 to 32 parts")
	}
	parts := make([]ast.Expr, len(args))
	for i, arg := range args {
		parts[i] = mef.NewCall("@part", mef.NewLiteral(types.Int(i+1)), mef.NewLiteral(types.String(encodePaths(arg))), arg)
	}
	return mef.NewCall("@key", mef.NewList(parts...)), nil
}

func expandEither(mef cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	return mef.NewCall("@either", mef.NewLiteral(types.String(encodePaths(args[0]))), args[0], args[1]), nil
}

// expandHeader turns header("X-Any-Case") into headers["x-any-case"].
func expandHeader(mef cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	name := args[0]
	if text, ok := literalText(name); ok {
		name = mef.NewLiteral(types.String(strings.ToLower(text)))
	} else {
		name = mef.NewCall("lower", name)
	}
	return mef.NewCall(operators.Index, mef.NewIdent("headers"), name), nil
}

func expandDigest(mef cel.MacroExprFactory, _ ast.Expr, args []ast.Expr) (ast.Expr, *cel.Error) {
	if len(args) == 0 || len(args) > maxParts {
		return nil, mef.NewError(0, "digest(…) takes 1 to 32 values")
	}
	if len(args) == 1 {
		return mef.NewCall("@digest", args[0]), nil
	}
	return mef.NewCall("@digest", mef.NewList(args...)), nil
}

// encodePaths carries the paths of an argument through the compiler, as the
// JSON of a list of lists.
func encodePaths(e ast.Expr) string {
	list := []any{}
	for _, path := range readPaths(e, true) {
		steps := []any{}
		for _, s := range path {
			steps = append(steps, s)
		}
		list = append(list, steps)
	}
	return string(appendCanonical(nil, list))
}

func decodePaths(text string) [][]string {
	v, err := DecodeJSON([]byte(text))
	if err != nil {
		return nil
	}
	var out [][]string
	list, _ := v.([]any)
	for _, item := range list {
		var path []string
		steps, _ := item.([]any)
		for _, s := range steps {
			name, _ := s.(string)
			path = append(path, name)
		}
		out = append(out, path)
	}
	return out
}
