package rules

import (
	"slices"
	"strings"
)

// Function is one call that a formula may make, as an editor offers it.
type Function struct {
	Name      string // as it is written: lower, math.round; a method without its dot: trim
	Method    bool   // stands after a value and a dot: body.name.trim()
	Group     string // what it is for: key, text, time, list, number, choice or kind
	Signature string // with the names of what goes in: day(time, zone)
	Help      string // one plain sentence
	Example   string // an expression that needs no sample
	Gives     string // what the example is in a key, unescaped
}

// Functions returns every call that formulas know, those that keys are made of
// first, then by group and name. Operators such as + and in are not among them.
func Functions() []Function {
	all := slices.Concat(keyFunctions(), textFunctions(), timeFunctions(), listFunctions(), numberFunctions(), choiceFunctions(), kindFunctions())
	for i := range all {
		f := &all[i]
		head, _, _ := strings.Cut(f.Signature, "(")
		f.Name = head
		if dot := strings.LastIndex(head, "."); dot >= 0 && !namespaces[head[:dot]] {
			f.Name, f.Method = head[dot+1:], true
		}
	}
	return all
}

func keyFunctions() []Function {
	const g = "key"
	return []Function{
		{"", false, g, `key(part, …)`, "The event key: its parts joined with a colon; a part that is missing or empty stops the event.", `key("stripe", "evt_1")`, "stripe:evt_1"},
		{"", false, g, `header(name)`, "The header of that name, however its capitals are written.", `either(header("X-Id"), "none")`, "none"},
		{"", false, g, `either(first, second)`, "The second value where the first is missing, null, empty or only spaces.", `either("", "none")`, "none"},
		{"", false, g, `lower(text)`, "The text in small letters, in every script.", `lower("ÉVA")`, "éva"},
		{"", false, g, `upper(text)`, "The text in capital letters, in every script.", `upper("bk-é1")`, "BK-É1"},
		{"", false, g, `fold(text)`, "The text with capitals and their like made equal, so that ß equals ss.", `fold("STRASSE") == fold("Straße")`, "true"},
		{"", false, g, `time(moment)`, "The moment in UTC, whatever form and offset it was written in.", `time("2024-01-01T02:00:00+02:00")`, "20240101T000000Z"},
		{"", false, g, `day(moment, zone)`, "The day of that moment in a time zone.", `day("2024-01-01T23:30:00Z", "Europe/Berlin")`, "20240102"},
		{"", false, g, `digest(value, …)`, "A short code of any values, lists and groups included; the order of fields and spacing do not count.", `digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})`, "true"},
		{"", false, g, `pick(group, names)`, "A group of fields with the named ones alone, to make a short code of them.", `digest(pick({"a": 1, "b": 2}, ["a"])) == digest({"a": 1})`, "true"},
		{"", false, g, `omit(group, names)`, "A group of fields without the named ones, such as those that change on every try.", `digest(omit({"a": 1, "try": 2}, ["try"])) == digest({"a": 1})`, "true"},
		{"", false, g, `json(text)`, "What a text says that holds JSON itself, as in forms of Mandrill and messages of Amazon SNS; its fields follow after a dot.", `json("{\"id\": 7}").id`, "7"},
		{"", false, g, `secret(text)`, "A short code that only this installation can make, for personal data such as an address; its key is made once and kept with the keys.", `secret(" a@b.example ") == secret("a@b.example")`, "true"},
	}
}

func textFunctions() []Function {
	const g = "text"
	return []Function{
		{"", false, g, `text.charAt(place)`, "The character at a place, counted from 0.", `"abc".charAt(1)`, "b"},
		{"", false, g, `text.contains(part)`, "Whether the text holds the part.", `"order 7".contains("order")`, "true"},
		{"", false, g, `text.endsWith(part)`, "Whether the text ends with the part.", `"a.pdf".endsWith(".pdf")`, "true"},
		{"", false, g, `text.format(list)`, "The text with %s or %d replaced by the values of the list, in order.", `"%s-%d".format(["a", 7])`, "a-7"},
		{"", false, g, `text.indexOf(part)`, "Where the part first stands, counted from 0; -1 if nowhere.", `"abc".indexOf("c")`, "2"},
		{"", false, g, `text.lastIndexOf(part)`, "Where the part last stands, counted from 0; -1 if nowhere.", `"abcabc".lastIndexOf("c")`, "5"},
		{"", false, g, `text.lowerAscii()`, "The letters A to Z made small, others left; lower(…) knows every script.", `"ABC".lowerAscii()`, "abc"},
		{"", false, g, `text.matches(pattern)`, "Whether a regular expression (RE2) fits somewhere in the text.", `"INV-7".matches("^INV-[0-9]+$")`, "true"},
		{"", false, g, `regex.extract(text, pattern)`, "The first piece that the regular expression finds, if there is one.", `regex.extract("Order #1042", "#([0-9]+)").orValue("none")`, "1042"},
		{"", false, g, `regex.extractAll(text, pattern)`, "A list of all pieces that the regular expression finds.", `regex.extractAll("a1 b2", "[0-9]").join("-")`, "1-2"},
		{"", false, g, `regex.replace(text, pattern, by)`, "The text with all that the regular expression finds replaced.", `regex.replace("a1b2", "[0-9]", "-")`, "a-b-"},
		{"", false, g, `text.replace(part, by)`, "The text with the part replaced wherever it stands.", `"a b c".replace(" ", "-")`, "a-b-c"},
		{"", false, g, `text.split(separator)`, "The pieces between the separators, as a list.", `"a/b/c".split("/")[2]`, "c"},
		{"", false, g, `text.startsWith(part)`, "Whether the text begins with the part.", `"evt_1".startsWith("evt_")`, "true"},
		{"", false, g, `strings.quote(text)`, "The text in quotes, with escapes for what cannot be seen.", `strings.quote("a")`, `"a"`},
		{"", false, g, `text.substring(from, to)`, "The characters from a place up to, not with, another; counted from 0.", `"2024-01-31".substring(0, 7)`, "2024-01"},
		{"", false, g, `text.trim()`, "The text without spaces at its ends; key(…) does that by itself.", `" a ".trim()`, "a"},
		{"", false, g, `text.upperAscii()`, "The letters a to z made capital, others left; upper(…) knows every script.", `"abc".upperAscii()`, "ABC"},
	}
}

func timeFunctions() []Function {
	const g, at = "time", `timestamp("2024-02-03T04:05:06.007Z")`
	get := func(signature, help, gives string) Function {
		call, _, _ := strings.Cut(strings.TrimPrefix(signature, "moment."), "(")
		return Function{"", false, g, signature, help, at + "." + call + "()", gives}
	}
	return []Function{
		{"", false, g, `timestamp(text)`, "A moment from text of the form 2024-01-31T08:00:00Z; time(…) reads more forms.", `timestamp("2024-01-31T08:00:00Z")`, "20240131T080000Z"},
		{"", false, g, `duration(text)`, "A length of time such as 90s, 15m or 2h, to add or compare.", `timestamp("2024-01-31T08:00:00Z") + duration("15m")`, "20240131T081500Z"},
		get(`moment.getDate(zone)`, "The day of the month, from 1; in UTC if no zone is given.", "3"),
		get(`moment.getDayOfMonth(zone)`, "The day of the month, from 0; getDate counts from 1.", "2"),
		get(`moment.getDayOfWeek(zone)`, "The day of the week, Sunday is 0.", "6"),
		get(`moment.getDayOfYear(zone)`, "The day of the year, from 0.", "33"),
		get(`moment.getFullYear(zone)`, "The year.", "2024"),
		get(`moment.getHours(zone)`, "The hour, 0 to 23; of a length of time all its hours.", "4"),
		get(`moment.getMilliseconds(zone)`, "The milliseconds within the second.", "7"),
		get(`moment.getMinutes(zone)`, "The minute, 0 to 59; of a length of time all its minutes.", "5"),
		get(`moment.getMonth(zone)`, "The month, January is 0.", "1"),
		get(`moment.getSeconds(zone)`, "The second, 0 to 59; of a length of time all its seconds.", "6"),
	}
}

func listFunctions() []Function {
	const g = "list"
	return []Function{
		{"", false, g, `list.all(x, condition)`, "Whether the condition holds for every item; x is the item.", `[2, 3].all(x, x > 1)`, "true"},
		{"", false, g, `list.exists(x, condition)`, "Whether the condition holds for at least one item; x is the item.", `["a", "b"].exists(x, x == "b")`, "true"},
		{"", false, g, `list.exists_one(x, condition)`, "Whether the condition holds for exactly one item; x is the item.", `[1, 2, 2].exists_one(x, x == 1)`, "true"},
		{"", false, g, `list.filter(x, condition)`, "The items for which the condition holds; x is the item.", `[1, 2, 3].filter(x, x > 1).size()`, "2"},
		{"", false, g, `list.map(x, value)`, "A list of the value worked out for each item; x is the item.", `["a", "b"].map(x, x + "1").join("-")`, "a1-b1"},
		{"", false, g, `list.sortBy(x, value)`, "The list in the order of the value worked out for each item.", `["bb", "a"].sortBy(x, size(x)).join("-")`, "a-bb"},
		{"", false, g, `list.distinct()`, "The list with each value once.", `["a", "b", "a"].distinct().join("-")`, "a-b"},
		{"", false, g, `list.first()`, "The first item, if there is one.", `["a", "b"].first().orValue("none")`, "a"},
		{"", false, g, `list.flatten()`, "A list of lists as one list.", `[["a"], ["b"]].flatten().join("-")`, "a-b"},
		{"", false, g, `list.join(separator)`, "The texts of the list as one text.", `["a", "b"].join("-")`, "a-b"},
		{"", false, g, `list.last()`, "The last item, if there is one.", `["a", "b"].last().orValue("none")`, "b"},
		{"", false, g, `lists.range(count)`, "A list of the numbers from 0, as many as asked for.", `lists.range(3).size()`, "3"},
		{"", false, g, `list.reverse()`, "The list or text from its end to its start.", `["a", "b"].reverse().join("-")`, "b-a"},
		{"", false, g, `list.slice(from, to)`, "The items from a place up to, not with, another; counted from 0.", `["a", "b", "c"].slice(0, 2).join("-")`, "a-b"},
		{"", false, g, `list.sort()`, "The list in order, so that another order of the same items gives the same key.", `["b", "a"].sort().join("-")`, "a-b"},
		{"", false, g, `value.size()`, "How many characters, items or fields there are.", `"abc".size()`, "3"},
	}
}

func numberFunctions() []Function {
	const g = "number"
	return []Function{
		{"", false, g, `math.abs(number)`, "The number without its sign.", `math.abs(-2)`, "2"},
		{"", false, g, `math.bitAnd(a, b)`, "The bits that both whole numbers have.", `math.bitAnd(6, 3)`, "2"},
		{"", false, g, `math.bitNot(number)`, "The whole number with every bit turned over.", `math.bitNot(1)`, "-2"},
		{"", false, g, `math.bitOr(a, b)`, "The bits that one of the whole numbers has.", `math.bitOr(6, 3)`, "7"},
		{"", false, g, `math.bitShiftLeft(number, places)`, "The bits moved to the left.", `math.bitShiftLeft(1, 3)`, "8"},
		{"", false, g, `math.bitShiftRight(number, places)`, "The bits moved to the right.", `math.bitShiftRight(8, 3)`, "1"},
		{"", false, g, `math.bitXor(a, b)`, "The bits that exactly one of the whole numbers has.", `math.bitXor(6, 3)`, "5"},
		{"", false, g, `math.ceil(number)`, "The decimal rounded up.", `math.ceil(1.2)`, "2"},
		{"", false, g, `math.floor(number)`, "The decimal rounded down.", `math.floor(1.8)`, "1"},
		{"", false, g, `math.greatest(a, b, …)`, "The largest of the numbers.", `math.greatest(1, 3, 2)`, "3"},
		{"", false, g, `math.isFinite(number)`, "Whether the decimal is a number with an end.", `math.isFinite(1.5)`, "true"},
		{"", false, g, `math.isInf(number)`, "Whether the decimal is endless, as after a division by 0.0.", `math.isInf(1.0 / 0.0)`, "true"},
		{"", false, g, `math.isNaN(number)`, "Whether the decimal is not a number at all.", `math.isNaN(0.0 / 0.0)`, "true"},
		{"", false, g, `math.least(a, b, …)`, "The smallest of the numbers.", `math.least(1, 3, 2)`, "1"},
		{"", false, g, `math.round(number)`, "The decimal rounded to a whole number, halves away from 0.", `math.round(1.5)`, "2"},
		{"", false, g, `math.sign(number)`, "-1, 0 or 1, as the number is below, at or above 0.", `math.sign(-7)`, "-1"},
		{"", false, g, `math.sqrt(number)`, "The square root.", `math.sqrt(9.0)`, "3"},
		{"", false, g, `math.trunc(number)`, "The decimal without what stands after its point.", `math.trunc(-1.8)`, "-1"},
	}
}

func choiceFunctions() []Function {
	const g = "choice"
	return []Function{
		{"", false, g, `has(field)`, "Whether the last field of a path is there, also if it is null.", `has({"a": 1}.a)`, "true"},
		{"", false, g, `maybe.hasValue()`, "Whether a value that may be absent, such as body.?note, is there.", `{"a": 1}[?"b"].hasValue()`, "false"},
		{"", false, g, `maybe.or(other)`, "The other where the first may be absent and is.", `{"a": 1}[?"b"].or(optional.of(2)).orValue(3)`, "2"},
		{"", false, g, `maybe.orValue(value)`, "The value to take where one that may be absent is.", `{"a": "x"}[?"b"].orValue("none")`, "none"},
		{"", false, g, `maybe.optMap(x, value)`, "Works out a value from one that may be absent, if it is there.", `{"a": 1}[?"a"].optMap(x, x + 1).orValue(0)`, "2"},
		{"", false, g, `maybe.optFlatMap(x, maybe)`, "As optMap, where what is worked out may be absent itself.", `{"a": {"b": 1}}[?"a"].optFlatMap(x, x[?"b"]).orValue(0)`, "1"},
		{"", false, g, `optional.none()`, "A value that is absent.", `optional.none().hasValue()`, "false"},
		{"", false, g, `optional.of(value)`, "A value that is there, where one that may be absent is needed.", `optional.of("a").orValue("b")`, "a"},
		{"", false, g, `optional.ofNonZeroValue(value)`, "The value, or absent if it is empty, 0 or false.", `optional.ofNonZeroValue("").orValue("b")`, "b"},
		{"", false, g, `optional.unwrap(list)`, "The values of a list that are there, without those that are absent.", `optional.unwrap([optional.of("a"), optional.none()]).size()`, "1"},
		{"", false, g, `list.unwrapOpt()`, "As optional.unwrap(list).", `[optional.of("a"), optional.none()].unwrapOpt().size()`, "1"},
		{"", false, g, `maybe.value()`, "A value that may be absent; an error if it is.", `optional.of("a").value()`, "a"},
	}
}

func kindFunctions() []Function {
	const g = "kind"
	return []Function{
		{"", false, g, `bool(text)`, "true or false from text.", `bool("true")`, "true"},
		{"", false, g, `bytes(text)`, "The bytes of a text in UTF-8.", `bytes("é").size()`, "2"},
		{"", false, g, `double(value)`, "The value as a decimal number.", `double("1.50")`, "1.5"},
		{"", false, g, `dyn(value)`, "The same value, of a kind not checked beforehand.", `dyn("a")`, "a"},
		{"", false, g, `int(value)`, "The value as a whole number.", `int("7") + 1`, "8"},
		{"", false, g, `string(value)`, "The value as text; in key(…) numbers need no such step.", `"n" + string(7)`, "n7"},
		{"", false, g, `type(value)`, "The kind of a value, to compare: string, int, double, bool, list or map.", `type("a") == string`, "true"},
		{"", false, g, `uint(value)`, "The value as a whole number of 0 or more.", `uint("7")`, "7"},
	}
}
