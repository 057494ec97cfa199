package rules

import (
	"strings"
	"testing"
)

// What people write who come from other tools is answered with what to do here, and
// where a name alone is another one, one click writes it.
func TestForeignFunctions(t *testing.T) {
	e := newEngine(t)
	for _, tt := range []struct{ formula, hint, mended string }{
		{`key("a", now())`, "A key must not hold the time of the run: a copy comes at another time.", ""},
		{`key("a", utcNow())`, "A key must not hold the time of the run", ""},
		{`key("a", Date.now())`, "A key must not hold the time of the run", ""},
		{`key("a", guid())`, "A key must not hold what is made anew each time", ""},
		{`key("a", UUID())`, "A key must not hold what is made anew each time", ""},
		{`key("a", Math.random())`, "A key must not hold what is made anew each time", ""},
		{`key("a", RAND())`, "A key must not hold what is made anew each time", ""},
		{`concat("a", body.id)`, `Write key("a", body.id): its parts are joined for you.`, `key("a", body.id)`},
		{`CONCATENATE("a", body.id)`, `Write key("a", body.id): its parts are joined for you.`, `key("a", body.id)`},
		{`key("a", formatDate(body.at, "YYYY"))`, "Write time(body.created) for the moment in UTC", ""},
		{`key("a", formatDateTime(body.at, "yyyy"))`, "Write time(body.created) for the moment in UTC", ""},
		{`key("a", toLower(body.id))`, "Did you mean `lower`?", `key("a", lower(body.id))`},
		{`key("a", LOWER(body.id))`, "Did you mean `lower`?", `key("a", lower(body.id))`},
		{`key("a", body.id.toLowerCase())`, "Write lower(…) around its value.", ""},
		{`key("a", IF(body.a == "x", "y", "z"))`, "Write a choice with ? and :", ""},
		{`key("a", coalesce(body.id, "none"))`, "Did you mean `either`?", `key("a", either(body.id, "none"))`},
		{`key("a", substring(body.id, 0, 5))`, "body.id.substring(0, 7)", ""},
		{`key("a", LEFT(body.id, 5))`, "body.id.substring(0, 7)", ""},
		{`key("a", trim(body.id))`, "no spaces at the ends", ""},
		{`key("a", startsWith(body.id, "x"))`, "Write text.startsWith(part).", ""},
		{`key("a", body.id.lower())`, "Write lower(text).", ""},
		{`key("a", and(body.a, body.b))`, "Join conditions with &&.", ""},
		{`key("a", or(body.a, body.b))`, "Join conditions with ||.", ""},
		{`key("a", math.flor(1.5))`, "Did you mean `math.floor`?", `key("a", math.floor(1.5))`},
		// No name is near: none is offered.
		{`key("a", zzz(body.id))`, "", ""},
		{`key("a", nowt(body.id))`, "", ""},
	} {
		_, issues := e.Compile(&Rule{Key: tt.formula})
		if len(issues) != 1 || !strings.Contains(issues[0].Hint, tt.hint) || tt.hint == "" && issues[0].Hint != "" {
			t.Errorf("%s: %+v", tt.formula, issues)
			continue
		}
		if want := tt.mended; want != "" && issues[0].Mend(tt.formula) != want || want == "" && issues[0].Instead != "" {
			t.Errorf("%s: mended is %s", tt.formula, issues[0].Mend(tt.formula))
		}
	}
}

// Every name in the table is one that formulas do not know in that form, so it cannot
// hide a function that exists; and what it offers exists.
func TestForeignNamesAreForeign(t *testing.T) {
	e := newEngine(t)
	for name, f := range foreignNames {
		if f.instead != "" && f.instead != "json" && !e.forms[f.instead].global {
			t.Errorf("%s: there is no %s(…)", name, f.instead)
		}
		if e.forms[name].global {
			t.Errorf("%s is a function of the language", name)
		}
		if f.instead == "" && f.hint == "" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// A field as another tool writes it is named as that, and one click writes the same here.
func TestForeignPaths(t *testing.T) {
	e := newEngine(t)
	const automate, n8n, makecom, zapier = "That is Power Automate's way to write it.", "That is n8n's way to write it.", "That is Make's way to write it.", "That is Zapier's way to write it."
	for _, tt := range []struct{ formula, says, mended string }{
		{`triggerBody()?['id']`, automate, `body.id`},
		{`key("é😀", triggerBody()?['data']?['object']?['id'])`, automate, `key("é😀", body.data.object.id)`},
		{`key("a", triggerBody()['lines'][0]['first name'])`, automate, `key("a", body.lines[0]["first name"])`},
		{`@{triggerBody()?['id']}`, automate, `body.id`},
		{`@triggerOutputs()?['body/order/id']`, automate, `body.order.id`},
		{`key("a", triggerOutputs()?['headers']?['X-Event-Id'])`, automate, `key("a", headers["x-event-id"])`},
		{`key("a", triggerOutputs()['queries/id'])`, automate, `key("a", query.id)`},
		{`key("a", trigger()?['outputs']?['body/id'])`, automate, `key("a", body.id)`},
		{`key("a", items('Apply_to_each')?['sku'])`, automate, `key("a", item.sku)`},
		{`key("a", body('Parse_JSON')?['id'])`, automate, `key("a", body.id)`},
		{`key("a", "@{triggerBody()?['id']}")`, automate, `key("a", body.id)`},
		{`key("order-@{triggerBody()?['id']}")`, automate, ``},
		{`key("a", variables('id'))`, automate, ``},
		{`{{ $json.body.id }}`, n8n, `body.id`},
		{`={{ $json.id }}`, n8n, `body.id`},
		{`key("a", $json.headers["x-event-id"])`, n8n, `key("a", headers["x-event-id"])`},
		{`key("a", $json["first name"])`, n8n, `key("a", body["first name"])`},
		{`{{ $('Webhook').item.json.body.lines[0].id }}`, n8n, `body.lines[0].id`},
		{`{{ $now.toISO() }}`, n8n, ``},
		{`key("a", {{1.id}})`, makecom, `key("a", body.id)`},
		{"key(\"a\", \"{{12.order.`line items`[1].id}}\")", makecom, `key("a", body.order["line items"][0].id)`},
		{`key("a", "{{1.id}}-x")`, makecom, ``},
		{`{{123456__data__id}}`, zapier, `body.data.id`},
		{`key("a", {{bundle.inputData.id}})`, zapier, `key("a", body.id)`},
		{`{{trigger.body.id}}`, "That is another tool's way to write it.", `body.id`},
	} {
		_, issues := e.Compile(&Rule{Key: tt.formula})
		if len(issues) != 1 || issues[0].Msg != tt.says || issues[0].Hint == "" {
			t.Errorf("%s: %+v", tt.formula, issues)
			continue
		}
		if want := tt.mended; want != "" && issues[0].Mend(tt.formula) != want || want == "" && issues[0].Instead != "" {
			t.Errorf("%s: mended is %s", tt.formula, issues[0].Mend(tt.formula))
		}
	}
	// Two in one formula are two marks; what looks alike in CEL is left alone.
	if _, issues := e.Compile(&Rule{Key: `key("a", {{1.id}}, {{1.n}})`}); len(issues) != 2 {
		t.Errorf("%+v", issues)
	}
	for _, fine := range []string{`key("$json.id", body.id)`, `key("a@b", body["triggerBody()"])`, `key("a", {"a": {"b": body.id}}.a.b)`} {
		if _, issues := e.Compile(&Rule{Key: fine}); issues != nil {
			t.Errorf("%s: %+v", fine, issues)
		}
	}
}
