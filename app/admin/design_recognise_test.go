package admin

import (
	"net/url"
	"testing"

	"dedupedesk/rules/presets"
)

// TestPastedDeliveryFindsItsSender: by the headers or the body of a pasted delivery
// the draft gets its sender, and the title of that kind of delivery. An event of
// nobody known gets neither.
func TestPastedDeliveryFindsItsSender(t *testing.T) {
	d := newDesk(t)
	slack := preset(t, "slack")
	for _, delivery := range []presets.Delivery{preset(t, "typeform").Delivery, preset(t, "notion").Delivery, slack.Others[0]} {
		dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {delivery.Rule.Samples[0].Body}})
		dr.wants("What is known of", delivery.Title)
	}
	startRule(t, d, url.Values{"start": {"paste"}, "text": {`{"id": 7, "order": 10482}`}}).lacks("What is known of")
}
