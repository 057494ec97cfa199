package rules

import (
	"errors"
	"testing"
)

// A command that sends a request is read as the request, as browsers, API pages and
// shells write it.
func TestCommandsAreReadAsRequests(t *testing.T) {
	for name, tt := range map[string]struct {
		text, body string
		headers    map[string]string
		query      map[string]string
	}{
		"bash": {"curl -X POST 'https://h.example/hook?try=2' \\\n  -H 'Content-Type: application/json' \\\n  -H \"X-Event-Id: 7\" \\\n  -d '{\"id\": \"it'\\''s\", \"n\": 12345678901234567890.10}'",
			`{"id":"it's","n":12345678901234567890.1}`, map[string]string{"content-type": "application/json", "x-event-id": "7"}, map[string]string{"try": "2"}},
		"without a type": {`$ curl https://h.example -d '{"id":1}' | jq .`, `{"id":1}`, nil, nil},
		"double quotes":  {`curl --request POST --url https://h.example --data "{\"id\":\"a\\\"b\"}"`, `{"id":"a\"b"}`, nil, nil},
		"joined":         {`curl -XPOST -HX-Id:7 --data={"id":1} https://h.example`, ``, map[string]string{"x-id": "7"}, nil},
		"as Chrome copies it for bash": {"curl 'https://h.example/a' \\\n  -H 'accept: */*' \\\n  --data-raw $'{\"t\":\"it\\'s \\u0021 \\\\n \\ud83d\\ude00\"}' \\\n  --compressed",
			`{"t":"it's ! \u000a 😀"}`, map[string]string{"accept": "*/*"}, nil},
		"as Chrome copies it for cmd": {"curl ^\"https://h.example/a^\" ^\r\n  -H ^\"x-id: 7^\" ^\r\n  --data-raw ^\"^{^\\^\"id^\\^\":1^}^\"", `{"id":1}`, map[string]string{"x-id": "7"}, nil},
		"as Chrome copies it for PowerShell": {"$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\nInvoke-WebRequest -UseBasicParsing -Uri \"https://h.example/a?b=c\" `\n-Method \"POST\" `\n-WebSession $session `\n-Headers @{\n\"accept\"=\"*/*\"\n  \"x-id\"=\"7\"\n} `\n-ContentType \"application/json\" `\n-Body \"{`\"id`\":1}\"",
			`{"id":1}`, map[string]string{"accept": "*/*", "x-id": "7", "content-type": "application/json"}, map[string]string{"b": "c"}},
		"PowerShell by hand": {"Invoke-RestMethod https://h.example -Method Post -Headers @{ 'X-Id' = '7'; b = \"c\" } -Body '{\"id\":\"it''s\"}'", `{"id":"it's"}`, map[string]string{"x-id": "7", "b": "c"}, nil},
		"a text over lines":  {"irm https://h.example -Body @'\n{\n \"id\": 1\n}\n'@", `{"id":1}`, nil, nil},
		"a form":             {`curl https://h.example -d id=7 -d 'name=a b' --data-urlencode 'note=ä&ö'`, `{"id":"7","name":"a b","note":"ä&ö"}`, map[string]string{"content-type": formType}, nil},
		"a form with a file": {`curl -F id=7 -F 'pdf=@a.pdf' https://h.example`, `{"id":"7"}`, map[string]string{"content-type": "application/x-www-form-urlencoded"}, nil},
		"no body":            {`curl "https://h.example/hook?id=7&b=" -H "X-Id: 1"`, `{}`, map[string]string{"x-id": "1"}, map[string]string{"id": "7", "b": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := ParseSample(tt.text, nil)
			if tt.body == "" { // the shell would take these quotes away
				if _, ok := errors.AsType[*SyntaxError](err); !ok {
					t.Errorf("read with %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := string(EncodeJSON(e.Body)); got != tt.body {
				t.Errorf("body %s, want %s", got, tt.body)
			}
			wantTexts(t, "header", e.Headers, tt.headers)
			wantTexts(t, "query", e.Query, tt.query)
			if found, err := ParseSamples(tt.text, nil); err != nil || len(found) != 1 || found[0].Body != tt.text {
				t.Errorf("pasted: %+v, %v", found, err)
			}
		})
	}
}

func wantTexts(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s %s is %q, want %q", what, name, got[name], value)
		}
	}
}

// A fault in what a command sends is marked where it stands in the command.
func TestFaultInACommandIsMarkedThere(t *testing.T) {
	for text, at := range map[string][2]int{
		"curl https://h.example -d '{\"id\": tru}'":               {1, 35},
		"\ncurl https://h.example \\\n  -d '{\n  \"id\": tru\n}'": {4, 9},
	} {
		_, err := ParseSample(text, nil)
		if fault, ok := errors.AsType[*SyntaxError](err); !ok || fault.Line != at[0] || fault.Column != at[1] {
			t.Errorf("%q: %v, want %v", text, err, at)
		}
	}
}

// FuzzCommand: whatever stands in a command, it is taken apart or refused.
func FuzzCommand(f *testing.F) {
	for _, text := range []string{"curl 'a' -d '{}'", "curl ^\"a^\" ^\n-d ^\"", "irm a -Headers @{a='b';", "irm a -Body @'\nx\n'@", "curl $'\\u00", "curl -H", "iwr -Body \"`", "curl -d @", "irm x -Body @\"\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, ok := splitCommand(text)
		if ok && (r.line < 0 || r.column < 0) {
			t.Errorf("line %d, column %d", r.line, r.column)
		}
	})
}
