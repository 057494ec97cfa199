package powerautomate

import (
	"encoding/json"

	"dedupedesk/exporters"
)

// outputsOf writes a sample as triggerOutputs() would return it, with the item that
// a loop is at beside it.
func outputsOf(s exporters.Sample) ([]byte, error) {
	headers := s.Headers
	if headers == nil {
		headers = map[string]string{}
	}
	outputs := map[string]any{"headers": headers, "body": s.Body}
	if s.Item != nil {
		outputs["item"] = s.Item
	}
	return json.Marshal(outputs)
}
