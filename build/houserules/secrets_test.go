package houserules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// holdSecrets are where tokens, passwords and their hashes are compared. What ends in
// a slash means all below it.
var holdSecrets = []string{"ledger/", "app/guard/", "app/session/", "app/launch/", "app/desktop/", "app/api/", "app/intake/", "app/wire.go"}

// secretNames are what such a value is called, as a variable or as a field.
var secretNames = []string{"token", "secret", "hash", "stored", "password"}

// unevenCompares returns the places in a file where a secret is compared in a way that
// takes the longer the more of it is right. Whether one is there at all may be asked.
func unevenCompares(file string, src any) ([]string, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var found []string
	say := func(n ast.Node) { found = append(found, fmt.Sprint(fset.Position(n.Pos()))) }
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && (secret(n.X) && !fixed(n.Y) || secret(n.Y) && !fixed(n.X)) {
				say(n)
			}
		case *ast.SwitchStmt:
			if n.Tag != nil && secret(n.Tag) {
				say(n)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Equal", "EqualFold", "Compare", "DeepEqual"}, f.Sel.Name) && slices.ContainsFunc(n.Args, secret) {
				say(n)
			}
		}
		return true
	})
	return found, nil
}

// secret tells whether an expression is a secret, by its name.
func secret(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return slices.Contains(secretNames, strings.ToLower(e.Name))
	case *ast.SelectorExpr:
		return secret(e.Sel)
	case *ast.SliceExpr:
		return secret(e.X)
	case *ast.ParenExpr:
		return secret(e.X)
	case *ast.CallExpr: // a conversion, such as string(secret)
		return len(e.Args) == 1 && secret(e.Args[0]) && conversion(e.Fun)
	}
	return false
}

func conversion(f ast.Expr) bool {
	switch f := f.(type) {
	case *ast.ArrayType:
		return true
	case *ast.Ident:
		return f.Name == "string"
	}
	return false
}

// fixed tells whether an expression is a constant or nil, which is no secret.
func fixed(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "nil"
	}
	return false
}

// TestSecretsAreComparedInConstantTime: by crypto/subtle, or looked up by their hash.
func TestSecretsAreComparedInConstantTime(t *testing.T) {
	files := 0
	written(t, func(path string, data []byte) {
		at, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		at = filepath.ToSlash(at)
		watched := slices.ContainsFunc(holdSecrets, func(part string) bool {
			return at == part || strings.HasSuffix(part, "/") && strings.HasPrefix(at, part)
		})
		if !watched || strings.HasSuffix(at, "_test.go") || strings.HasPrefix(at, "ledger/ledgertest/") {
			return
		}
		files++
		found, err := unevenCompares(at, data)
		if err != nil {
			t.Error(err)
		}
		for _, place := range found {
			t.Errorf("%s: compares a secret; use crypto/subtle", place)
		}
	}, ".go")
	if files < 50 {
		t.Errorf("only %d files were looked at", files)
	}
}

// TestUnevenComparesAreSeen plants some.
func TestUnevenComparesAreSeen(t *testing.T) {
	for code, bad := range map[string]bool{
		`secret == other`:                       true,
		`r.Token != id.Token`:                   true,
		`want == string(secret)`:                true,
		`bytes.Equal(hash[:], sum[:])`:          true,
		`strings.EqualFold(x, cfg.Secret)`:      true,
		`secret == ""`:                          false,
		`t.Token != ""`:                         false,
		`hash == nil`:                           false,
		`len(id.Token) > 255`:                   false,
		`subtle.ConstantTimeCompare(hash, sum)`: false,
	} {
		found, err := unevenCompares("planted.go", "package p\nfunc f() { _ = "+code+" }\n")
		if err != nil {
			t.Fatal(err)
		}
		if (len(found) > 0) != bad {
			t.Errorf("%s: found %v, want %v", code, found, bad)
		}
	}
	if found, err := unevenCompares("planted.go", "package p\nfunc f() { switch secret { case a: } }\n"); err != nil || len(found) != 1 {
		t.Errorf("a switch: %v, %v", found, err)
	}
}
