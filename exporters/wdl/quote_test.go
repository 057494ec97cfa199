package wdl

import (
	"testing"

	"pgregory.net/rapid"
)

// TestQuoteComesBack reads every quoted text back as it was.
func TestQuoteComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Quoted, a line is at most twice as long, and stays within maxLine.
		s := rapid.StringOfN(rapid.OneOf(rapid.Rune(), rapid.RuneFrom([]rune("'\"\n\r\t@{}\\‘’,()?[]. "))), 0, maxLine/2-2, -1).Draw(t, "s")
		r, err := Evaluate([]byte(`{}`), Quote(s), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.OK || r.Text != s || r.Kind != "text" {
			t.Fatalf("%q came back as %+v", s, r)
		}
	})
}

// TestQuoteAsAProperty reads a member whatever its name is.
func TestQuoteAsAProperty(t *testing.T) {
	for _, name := range []string{"{VersionNumber}", "Editor#Claims", "@odata.etag", "O'Brien", "two\nlines", `say "hi"`, "x]y[", ""} {
		o := newObject()
		o.set("body", func() value { inner := newObject(); inner.set(name, "found"); return inner }())
		r, err := Evaluate([]byte(render(o, maxResult)), "triggerBody()?["+Quote(name)+"]", Options{})
		if err != nil || r.Text != "found" {
			t.Errorf("%q: %+v, %v", name, r, err)
		}
	}
}
