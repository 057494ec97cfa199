package rules

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// request is a pasted HTTP request taken apart.
type request struct {
	headers, query map[string]string
	body           string
	line, column   int // lines before the body, and what is before it in its first line
	command        bool
}

var (
	requestLine = regexp.MustCompile(`^(?:GET|POST|PUT|PATCH|DELETE) (\S+)(?: HTTP/[0-9.]+)?$`)
	headerLine  = regexp.MustCompile(`^([A-Za-z0-9!#$%&'*+.^_|~-]+):[ \t]*(.*)$`)
)

// splitRequest takes a pasted HTTP request apart, also one that a command sends. It returns false, and the text
// as body, for anything else.
func splitRequest(text string) (*request, bool) {
	if r, ok := splitCommand(text); ok {
		return r, true
	}
	r := &request{headers: map[string]string{}, query: map[string]string{}, body: strings.TrimPrefix(text, "\ufeff")}
	lines := sentLines(strings.Split(r.body, "\n"))
	i := 0
	for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
		i++
	}
	if i == len(lines) {
		return r, false
	}
	first := requestLine.FindStringSubmatch(strings.TrimSpace(lines[i]))
	if first != nil {
		i++
	}
	start := i
	headers := map[string]string{}
	for ; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], "\r")
		if strings.TrimSpace(line) == "" {
			break
		}
		h := headerLine.FindStringSubmatch(line)
		if h == nil {
			return r, false
		}
		headers[h[1]] = strings.TrimSpace(h[2])
	}
	if first == nil && (i == start || i == len(lines)) {
		return r, false
	}
	if first != nil {
		r.query = queryOf(first[1])
	}
	r.headers, r.body, r.line = headers, "", i+1
	if i < len(lines) {
		r.body = strings.Join(lines[i+1:], "\n")
	}
	if strings.EqualFold(LowerNames(headers)["transfer-encoding"], "chunked") {
		if whole, ok := joinChunks(r.body); ok {
			r.body = whole
		}
	}
	return r, true
}

// queryOf returns the parameters of a request's target, the first of each name.
func queryOf(target string) map[string]string {
	query := map[string]string{}
	_, raw, _ := strings.Cut(target, "?")
	values, err := url.ParseQuery(raw)
	if err != nil {
		return query
	}
	for name := range values {
		query[name] = values.Get(name)
	}
	return query
}

// sentLines takes what curl -v prints and leaves what was sent: the lines after "> ",
// without those that tell of the connection ("* ") and of the answer ("< "). Other
// lines stay as they are.
func sentLines(lines []string) []string {
	isSent := func(line string) bool { return strings.HasPrefix(line, "> ") || strings.TrimSpace(line) == ">" }
	first := 0
	for first < len(lines) && !isSent(lines[first]) {
		if line := lines[first]; strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "* ") {
			return lines
		}
		first++
	}
	var out []string
	for _, line := range lines[first:] {
		switch {
		case isSent(line):
			out = append(out, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " "))
		case strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "< ") || strings.TrimSpace(line) == "<":
		default:
			out = append(out, line)
		}
	}
	return out
}

// joinChunks puts a body that was sent in chunks together. Where a paste has turned
// each line break inside into a shorter one, that counts as it was sent. It returns
// false for what is not in chunks from start to end.
func joinChunks(body string) (string, bool) {
	var out strings.Builder
	rest := body
	for {
		line, after, ok := strings.Cut(rest, "\n")
		size, _, _ := strings.Cut(strings.TrimSpace(line), ";")
		n, err := strconv.ParseUint(strings.TrimSpace(size), 16, 31)
		if err != nil {
			return "", false
		}
		if n == 0 {
			return out.String(), true
		}
		if !ok {
			return "", false
		}
		if rest, ok = cutChunk(&out, after, int(n), 1); !ok {
			if rest, ok = cutChunk(&out, after, int(n), 2); !ok {
				return "", false
			}
		}
	}
}

// cutChunk moves n bytes into out, a line feed counting as feed bytes. A line break
// must follow.
func cutChunk(out *strings.Builder, text string, n, feed int) (rest string, ok bool) {
	end := 0
	for n > 0 && end < len(text) {
		if text[end] == '\n' {
			n -= feed
		} else {
			n--
		}
		end++
	}
	rest = strings.TrimPrefix(text[end:], "\r")
	if n != 0 || !strings.HasPrefix(rest, "\n") {
		return "", false
	}
	out.WriteString(text[:end])
	return rest[1:], true
}
