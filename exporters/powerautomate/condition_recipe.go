package powerautomate

import "dedupedesk/exporters"

// A Recipe is one purpose of a trigger condition. [Pick.Line] writes it.
type Recipe struct {
	Name    string // own-edits; stable
	Title   string // Ignore the flow's own changes
	About   string // when the flow starts with it, in a sentence
	Warning string // what it costs; read before using it

	// Field is the path that the recipe reads in the trigger at hand, "" where only
	// the person knows it. NoField is set where it reads none.
	Field   string
	NoField bool

	// Value asks for what the field is compared with. Its Name is "" where nothing
	// has to be typed.
	Value exporters.Field
}

// Names of the recipes.
const (
	OwnEdits    = "own-edits"
	ValueIs     = "value-is"
	Yes         = "yes"
	NotYes      = "not-yes"
	OnlyNew     = "only-new"
	FilesOnly   = "files-only"
	FoldersOnly = "folders-only"
	ReplyLoop   = "reply-loop"
	HasValue    = "has-value"
	IsEmpty     = "is-empty"
	Message     = "message"
	AmountAbove = "amount-above"
	WorkingDays = "working-days"
)

// Recipes returns the recipes that fit a trigger, the most wanted first, and none
// for a trigger that is not known.
func Recipes(trigger string) []Recipe {
	t, _ := FindTrigger(trigger)
	var list []Recipe
	for _, name := range t.Recipes {
		r, _ := findRecipe(trigger, name)
		list = append(list, r.Recipe)
	}
	return list
}

// A recipe is a Recipe with what makes its line.
type recipe struct {
	Recipe
	detail string // Name of the detail of a checklist that holds the value
	then   string // what the line does where a person may wonder, in a sentence
	// check returns what was typed in its plain form, or what is wrong with it.
	check func(typed string) (value, wrong string)
	// write returns the expression without its @, or why the field does not fit.
	write func(c clause) (expression, wrong string)
	words func(c clause) string
	made  func(c clause) []made
}

func findRecipe(trigger, name string) (recipe, bool) {
	for _, r := range recipes(trigger) {
		if r.Name == name {
			return r, true
		}
	}
	return recipe{}, false
}

// recipes returns every recipe as it is for a trigger, whether or not it fits.
func recipes(trigger string) []recipe {
	return []recipe{
		ownEdits(trigger), valueIs(), yes(), notYes(), onlyNew(), filesOnly(), foldersOnly(),
		replyLoop(), hasValue(), isEmpty(), message(), amountAbove(), workingDays(),
	}
}

func ownEdits(trigger string) recipe {
	r := recipe{
		Recipe: Recipe{
			Name: OwnEdits, Title: "Ignore the flow's own changes", Field: defaultEditor,
			About:   "The flow starts unless its own account made the change.",
			Warning: "Use an account that no person works with. If it is a person's, the flow ignores what that person does by hand as well, and nobody sees it.",
			Value: exporters.Field{
				Name: valueName, Label: "Flow account", Required: true, Example: "flows@yourcompany.com",
				Help: "The e-mail address of the account whose connection the flow uses for its own changes.",
			},
		},
		detail: accountDetail,
		then:   "Both sides are in small letters, and a change without an editor starts the flow rather than stopping it.",
		check:  checkAccount, write: writeNotAccount,
		words: func(c clause) string { return "Do not start when " + c.value + " made the change." },
		made:  madeOwn,
	}
	switch trigger {
	case OutlookMail:
		r.Title, r.About, r.Field = "Ignore mail from the flow's own address", "The flow starts unless the mail came from its own mailbox.", "from"
		r.Warning = "Mail that a person sends from this mailbox is ignored as well."
		r.Value.Label, r.Value.Help = "Address that the flow sends from", "The mailbox with which the flow answers."
		r.write = writeNotSender
		r.words = func(c clause) string { return "Do not start when the mail came from " + c.value + "." }
		r.made = madeSender
	case DataverseRow:
		r.Field = "_modifiedby_value"
		r.Warning += " The column modifiedby has to be among those that the trigger sends; with Select columns name it there."
		r.Value = userID("The id of the user as whom the flow writes: Power Platform admin center > Environments > the environment > Settings > Users.")
		r.detail, r.check = userDetail, checkID
	case TeamsMessage:
		r.Title, r.About, r.Field = "Ignore the flow's own posts", "The flow starts unless its own user wrote the message.", "from/user/id"
		r.Value = userID("Post once with the flow's account, open that run, and copy from/user/id out of the raw outputs.")
		r.detail, r.check = userDetail, checkID
	}
	return r
}

func userID(help string) exporters.Field {
	return exporters.Field{Name: valueName, Label: "Id of the flow's user", Help: help, Example: "22222222-2222-2222-2222-222222222222", Required: true}
}

func valueIs() recipe {
	return recipe{
		Recipe: Recipe{
			Name: ValueIs, Title: "Only when a field has one value (a status)",
			About:   "The flow starts when the field has this value.",
			Warning: "Let the flow change the status as its first step. Two events at one moment still start two runs.",
			Value:   exporters.Field{Name: valueName, Label: "The value", Help: "As the field shows it. A yes/no field takes yes or no.", Example: "Approved", Required: true},
		},
		detail: "status",
		then:   "Capitals and outer spaces do not matter, and a field without a value does not start the flow.",
		check:  checkText, write: writeIs,
		words: func(c clause) string { return "Start only when " + c.name() + " is " + c.value + "." },
		made:  madeIs,
	}
}

func yes() recipe {
	return recipe{
		Recipe: Recipe{Name: Yes, Title: "Only when a yes/no field says yes", About: "The flow starts when the field is yes."},
		then:   "A field that was never set counts as no.",
		write:  writeYes,
		words:  func(c clause) string { return "Start only when " + c.name() + " is yes." },
		made:   madeYes,
	}
}

func notYes() recipe {
	return recipe{
		Recipe: Recipe{
			Name: NotYes, Title: "Only while a yes/no field does not say yes", About: "The flow starts unless the field is yes. A field never set counts as no.",
			Warning: "Let the flow set the field to yes as its first step. Two events at one moment still start two runs.",
		},
		then:  "That is why the line does not ask for no.",
		write: writeNotYes,
		words: func(c clause) string { return "Do not start when " + c.name() + " is yes." },
		made:  madeNotYes,
	}
}

func onlyNew() recipe {
	return recipe{
		Recipe: Recipe{
			Name: OnlyNew, Title: "Only new items", Field: "{VersionNumber}", About: "The flow starts for the first version of an item.",
			Warning: "It needs versions to be switched on for the list. Where you can, take the trigger When an item is created instead.",
		},
		then:  "The version is text, and the first one is 1.0.",
		write: func(c clause) (string, string) { return "equals(" + c.read + ",'1.0')", "" },
		words: func(clause) string { return "Start only for the first version of an item." },
		made: func(clause) []made {
			return []made{
				{name: "the first version", set: "1.0", want: run}, {name: "a later version", set: "2.0", want: skip},
				{name: "a version without a value (null)", want: skip}, {name: "no version at all", how: missing, want: skip},
			}
		},
	}
}

func filesOnly() recipe {
	return recipe{
		Recipe: Recipe{Name: FilesOnly, Title: "Only files and items, no folders", Field: "{IsFolder}", About: "The flow starts unless the event is about a folder."},
		then:   "Where the event does not say, the flow starts.",
		write:  writeNotYes,
		words:  func(clause) string { return "Do not start for folders." },
		made: func(clause) []made {
			return []made{
				{name: "a folder", set: true, want: skip}, {name: "a file", set: false, want: run},
				{name: "neither is said (null)", want: run}, {name: "the field is missing", how: missing, want: run},
			}
		},
	}
}

func foldersOnly() recipe {
	return recipe{
		Recipe: Recipe{Name: FoldersOnly, Title: "Only folders", Field: "{IsFolder}", About: "The flow starts when the event is about a folder."},
		then:   "Where the event does not say, the flow does not start.",
		write:  writeYes,
		words:  func(clause) string { return "Start only for folders." },
		made: func(clause) []made {
			return []made{
				{name: "a folder", set: true, want: run}, {name: "a file", set: false, want: skip},
				{name: "neither is said (null)", want: skip}, {name: "the field is missing", how: missing, want: skip},
			}
		},
	}
}

func replyLoop() recipe {
	return recipe{
		Recipe: Recipe{
			Name: ReplyLoop, Title: "Ignore replies", Field: "subject", About: "The flow starts unless the subject begins like an answer.",
			Warning: "A person's answer is ignored as well. To stop the flow from answering itself alone, choose Ignore mail from the flow's own address.",
			Value:   exporters.Field{Name: valueName, Label: "How answers begin", Help: "Separated by commas. It depends on the language: re:, aw:, sv:, rv:.", Example: "re:, aw:", Required: true},
		},
		detail: "beginnings",
		then:   "Capitals do not matter, and a mail without a subject starts the flow.",
		check:  checkPrefixes, write: writeReplies,
		words: func(c clause) string { return "Do not start when the subject begins with " + c.value + "." },
		made:  madeReplies,
	}
}

func hasValue() recipe {
	return recipe{
		Recipe: Recipe{Name: HasValue, Title: "Only when a field has a value", About: "The flow starts when something stands in the field. Spaces alone do not count."},
		then:   "A missing field counts as empty.",
		write:  func(c clause) (string, string) { return "not(" + c.isEmpty() + ")", "" },
		words:  func(c clause) string { return "Start only when " + c.name() + " is not empty." },
		made:   func(c clause) []made { return madeFilled(c, run, skip) },
	}
}

func isEmpty() recipe {
	return recipe{
		Recipe: Recipe{Name: IsEmpty, Title: "Only when a field is empty", About: "The flow starts when nothing stands in the field."},
		then:   "A missing field counts as empty, and so do spaces alone.",
		write:  func(c clause) (string, string) { return c.isEmpty(), "" },
		words:  func(c clause) string { return "Start only when " + c.name() + " is empty." },
		made:   func(c clause) []made { return madeFilled(c, skip, run) },
	}
}

func message() recipe {
	return recipe{
		Recipe: Recipe{
			Name: Message, Title: "Only one kind of change", Field: "SdkMessage", About: "The flow starts when a row was added, changed or deleted, as you choose.",
			Warning: "Where you can, choose it in the trigger's own field Change type instead.",
			Value: exporters.Field{Name: valueName, Label: "Kind of change", Required: true, Help: "Dataverse tells it with each event.", Choices: []exporters.Choice{
				{Value: "create", Text: "Added"}, {Value: "update", Text: "Changed"}, {Value: "delete", Text: "Deleted"},
			}},
		},
		detail: "change",
		then:   "Where the event does not say, the flow does not start.",
		check:  checkMessage,
		write: func(c clause) (string, string) {
			return "equals(toLower(coalesce(" + c.read + ",''))," + c.quoted() + ")", ""
		},
		words: func(c clause) string { return "Start only when the kind of change is " + c.value + "." },
		made:  madeMessage,
	}
}

func amountAbove() recipe {
	return recipe{
		Recipe: Recipe{
			Name: AmountAbove, Title: "Only when an amount is above a limit", About: "The flow starts when the number is greater than the limit. An empty field counts as 0.",
			Value: exporters.Field{Name: valueName, Label: "The limit", Help: "With a point, as in 99.50, in the unit of the field: many senders count cents.", Example: "100", Required: true},
		},
		detail: "limit",
		then:   "A number that is just the limit does not start the flow.",
		check:  checkNumber, write: writeAbove,
		words: func(c clause) string { return "Start only when " + c.name() + " is greater than " + c.value + "." },
		made:  madeAbove,
	}
}

func workingDays() recipe {
	return recipe{
		Recipe: Recipe{
			Name: WorkingDays, Title: "Only from Monday to Friday", NoField: true, About: "The flow starts on working days in your time zone.",
			Warning: "An event of the weekend is dropped, not handled on Monday. For a schedule that is right; for anything else it loses events.",
			Value:   exporters.Field{Name: valueName, Label: "Time zone", Help: "By Microsoft's name for it, as in the list of the action Convert time zone, or a place such as Europe/Berlin.", Example: "W. Europe Standard Time", Required: true},
		},
		detail: "zone",
		then:   "Summer time is taken into account by the time zone.",
		check:  checkZone, write: writeWorkingDays,
		words: func(c clause) string { return "Start only from Monday to Friday, by the clock of " + c.value + "." },
		made:  madeDays,
	}
}
