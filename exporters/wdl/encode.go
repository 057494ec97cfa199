package wdl

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

var codeFunctions = map[string]function{
	"base64":               {name: "base64", min: 1, max: 1, call: onText("base64", toBase64)},
	"base64tostring":       {name: "base64ToString", min: 1, max: 1, call: fromBase64("base64ToString")},
	"decodebase64":         {name: "decodeBase64", min: 1, max: 1, call: fromBase64("decodeBase64")},
	"datauri":              {name: "dataUri", min: 1, max: 1, call: onText("dataUri", toDataURI)},
	"datauritostring":      {name: "dataUriToString", min: 1, max: 1, call: fromDataURI},
	"uricomponent":         {name: "uriComponent", min: 1, max: 1, call: onText("uriComponent", escapeURI)},
	"encodeuricomponent":   {name: "encodeUriComponent", min: 1, max: 1, call: onText("encodeUriComponent", escapeURI)},
	"uricomponenttostring": {name: "uriComponentToString", min: 1, max: 1, call: unescapeURI("uriComponentToString")},
	"decodeuricomponent":   {name: "decodeUriComponent", min: 1, max: 1, call: unescapeURI("decodeUriComponent")},
	"urihost":              {name: "uriHost", min: 1, max: 1, call: onURI("uriHost", func(u *url.URL) value { return u.Hostname() })},
	"uripath":              {name: "uriPath", min: 1, max: 1, call: onURI("uriPath", func(u *url.URL) value { return pathOfURI(u) })},
	"uripathandquery":      {name: "uriPathAndQuery", min: 1, max: 1, call: onURI("uriPathAndQuery", func(u *url.URL) value { return pathOfURI(u) + queryOfURI(u) })},
	"uriport":              {name: "uriPort", min: 1, max: 1, call: onURI("uriPort", func(u *url.URL) value { return portOfURI(u) })},
	"uriquery":             {name: "uriQuery", min: 1, max: 1, call: onURI("uriQuery", func(u *url.URL) value { return queryOfURI(u) })},
	"urischeme":            {name: "uriScheme", min: 1, max: 1, call: onURI("uriScheme", func(u *url.URL) value { return u.Scheme })},
}

func toBase64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func toDataURI(s string) string { return "data:text/plain;charset=utf-8;base64," + toBase64(s) }

func fromBase64(name string) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, args []value) (value, error) {
		s, err := argText(name, args, 0)
		if err != nil {
			return nil, err
		}
		return decoded(name, s)
	}
}

// decoded reads base64; white space in it does not count.
func decoded(name, s string) (value, error) {
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(s), ""))
	switch {
	case err != nil:
		return nil, fault(0, "%s: this is no base64 text.", name)
	case !utf8.Valid(data):
		return nil, fault(0, "%s: what is in it is no text.", name)
	}
	return string(data), nil
}

func fromDataURI(_ *evaluator, args []value) (value, error) {
	s, err := argText("dataUriToString", args, 0)
	if err != nil {
		return nil, err
	}
	head, data, ok := strings.Cut(s, ",")
	head, isData := cutPrefixFold(head, "data:")
	if !ok || !isData {
		return nil, fault(0, "dataUriToString: this does not begin like data:text/plain;base64,…")
	}
	if strings.HasSuffix(strings.ToLower(head), ";base64") {
		return decoded("dataUriToString", data)
	}
	text, err := url.QueryUnescape(data)
	if err != nil || !utf8.ValidString(text) {
		return nil, fault(0, "dataUriToString: what is in it is no text.")
	}
	return text, nil
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// escapeURI writes all but letters, digits and - _ . ~ as %XX.
func escapeURI(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// unescapeURI reads %XX; a percent sign that begins none stays.
func unescapeURI(name string) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, args []value) (value, error) {
		s, err := argText(name, args, 0)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		for i := 0; i < len(s); i++ {
			if s[i] == '%' && i+2 < len(s) {
				if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
					b.WriteByte(byte(n))
					i += 2
					continue
				}
			}
			b.WriteByte(s[i])
		}
		if !utf8.ValidString(b.String()) {
			return nil, fault(0, "%s: what is in it is no text.", name)
		}
		return b.String(), nil
	}
}

func onURI(name string, f func(*url.URL) value) func(*evaluator, []value) (value, error) {
	return func(_ *evaluator, args []value) (value, error) {
		s, err := argText(name, args, 0)
		if err != nil {
			return nil, err
		}
		u, err := url.Parse(s)
		if err != nil || u.Scheme == "" || u.Host == "" {
			return nil, fault(0, "%s needs a whole address such as https://example.com/orders here, but this is %s.", name, render(s, shown))
		}
		return f(u), nil
	}
}

func pathOfURI(u *url.URL) string {
	if p := u.EscapedPath(); p != "" {
		return p
	}
	return "/"
}

func queryOfURI(u *url.URL) string {
	if u.RawQuery == "" {
		return ""
	}
	return "?" + u.RawQuery
}

// portOfURI is the scheme's own port where the address names none.
func portOfURI(u *url.URL) number {
	n, err := strconv.ParseInt(u.Port(), 10, 64)
	if err != nil {
		n = map[string]int64{"http": 80, "https": 443, "ftp": 21}[u.Scheme]
		if n == 0 {
			n = -1
		}
	}
	return intNumber(n)
}
