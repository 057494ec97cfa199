package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestSuggestionTakesItsListAlong: a sender that packs several events into a delivery
// needs the list as well as the formula.
func TestSuggestionTakesItsListAlong(t *testing.T) {
	body := `[{"eventId":1,"subscriptionId":5,"portalId":62515,"appId":54321,"occurredAt":1715203101896,"subscriptionType":"contact.creation","attemptNumber":0,"objectId":7}]`
	dr := startRule(t, newDesk(t), url.Values{"start": {"paste"}, "text": {body}})
	dr.wants("Stops repeats of one message", "The sender names its messages so.", "One key for each item of <code>body</code>", `name="each" value="body"`)
	dr.do(http.StatusOK, "suggest", "formula", `key("hubspot", item.eventId)`, "each", "body", "when", "")
	dr.wants("hubspot:1", "Simulated", "Stable on a resend (simulated)")
}

// TestFixChangesASetting: a key that is too long is mended by the rule, not by its
// formula, and nothing but a fix's settings can be changed so.
func TestFixChangesASetting(t *testing.T) {
	dr := startRule(t, newDesk(t), url.Values{"start": {"paste"}, "text": {`{"ref":"` + strings.Repeat("x", 300) + `"}`}})
	formula := `key("s", body.ref)`
	dr.do(http.StatusOK, "formula", "formula", formula)
	dr.wants("The key has 302 characters", "Store a short code", `name="setting" value="long_keys"`, `name="formula" value="`+formula+`"`)
	dr.do(http.StatusOK, "formula", "formula", formula, "setting", "long_keys", "value", "sha256")
	dr.lacks("The key has 302 characters")
	dr.wants("sha256:")
	dr.do(http.StatusBadRequest, "formula", "formula", formula, "setting", "lease", "value", "1h")
}
