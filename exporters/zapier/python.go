package zapier

import (
	"fmt"
	"strconv"
	"strings"

	"dedupedesk/exporters"
)

// py writes text as Python reads it back, in plain characters and without double
// braces, which Zapier may take for a field.
func py(text string) string { return braces.Replace(strconv.QuoteToASCII(text)) }

var braces = strings.NewReplacer("{{", `\u007b\u007b`, "}}", `\u007d\u007d`)

// Code that every step which makes a key begins with. Its spaces are those of the
// rule, its letters those of Unicode; it makes the same key as the rule, or stops.
const keyCode = `import json, re, unicodedata

SPACES = "[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"
HIDDEN = "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]"

SHOWN = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
ENDS = "\u034f\u115f\u1160\u17b4\u17b5\u2065\u3164\uffa0"

def number(text):
    if re.search("[eE]", text):
        raise Exception("A number of the key is written with an exponent, which this step does not read.")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text == "-0" else text

def read(path, default):
    at = EVENT
    for name in path:
        if isinstance(name, int):
            at = at[name] if isinstance(at, list) and name < len(at) else None
        else:
            at = at.get(name) if isinstance(at, dict) else None
    return either(at, default)

def part(value, steps):
    if value is True or value is False:
        value = "true" if value else "false"
    if not isinstance(value, str):
        raise Exception("A part of the key is missing, or it is a list or a group of fields.")
    value = change(value, steps)
    value = re.sub(SPACES, " ", unicodedata.normalize("NFC", value)).strip(" ")
    if value == "" or re.search(HIDDEN, value):
        raise Exception("A part of the key is empty or holds a character that no key can hold.")
    return value.replace("%", "%25").replace(":", "%3A")
`

// eitherCode puts a stand-in where the rule does: for a value that is missing, empty or
// of spaces.
const eitherCode = `
def either(value, default):
    empty = value is None or isinstance(value, str) and not value.strip("\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000")
    return default if empty and default is not None else value
`

// caseCode changes letters one by one, as the rule does it.
const caseCode = `
def small(c):
    return c.lower()[0]

def big(c):
    both = [x for x in (c.upper(), c.title()) if len(x) == 1]
    return both[0] if both else c

CASES = {"lower": small, "upper": big, "fold": str.casefold}

def change(value, steps):
    for step in steps:
        value = "".join(CASES[step](c) for c in value)
    return value
`

// eventCode reads the event with every digit of its numbers.
const eventCode = `
def once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise Exception("The event has a field twice.")
    return dict(pairs)

EVENT = json.loads(input_data.get("body", ""), parse_int=number, parse_float=number, object_pairs_hook=once)
`

// endCode refuses a key as a whole where the rule does.
const endCode = `if len(KEY) > 255:
    raise Exception("The event key is longer than 255 characters.")
for end in (KEY[0], KEY[-1]):
    if end in ENDS or unicodedata.category(end) == "Cf" and end not in SHOWN:
        raise Exception("The event key begins or ends with a character that cannot be seen.")
`

// keyLines write the key of s as Python. It returns an [exporters.Inexpressible] for a
// step that Python does not do as the rule does it.
func keyLines(s exporters.Setup, w wish) (string, error) {
	list, err := picks(s, w)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(keyCode + eitherCode + caseCode)
	if w.raw {
		b.WriteString(eventCode)
	}
	b.WriteString("\nKEY = \":\".join([\n")
	for _, k := range list {
		line, err := pyPart(k, w)
		if err != nil {
			return "", err
		}
		b.WriteString("    " + line + ",\n")
	}
	b.WriteString("])\n")
	if s.FoldCase {
		b.WriteString("KEY = unicodedata.normalize(\"NFC\", KEY.casefold())\n")
	}
	b.WriteString(endCode)
	return b.String(), nil
}

func pyPart(k pick, w wish) (string, error) {
	if len(k.part.Path) == 0 {
		return "part(" + py(k.literal) + ", [])", nil
	}
	steps, err := pySteps(k)
	if err != nil {
		return "", err
	}
	value, err := pyValue(k, w)
	return "part(" + value + ", [" + steps + "])", err
}

func pySteps(k pick) (string, error) {
	var steps []string
	for _, step := range k.part.Steps {
		if step != "lower" && step != "upper" && step != "fold" {
			return "", exporters.CannotStep(k.number, k.part, step, "which the Code step does not do as the rule does it")
		}
		steps = append(steps, py(step))
	}
	return strings.Join(steps, ", "), nil
}

func pyValue(k pick, w wish) (string, error) {
	standIn := "None"
	if k.part.Default != nil {
		standIn = py(*k.part.Default)
	}
	root := k.part.Path[0]
	switch {
	case !w.raw, root == "headers" && len(k.part.Path) == 2:
		value := "input_data.get(" + py(k.input) + ")"
		if k.part.Default != nil {
			value = "either(" + value + ", " + standIn + ")"
		}
		return value, nil
	case root != "body" || len(k.part.Path) == 1:
		return "", exporters.Cannot("Part %d of the key (%s) is not a field of the event that the Code step can read.", k.number, k.part.Dotted())
	}
	var names []string
	for _, name := range k.part.Path[1:] {
		if n, ok := exporters.Index(name); ok {
			names = append(names, strconv.Itoa(n))
			continue
		}
		names = append(names, py(name))
	}
	return "read([" + strings.Join(names, ", ") + "], " + standIn + ")", nil
}

// inputRows are the rows of Input Data that the code reads, in words.
func inputRows(list []pick, w wish) []string {
	var rows []string
	if w.raw {
		rows = append(rows, "body: choose Raw Body of the trigger")
	}
	for _, k := range list {
		switch {
		case len(k.part.Path) == 0:
		case !w.raw:
			rows = append(rows, fmt.Sprintf("%s: choose %s", k.input, k.pill))
		case of(k.part, "headers"):
			rows = append(rows, fmt.Sprintf("%s: choose the header %s of the trigger", k.input, quoteName(strings.Join(k.part.Path[1:], " "))))
		}
	}
	return rows
}

// callCode posts rows to this program and hands its answer on. Where the rule runs
// anyway, nobody of ours is told apart from a refusal: each answer of this program carries
// run, an error too. It follows no redirect, which would carry the password elsewhere.
const callCode = `
class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *moved):
        return None

def call(what, rows, known, away):
    ask = urllib.request.Request(ADDRESS + what, data=urllib.parse.urlencode(rows).encode("ascii"), headers={"Authorization": "Bearer " + PASSWORD})
    try:
        text, wrong = urllib.request.build_opener(Stay).open(ask, timeout=8).read(), None
    except urllib.error.HTTPError as e:
        text, wrong = e.read(), e
    except OSError as e:
        return gone(away, e)
    try:
        answer = json.loads(text.decode("utf-8"))
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        return gone(away, wrong or "a page came, not an answer of this program")
    if wrong is None and answer.get("status") in known:
        return answer
    if answer.get("run") is False or "results" in answer:
        raise Exception("Refused: " + str(answer.get("detail") or wrong or answer))
    return gone(away, wrong or "the answer is not from this program")

def gone(away, why):
    if away is None:
        raise Exception("This program cannot be reached: " + str(why))
    return {"status": away, "key": ""}
`

func callHead(w wish) string {
	return `import json, urllib.error, urllib.parse, urllib.request

ADDRESS = ` + py(w.address) + `
PASSWORD = ` + py(exporters.Placeholder) + `
if PASSWORD.startswith("REPLACE"):
    raise Exception("Put the password of this program in place of the placeholder first.")
` + callCode
}

// away is the Python value of the status for an engine out of reach.
func away(s exporters.Setup) string {
	if s.IfUnreachable == "go_on" {
		return py("unreachable")
	}
	return "None"
}

// claimCode asks this program for the key. Input data of the name partN that is missing
// is left out of the call, which refuses it then.
func claimCode(s exporters.Setup, w wish) (string, error) {
	list, err := claimPicks(s, w)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(callHead(w) + ownerCode)
	if !w.raw {
		b.WriteString(eitherCode + caseCode)
	}
	b.WriteString("\nrows = [(\"rule\", " + py(s.Rule) + "), (\"owner\", input_data[\"owner\"])]\n")
	if w.raw {
		b.WriteString("rows.append((\"event\", input_data.get(\"body\", \"\")))\n")
		if names := headerNames(s); len(names) > 0 {
			var pairs []string
			for i, name := range names {
				pairs = append(pairs, fmt.Sprintf("%s: input_data.get(\"header%d\", \"\")", py(name), i+1))
			}
			b.WriteString("rows.append((\"headers\", json.dumps({" + strings.Join(pairs, ", ") + "})))\n")
		}
	}
	for _, k := range list {
		if w.raw {
			break
		}
		value, err := formValue(k)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "rows.append((\"part.%d\", %s))\n", k.number, value)
	}
	b.WriteString("answer = call(\"/v1/claim?answer=branch\", rows, " + known() + ", " + away(s) + ")\nreturn {\"status\": answer[\"status\"], \"key\": answer.get(\"key\", \"\")}")
	return b.String(), nil
}

// formValue reads a part that the server makes into the key, with the steps before it.
func formValue(k pick) (string, error) {
	if len(k.part.Path) == 0 {
		return py(k.literal), nil
	}
	standIn := ""
	if k.part.Default != nil {
		standIn = *k.part.Default
	}
	steps, err := pySteps(k)
	return "change(either(input_data.get(" + py(k.input) + "), " + py(standIn) + "), [" + steps + "])", err
}

// ownerCode stops a run without an id: this program would answer it, and could not tell
// its second try from a copy.
const ownerCode = `
if not input_data.get("owner"):
    raise Exception("The row owner is missing or empty. Choose Id of the step Run id.")
`

// known is a Python list of the statuses that this program answers a claim with.
func known() string {
	var words []string
	for _, word := range exporters.Statuses() {
		words = append(words, py(word))
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// checkCode stops a run whose claim was not answered by this program.
func checkCode() string {
	return strings.TrimPrefix(ownerCode, "\n") + `status = input_data.get("status")
if status not in ` + known() + `:
    raise Exception("The answer is not from this program: its status is " + repr(status) + ".")
return {"status": status}`
}

// doneCode reports the end of the work. A run that went on without a key has nothing
// to report.
func doneCode(s exporters.Setup, w wish) string {
	return reportCode(s, w, "done", "done", `("result", input_data.get("result", ""))`)
}

// releaseCode gives the key of a run that failed back.
func releaseCode(s exporters.Setup, w wish) string {
	return reportCode(s, w, "release", "released", `("error", "A step of the Zap failed.")`)
}

func reportCode(s exporters.Setup, w wish, what, status, row string) string {
	return callHead(w) + `
if input_data.get("status") != "claimed":
    return {"status": "nothing to report"}
rows = [("rule", ` + py(s.Rule) + `), ("key", input_data["key"]), ("owner", input_data["owner"]), ` + row + `]
return {"status": call("/v1/` + what + `", rows, [` + py(status) + `], None)["status"]}`
}
