package page

import (
	"context"
	"embed"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// icons holds the drawings of Lucide icons (ISC), without the frame around them.
// build/assets copies those that frontend/src/icons.txt names.
//
//go:embed icons/*.svg
var icons embed.FS

// Icon draws an icon of 18 px that screen readers skip: words must stand beside it.
// A name without a drawing draws nothing; a test finds such names.
func Icon(name string) templ.Component { return icon(name, "icon") }

// IconSmall is Icon at 15 px.
func IconSmall(name string) templ.Component { return icon(name, "icon icon-small") }

// IconLarge is Icon at 24 px.
func IconLarge(name string) templ.Component { return icon(name, "icon icon-large") }

// HasIcon reports whether there is a drawing of that name.
func HasIcon(name string) bool {
	_, err := icons.ReadFile("icons/" + name + ".svg")
	return err == nil
}

func icon(name, class string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		drawing, err := icons.ReadFile("icons/" + name + ".svg")
		if err != nil {
			return nil // a missing picture must not take the page down
		}
		_, err = io.WriteString(w, strings.Join([]string{
			`<svg class="`, class, `" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"`,
			` stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false">`,
			string(drawing), `</svg>`,
		}, ""))
		return err
	})
}
