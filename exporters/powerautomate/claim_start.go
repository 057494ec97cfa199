package powerautomate

import (
	"dedupedesk/exporters/flowdef"
)

type schema struct {
	Schema struct{} `json:"schema"`
}

// perEvent makes a run of each event of a call.
const perEvent = "@triggerOutputs()?['body/value']"

// start is the trigger with its name, and whether its shape is known to us. Words in
// capitals stand for what only the person's own site knows.
func (c claim) start() (name string, trigger flowdef.Trigger, known bool) {
	minutely := &flowdef.Recurrence{Frequency: "Minute", Interval: 1}
	list := map[string]any{"dataset": "REPLACE_WITH_SITE_ADDRESS", "table": "REPLACE_WITH_LIST_ID"}
	switch c.trigger {
	case HTTPRequest:
		return "manual", flowdef.Trigger{Type: "Request", Kind: "Http", Inputs: schema{}}, true
	case SharePointItem:
		return "When_an_item_is_created_or_modified", flowdef.Trigger{Type: "OpenApiConnection", Recurrence: minutely, SplitOn: perEvent,
			Inputs: flowdef.Connected(flowdef.SharePoint, "GetOnUpdatedItems", list)}, true
	case SharePointFile:
		return "When_a_file_is_created_or_modified", flowdef.Trigger{Type: "OpenApiConnection", Recurrence: minutely, SplitOn: perEvent,
			Inputs: flowdef.Connected(flowdef.SharePoint, "GetOnUpdatedFileItems", list)}, true
	case OutlookMail:
		return "When_a_new_email_arrives", flowdef.Trigger{Type: "OpenApiConnectionNotification", SplitOn: perEvent,
			Inputs: flowdef.Connected(flowdef.Outlook, "OnNewEmailV3", map[string]any{"folderPath": "Inbox"})}, true
	case FormsResponse:
		return "When_a_new_response_is_submitted", flowdef.Trigger{Type: "OpenApiConnectionWebhook", SplitOn: perEvent,
			Inputs: flowdef.Connected(flowdef.Forms, "CreateFormWebhook", map[string]any{"form_id": "REPLACE_WITH_FORM_ID"})}, true
	case DataverseRow:
		return "When_a_row_is_added_modified_or_deleted", flowdef.Trigger{Type: "OpenApiConnectionWebhook",
			Inputs: flowdef.Connected(flowdef.Dataverse, "SubscribeWebhookTrigger", map[string]any{
				"subscriptionRequest/message": "REPLACE_WITH_CHANGE_TYPE", "subscriptionRequest/entityname": "REPLACE_WITH_TABLE", "subscriptionRequest/scope": "REPLACE_WITH_SCOPE",
			})}, true
	case Schedule:
		return "Recurrence", flowdef.Trigger{Type: "Recurrence", Recurrence: &flowdef.Recurrence{Frequency: "Day", Interval: 1}}, true
	}
	return "", flowdef.Trigger{}, false
}
