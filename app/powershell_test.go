package main_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// A powershell sends the bytes that Invoke-RestMethod sends, without a PowerShell: there
// is none for Debian. What they are is told by
//
//   - github.com/PowerShell/PowerShell issue 8489: 5.1 asks "Expect: 100-continue" before
//     each body and sends its own User-Agent;
//   - issue 7618 there: 5.1, and 7 before 7.4, write a body that is text in ISO-8859-1
//     where -ContentType names no charset;
//   - github.com/MicrosoftDocs/PowerShell-Docs issue 12682: 7 sends Host, User-Agent and
//     Accept-Encoding by itself, and no Accept.
//
// All were read on 2026-11-30. A -Body that is a hash table goes as a form. ConvertTo-Json
// breaks lines with CR LF on Windows. One connection serves all calls of a script.
type powershell struct {
	t       *testing.T
	h       *house
	conn    net.Conn
	answers *bufio.Reader

	userAgent string
	expects   bool // 5.1: the body waits for the server's "100 Continue"
}

// powershells are the two that people have.
var powershells = []struct {
	name, userAgent string
	expects         bool
}{
	{"5.1", "Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.26100.4061", true},
	{"7.5", "Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.26100; en-US) PowerShell/7.5.4", false},
}

// connect opens the connection anew, as the client does after an answer that closes it.
func (p *powershell) connect() {
	p.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.h.engine.API, "http://"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	p.conn, p.answers = conn, bufio.NewReader(conn)
}

// post is Invoke-RestMethod -Method Post -Headers @{'X-Api-Key' = …} -ContentType … -Body ….
func (p *powershell) post(path, password, contentType, body string) (int, map[string]any) {
	p.t.Helper()
	if p.conn == nil {
		p.connect()
	}
	host := strings.TrimPrefix(p.h.engine.API, "http://")
	head := fmt.Sprintf("POST %s HTTP/1.1\r\n", path)
	if p.expects {
		head += fmt.Sprintf("X-Api-Key: %s\r\nUser-Agent: %s\r\nContent-Type: %s\r\nHost: %s\r\nContent-Length: %d\r\nExpect: 100-continue\r\nConnection: Keep-Alive\r\n\r\n",
			password, p.userAgent, contentType, host, len(body))
	} else {
		head += fmt.Sprintf("Host: %s\r\nX-Api-Key: %s\r\nUser-Agent: %s\r\nAccept-Encoding: gzip, deflate, br\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s",
			host, password, p.userAgent, contentType, len(body), body)
	}
	p.write(head)
	resp := p.answer()
	if p.expects && resp.StatusCode == http.StatusContinue {
		p.write(body)
		resp = p.answer()
	}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	if resp.Close {
		p.conn = nil
	}
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		p.t.Fatalf("%s: %d %q: %v", path, resp.StatusCode, raw, err)
	}
	return resp.StatusCode, members
}

func (p *powershell) write(s string) {
	p.t.Helper()
	if _, err := io.WriteString(p.conn, s); err != nil {
		p.t.Fatal(err)
	}
}

func (p *powershell) answer() *http.Response {
	p.t.Helper()
	resp, err := http.ReadResponse(p.answers, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp
}

const psForm, psJSON = "application/x-www-form-urlencoded", "application/json"

// form is a hash table as -Body.
func form(pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return v.Encode()
}

// TestPowerShellShapedRequests go through the scenario, with hash tables and with JSON.
func TestPowerShellShapedRequests(t *testing.T) {
	h := newHouse(t)
	h.importStripe()
	for _, version := range powershells {
		t.Run(version.name, func(t *testing.T) {
			p := &powershell{t: t, h: h, userAgent: version.userAgent, expects: version.expects}
			key := "ps-" + version.name
			json := "{\r\n    \"key\":  \"" + key + ":2\",\r\n    \"owner\":  \"run-1\"\r\n}"
			calls := []struct{ password, path, contentType, body string }{
				{h.token, "/v1/claim", psForm, form("key", key+":1", "owner", "run-1")},
				{h.token, "/v1/claim", psForm, form("key", key+":1", "owner", "run-2")},
				{h.token, "/v1/done", psForm, form("key", key+":1", "owner", "run-1", "result", `{"id": 7}`)},
				{h.token, "/v1/claim", psForm, form("key", key+":1", "owner", "run-2")},
				{h.token, "/v1/claim", psJSON, json},
				{h.token, "/v1/release", psJSON + "; charset=utf-8", strings.Replace(json, "\r\n}", ",\r\n    \"error\":  \"Postfach überfüllt\"\r\n}", 1)},
				{h.token, "/v1/claim", psJSON, strings.Replace(json, "run-1", "run-2", 1)},
				{h.token, "/v1/rules/stripe-events/claim", psJSON, "{\r\n    \"object\":  \"event\",\r\n    \"id\":  null\r\n}"},
				{"dd_wrong", "/v1/claim", psForm, form("key", key+":3")},
			}
			for i, s := range scenario(key) {
				code, body := p.post(calls[i].path, calls[i].password, calls[i].contentType, calls[i].body)
				s.check(t, s.name, code, body)
			}
			h.checkScenario(t, key)
		})
	}
}

// TestPowerShellWithoutCharset sends é as the one byte of ISO-8859-1. It must not become
// another key: that would let a copy from elsewhere run, or stop an event that is new.
func TestPowerShellWithoutCharset(t *testing.T) {
	h := newHouse(t)
	p := &powershell{t: t, h: h, userAgent: powershells[0].userAgent, expects: true}
	for contentType, body := range map[string]string{
		psJSON:                            "{\"key\":  \"caf\xe9\"}",
		psJSON + "; charset=iso-8859-1":   "{\"key\":  \"caf\xe9\"}",
		psForm:                            "key=caf\xe9",
		psForm + "; charset=windows-1252": "key=caf%E9",
	} {
		code, answer := p.post("/v1/claim", h.token, contentType, body)
		if code/100 != 4 || answer["run"] != false || answer["token"] != nil {
			t.Errorf("%s: %d %v, want a refusal", contentType, code, answer)
		}
		if detail, _ := answer["detail"].(string); !strings.HasSuffix(detail, ".") {
			t.Errorf("%s: no sentence: %v", contentType, answer)
		}
	}
	if n := h.keys("default"); n != 0 {
		t.Errorf("%d keys were made", n)
	}
	if code, answer := p.post("/v1/claim", h.token, psJSON+"; charset=utf-8", `{"key":  "café"}`); code != 200 || answer["key"] != "café" {
		t.Errorf("in UTF-8: %d %v", code, answer)
	}
}
