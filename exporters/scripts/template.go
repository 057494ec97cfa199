package scripts

import (
	"bytes"
	"embed"
	"errors"
	"text/template"

	"dedupedesk/exporters"
)

//go:embed templates
var templates embed.FS

// A filling is what the templates are filled with. Texts become literals there.
type filling struct {
	Rule, Address, IfUnreachable string
	GoOn, Ask                    bool
	Beat                         int // seconds between two requests for more time
	LeaseMS                      int64
	KeepDays                     int
	Each                         bool
	Headers                      bool     // the rule reads one, so a call without them is none
	EachPath                     []string // below the event
	ItemsPath                    []string // with body before it

	Key      string // an expression, for store.gs and keys.sql
	Function string // of the key, for keys.sql
	List     string // path of the list, for keys.sql
}

// fill makes a file of a template. It returns an [exporters.Inexpressible] for a text
// that the language cannot hold.
func fill(name string, f filling) ([]byte, error) {
	t, err := template.New(name).Delims("«", "»").Funcs(template.FuncMap{
		"sh": shell, "json": jsonText, "py": python, "js": jsonText, "ps": powershell, "sql": sql, "pyList": list, "jsList": list,
	}).ParseFS(templates, "templates/"+name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, f); err != nil {
		var cannot exporters.Inexpressible
		if errors.As(err, &cannot) {
			return nil, cannot
		}
		return nil, err
	}
	return b.Bytes(), nil
}
