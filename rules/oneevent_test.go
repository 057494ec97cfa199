package rules

import (
	"slices"
	"strings"
	"testing"
)

// headers writes "A: b; C: d" as headers.
func headers(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.SplitSeq(text, "; ") {
		if name, value, ok := strings.Cut(line, ": "); ok {
			out[name] = value
		}
	}
	return out
}

// TestN1OneDeliveryOfManySenders holds what one delivery makes Suggest say. Bodies
// are written for this test, in the shape of what the senders document. An empty
// want is none: a name of an account, a user or a form would stop every event after
// the first, and the id of a thing its later news.
func TestN1OneDeliveryOfManySenders(t *testing.T) {
	for _, tt := range []struct{ name, headers, body, want string }{
		// Senders with an id of the message.
		{"standard webhooks", "webhook-id: msg_1; webhook-timestamp: 1674087231", `{"type":"contact.created","data":{"id":"c1"}}`, `"event", headers["webhook-id"]`},
		{"svix, as clerk and resend", "svix-id: msg_1; svix-timestamp: 1674087231", `{"type":"user.created","data":{"id":"user_1"}}`, `"event", headers["svix-id"]`},
		{"slack event", "", `{"token":"t","team_id":"T1","api_app_id":"A1","event":{"type":"app_mention","user":"U1","event_ts":"1.2"},"type":"event_callback","event_id":"Ev1","event_time":1234567890}`, `"event", body.event_id`},
		{"square", "", `{"merchant_id":"M1","type":"payment.updated","event_id":"e-1","data":{"type":"payment","id":"p1","object":{"payment":{"id":"p1"}}}}`, `"event", body.event_id`},
		{"paddle", "", `{"event_id":"evt_1","event_type":"transaction.completed","occurred_at":"2024-04-12T10:18:49Z","notification_id":"ntf_1","data":{"id":"txn_1"}}`, `"event", body.event_id`},
		{"typeform", "", `{"event_id":"01G","event_type":"form_response","form_response":{"form_id":"f1","token":"t1"}}`, `"event", body.event_id`},
		{"tally", "", `{"eventId":"a1","eventType":"FORM_RESPONSE","data":{"responseId":"r1","formId":"f1"}}`, `"event", body.eventId`},
		{"jotform", "", `{"formID":"201","submissionID":"5001","webhookURL":"https://example.com"}`, `"event", body.submissionID`},
		{"gitlab issue", "Idempotency-Key: k1; X-Gitlab-Event: Issue Hook; X-Gitlab-Webhook-UUID: w1", `{"object_kind":"issue","user":{"id":1},"project":{"id":5},"object_attributes":{"id":301}}`, `"event", headers["idempotency-key"]`},
		{"contentful", "X-Contentful-Topic: ContentManagement.Entry.publish; X-Contentful-Idempotency-Key: k1", `{"sys":{"type":"Entry","id":"4o1","revision":35}}`, `"event", headers["x-contentful-idempotency-key"]`},
		{"linear", "Linear-Delivery: d1; Linear-Event: Issue", `{"action":"create","type":"Issue","data":{"id":"i1"},"webhookId":"w1"}`, `"event", headers["linear-delivery"]`},
		{"twilio with its token", "I-Twilio-Idempotency-Token: t1", `AccountSid=AC0&MessageSid=SM1&SmsStatus=received&To=%2B1500`, `"event", headers["i-twilio-idempotency-token"]`},

		// An id of the message beside a kind and an object with an id of its own.
		{"paypal", "", `{"id":"WH-1","event_type":"PAYMENT.SALE.COMPLETED","resource_type":"sale","resource":{"id":"8A"}}`, `"event", body.id, body.event_type`},
		{"azure devops", "", `{"subscriptionId":"s","notificationId":1,"id":"e1","eventType":"git.push","resource":{"repository":{"id":"r"},"pushId":14}}`, `"event", body.id, body.eventType`},
		{"intercom", "", `{"type":"notification_event","app_id":"a","id":"notif_1","topic":"contact.user.updated","data":{"item":{"id":"c1","workspace_id":"w"}}}`, `"event", body.id, body.topic`},
		{"zendesk", "", `{"account_id":22,"id":"cbe4","type":"zen:event-type:ticket.updated","detail":{"id":"5158"}}`, `"event", body.id, body.type`},
		{"notion", "", `{"id":"n1","type":"page.content_updated","workspace_id":"w","integration_id":"i","entity":{"id":"p1","type":"page"}}`, `"event", body.id, body.type`},
		{"eventbridge", "", `{"version":"0","id":"e1","detail-type":"Action Execution State Change","source":"aws.codepipeline","account":"123","detail":{"execution-id":"x1"}}`, `"event", body.id, body["detail-type"]`},
		{"discord", "", `{"id":"9001","application_id":"a","type":2,"guild_id":"g","data":{"id":"c1","name":"cardsearch"}}`, `"event", body.id, body.type`},
		{"basecamp", "", `{"id":657,"kind":"todo_completed","recording":{"id":42,"bucket":{"id":1}},"creator":{"id":10}}`, `"event", body.id, body.kind`},
		{"mailgun", "", `{"signature":{"token":"t"},"event-data":{"id":"G9B","event":"delivered","timestamp":1521472262.9}}`, `"event", body["event-data"].id, body["event-data"].event`},

		// A message or a payment, with what became of it.
		{"twilio without its token", "", `AccountSid=AC0&MessageSid=SM1&SmsStatus=received&ApiVersion=2010-04-01`, `"event", body.MessageSid, body.SmsStatus`},
		{"sns", "", `{"Type":"Notification","MessageId":"22b8","TopicArn":"arn:aws:sns:x"}`, `"event", body.MessageId, body.Type`},
		{"brevo, whose id is the webhook's", "", `{"event":"opened","id":99,"message-id":"<2018.1@smtp.example.com>","ts_event":1520331023,"template_id":12}`, `"event", body["message-id"], body.event, body.ts_event`},
		{"new mail", "", `{"id":"AAM","conversationId":"c","changeKey":"k","internetMessageId":"<C1@mail.example>"}`, `"event", body.internetMessageId`},
		{"payment", "", `{"payment_id":"p1","account_id":"a1","status":"paid","amount":1990}`, `"event", body.payment_id, body.status`},
		{"news of a mail to many", "", `{"event":"delivered","Message-Id":"<1@example.com>","recipient":"r","timestamp":"1521472262"}`, ``},

		// A thing, with its change.
		{"woocommerce", "X-WC-Webhook-Topic: order.updated; X-WC-Webhook-ID: 3; X-WC-Webhook-Delivery-ID: 7", `{"id":1042,"parent_id":0,"status":"completed","version":"8.0.2","date_modified":"2026-05-06T10:20:37","customer_id":1}`, `"event", body.id, headers["x-wc-webhook-topic"], body.date_modified`},
		{"supabase update", "", `{"type":"UPDATE","table":"orders","schema":"public","record":{"id":501,"updated_at":"2026-05-02T10:20:00Z"},"old_record":{"id":501}}`, `"event", body.record.id, body.type, body.record.updated_at`},
		{"supabase insert", "", `{"type":"INSERT","table":"orders","record":{"id":501},"old_record":null}`, `"event", body.record.id, body.type`},
		{"jira", "X-Atlassian-Webhook-Identifier: w1", `{"webhookEvent":"jira:issue_updated","timestamp":1364403238369,"user":{"accountId":"u"},"issue":{"id":"10400","key":"BUG-15","fields":{"updated":"2013-03-27T16:53:58.301+0000"}}}`, `"event", headers["x-atlassian-webhook-identifier"]`},
		{"jira of old, without the header", "", `{"webhookEvent":"jira:issue_updated","timestamp":1364403238369,"user":{"accountId":"u"},"issue":{"id":"10400","key":"BUG-15","fields":{"updated":"2013-03-27T16:53:58.301+0000"}}}`, `"event", body.issue.id, body.webhookEvent, body.issue.fields.updated`},
		{"lemon squeezy", "", `{"meta":{"event_name":"subscription_updated"},"data":{"id":"1","type":"subscriptions","attributes":{"store_id":1,"updated_at":"2026-01-01T00:00:00Z"}}}`, `"event", body.data.id, body.meta.event_name, body.data.attributes.updated_at`},
		{"sharepoint not recognised", "", `{"ID":42,"Title":"Order","Modified":"2026-08-14T09:03:22Z","ModifiedBy":"Robin"}`, `"event", body.ID, body.Modified`},
		{"dataverse", "", `{"ItemInternalId":"5f","accountid":"5f","versionnumber":2751197,"SdkMessage":"Update"}`, `"event", body.ItemInternalId, body.SdkMessage, body.versionnumber`},
		{"monday", "", `{"event":{"userId":96,"boardId":17,"pulseId":177,"groupId":"topics","type":"create_pulse","triggerTime":"2021-10-11T09:07:28Z","subscriptionId":73}}`, `"event", body.event.pulseId, body.event.type, body.event.triggerTime`},
		{"gitlab issue without headers", "", `{"object_kind":"issue","user":{"id":1},"project":{"id":5},"object_attributes":{"id":301,"updated_at":"2013-12-03T17:15:43Z"}}`, `"event", body.object_attributes.id, body.object_kind, body.object_attributes.updated_at`},

		// A thing, with what happens to it once.
		{"clickup created", "", `{"event":"taskCreated","history_items":[{"id":"1"},{"id":"2"}],"task_id":"8ex","webhook_id":"5e"}`, `"event", body.task_id, body.event`},
		{"cal.com", "", `{"triggerEvent":"BOOKING_CREATED","payload":{"uid":"abc","bookingId":456,"organizer":{"id":1},"eventTypeId":123}}`, `"event", body.payload.uid, body.triggerEvent`},
		{"webflow", "", `{"triggerType":"form_submission","payload":{"siteId":"65","id":"632","formId":"6542"}}`, `"event", body.payload.id, body.triggerType`},
		{"an order that is paid", "", `{"type":"order.paid","order_id":7,"user_id":3}`, `"event", body.order_id, body.type`},

		// Nothing that is safe.
		{"clickup changed", "", `{"event":"taskStatusChanged","history_items":[{"id":"1"},{"id":"2"}],"task_id":"8ex","webhook_id":"5e"}`, ``},
		{"slack command", "", `token=x&team_id=T1&channel_id=C1&user_id=U1&command=%2Fweather&api_app_id=A1&trigger_id=1.2.3`, ``},
		{"gitlab push", "X-Gitlab-Event: Push Hook; X-Gitlab-Webhook-UUID: w1", `{"object_kind":"push","user_id":4,"project_id":15,"project":{"id":15},"total_commits_count":4}`, ``},
		{"bitbucket", "X-Event-Key: repo:push; X-Hook-UUID: h1; X-Request-UUID: r1", `{"actor":{"uuid":"u"},"repository":{"uuid":"r"},"push":{"changes":[{"new":{"name":"x"}}]}}`, ``},
		{"google sheets row", "", `{"newRow":["a","b"],"range":"Sheet1!17:17","worksheet":{"properties":{"sheetId":7}},"rowNumber":17}`, ``},
		{"google form", "", `{"spreadsheetId":"1A","rowStart":17,"namedValues":{"Timestamp":["1"]}}`, ``},
		{"airtable", "", `{"base":{"id":"app1"},"webhook":{"id":"ach1"},"timestamp":"2022-02-01T21:25:05.663Z"}`, ``},
		{"trello", "X-Trello-Webhook: s", `{"model":{"id":"5358","name":"Board"},"action":{"id":"5735","idMemberCreator":"m","type":"commentCard"}}`, ``},
		{"pipedrive change", "", `{"meta":{"action":"change","id":"m1","company_id":44,"user_id":4,"webhook_id":123},"data":{"id":9071,"owner_id":3,"update_time":null}}`, ``},
		{"github without headers", "", `{"ref":"refs/heads/x","after":"a1","repository":{"id":5,"updated_at":"2019-05-15T15:19:27Z"},"sender":{"id":2}}`, ``},
		{"woocommerce ping", "", `webhook_id=4`, ``},
		{"discord ping", "", `{"id":"1","application_id":"a","type":1,"user":{"id":"u"}}`, ``},
		{"two things", "", `{"event":"comment_created","issue":{"id":1},"comment":{"id":2}}`, ``},
		{"two numbers", "", `{"event":"created","order_id":1,"line_id":2}`, ``},
		{"account", "", `{"type":"order.created","account_id":7,"workspaceId":"w","amount":5}`, ``},
		{"an id alone", "", `{"id":7,"amount":5}`, ``},
		{"list of events", "", `[{"sg_event_id":"a"},{"sg_event_id":"b"}]`, ``},
		{"list of notifications", "", `{"value":[{"subscriptionId":"s","id":"n"}]}`, ``},
		{"words", "", `{"name":"Robin","total":"19.90"}`, ``},
		{"empty id", "", `{"event_id":"","type":"x"}`, ``},
		{"event id of a calendar, deep", "", `{"data":{"payload":{"event_id":"e1"}}}`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := suggested(Sample{Group: "A", Body: tt.body, Headers: headers(tt.headers)})
			want := tt.want
			if want != "" {
				want = "key(" + want + ")"
			}
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

func suggested(samples ...Sample) string {
	if parts := NewTree(samples).Suggest(); parts != nil {
		return Formula(parts)
	}
	return ""
}

// TestN1AccountsAreNeverSuggestedAlone: two events of two accounts do not make the
// account a key.
func TestN1AccountsAreNeverSuggestedAlone(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{`A {"user_id":1}`, `B {"user_id":2}`, ``},
		{`A {"user_id":1,"amount":5}`, `B {"user_id":2,"amount":7}`, ``},
		{`A {"user_id":1,"event_id":"x"}`, `B {"user_id":2,"event_id":"y"}`, `key("event", body.event_id)`},
		{`A {"workspace":{"id":1},"data":{"id":"x"}}`, `B {"workspace":{"id":2},"data":{"id":"y"}}`, `key("event", body.data.id)`},
		{`A {"paid":true}`, `B {"paid":false}`, ``},
		{`A {"total":"19.90","status":"paid"}`, `B {"total":"24.00","status":"open"}`, ``},
	} {
		if got := suggested(samples(tt.first, tt.second)...); got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.first, tt.second, got, tt.want)
		}
	}
}

// TestN11CopiesOfOneEvent: what does not change is suggested.
func TestN11CopiesOfOneEvent(t *testing.T) {
	for _, tt := range []struct{ first, second, want string }{
		{`A {"event_id":"x","n":1}`, `A {"event_id":"x","n":2}`, `key("event", body.event_id)`},
		{`A {"event_id":"x","n":1}`, `A {"event_id":"y","n":1}`, ``},
		{`A {"user_id":1}`, `A {"user_id":1}`, ``},
	} {
		if got := suggested(samples(tt.first, tt.second)...); got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.first, tt.second, got, tt.want)
		}
	}
}

func TestRolesOfFields(t *testing.T) {
	body := `{"event_id":"e","id":"i","orderId":7,"order_number":1001,"userId":3,"account":{"id":4},"accountid":"5","type":"x",` +
		`"status":"paid","amount":1990,"n":5,"big":123456789012,"price":"19.90","on":true,"currency":"EUR","updated_at":"2024-01-01T00:00:00Z",` +
		`"updated_by":"Robin","{VersionNumber}":"3.0","version":"2","paid":"later","ref":"p","no":1}`
	want := `event_id=message id=record orderId=record order_number=record userId=place id=place accountid=place type=kind ` +
		`status=kind amount=amount n=amount big= price=amount on=amount currency=amount updated_at=change updated_by= ` +
		`{VersionNumber}=change version= paid= ref= no=record`
	fields, err := fieldsOf([]Sample{{Body: body}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range fields {
		if f.Kind != "object" {
			got = append(got, f.Name+"="+string(f.Role()))
		}
	}
	if !slices.Equal(got, strings.Fields(want)) {
		t.Errorf("roles are\n%s\nwant\n%s", strings.Join(got, " "), want)
	}
}
