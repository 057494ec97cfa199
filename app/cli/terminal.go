package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/mattn/go-isatty"
)

// onTerminal reports whether a person sees what is written to w as it is written.
func onTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// draws reports whether w is a terminal that takes more than plain lines.
func draws(w io.Writer) bool {
	return onTerminal(w) && os.Getenv("TERM") != "dumb" && takesCodes(w.(*os.File))
}

// A colour is a number of the codes of ECMA-48.
type colour int

const (
	red    colour = 31
	green  colour = 32
	yellow colour = 33
)

// painted returns text in a colour where w is a terminal, and nobody asked for none by
// NO_COLOR (see https://no-color.org, read 2026-11-30). text must be clean.
func painted(w io.Writer, as colour, text string) string {
	if os.Getenv("NO_COLOR") != "" || !draws(w) {
		return text
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", as, text)
}

// during does f and tells meanwhile on the error output what goes on: on a terminal in a
// line that also says for how long by now and is removed at the end, with -v in one line,
// else not at all. f must not write there.
func (c *call) during(what string, f func() error) error {
	if !draws(c.program.Err) {
		if c.flags.Verbose || onTerminal(c.program.Err) {
			c.say("%s …", what)
		}
		return f()
	}
	began := time.Now()
	draw := func() {
		line := printable(what) + " …"
		if s := time.Since(began).Truncate(time.Second); s > 0 {
			line += " " + s.String()
		}
		_, _ = fmt.Fprintf(c.program.Err, "\r\x1b[Kdedupe: %s", line)
	}
	draw()
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				draw()
			case <-ended:
				return
			}
		}
	}()
	defer func() {
		close(ended)
		<-stopped
		_, _ = fmt.Fprint(c.program.Err, "\r\x1b[K")
	}()
	return f()
}
