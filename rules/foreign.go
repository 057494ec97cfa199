package rules

import "strings"

// foreign is a function of spreadsheets, other automation tools and programs: what does
// the same here, or why nothing does.
type foreign struct {
	instead string // the function to write in its place; "" where more has to change
	hint    string
}

// foreignName looks a function's name up, whatever its capitals, dots and _.
func foreignName(name string) (foreign, bool) {
	f, ok := foreignNames[plainName(name)]
	return f, ok
}

func plainName(name string) string {
	return strings.NewReplacer(".", "", "_", "").Replace(strings.ToLower(name))
}

// foreignNames is read only.
var foreignNames = byPlainName([]struct{ instead, hint, names string }{
	{"", "A key must not hold the time of the run: a copy comes at another time. Use an id, or a time that the sender sent.",
		"now utcNow today date getTime getDate Date.now currentTime currentDate sysdate current_timestamp getUtcDate moment"},
	{"", "A key must not hold what is made anew each time: a copy would get another one. Use an id that the sender sent.",
		"random rand randBetween randInt Math.random uuid guid newGuid newId newUuid generateUuid generateGuid randomUuid crypto.randomUUID uuid4 uuidv4 createGuid nanoid shortid counter sequence autoIncrement"},
	{"", "A key must not hold what names the run: a copy is another run. Use an id that the sender sent.",
		"workflow executionId runId getExecutionId"},
	{"key", `Write key("a", body.id): its parts are joined for you.`, "concat concatenate strcat"},
	{"", `Write key("a", body.id): its parts are joined for you.`, "textJoin append merge template"},
	{"", `Write time(body.created) for the moment in UTC, or day(body.created, "Europe/Berlin") for the day.`,
		"formatDate formatDateTime parseDate parseDateTime strftime dateFormat toDate dateTime dateValue timeValue dateTrunc convertTimeZone convertFromUtc convertToUtc addDays addHours addDate addMinutes startOfDay ticks toTimestamp setDate parseTime toDateTime"},
	{"", `Write a choice with ? and :, such as body.type == "paid" ? body.id : body.order.`,
		"if iif ifs switch case cond choose ifElse ifThen"},
	{"", "Write the text, a dot and the places, counted from 0: body.id.substring(0, 7).",
		"substr mid left right substring slice"},
	{"", "A part of key(…) may be text or a number: write the field alone.",
		"toString text str toNumber parseInt parseFloat parseNumber formatNumber number value float decimal toFixed"},
	{"", "Write digest(…) for a short code of a value, or secret(…) for one that nobody can guess.",
		"md5 sha1 sha256 sha512 hash hmac crc32 checksum base64 encodeBase64 toBase64 base64Encode btoa"},
	{"", `A part of key(…) that is missing or empty stops the event by itself. For a value in its place write either(body.id, "none").`,
		"isBlank isEmpty empty isNull exists isset defined isNotEmpty"},
	{"", "Write + - * or / between the two numbers.", "add sub mul div plus minus times divide multiply subtract sum"},
	{"", "Write < or > between the two values.", "greater less greaterOrEquals lessOrEquals greaterThan lessThan gt lt gte lte"},
	{"", "Write == between the two values.", "equals eq equal isEqual"},
	{"", "Join conditions with &&.", "and"},
	{"", "Join conditions with ||.", "or"},
	{"", "Write ! for not.", "not"},
	{"", "key(…) takes every letter, and no spaces at the ends: write the field alone.",
		"encodeUriComponent uriComponent encodeUrl urlEncode escapeHtml clean trim strip ascii"},
	{"", "Write a field with dots, such as body.order.id.", "get getValue jsonPath xpath lookup vlookup xlookup index field variables parameters inputData"},
	{"", "Write digest(…) for a short code of a whole list or group.", "stringify toJson JSON.stringify jsonEncode"},
	{"", `Write the text, a dot and what changes: body.id.replace("a", "b").`, "replace replaceAll substitute"},
	{"lower", "", "toLower lowercase toLowerCase lcase downcase"},
	{"upper", "", "toUpper uppercase toUpperCase ucase upcase"},
	{"either", "", "coalesce ifEmpty ifNull nvl ifBlank ifError"},
	{"size", "", "length len count strlen"},
	{"json", "", "parseJson JSON.parse jsonDecode fromJson"},
	{"header", "", "getHeader requestHeader"},
	{"int", "", "integer toInt"},
	{"double", "", "toDouble toFloat"},
})

func byPlainName(list []struct{ instead, hint, names string }) map[string]foreign {
	out := map[string]foreign{}
	for _, l := range list {
		for name := range strings.FieldsSeq(l.names) {
			out[plainName(name)] = foreign{l.instead, l.hint}
		}
	}
	return out
}
