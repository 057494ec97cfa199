package api

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"dedupedesk/app/describe"
	"dedupedesk/rules"
)

// An input is the members of a request, from a JSON body, a form or the query,
// which all mean the same. JSON numbers keep all their digits.
type input struct {
	values map[string]any
	form   map[string]bool // members that came as a form or in the query, where all is text
}

// lists are the members that may come more than once in a form or query.
var lists = []string{"part", "part[]"}

// readInput returns the members of r. It refuses members that are not in known,
// by name, and a member that body and query give differently.
func readInput(r *http.Request, known []describe.Field) (input, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return input{}, err
	}
	in := input{values: map[string]any{}, form: map[string]bool{}}
	if len(strings.TrimSpace(string(body))) > 0 {
		if err := in.addBody(r.Header.Get("Content-Type"), body); err != nil {
			return input{}, err
		}
	}
	query, err := queryOf(r)
	if err != nil {
		return input{}, err
	}
	if err := in.addForm(query); err != nil {
		return input{}, err
	}
	return in, in.knows(known)
}

// queryOf returns the members that stand in r's address.
func queryOf(r *http.Request) (url.Values, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, invalid("query", "The part of the address after ? could not be read.")
	}
	return query, isText(query)
}

// isText refuses a form with bytes that are no text: what a tool sends in an older
// encoding would make a key that no other tool can name.
func isText(form url.Values) error {
	for name, values := range form {
		shown := clip(strings.ToValidUTF8(name, "\uFFFD"))
		if !utf8.ValidString(name) {
			return invalid(shown, `The name of the field "`+shown+`" is not UTF-8. Set the tool that sends it to UTF-8.`)
		}
		for _, value := range values {
			if !utf8.ValidString(value) {
				return invalid(shown, shown+" is not UTF-8 text. Set the tool that sends it to UTF-8.")
			}
		}
	}
	return nil
}

func (in input) addBody(contentType string, body []byte) error {
	kind, _, _ := mime.ParseMediaType(contentType)
	if kind == "application/x-www-form-urlencoded" {
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return invalid("body", "The form could not be read: "+stop(err))
		}
		if err := isText(form); err != nil {
			return err
		}
		return in.addForm(form)
	}
	if kind == "multipart/form-data" {
		return invalid("body", "Send these fields as JSON or as application/x-www-form-urlencoded.")
	}
	v, err := rules.DecodeJSON(body)
	if err != nil {
		return invalid("body", "The body is not valid JSON: "+stop(err)+" If a text with quotes or line breaks is filled in by your tool, send the fields as a form instead.")
	}
	members, ok := v.(map[string]any)
	if !ok {
		return invalid("body", `The body must be an object such as {"key": "stripe:evt_1"}.`)
	}
	for name, value := range members {
		in.values[name] = value
	}
	return nil
}

func (in input) addForm(form url.Values) error {
	if err := in.addNumbered(form); err != nil {
		return err
	}
	for name, values := range form {
		if slices.Contains(lists, name) {
			if _, twice := in.values["part"]; twice {
				return invalid("part", "part is given both in the body and in the address. Give it once.")
			}
			parts := make([]any, len(values))
			for i, v := range values {
				parts[i] = v
			}
			in.values["part"] = parts
			continue
		}
		if len(values) > 1 {
			return invalid(name, name+" is given more than once. Give it once.")
		}
		if in.has(name) {
			if !in.says(name, values[0]) {
				return invalid(clip(name), clip(name)+" is given both in the body and in the address, with different values.")
			}
			continue // the body's value, which still knows whether it is a number
		}
		in.values[name] = values[0]
		in.form[name] = true
	}
	return nil
}

// addNumbered takes part.1, part.2, … out of form, for tools that cannot be trusted
// to send several fields of one name. A gap is Invalid: a part that is missing
// must not move the others up.
func (in input) addNumbered(form url.Values) error {
	var parts []any
	for n := 1; ; n++ {
		name := "part." + strconv.Itoa(n)
		values, ok := form[name]
		if !ok {
			break
		}
		if len(values) > 1 {
			return invalid(name, name+" is given more than once. Give it once.")
		}
		parts = append(parts, values[0])
		form.Del(name)
	}
	for name := range form {
		if strings.HasPrefix(name, "part.") {
			return invalid(name, "The parts are numbered part.1, part.2 and so on without a gap, so "+clip(name)+" has no place.")
		}
	}
	if parts == nil {
		return nil
	}
	if in.has("part") || form.Has("part") || form.Has("part[]") {
		return invalid("part", "part is given both numbered and by its plain name. Give it once.")
	}
	in.values["part"] = parts
	return nil
}

func (in input) knows(known []describe.Field) error {
	for name := range in.values {
		if !slices.ContainsFunc(known, func(f describe.Field) bool { return f.Name == name }) {
			return invalid(clip(name), `There is no field "`+clip(name)+`" here. Known are: `+strings.Join(describe.Names(known), ", ")+".")
		}
	}
	return nil
}

func (in input) has(name string) bool { _, ok := in.values[name]; return ok }

// says tells whether a member, text or a number, reads text.
func (in input) says(name, text string) bool {
	got, err := in.text(name)
	return err == nil && got == text
}

// text returns a member that is text or a number, as text. A missing one is "".
func (in input) text(name string) (string, error) {
	v, ok := in.values[name]
	if !ok {
		return "", nil
	}
	switch v := v.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case uint64:
		return strconv.FormatUint(v, 10), nil
	case rules.Number:
		return string(v), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	case nil:
		return "", invalid(name, name+" is null. The step before gave no value; check the field that is mapped here.")
	}
	return "", invalid(name, name+" must be text.")
}

// duration returns a member that is seconds as a number, or text such as 90s,
// 15m, 8h, 35d. A missing one is 0. least is what is still good; below it the
// member is Invalid.
func (in input) duration(name string, least time.Duration) (time.Duration, error) {
	if !in.has(name) {
		return 0, nil
	}
	s, err := in.text(name)
	if err != nil {
		return 0, err
	}
	d, err := rules.ParseDuration(s)
	if name == "lease" && err == nil && time.Duration(d) < least {
		return 0, invalid(name, fmt.Sprintf("lease is too short: give at least %d seconds, and more than the slowest run takes.", int(least.Seconds())))
	}
	if err != nil || time.Duration(d) < least {
		return 0, invalid(name, name+` must be a time: seconds as a number, or text such as 90s, 15m, 8h, 35d. "`+clip(s)+`" is not.`)
	}
	return time.Duration(d), nil
}
