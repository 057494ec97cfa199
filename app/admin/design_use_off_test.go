package admin

import (
	"net/http"
	"net/url"
	"testing"
)

// A key that samples speak against is warned of before the press; one that makes no key
// of any sample cannot be used.
func TestUseIsWarnedOfAndBlocked(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"text": {`[{"id":"a1","ref":"p"},{"id":"b2"},{"id":"c3"}]`}, "take": {"all"}})
	dr.do(http.StatusOK, "formula", "formula", `key("shop", body.ref)`)
	dr.wants("Your samples speak against this key", "Samples 2 and 3 have no ref. These events would be refused with an error, not skipped.", "Use this key all the same?")
	dr.lacks("Add a different event")
	dr.do(http.StatusOK, "formula", "place", "when", "formula", `body.id == "none"`)
	dr.wants("The condition leaves out every sample that has a key.")
	dr.lacks("Your samples speak against this key")
	dr.do(http.StatusUnprocessableEntity, "use", "title", "Send it once")
	dr.wants("This cannot be used yet.")
}
