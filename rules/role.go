package rules

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A Role is what a field's name and place say that it holds. It is a guess from
// words of English; only samples prove anything.
type Role string

// The roles of a [Field].
const (
	RoleMessage Role = "message" // the id of this one message, the same on its copies
	RoleRecord  Role = "record"  // the id of a thing, about which many messages may come
	RoleKind    Role = "kind"    // what happened: a type, an action, a state
	RoleChange  Role = "change"  // a time or version that moves with each change of the thing
	RolePlace   Role = "place"   // an account, a user, a form …: the same in many events
	RoleAmount  Role = "amount"  // a price, a count, yes or no, or some other free number
	RoleOther   Role = ""        // nothing is known
)

// Role tells what the field seems to hold.
func (f Field) Role() Role {
	names := nameOf(f.Path)
	switch {
	case f.Path[0] == "headers" && (f.Name == "webhook-id" || f.Name == "svix-id"):
		return RoleMessage // Standard Webhooks name the message so
	case f.Path[0] == "headers" && names.last() == "identifier":
		return RoleMessage // Jira's X-Atlassian-Webhook-Identifier
	case len(f.Path) == 3 && bareID(names) && (f.Path[1] == "meta" || f.Path[1] == "metadata"):
		return RoleOther // of the message in some senders, of a batch in others
	case names.changes() && f.movesAsTime():
		return RoleChange
	case names.denied() && (names.isID() || names.numbered()):
		return RolePlace
	case names.message():
		return RoleMessage
	case names.isID():
		return RoleRecord
	case f.amount(names):
		return RoleAmount
	case names.numbered():
		return RoleRecord
	case kindNames[names.joined()], stateNames[names.joined()]:
		return RoleKind
	}
	return RoleOther
}

// fieldName is the name of a field in words of small letters, with those of its
// parent where the name by itself says nothing (event.id).
type fieldName struct {
	own, words []string
	root       string
	depth      int // steps below the root
}

func nameOf(path []string) fieldName {
	n := fieldName{own: nameWords(path[len(path)-1]), root: path[0], depth: len(path) - 1}
	n.words = n.own
	if len(n.own) == 1 && idWords[n.own[0]] && len(path) > 2 && !isIndex(path[len(path)-2]) {
		n.words = append(nameWords(path[len(path)-2]), n.own...)
	}
	return n
}

// nameWords splits apiAppID, x-event-key and {VersionNumber}. Words written
// together, such as accountid, are taken apart where the first is known.
func nameWords(name string) []string {
	var out []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(string(runes[start:end])))
		}
	}
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			start = i + 1
		case i > start && unicode.IsUpper(r) && (!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(i)
			start = i
		}
	}
	cut(len(runes))
	if n := len(out); n > 0 {
		head, ok := strings.CutSuffix(out[n-1], "id")
		if ok && (placeWords[head] || thingWords[head] || messageWords[head] || mailWords[head]) {
			out = append(out[:n-1], head, "id")
		}
	}
	return out
}

func (n fieldName) joined() string { return strings.Join(n.own, "") }

func (n fieldName) last() string {
	if len(n.words) == 0 {
		return ""
	}
	return n.words[len(n.words)-1]
}

func (n fieldName) isID() bool { return idWords[n.last()] }

// numbered tells order_number and reference.
func (n fieldName) numbered() bool {
	switch n.last() {
	case "number", "no", "nr", "num", "reference":
		return true
	}
	return false
}

func (n fieldName) denied() bool {
	return slices.ContainsFunc(n.words, func(w string) bool { return placeWords[w] })
}

// message tells event_id, X-…-Delivery and Idempotency-Key at the top of an event.
func (n fieldName) message() bool {
	if n.denied() || n.depth != 1 || len(n.words) == 0 {
		return false
	}
	before := ""
	if len(n.words) > 1 {
		before = n.words[len(n.words)-2]
	}
	switch {
	case slices.Contains(n.words, "idempotency"):
		return n.isID() || n.last() == "key" || n.last() == "token"
	case n.root == "headers" && (n.last() == "delivery" || n.isID() && before == "delivery"):
		return true
	}
	return n.isID() && messageWords[before]
}

// mail tells message_id and payment_id: of this message in many senders, and in
// others of a thing about which several messages come.
func (n fieldName) mail() bool {
	return n.isID() && !n.denied() && slices.ContainsFunc(n.words[:len(n.words)-1], func(w string) bool { return mailWords[w] || messageWords[w] })
}

// changes tells updated_at, {VersionNumber} and occurred_at.
func (n fieldName) changes() bool {
	if slices.Contains(n.words, "by") || n.isID() {
		return false
	}
	return changeName.MatchString(n.joined()) || n.happens()
}

// moves tells what changes, and also version and sequence, which by their names
// alone may as well stand still.
func (n fieldName) moves() bool {
	return n.changes() || moveName.MatchString(n.joined())
}

// happens tells the time of the event itself.
func (n fieldName) happens() bool { return happenName.MatchString(n.joined()) }

// movesAsTime tells a time or a number from text such as the name of an editor.
func (f Field) movesAsTime() bool {
	return f.Kind == "number" || len(f.whole) > 0 && !slices.ContainsFunc(f.whole, func(v string) bool {
		if v == "" {
			return false
		}
		_, err := ReadTime(v)
		return err != nil && !plainNumber.MatchString(v)
	})
}

// amount tells by name or by value what two events may share by chance.
func (f Field) amount(n fieldName) bool {
	switch {
	case f.Kind == "bool" || slices.ContainsFunc(n.own, func(w string) bool { return amountWords[w] }):
		return true
	case n.numbered() || slices.ContainsFunc(n.own, func(w string) bool { return thingWords[w] }):
		return false
	}
	values := slices.DeleteFunc(slices.Clone(f.whole), func(v string) bool { return v == "" })
	if len(values) == 0 || timeLike(f.Name, values) {
		return false
	}
	free := func(v string) bool {
		return f.Kind == "number" && len(v) < 10 || strings.Contains(v, ".") && plainNumber.MatchString(v) || smallCode.MatchString(v)
	}
	return !slices.ContainsFunc(values, func(v string) bool { return !free(v) })
}

var (
	changeName  = regexp.MustCompile(`^(date)?(last)?(updated?|modified|changed|edited)(at|on|time|date|datetime|timestamp|ts|gmt|utc)?$|^(row|item)?versionnumber$|^revision$`)
	moveName    = regexp.MustCompile(`^(row|item|record|object|lock)?(version|sequence|sequencenumber|sequencer|etag|revisionid|versionid)$`)
	happenName  = regexp.MustCompile(`^(event|trigger)(time|ts|timestamp|date|datetime|at)$|^ts?event$|^occurred(at|on)?$|^fired(at|on)$`)
	plainNumber = regexp.MustCompile(`^-?[0-9]+([.,][0-9]+)?$`)
	smallCode   = regexp.MustCompile(`^([A-Z]{2,3}|true|false|yes|no)$`)
	onceWords   = regexp.MustCompile(`(?i)(creat|insert|submi|placed|register|sign[-_]?up|paid|succe|complete|captured|cancel|delet|received|incoming|booked|^new|[._-]new)`)
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// The words that names are made of. All are read only.
var (
	idWords      = words(`id uuid guid uid gid sid identifier`)
	messageWords = words(`event submission response`)
	mailWords    = words(`message payment`)
	thingWords   = words(`order invoice ticket task item record issue booking case receipt transaction charge deal lead document file entry row`)
	amountWords  = words(`amount total subtotal price cost tax fee sum balance discount count quantity qty size length weight rate score percent percentage number_of currency country language locale priority`)

	// placeWords name what many events have in common, and what belongs to a try.
	placeWords = words(`account user team workspace app application api form board base project spreadsheet
		sheet worksheet organizer organiser owner model hook webhook subscription page row tenant org organization
		organisation company customer contact client shop store site merchant location channel group list folder
		drive calendar member author creator sender recipient person actor editor assignee requester brand campaign
		template portal realm domain host device session request correlation trace span attempt attempts execution
		run workflow flow zap scenario integration connection installation repository repo branch environment stage
		pipeline bucket parent external previous original old schema table database server service type status
		category product sku plan currency origin source meta metadata conversation thread chat partner vendor supplier
		agent bot employee seller buyer reply`)

	kindNames  = words(`eventtype eventname webhookevent triggerevent triggertype event topic action trigger operation op notificationtype detailtype sdkmessage recordtype objectkind type kind`)
	stateNames = words(`status state smsstatus messagestatus paymentstatus`)
)
