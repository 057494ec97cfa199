package scripts

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"dedupedesk/exporters"
)

// shell writes text as one word of a POSIX shell. There is none for a NUL.
func shell(text string) (string, error) {
	if strings.Contains(text, "\x00") {
		return "", exporters.Cannot("A text of the rule holds a NUL, which no shell can hold.")
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'", nil
}

// jsonText writes text as JSON, which is also a literal of JavaScript.
func jsonText(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a text always encodes
	return strings.TrimSuffix(b.String(), "\n")
}

// python writes text as a literal of Python. JSON's escapes are Python's, but for the
// halves of a character beyond 16 bits, which Go's encoder never writes.
func python(text string) string { return jsonText(text) }

// powershell writes text as a literal of PowerShell, which takes five characters for a
// single quote and none for an escape.
func powershell(text string) (string, error) {
	if strings.Contains(text, "\x00") {
		return "", exporters.Cannot("A text of the rule holds a NUL, which PowerShell cannot hold.")
	}
	for _, quote := range []string{"'", "\u2018", "\u2019", "\u201a", "\u201b"} {
		text = strings.ReplaceAll(text, quote, quote+quote)
	}
	return "'" + text + "'", nil
}

// sql writes text as a literal of PostgreSQL that means the same whatever
// standard_conforming_strings says.
func sql(text string) (string, error) {
	if strings.Contains(text, "\x00") {
		return "", exporters.Cannot("A text of the rule holds a NUL, which PostgreSQL cannot hold.")
	}
	literal := "'" + strings.ReplaceAll(text, "'", "''") + "'"
	if strings.ContainsAny(text, `\$`) {
		// A dollar could end the body of the function that the literal stands in.
		literal = "E" + strings.NewReplacer(`\`, `\\`, "$", `\u0024`).Replace(literal)
	}
	return literal, nil
}

// list writes a path as a list of names and places, in JavaScript and Python alike.
func list(path []string) string {
	var texts []string
	for _, name := range path {
		if n, ok := exporters.Index(name); ok {
			texts = append(texts, strconv.Itoa(n))
			continue
		}
		texts = append(texts, jsonText(name))
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// sqlPath writes a path as an array of texts, as #> takes it.
func sqlPath(path []string) (string, error) {
	var texts []string
	for _, name := range path {
		if n, ok := exporters.Index(name); ok {
			name = strconv.Itoa(n)
		}
		text, err := sql(name)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	return "ARRAY[" + strings.Join(texts, ", ") + "]::text[]", nil
}
