package rules

import (
	"strings"
	"testing"
)

// TestT01To23 are the cases from the forums of Make, Zapier, n8n and others, as far as
// they speak of keys. Those of claims, T2, T6, T17 and T20, are tests of app/intake.
func TestT01To23(t *testing.T) {
	const discord = `{"d":{"message_id":"55","user_id":"8","emoji":{"name":"ok"}}}`
	event := func(n string) string {
		return `{"id":"evt_` + n + `","type":"charge.succeeded","data":{"object":{"id":"ch_1"}}}`
	}
	runCases(t, []keyCase{
		{name: "T01 one change runs a hook three times", rule: Rule{Key: `key("baserow", body.event_id)`},
			samples: []string{`A {"event_id":"e-77","table_id":5,"items":[{"id":9}]}`, `A {"event_id":"e-77","table_id":5,"items":[{"id":9}]}`, `A {"event_id":"e-77","table_id":5,"items":[{"id":9}]}`},
			keys:    []string{"baserow:e-77", "baserow:e-77", "baserow:e-77"}, silent: VerdictCopiesMissed},
		{name: "T03 by id", rule: Rule{Key: `key("n8n", body.id)`}, samples: []string{`A {"msg":"Order\nready","id":"m-1"}`, `A {"msg":"Order   ready","id":"m-1"}`},
			keys: []string{"n8n:m-1", "n8n:m-1"}, silent: VerdictFreeText},
		{name: "T03 by text", rule: Rule{Key: `key("n8n", body.msg)`}, samples: []string{`A {"msg":"Order\nready","id":"m-1"}`, `A {"msg":"Order   ready","id":"m-1"}`},
			keys: []string{"n8n:Order ready", "n8n:Order ready"}, says: VerdictFreeText},
		{name: "T04 a schedule fires on two machines", rule: Rule{Key: `key(body.workflow, body.slot)`},
			samples: []string{`A {"workflow":"daily","slot":"2026-11-30T09:00Z"}`, `A {"workflow":"daily","slot":"2026-11-30T09:00Z"}`},
			keys:    []string{"daily:2026-11-30T09%3A00Z", "daily:2026-11-30T09%3A00Z"}, silent: VerdictCopiesMissed},
		{name: "T04 a schedule keyed by the second it ran", rule: Rule{Key: `key(body.now)`},
			samples: []string{`A {"workflow":"daily","now":"2026-11-30T09:00:01Z"}`, `A {"workflow":"daily","now":"2026-11-30T09:00:02Z"}`},
			keys:    []string{"2026-11-30T09%3A00%3A01Z", "2026-11-30T09%3A00%3A02Z"}, says: VerdictOnlyTime},
		{name: "T05 each publish adds a hook", rule: Rule{Key: `key("gitlab", body.object_kind, body.object_attributes.id, body.object_attributes.status)`},
			samples: []string{`A {"object_kind":"pipeline","object_attributes":{"id":31,"status":"success"}}`, `A {"object_kind":"pipeline","object_attributes":{"id":31,"status":"success"}}`, `A {"object_kind":"pipeline","object_attributes":{"id":31,"status":"success"}}`},
			keys:    []string{"gitlab:pipeline:31:success", "gitlab:pipeline:31:success", "gitlab:pipeline:31:success"}},
		{name: "T07 a reaction", rule: Rule{Key: `key("discord", body.d.message_id, body.d.user_id, body.d.emoji.name)`},
			samples: []string{"A " + discord, "A " + discord}, keys: []string{"discord:55:8:ok", "discord:55:8:ok"}},
		{name: "T08 two records of one second", rule: Rule{Key: `key("sf", body.Id)`},
			samples: []string{`A {"Id":"003A","CreatedDate":"2026-01-05T10:00:01Z"}`, `B {"Id":"003B","CreatedDate":"2026-01-05T10:00:01Z"}`},
			keys:    []string{"sf:003A", "sf:003B"}, silent: VerdictEventsMerged},
		{name: "T08 keyed by the second", rule: Rule{Key: `key(body.CreatedDate)`},
			samples: []string{`A {"Id":"003A","CreatedDate":"2026-01-05T10:00:01Z"}`, `B {"Id":"003B","CreatedDate":"2026-01-05T10:00:01Z"}`},
			keys:    []string{"2026-01-05T10%3A00%3A01Z", "2026-01-05T10%3A00%3A01Z"}, says: VerdictEventsMerged},
		{name: "T09 every version counts", rule: Rule{Key: `key("zoho", body.id, body.updated_on)`},
			samples: []string{`A {"id":"foo","updated_on":"2020-01-01"}`, `A {"id":"foo","updated_on":"2020-01-01"}`, `B {"id":"foo","updated_on":"2020-01-02"}`},
			keys:    []string{"zoho:foo:2020-01-01", "zoho:foo:2020-01-01", "zoho:foo:2020-01-02"}, silent: VerdictEventsMerged},
		{name: "T10 capitals made equal", rule: Rule{Key: `key("booking", upper(body.reference))`}, samples: []string{`A {"reference":" bk-100 "}`, `A {"reference":"BK-100"}`},
			keys: []string{"booking:BK-100", "booking:BK-100"}, silent: VerdictCopiesMissed},
		{name: "T10 capitals left", rule: Rule{Key: `key("booking", body.reference)`}, samples: []string{`A {"reference":" bk-100 "}`, `A {"reference":"BK-100"}`},
			keys: []string{"booking:bk-100", "booking:BK-100"}, says: VerdictCopiesMissed},
		{name: "T11 creation once", rule: Rule{Key: `key("product", body.id)`, When: `header("X-Shopify-Topic") == "products/create"`},
			samples: []string{`X-Shopify-Topic: products/create | A {"id":7}`, `X-Shopify-Topic: products/update | B {"id":7}`}, keys: []string{"product:7", ""}},
		{name: "T11 each topic once", rule: Rule{Key: `key("product", body.id, header("X-Shopify-Topic"))`},
			samples: []string{`X-Shopify-Topic: products/create | A {"id":7}`, `X-Shopify-Topic: products/update | B {"id":7}`}, keys: []string{"product:7:products/create", "product:7:products/update"}},
		{name: "T12 by event", rule: Rule{Key: `key("shopify", header("X-Shopify-Event-Id"))`},
			samples: []string{`x-shopify-webhook-id: w1, x-shopify-event-id: ev9 | A {}`, `x-shopify-webhook-id: w2, x-shopify-event-id: ev9 | A {}`},
			keys:    []string{"shopify:ev9", "shopify:ev9"}, silent: VerdictCopiesMissed},
		{name: "T12 by delivery", rule: Rule{Key: `key("shopify", header("X-Shopify-Webhook-Id"))`},
			samples: []string{`x-shopify-webhook-id: w1, x-shopify-event-id: ev9 | A {}`, `x-shopify-webhook-id: w2, x-shopify-event-id: ev9 | A {}`},
			keys:    []string{"shopify:w1", "shopify:w2"}, says: VerdictCopiesMissed},
		{name: "T13 by id", rule: Rule{Key: `key("sf", body.Id)`}, samples: []string{`A {"Id":"02s1","MessageDate":"2026-09-01T10:00:00Z"}`, `A {"Id":"02s1","MessageDate":"2026-09-01T10:00:07Z"}`},
			keys: []string{"sf:02s1", "sf:02s1"}, silent: VerdictCopiesMissed},
		{name: "T13 a time that the source corrects", rule: Rule{Key: `key("sf", body.Id, body.MessageDate)`}, samples: []string{`A {"Id":"02s1","MessageDate":"2026-09-01T10:00:00Z"}`, `A {"Id":"02s1","MessageDate":"2026-09-01T10:00:07Z"}`},
			keys: []string{"sf:02s1:2026-09-01T10%3A00%3A00Z", "sf:02s1:2026-09-01T10%3A00%3A07Z"}, says: VerdictCopiesMissed},
		{name: "T14 an event without an id", rule: Rule{Key: `key("shop", body.id)`}, samples: []string{`- `, `- {}`, `- {"id":null}`, `- {"id":"  "}`},
			keys: []string{"!missing", "!missing", "!null", "!spaces"}, says: VerdictEmptyPart},
		{name: "T15 every state once", rule: Rule{Key: `key("shop", body.id, body.status)`}, samples: []string{`A {"id":9537,"status":"pending"}`, `A {"id":9537,"status":"pending"}`, `B {"id":9537,"status":"processing"}`},
			keys: []string{"shop:9537:pending", "shop:9537:pending", "shop:9537:processing"}},
		{name: "T16 two actions of one change", rule: Rule{Key: `key("langfuse", body.prompt.id, body.prompt.version)`},
			samples: []string{`A {"action":"created","prompt":{"id":"p1","version":42}}`, `A {"action":"updated","prompt":{"id":"p1","version":42}}`}, keys: []string{"langfuse:p1:42", "langfuse:p1:42"}},
		{name: "T18 every event", rule: Rule{Key: `key("stripe", body.id)`}, samples: []string{"A " + event("1"), "B " + event("2")}, keys: []string{"stripe:evt_1", "stripe:evt_2"}},
		{name: "T18 the money once", rule: Rule{Key: `key("stripe", body.type, body.data.object.id)`}, samples: []string{"A " + event("1"), "A " + event("2")},
			keys: []string{"stripe:charge.succeeded:ch_1", "stripe:charge.succeeded:ch_1"}, silent: VerdictCopiesMissed},
		{name: "T19 by order", rule: Rule{Key: `key("shop", body.order)`}, samples: []string{`A {"email":"a@b.example","order":1}`, `B {"email":"a@b.example","order":2}`},
			keys: []string{"shop:1", "shop:2"}, silent: VerdictEventsMerged},
		{name: "T19 by mail address", rule: Rule{Key: `key("shop", body.email)`}, samples: []string{`A {"email":"a@b.example","order":1}`, `B {"email":"a@b.example","order":2}`},
			keys: []string{"shop:a@b.example", "shop:a@b.example"}, says: VerdictEventsMerged},
		{name: "T21 number and text", rule: Rule{Key: `key(body.id)`}, samples: []string{`A {"id":42}`, `A {"id":"42"}`, `B {"id":1.0}`, `B {"id":1}`},
			keys: []string{"42", "42", "1", "1"}, silent: VerdictCopiesMissed},
		{name: "T22 order and spacing, by field", rule: Rule{Key: `key("x", body.a, body.b)`}, samples: []string{`A {"a":1,"b":2}`, "A {\n \"b\": 2,\n \"a\": 1.0 }"},
			keys: []string{"x:1:2", "x:1:2"}},
		{name: "T22 order and spacing, by short code", rule: Rule{Key: `key("x", digest(body))`}, samples: []string{`A {"a":1,"b":2}`, "A {\n \"b\": 2,\n \"a\": 1.0 }"},
			keys: slicesOf("x:43258cff783fe7036d8a43033f830adfc60ec037382473548ac742b888292777", 2)},
		{name: "T23 the separator inside a part", rule: Rule{Key: `key(body.a, body.b)`}, samples: []string{`A {"a":"a:b","b":"c"}`, `B {"a":"a","b":"b:c"}`},
			keys: []string{"a%3Ab:c", "a:b%3Ac"}, silent: VerdictEventsMerged},
	})
}

// TestK01To14 are the cases of keys from Power Automate, SharePoint and Dataverse. K6,
// K7 and K8 are claims, see app/intake; what K3, K11, K12, K13 and K14 say of a
// platform is tested with that platform.
func TestK01To14(t *testing.T) {
	sharepoint := Rule{Key: `key("sp-orders", body.ID)`}
	modified := Rule{Key: `key("sp-orders", body.ID, body.Modified)`}
	runCases(t, []keyCase{
		{name: "K01 a flow in two environments", rule: sharepoint, samples: []string{`A {"ID":41}`, `A {"ID":41}`}, keys: []string{"sp-orders:41", "sp-orders:41"}},
		{name: "K02 every change", rule: modified, samples: []string{`A {"ID":41,"Modified":"2026-11-30T08:15:02Z"}`, `A {"ID":41,"Modified":"2026-11-30T08:15:02Z"}`, `B {"ID":41,"Modified":"2026-11-30T08:20:10Z"}`},
			keys: []string{"sp-orders:41:2026-11-30T08%3A15%3A02Z", "sp-orders:41:2026-11-30T08%3A15%3A02Z", "sp-orders:41:2026-11-30T08%3A20%3A10Z"}, silent: VerdictCopiesMissed},
		{name: "K03 ids that differ in capitals", rule: Rule{Key: `key("mail", body.id)`}, samples: []string{`A {"id":"AAMkAbC="}`, `B {"id":"AAMkaBc="}`},
			keys: []string{"mail:AAMkAbC=", "mail:AAMkaBc="}, says: VerdictOnlyCase},
		{name: "K03 put into small letters", rule: Rule{Key: `key("mail", lower(body.id))`}, samples: []string{`A {"id":"AAMkAbC="}`, `B {"id":"AAMkaBc="}`},
			keys: []string{"mail:aamkabc=", "mail:aamkabc="}, says: VerdictEventsMerged},
		{name: "K04 answers of two forms", rule: Rule{Key: `key("forms", body.responseId)`}, samples: []string{`A {"form":"a","responseId":"12"}`, `B {"form":"b","responseId":"12"}`},
			keys: []string{"forms:12", "forms:12"}, says: VerdictEventsMerged},
		{name: "K04 with the form", rule: Rule{Key: `key("forms", body.form, body.responseId)`}, samples: []string{`A {"form":"a","responseId":"12"}`, `B {"form":"b","responseId":"12"}`},
			keys: []string{"forms:a:12", "forms:b:12"}, silent: VerdictEventsMerged},
		{name: "K05 a version of its own for each change", rule: Rule{Key: `key("dv", body.id, body.versionnumber)`}, samples: []string{`A {"id":"0f8fad5b","versionnumber":900,"v":1}`, `B {"id":"0f8fad5b","versionnumber":901,"v":1}`},
			keys: []string{"dv:0f8fad5b:900", "dv:0f8fad5b:901"}},
		{name: "K09 three items of one run", rule: Rule{Key: `key("flow", header("x-ms-client-tracking-id"))`},
			samples: []string{`x-ms-client-tracking-id: 0858A | A {"id":1}`, `x-ms-client-tracking-id: 0858A | B {"id":2}`, `x-ms-client-tracking-id: 0858A | C {"id":3}`},
			keys:    slicesOf("flow:0858A", 3), says: VerdictConstantKey},
		{name: "K10 a day in the zone of the business", rule: Rule{Key: `key("daily", day(body.at, "America/New_York"))`}, samples: []string{
			`A {"at":"2026-11-30T11:00:00Z"}`, `A {"at":"2026-11-30T11:03:00Z"}`, `A {"at":"2026-12-01T04:59:59Z"}`, `B {"at":"2026-12-01T05:00:00Z"}`},
			keys: []string{"daily:20261130", "daily:20261130", "daily:20261130", "daily:20261201"}},
		{name: "K12 a field is null", rule: modified, samples: []string{`A {"ID":41,"Modified":null}`, `B {"ID":41}`}, keys: []string{"!null", "!missing"}, says: VerdictEmptyPart},
		{name: "K13 a colon in Dataverse", rule: Rule{Key: `key("stripe", body.id)`}, samples: []string{`A {"id":"evt_1","@odata.etag":"W/\"1\"","accountid":"0f8fad5b"}`}, keys: []string{"stripe:evt_1"}},
		{name: "K14 a key of 300", rule: Rule{Key: `key(body.id)`}, samples: []string{`A {"id":"` + strings.Repeat("k", 300) + `"}`}, keys: []string{"!too_long"}},
	})
}

// TestBug58NoDigitIsLostInAComparison: CEL's own equality takes these for one.
func TestBug58NoDigitIsLostInAComparison(t *testing.T) {
	e := newEngine(t)
	s := Sample{Body: `{"a":820982911946154508,"b":820982911946154509,"c":9007199254740993,"max":18446744073709551615,"one":1,"half":0.5,"minus":-0}`}
	for formula, want := range map[string]string{
		`body.a == body.b`: "false", `body.a != body.b`: "true", `body.a == body.a`: "true",
		`body.c == 9007199254740992.0`: "false", `9007199254740992.0 == body.c`: "false", `body.c != 9007199254740992.0`: "true",
		`body.max == 18446744073709551616.0`: "false", `body.one == 1.0`: "true", `1.0 == body.one`: "true", `body.one != 1.5`: "true",
		`body.half == 0.5`: "true", `body.minus == -0.0`: "true", `body.one == 0.0 / 0.0`: "false", `body.one == 1.0 / 0.0`: "false",
	} {
		if key, code := keyOf(t, e, &Rule{Key: "key(" + formula + ")"}, s); key != want {
			t.Errorf("%s is %s %s, want %s", formula, key, code, want)
		}
	}
}

// TestK11NothingOfTheMomentCanBeInAKey: there is no clock, no chance and no run in the
// language.
func TestK11NothingOfTheMomentCanBeInAKey(t *testing.T) {
	e := newEngine(t)
	for _, formula := range []string{`key(now())`, `key(utcNow())`, `key(guid())`, `key(uuid())`, `key(random())`, `key(executionId)`, `key(timestamp())`, `key(workflow.run)`} {
		if p, issues := e.Compile(&Rule{Key: formula}); p != nil || len(issues) == 0 {
			t.Errorf("%s compiles", formula)
		}
	}
}
