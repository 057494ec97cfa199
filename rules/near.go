package rules

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// nearest returns the name that was most likely meant, "" if none is close: a third of
// the letters may differ, three at most.
func nearest(word string, names []string) string {
	best, bestDistance := "", min(3, max(1, utf8.RuneCountInString(word)/3))
	for _, name := range names {
		d := distance(strings.ToLower(word), strings.ToLower(name))
		if d <= bestDistance && (best == "" || d < bestDistance) {
			best, bestDistance = name, d
		}
	}
	return best
}

// distance counts the letters to change, add, drop or swap.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 40 || len(y) > 40 {
		return 99
	}
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}

// nearestField returns the field of an event that was most likely meant by the formula
// of one that is missing, as it stands in a formula: another name in one place of its
// path. It is "" where none is close, and for fields of an item.
func nearestField(e Event, missing string) string {
	parts, ok := Parts("key(" + missing + ")")
	if !ok || len(parts[0].Path) < 2 {
		return ""
	}
	path := parts[0].Path
	root, _ := (&scope{body: e.Body, headers: e.Headers, query: e.Query}).ResolveName(path[0])
	for i := 1; i < len(path); i++ {
		at, _ := lookUp(root, path[1:i])
		names := memberNames(at)
		if len(names) == 0 || len(names) > maxFields || slices.Contains(names, path[i]) {
			continue
		}
		meant := slices.Clone(path)
		meant[i] = nearest(path[i], names)
		if _, code := lookUp(root, meant[1:]); meant[i] != "" && code != KeyMissing {
			return pathText(meant)
		}
		return ""
	}
	return ""
}

// memberNames returns the sorted names of an object or of headers, nil for all else.
func memberNames(v any) []string {
	switch v := v.(type) {
	case Object:
		return slices.Sorted(maps.Keys(v))
	case map[string]string:
		return slices.Sorted(maps.Keys(v))
	}
	return nil
}
