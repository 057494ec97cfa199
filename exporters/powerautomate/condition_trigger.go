package powerautomate

import (
	"strings"

	"dedupedesk/exporters"
)

// A Trigger is a kind of event that starts a flow: what a condition sees of it,
// which fields make a good event key, and which recipes fit. Facts are from the
// pages of Sources and from public captures of runs, read 2026-10-31.
type Trigger struct {
	Name   string // sharepoint-item; stable
	Title  string // SharePoint: an item of a list
	Vendor string // the vendor's own names of the trigger
	Starts string // how it hears of news, and what happens to events while it is off
	Splits string // whether one call can hold several events
	Sees   string // what a condition can look at, in a sentence
	Blind  string // what it cannot, in a sentence
	Keys   []TriggerKey

	Recipes []string // Recipe.Name, the most wanted first
	Example []byte   // invented trigger outputs, as JSON
	Sources []exporters.Source
}

// A TriggerKey is advice for the event key of a trigger.
type TriggerKey struct {
	For    string   // what counts as one: each item, each change of an item
	Fields []string // what it is made of
	Note   string   // what to take care of; "" for nothing
}

// Sentence says the advice in words.
func (k TriggerKey) Sentence() string {
	return strings.TrimSpace("An event key for " + k.For + ": " + strings.Join(k.Fields, ", ") + ". " + k.Note)
}

// Triggers returns all triggers known here, in the order in which they are offered.
// The caller may change what it gets.
func Triggers() []Trigger {
	return []Trigger{
		sharePointItem(), sharePointFile(), outlookMail(), formsResponse(),
		dataverseRow(), teamsMessage(), httpRequest(), schedule(),
	}
}

// FindTrigger returns the trigger of that name.
func FindTrigger(name string) (Trigger, bool) {
	for _, t := range Triggers() {
		if t.Name == name {
			return t, true
		}
	}
	return Trigger{}, false
}

// Names of the triggers.
const (
	SharePointItem = "sharepoint-item"
	SharePointFile = "sharepoint-file"
	OutlookMail    = "outlook-mail"
	FormsResponse  = "forms-response"
	DataverseRow   = "dataverse-row"
	TeamsMessage   = "teams-message"
	HTTPRequest    = "http-request"
	Schedule       = "schedule"
)

const (
	polls  = "It looks for news by itself, every minute or so. What happened while it was off is handled when it is switched on again. Several changes of one item between two looks become one event."
	pushed = "It is called at once. What happened while it was off is lost to it."
	splits = "One call can hold several events. The setting Split On makes a run of each; a condition then sees one event at a time."
	single = "Each call is one event."
)

var rowTriggerPage = exporters.Source{
	Page: "Trigger flows when a row is added, modified, or deleted", URL: "https://learn.microsoft.com/en-us/power-automate/dataverse/create-update-delete-trigger", Read: "2026-10-31",
}

func sharePointItem() Trigger {
	return Trigger{
		Name: SharePointItem, Title: "SharePoint: an item of a list",
		Vendor: "When an item is created, When an item is created or modified",
		Starts: polls, Splits: splits,
		Sees:  "A condition sees all columns of the item as they are now, who made the last change, and the version as text.",
		Blind: "It cannot see what a column held before: the event has no old values, so \"only when this column changed\" cannot be a condition. Use Get changes for an item or a file (properties only) inside the flow.",
		Keys: []TriggerKey{
			{"each new item", []string{"site", "list", "ID"}, "ID counts anew in every list."},
			{"each change of an item", []string{"site", "list", "ID", "Modified"}, "Modified counts whole seconds. The flow's own change makes a new key, so ignore own edits as well."},
		},
		Recipes: []string{OwnEdits, ValueIs, NotYes, OnlyNew, HasValue, AmountAbove, FilesOnly, FoldersOnly},
		Example: []byte(`{"headers":{},"body":{"@odata.etag":"\"3\"","ItemInternalId":"41","ID":41,"Title":"Order 41","Status":{"Id":1,"Value":"New"},"Tags":[{"Id":0,"Value":"Rush"}],"Amount":250,"FlowDone":null,"Author":{"DisplayName":"Ana","Email":"ana@example.com"},"Editor":{"DisplayName":"Flow Bot","Email":"Flow.Bot@example.com"},"Created":"2026-10-30T09:00:00Z","Modified":"2026-10-31T08:15:02Z","{Identifier}":"Lists%2fOrders%2f41_.000","{IsFolder}":false,"{Name}":"Order 41","{FilenameWithExtension}":"Order 41","{Path}":"Lists/Orders/","{FullPath}":"Lists/Orders/41_.000","{HasAttachments}":false,"{VersionNumber}":"3.0"}}`),
		Sources: []exporters.Source{triggersPage, troublePage},
	}
}

func sharePointFile() Trigger {
	return Trigger{
		Name: SharePointFile, Title: "SharePoint: a file of a library",
		Vendor: "When a file is created (properties only), When a file is created or modified (properties only)",
		Starts: polls, Splits: splits,
		Sees:  "A condition sees the file's columns, name, place and whether it is a folder, who made the last change, and the version as text.",
		Blind: "It cannot see what is inside the file, nor what a column held before.",
		Keys: []TriggerKey{
			{"each new file", []string{"site", "library", "ID"}, "A file that is deleted and uploaded anew has a new ID."},
			{"each change of a file", []string{"site", "library", "ID", "Modified"}, "An upload can count as two changes: the file, then its columns."},
		},
		Recipes: []string{OwnEdits, FilesOnly, FoldersOnly, ValueIs, NotYes, OnlyNew, HasValue},
		Example: []byte(`{"headers":{},"body":{"@odata.etag":"\"2\"","ItemInternalId":"7","ID":7,"Title":null,"Status":{"Id":0,"Value":"Approved"},"FlowDone":null,"Author":{"DisplayName":"Ana","Email":"ana@example.com"},"Editor":{"DisplayName":"Ana","Email":"ana@example.com"},"Created":"2026-10-30T09:00:00Z","Modified":"2026-10-31T08:15:02Z","{Identifier}":"Shared%2bDocuments%252fInvoice%2b7.pdf","{IsFolder}":false,"{Name}":"Invoice 7","{FilenameWithExtension}":"Invoice 7.pdf","{Path}":"Shared Documents/","{FullPath}":"Shared Documents/Invoice 7.pdf","{VersionNumber}":"1.0"}}`),
		Sources: []exporters.Source{triggersPage, troublePage},
	}
}

func outlookMail() Trigger {
	return Trigger{
		Name: OutlookMail, Title: "Outlook: a new e-mail",
		Vendor: "When a new email arrives (V3)",
		Starts: "It is told of new mail and asks for it. Whether mail that came while it was off is handled afterwards is not confirmed.",
		Splits: splits,
		Sees:   "A condition sees subject, sender, receivers, the text, and whether there are attachments. Sender and receivers are text.",
		Blind:  "It cannot see the folder; set that in the trigger itself. Paths such as from/emailAddress/address belong to another product and are always empty here.",
		Keys: []TriggerKey{
			{"each mail", []string{"internetMessageId"}, "Not id: it changes when the mail is moved, and two ids can differ in capitals alone."},
		},
		Recipes: []string{ReplyLoop, OwnEdits, ValueIs, Yes, HasValue},
		Example: []byte(`{"headers":{},"body":{"id":"AAMkAbC=","internetMessageId":"<b41@mail.example.com>","conversationId":"AAQkA41=","subject":"Order 41","from":"Ana Lima <ana@example.com>","toRecipients":"orders@example.com","bodyPreview":"Please send ten.","body":"Please send ten.","receivedDateTime":"2026-10-31T08:15:02+00:00","importance":"normal","hasAttachments":false,"isHtml":false,"isRead":false}}`),
		Sources: []exporters.Source{triggersPage},
	}
}

func formsResponse() Trigger {
	return Trigger{
		Name: FormsResponse, Title: "Microsoft Forms: a new response",
		Vendor: "When a new response is submitted",
		Starts: pushed, Splits: splits,
		Sees:  "A condition sees only the number of the response.",
		Blind: "It cannot see the answers. The trigger does not hold them, so no condition can look at them: use Get response details and a Condition inside the flow.",
		Keys: []TriggerKey{
			{"each response", []string{"form id", "resourceData/responseId"}, "The number counts anew in every form."},
		},
		Recipes: []string{WorkingDays},
		Example: []byte(`{"headers":{},"body":{"resourceData":{"responseId":"12"}}}`),
		Sources: []exporters.Source{triggersPage},
	}
}

func dataverseRow() Trigger {
	return Trigger{
		Name: DataverseRow, Title: "Dataverse: a row of a table",
		Vendor: "When a row is added, modified or deleted",
		Starts: pushed, Splits: single,
		Sees:  "A condition sees the columns of the row by their internal names, and in SdkMessage what happened: Create, Update or Delete. A deleted row has hardly more than its id.",
		Blind: "It cannot see what a column held before. A column listed in Select columns counts as changed whenever it was written, even with the same value.",
		Keys: []TriggerKey{
			{"each new row", []string{"table", "row id", "Create"}, ""},
			{"each change of a row", []string{"table", "row id", "versionnumber"}, "The column has to be among those the trigger sends; modifiedon serves as well."},
		},
		Recipes: []string{Message, OwnEdits, ValueIs, HasValue, AmountAbove},
		Example: []byte(`{"headers":{},"body":{"SdkMessage":"Update","accountid":"11111111-1111-1111-1111-111111111111","ItemInternalId":"11111111-1111-1111-1111-111111111111","RunAsSystemUserId":"33333333-3333-3333-3333-333333333333","name":"Example Ltd","statecode":0,"revenue":2500,"telephone1":"555 0141","_modifiedby_value":"22222222-2222-2222-2222-222222222222","modifiedon":"2026-10-31T08:15:02Z","versionnumber":900}}`),
		Sources: []exporters.Source{rowTriggerPage, triggersPage},
	}
}

func teamsMessage() Trigger {
	return Trigger{
		Name: TeamsMessage, Title: "Teams: a message in a channel",
		Vendor: "When a new channel message is added",
		Starts: "Whether it looks for news or is called is not confirmed.",
		Splits: splits,
		Sees:   "A condition sees the message, who wrote it, and whether it answers another.",
		Blind:  "It cannot see a writer where a post of an app names none; whether such posts do is not confirmed.",
		Keys: []TriggerKey{
			{"each message", []string{"channelIdentity/channelId", "id"}, "What happens when a message is edited is not confirmed."},
		},
		Recipes: []string{OwnEdits, IsEmpty, ValueIs, HasValue},
		Example: []byte(`{"headers":{},"body":{"id":"1761898502000","replyToId":null,"messageType":"message","createdDateTime":"2026-10-31T08:15:02Z","subject":null,"from":{"user":{"id":"22222222-2222-2222-2222-222222222222","displayName":"Ana"}},"body":{"contentType":"text","content":"Order 41 is ready"},"channelIdentity":{"teamId":"44444444-4444-4444-4444-444444444444","channelId":"19:orders@thread.example"}}}`),
		Sources: []exporters.Source{triggersPage},
	}
}

func httpRequest() Trigger {
	return Trigger{
		Name: HTTPRequest, Title: "HTTP: a webhook of any sender",
		Vendor: "When an HTTP request is received",
		Starts: "The sender calls it. While it is off the sender gets an error, and may or may not try again.",
		Splits: single,
		Sees:   "A condition sees the body, the headers and what stands behind the ? of the address.",
		Blind:  "It cannot read into a body that was not sent as application/json: that is plain text.",
		Keys: []TriggerKey{
			{"each event", []string{"the sender's event id"}, "Choose the sender under Design a key: many have an id for the event and another for the delivery."},
		},
		Recipes: []string{ValueIs, HasValue, IsEmpty, AmountAbove, Yes, NotYes},
		Example: []byte(`{"headers":{"Content-Type":"application/json"},"queries":{},"body":{"id":"evt_41","type":"invoice.paid","livemode":true,"data":{"object":{"id":"in_41","amount_paid":2500,"customer_email":"Ana@example.com"}}}}`),
		Sources: []exporters.Source{triggersPage},
	}
}

func schedule() Trigger {
	return Trigger{
		Name: Schedule, Title: "Recurrence: a schedule",
		Vendor: "Recurrence",
		Starts: "The clock starts it. Times that passed while it was off are not made up for one by one.",
		Splits: single,
		Sees:   "A condition sees nothing but the time: a schedule has no data.",
		Blind:  "It cannot see anything else. Read what you need inside the flow.",
		Keys: []TriggerKey{
			{"each planned time", []string{"flow name", "the planned day in your time zone"}, "Not utcNow(): a start by hand a minute later would be another key."},
		},
		Recipes: []string{WorkingDays},
		Example: []byte(`{"body":null}`),
		Sources: []exporters.Source{triggersPage},
	}
}
