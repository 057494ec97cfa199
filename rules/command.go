package rules

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
)

// A command that sends a request is read as that request: curl as browsers, API pages
// and shells write it (bash, cmd and PowerShell), and Invoke-RestMethod.

var (
	curlCommand  = regexp.MustCompile(`^(?:[$>%#] )?curl(?:\.exe)?(?:\s|$)`)
	powerCommand = regexp.MustCompile(`(?im)^(?:PS[^>\n]*> ?)?(?:\$\w+\s*=\s*)?(?:Invoke-RestMethod|Invoke-WebRequest|irm|iwr)\s`)
	powerCurl    = regexp.MustCompile("(?i)\\s-(?:Uri|Method|Body|Headers)\\s|`\\r?\\n")
	cmdEscape    = regexp.MustCompile(`\^(\r?\n|[^\n])`)
	cmdMark      = regexp.MustCompile(`\^\r?\n|\^"`)
	tableItem    = regexp.MustCompile(`^\s*[;,]?\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*=\s*`)
)

const formType = "application/x-www-form-urlencoded"

// splitCommand takes a command apart. It returns false for all else, and for one whose
// body is not in it; see unread.
func splitCommand(text string) (*request, bool) {
	plain := strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n")
	s := shell{text: plain}
	switch at := powerCommand.FindStringIndex(plain); {
	case at != nil && !curlCommand.MatchString(plain):
		s.at, s.power = at[0], true
	case !curlCommand.MatchString(plain):
		return nil, false
	case cmdMark.MatchString(plain):
		lines := func(s string) string { return strings.TrimLeft(s, "^\r\n") }
		s.text = cmdEscape.ReplaceAllStringFunc(plain, lines)
	default:
		s.power = powerCurl.MatchString(plain)
	}
	r := &request{headers: map[string]string{}, query: map[string]string{}, command: true}
	c, words := command{request: r, text: plain, power: s.power}, s.words()
	for i := 0; i < len(words); i++ {
		value := word{}
		if i+1 < len(words) {
			value = words[i+1]
		}
		if c.option(words[i], value) {
			i++
		}
	}
	skipped := len(text) - len(plain)
	if r.line = strings.Count(text[:skipped], "\n"); c.bodyAt > 0 {
		r.line, r.column = r.line+strings.Count(plain[:c.bodyAt], "\n"), c.bodyAt-1-strings.LastIndex(plain[:c.bodyAt], "\n")
	}
	r.body = strings.Join(c.data, "&")
	if c.data != nil && LowerNames(r.headers)["content-type"] == "" && !looksLikeJSON([]byte(r.body)) {
		r.headers["Content-Type"] = formType // as curl and PowerShell send it
	}
	return r, !c.elsewhere && c.sends
}

// command gathers what the options of a command say.
type command struct {
	request   *request
	text      string
	data      []string
	sends     bool // it names an address or a body
	elsewhere bool // the body is in a file or a variable
	bodyAt    int
	power     bool // it is one of PowerShell
}

// withValue are the options of curl and of PowerShell that take a word and say nothing of
// the event.
var withValue = words(`-X --request -u --user -o --output -A --user-agent -b --cookie -c --cookie-jar -e --referer -m --max-time -D --dump-header
	-x --proxy -w --write-out -T --connect-timeout --retry --cacert --cert --key
	-method -websession -useragent -outfile -timeoutsec -credential -sessionvariable`)

// option reads an option, and tells whether it took the next word.
func (c *command) option(w, value word) bool {
	name, joined := w.text, ""
	switch {
	case w.quoted || !strings.HasPrefix(name, "-"):
		if strings.Contains(name, "://") || strings.HasPrefix(name, "/") {
			c.address(name)
		}
		return false
	case c.power && len(name) > 2 && name[1] != '-':
		name = strings.ToLower(name)
	case !c.power && len(name) > 2 && name[1] != '-' && (strings.Contains("HdF", name[1:2]) || withValue[name[:2]]):
		name, joined = name[:2], name[2:] // -XPOST
	case strings.HasPrefix(name, "--"):
		name, joined, _ = strings.Cut(name, "=")
	}
	if joined != "" {
		value = word{text: joined, at: w.at + len(w.text) - len(joined)}
	}
	switch name {
	case "-H", "--header":
		head, text, _ := strings.Cut(value.text, ":")
		c.request.headers[strings.TrimSpace(head)] = strings.TrimSpace(text)
	case "-d", "--data", "--data-raw", "--data-ascii", "--data-binary", "--data-urlencode", "--json", "-body":
		c.body(name, value)
	case "-F", "--form", "--form-string":
		c.field(value.text)
	case "--url", "-uri":
		c.address(value.text)
	case "-headers":
		c.table(value.text)
	case "-contenttype":
		c.request.headers["Content-Type"] = value.text
	default:
		return withValue[name] && joined == ""
	}
	return joined == ""
}

// field adds a field of a form; files are left out, as in a form that is sent.
func (c *command) field(text string) {
	c.sends = true
	c.request.headers["Content-Type"] = formType
	if name, value, _ := strings.Cut(text, "="); !strings.HasPrefix(value, "@") && !strings.HasPrefix(value, "<") {
		c.data = append(c.data, url.QueryEscape(name)+"="+url.QueryEscape(value))
	}
}

func (c *command) address(text string) {
	c.sends = true
	c.request.query = queryOf(text)
}

func (c *command) body(option string, value word) {
	c.sends = true
	text := value.text
	switch {
	case option != "--data-raw" && option != "-body" && strings.HasPrefix(text, "@"),
		option == "-body" && !value.quoted && strings.ContainsAny(text, "$("):
		c.elsewhere = true
	case option == "--data-urlencode":
		field, v, ok := strings.Cut(text, "=")
		if !ok {
			field, v = "", text
		}
		text = strings.TrimPrefix(url.QueryEscape(field)+"="+url.QueryEscape(v), "=")
	}
	if c.data == nil {
		c.bodyAt = value.at
	}
	c.data = append(c.data, text)
}

// table reads @{ "X-Id" = "7"; a = 'b' } as headers.
func (c *command) table(text string) {
	text = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(text), "@{"), "}")
	for {
		m := tableItem.FindStringSubmatch(text)
		if m == nil {
			return
		}
		s := shell{text: text, at: len(m[0]), power: true}
		c.request.headers[m[1]+m[2]+m[3]] = s.word().text
		text = text[s.at:]
	}
}

// word is one word of a command without its quotes.
type word struct {
	text   string
	quoted bool // it begins with a quote
	at     int  // of its first character, behind the quote
}

// shell takes a command line apart: the words of bash, or of PowerShell.
type shell struct {
	text  string
	at    int
	power bool
}

// words returns the words of one command.
func (s *shell) words() []word {
	var out []word
	for {
		for s.at < len(s.text) {
			rest := s.text[s.at:]
			n := len(rest) - len(strings.TrimLeft(rest, " \t\r"))
			if join := s.join(rest[n:]); join > 0 {
				n += join
			}
			if n == 0 {
				break
			}
			s.at += n
		}
		if s.at >= len(s.text) || strings.ContainsRune("\n;|&", rune(s.text[s.at])) {
			return out
		}
		out = append(out, s.word())
	}
}

// join is the length of a line break that does not end the command, 0 for none.
func (s *shell) join(rest string) int {
	mark := "\\"
	if s.power {
		mark = "`"
	}
	for _, end := range []string{"\n", "\r\n"} {
		if strings.HasPrefix(rest, mark+end) {
			return len(mark + end)
		}
	}
	return 0
}

func (s *shell) word() word {
	w := word{at: s.at}
	var b strings.Builder
	for first := true; s.at < len(s.text); first = false {
		rest := s.text[s.at:]
		switch c := rest[0]; {
		case s.power && first && strings.HasPrefix(rest, "@{"):
			s.group(&b)
			w.text = b.String()
			return w
		case s.power && first && (strings.HasPrefix(rest, "@'\n") || strings.HasPrefix(rest, "@\"\n")):
			end := strings.Index(rest, "\n"+rest[1:2]+"@")
			if end < 3 {
				end = len(rest)
			}
			w.quoted, w.at = true, s.at+3
			b.WriteString(rest[3:max(3, end)])
			s.at = min(len(s.text), s.at+end+3)
		case c == '\'' || c == '"' || !s.power && strings.HasPrefix(rest, "$'"):
			if first {
				w.quoted, w.at = true, s.at+1
			}
			s.quoted(&b)
		case strings.ContainsRune(" \t\r\n;|&", rune(c)):
			w.text = b.String()
			return w
		case c == '\\' && !s.power && len(rest) > 1:
			if rest[1] != '\n' {
				b.WriteByte(rest[1])
			}
			s.at += 2
		default:
			b.WriteByte(c)
			s.at++
		}
	}
	w.text = b.String()
	return w
}

// group copies @{…} as it stands.
func (s *shell) group(b *strings.Builder) {
	for depth := 0; s.at < len(s.text); {
		c := s.text[s.at]
		if c == '"' || c == '\'' {
			from := s.at
			s.quoted(&strings.Builder{})
			b.WriteString(s.text[from:s.at])
			continue
		}
		b.WriteByte(c)
		s.at++
		if c == '{' {
			depth++
		} else if c == '}' {
			if depth--; depth == 0 {
				return
			}
		}
	}
}

// quoted copies what stands in quotes without their escapes.
func (s *shell) quoted(b *strings.Builder) {
	escapes := s.text[s.at] == '$'
	if escapes {
		s.at++
	}
	quote := s.text[s.at]
	for s.at++; s.at < len(s.text); {
		c, next := s.text[s.at], byte(0)
		if s.at+1 < len(s.text) {
			next = s.text[s.at+1]
		}
		switch {
		case s.power && c == quote && next == quote:
			b.WriteByte(c)
			s.at += 2
		case c == quote:
			s.at++
			return
		case escapes && c == '\\':
			s.escape(b)
		case quote == '"' && (!s.power && c == '\\' && strings.ContainsRune("\"\\$`\n", rune(next)) || s.power && c == '`'):
			switch {
			case s.power && next == 'n':
				b.WriteByte('\n')
			case next != '\n':
				b.WriteByte(next)
			}
			s.at += 2
		default:
			b.WriteByte(c)
			s.at++
		}
	}
}

// escape reads an escape of $'…'. What JSON writes in the same way stays for it.
func (s *shell) escape(b *strings.Builder) {
	m := dollarEscape.FindStringSubmatch(s.text[s.at:])
	switch {
	case m == nil:
		b.WriteByte('\\')
		s.at++
		return
	case m[1] != "":
		n, _ := strconv.ParseUint(m[1], 16, 16)
		if utf16.IsSurrogate(rune(n)) {
			b.WriteString(m[0]) // JSON reads it
		} else {
			b.WriteRune(rune(n))
		}
	default:
		b.WriteString(strings.NewReplacer("n", "\n", "t", "\t", "r", "\r").Replace(m[2]))
	}
	s.at += len(m[0])
}

var dollarEscape = regexp.MustCompile(`^\\(?:[ux]([0-9A-Fa-f]{2,4})|([ntr'"\\!]))`)
