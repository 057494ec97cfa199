package rules_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dedupedesk/rules"
)

// corpusSample reads a delivery of testdata/samples into a group, or one of a pair of
// testdata/pairs: "pairs/name/first".
func corpusSample(t *testing.T, name, group string) rules.Sample {
	t.Helper()
	if dir, ok := strings.CutPrefix(name, "pairs/"); ok {
		parts := map[string]string{}
		for _, end := range []string{".json", ".headers.json"} {
			if data, err := os.ReadFile(filepath.Join("testdata/pairs", dir+end)); err == nil {
				parts[end] = string(data)
			}
		}
		var wrapped struct{ Headers json.RawMessage }
		if json.Unmarshal([]byte(parts[".headers.json"]), &wrapped) == nil && wrapped.Headers != nil {
			parts[".headers.json"] = string(wrapped.Headers)
		}
		return delivery(t, parts, ".json", ".headers.json", group)
	}
	return delivery(t, readCase(t, "testdata/samples/"+name+".txtar", &corpusCase{}), "body", "headers.json", group)
}

// TestLints has for every lint a real delivery that it is right about, and the fix;
// and one that it has to be silent about.
func TestLints(t *testing.T) {
	e := corpusEngine(t)
	const none = "-"
	for _, tt := range []struct {
		name, samples string // A: and B: before a file name its group
		each, key     string
		code          rules.VerdictCode
		says, fix     string // none: the lint is silent
	}{
		{"only a time", "typeform/form_response", "", `key("typeform", body.form_response.submitted_at)`, rules.VerdictOnlyTime, "two events can happen in the same second", `key("typeform", body.event_id)`},
		{"a time beside an id", "linear/issue.create", "", `key("linear", body.data.id, body.data.updatedAt)`, rules.VerdictOnlyTime, none, ""},
		{"documented attempt counter", "intercom/contact.user.created", "", `key("intercom", body.id, body.delivery_attempts)`, rules.VerdictChangesOnEveryTry, "`delivery_attempts` changes when Intercom sends an event again", `key("intercom", body.id)`},
		{"signature", "slack/app_mention", "", `key("slack", body.event_id, headers["x-slack-signature"])`, rules.VerdictChangesOnEveryTry, "`x-slack-signature` ", `key("slack", body.event_id)`},
		{"attempt of an item", "hubspot/contact-events", "body", `key("hubspot", item.eventId, item.attemptNumber)`, rules.VerdictChangesOnEveryTry, "`item.attemptNumber` changes when HubSpot sends", `key("hubspot", item.eventId)`},
		{"an execution that is the event's", "aws-eventbridge/codepipeline-action", "", `key("eb", body.detail["execution-id"], body.detail.state)`, rules.VerdictChangesOnEveryTry, none, ""},
		{"the time of a mail's event", "mailgun/delivered", "", `key("mailgun", body["event-data"].id, body["event-data"].timestamp)`, rules.VerdictChangesOnEveryTry, none, ""},
		{"row number", "google-sheets/new-row", "", `key("sheet", body.worksheet.properties.sheetId, body.rowNumber)`, rules.VerdictRowNumber, "inserts a row above", `key("sheet", body.worksheet.properties.sheetId)`},
		{"first row of a range", "google-sheets/apps-script-form-submit", "", `key("form", body.spreadsheetId, body.range.rowStart)`, rules.VerdictRowNumber, "`range.rowStart` is the number of a row", `key("form", body.spreadsheetId)`},
		{"version of a row", "dataverse/row-added", "", `key("dv", body.accountid, body.versionnumber)`, rules.VerdictRowNumber, none, ""},
		{"place in a list", "sendgrid/batch-of-four", "", `key("sendgrid", body[0].sg_event_id)`, rules.VerdictListPosition, "is a place in a list", ""},
		{"each item", "sendgrid/batch-of-four", "body", `key("sendgrid", item.sg_event_id)`, rules.VerdictListPosition, none, ""},
		{"personal data", "brevo/sent", "", `key("brevo", body["message-id"], body.email)`, rules.VerdictPersonalData, "Email addresses do not belong in keys.", `key("brevo", body["message-id"], digest(body.email))`},
		{"id of a mail", "brevo/sent", "", `key("brevo", body["message-id"], body.event)`, rules.VerdictPersonalData, none, ""},
		{"no source", "stripe/charge.succeeded", "", `key(body.id)`, rules.VerdictNoSourcePrefix, "name of its source", `key("stripe", body.id)`},
		{"source", "stripe/charge.succeeded", "", `key("pay", body.id)`, rules.VerdictNoSourcePrefix, none, ""},
		{"free text", "azure-devops/git.push", "", `key("azdo", body.id, body.message.text)`, rules.VerdictFreeText, "`message.text` is free text", `key("azdo", body.id)`},
		{"summary", "jira/issue_created", "", `key("jira", body.issue.key, body.issue.fields.summary)`, rules.VerdictFreeText, "`issue.fields.summary` is free text", `key("jira", body.issue.key)`},
		{"name of a form", "webflow/form_submission", "", `key("webflow", body.payload.id, body.payload.name)`, rules.VerdictFreeText, none, ""},
		{"whole body", "intercom/contact.user.created", "", `key("intercom", digest(body))`, rules.VerdictWholeBody, "an attempt counter, or a field that the sender adds next year", `key("intercom", body.id)`},
		{"part of a body", "stripe/charge.succeeded", "", `key("stripe", digest(body.data.object))`, rules.VerdictWholeBody, none, ""},
		{"body but for a member", "intercom/contact.user.created", "", `key("intercom", digest(omit(body, ["delivery_attempts"])))`, rules.VerdictWholeBody, none, ""},
		{"Shopify's delivery id", "shopify/orders-cancelled-test-notification", "", `key("shopify", headers["x-shopify-webhook-id"])`, rules.VerdictDeliveryID, "names the delivery, not the event", `key("shopify", headers["x-shopify-event-id"], headers["x-shopify-topic"])`},
		{"Paddle's delivery id", "paddle/transaction.completed", "", `key("paddle", body.notification_id)`, rules.VerdictDeliveryID, "names the delivery", `key("paddle", body.event_id)`},
		{"GitHub's only id", "github/push", "", `key("github", headers["x-github-delivery"])`, rules.VerdictDeliveryID, none, ""},
		{"Standard Webhooks' id", "standard-webhooks/contact.created", "", `key("stdwh", headers["webhook-id"])`, rules.VerdictDeliveryID, none, ""},
		{"bug 19, two messages about one charge", "A:pairs/stripe-two-events-one-object/first B:pairs/stripe-two-events-one-object/second", "", `key("stripe", body.id)`, rules.VerdictSameThing, "Samples 1 and 2 are two messages about one thing", `key("stripe", body.data.object.id, body.type)`},
		{"two orders", "A:pairs/shopify-ids-above-2-53/first B:pairs/shopify-ids-above-2-53/second", "", `key("shopify", body.id)`, rules.VerdictSameThing, none, ""},
		{"event id where a charge is meant", "A:pairs/stripe-two-events-one-object/first A:pairs/stripe-two-events-one-object/second", "", `key("stripe", body.id)`, rules.VerdictCopiesMissed, "because each message has its own `id`. They tell of one thing", `key("stripe", body.data.object.id, body.type)`},
		{"charge where the message is meant", "A:pairs/stripe-two-events-one-object/first B:pairs/stripe-two-events-one-object/second", "", `key("stripe", body.data.object.id, body.type)`, rules.VerdictEventsMerged, "A key that every message has for itself keeps them apart.", `key("stripe", body.id)`},
		{"accents outside key()", "A:pairs/unicode-nfc-nfd/first A:pairs/unicode-nfc-nfd/second", "", `"form:" + body.who`, rules.VerdictCopiesMissed, "stored in different ways. key(…) makes them equal.", `key("form:" + body.who)`},
		{"accents in key()", "A:pairs/unicode-nfc-nfd/first A:pairs/unicode-nfc-nfd/second", "", `key("form", body.who)`, rules.VerdictCopiesMissed, none, ""},
		{"HubSpot's test button", "hubspot/test-button", "body", `key("hubspot", item.eventId)`, rules.VerdictTestButton, "the test button of HubSpot", ""},
		{"Shopify's test button", "shopify/orders-cancelled-test-notification", "", `key("shopify", headers["x-shopify-event-id"])`, rules.VerdictTestButton, "the test button of Shopify", `key("shopify", headers["x-shopify-event-id"])`},
		{"no test", "hubspot/contact-events", "body", `key("hubspot", item.eventId)`, rules.VerdictTestButton, none, ""},
		{"bugs 28 and 32, two hooks", "A:pairs/github-org-and-repo-hook/first A:pairs/github-org-and-repo-hook/second", "", `key("github", headers["x-github-delivery"])`, rules.VerdictSeveralHooks, "Copies 1 and 2 came by 2 hooks: `x-github-hook-id` is ", `key("github", body.repository.id, body.ref, body.before, body.after)`},
		{"one hook", "A:pairs/github-redelivery/first A:pairs/github-redelivery/second", "", `key("github", headers["x-github-delivery"])`, rules.VerdictSeveralHooks, none, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &rules.Rule{Key: tt.key, Each: tt.each}
			for file := range strings.FieldsSeq(tt.samples) {
				group, name, ok := strings.Cut(file, ":")
				if !ok {
					group, name = "A", file
				}
				r.Samples = append(r.Samples, corpusSample(t, name, group))
			}
			v, found := verdict(e.Judge(t.Context(), r), tt.code)
			switch fix := formulaOf(v.Fix); {
			case tt.says == none && found:
				t.Errorf("false alarm: %s", v.Text)
			case tt.says == none:
			case !found || !strings.Contains(v.Text, tt.says):
				t.Errorf("says %q, want %q", v.Text, tt.says)
			case fix != tt.fix:
				t.Errorf("the fix is %q, want %q", fix, tt.fix)
			}
		})
	}
}

func verdict(j rules.Judgement, code rules.VerdictCode) (rules.Verdict, bool) {
	i := slices.IndexFunc(j.Verdicts, func(v rules.Verdict) bool { return v.Code == code })
	if i < 0 {
		return rules.Verdict{}, false
	}
	return j.Verdicts[i], true
}

func formulaOf(f *rules.Fix) string {
	if f == nil {
		return ""
	}
	return f.Formula
}

// TestLintsOfWritten are lints that no delivery of the corpus shows.
func TestLintsOfWritten(t *testing.T) {
	e := corpusEngine(t)
	for _, tt := range []struct {
		name, first, second, key string
		code                     rules.VerdictCode
		says, fix                string
	}{
		{"run of n8n", `{"executionId":"231","order":{"id":7}}`, "", `key("n8n", body.order.id, body.executionId)`, rules.VerdictChangesOnEveryTry, "`executionId` usually changes", `key("n8n", body.order.id)`},
		{"run of Zapier", `{"zap_meta_human_now":"x","id":7}`, "", `key("zap", body.id, body.zap_meta_human_now)`, rules.VerdictChangesOnEveryTry, "`zap_meta_human_now` usually changes", `key("zap", body.id)`},
		{"retry number", `{"retryNumber":1,"id":7}`, "", `key("s", body.id, body.retryNumber)`, rules.VerdictChangesOnEveryTry, "`retryNumber` usually changes", `key("s", body.id)`},
		{"delivery id without a sender", `{"delivery_id":"d1","event_id":"e1"}`, "", `key("s", body.delivery_id)`, rules.VerdictDeliveryID, "`event_id` names the event", `key("s", body.event_id)`},
		{"bug 5, three hooks", `{"webhook_id":1,"event_id":"x"}`, `{"webhook_id":2,"event_id":"x"}`, `key("s", body.event_id)`, rules.VerdictSeveralHooks, "`webhook_id` is 1 and 2", ""},
		{"zeros", `{"id":"evt_00000000000000","type":"x"}`, "", `key("s", body.id)`, rules.VerdictTestButton, "`id` is evt_00000000000000", `key("s", body.id)`},
		{"wide letters", `{"id":"A1"}`, `{"id":"Ａ１"}`, `key("s", body.id)`, rules.VerdictCopiesMissed, "other characters that look the same", ""},
		{"bug 1, spaces outside key()", `{"text":"hello  there"}`, `{"text":"hello there"}`, `"s:" + body.text`, rules.VerdictCopiesMissed, "stored in different ways. key(…) makes them equal.", `key("s:" + body.text)`},
		{"capitals outside key()", `{"id":"a1"}`, `{"id":"A1"}`, `"s:" + body.id`, rules.VerdictCopiesMissed, "which differ in capitals", `"s:" + body.id`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &rules.Rule{Key: tt.key, Samples: []rules.Sample{{Group: "A", Body: tt.first}}}
			if tt.second != "" {
				r.Samples = append(r.Samples, rules.Sample{Group: "A", Body: tt.second})
			}
			v, ok := verdict(e.Judge(t.Context(), r), tt.code)
			if !ok || !strings.Contains(v.Text, tt.says) || formulaOf(v.Fix) != tt.fix {
				t.Errorf("%v: %q with fix %+v, want %q and %q", ok, v.Text, v.Fix, tt.says, tt.fix)
			}
		})
	}
}

// TestFixesOfSettings: some things are mended by the rule, not by its formula.
func TestFixesOfSettings(t *testing.T) {
	e := corpusEngine(t)
	long, err := os.ReadFile("testdata/edge/very-long-id.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		rule     rules.Rule
		code     rules.VerdictCode
		set, val string
		after    rules.Outcome // of the last sample
	}{
		{"too long", rules.Rule{Key: `key("s", body.id)`, Samples: []rules.Sample{{Body: string(long)}}}, rules.VerdictTooLong, "long_keys", "sha256", rules.OutcomeFirst},
		{"capitals", rules.Rule{Key: `"s:" + body.id`, Samples: []rules.Sample{{Group: "A", Body: `{"id":"a"}`}, {Group: "A", Body: `{"id":"A"}`}}}, rules.VerdictCopiesMissed, "fold_case", "true", rules.OutcomeCopyStopped},
		{"tests", rules.Rule{Key: `key("s", body.id)`, When: "true", Samples: []rules.Sample{{Body: `{"id":1,"test":true}`}}}, rules.VerdictTestButton, "when", `(true) && key(either(body.test, "-")) != "true"`, rules.OutcomeIgnored},
	} {
		v, ok := verdict(e.Judge(t.Context(), &tt.rule), tt.code)
		if !ok || v.Fix == nil || v.Fix.Setting != tt.set || v.Fix.Value != tt.val {
			t.Errorf("%s: %+v", tt.name, v)
			continue
		}
		v.Fix.Apply(&tt.rule)
		j := e.Judge(t.Context(), &tt.rule)
		if got := j.Samples[len(j.Samples)-1].Outcome; got != tt.after || fails(j) {
			t.Errorf("%s: then %s, %+v", tt.name, got, j.Verdicts)
		}
	}
}

// TestK13AndK14KeysThatATargetDoesNotTake: Dataverse cannot look some keys up, and
// SharePoint counts characters in its own way. Without the target nothing is said.
func TestK13AndK14KeysThatATargetDoesNotTake(t *testing.T) {
	e := corpusEngine(t)
	s := corpusSample(t, "shopify/orders-cancelled-test-notification", "A")
	r := &rules.Rule{Key: `key("shopify", headers["x-shopify-event-id"], headers["x-shopify-topic"])`}
	tree := rules.NewTree([]rules.Sample{s})
	v, ok := verdict(e.JudgeTree(t.Context(), r, tree, rules.TargetDataverse), rules.VerdictDataverse)
	if !ok || !strings.Contains(v.Text, `holds "/"`) || formulaOf(v.Fix) != `key("shopify", headers["x-shopify-event-id"], digest(headers["x-shopify-topic"]))` {
		t.Errorf("%+v", v)
	}
	if v, ok := verdict(e.JudgeTree(t.Context(), r, tree, rules.TargetSharePoint), rules.VerdictDataverse); ok {
		t.Errorf("SharePoint: %s", v.Text)
	}
	r = &rules.Rule{Key: `key("s", body.id)`, Samples: []rules.Sample{{Body: `{"id":"` + strings.Repeat("😀", 200) + `"}`}}}
	v, ok = verdict(e.Judge(t.Context(), r), rules.VerdictTooLong)
	if !ok || v.Fail || !strings.Contains(v.Text, "402 characters as SharePoint") || formulaOf(v.Fix) != `key("s", digest(body.id))` {
		t.Errorf("%+v", v)
	}
}
