package main

import (
	"time"

	"dedupedesk/frontend/page"
)

// designSamples returns the states of the page "design".
func designSamples() []sample {
	list := func(state string, v page.DesignListView) sample {
		return sample{Name: "design/" + state, Title: "Design a key", Active: "design", Page: page.DesignList(v)}
	}
	editor := func(state string, v page.DesignView) sample {
		return sample{Name: "design/" + state, Title: v.Title + " · Design a key", Active: "design", Page: page.Design(v)}
	}
	share := func(state string, v page.ShareView) sample {
		return sample{Name: "design/" + state, Title: "Share " + v.Title, Active: "design", Page: page.Share(v)}
	}
	look := designInUse()
	look.May, look.InUse.Just = false, false
	listLook := designList()
	listLook.May = false
	return []sample{
		list("empty", page.DesignListView{May: true, Starts: designStarts(), Recipes: designRecipes(), Paste: page.PasteView{ID: "paste-0"}}),
		list("list", designList()),
		list("look-list", listLook),
		list("bad-paste", page.DesignListView{May: true, Starts: designStarts(), Paste: designBadPaste()}),
		list("several", page.DesignListView{May: true, Starts: designStarts(), Paste: designSeveral()}),
		list("several-list", page.DesignListView{May: true, Starts: designStarts(), Paste: designListOfSender()}),
		list("shared-fault", page.DesignListView{May: true, Starts: designStarts(), Paste: page.PasteView{ID: "paste-0"}, Shared: designShared()}),
		share("share", designShare(3)),
		share("share-bare", designShare(0)),
		editor("no-sample", designNoSample()),
		editor("recipe", designRecipe(true)),
		editor("recipe-begun", designRecipe(false)),
		editor("large", designLarge()),
		editor("catching", designCatching()),
		editor("found", designFound()),
		editor("one-sample", designOneSample()),
		editor("ask", designAsk()),
		editor("good", designGood()),
		editor("many", designMany()),
		editor("many-open", designManyOpen()),
		editor("copies-missed", designCopiesMissed()),
		editor("events-merged", designEventsMerged()),
		editor("empty-part", designEmptyPart()),
		editor("formula-error", designFormulaError()),
		editor("beyond-blocks", designBeyond()),
		editor("in-use", designInUse()),
		editor("in-use-changed", designInUseChanged()),
		editor("in-use-merged", designInUseMerged()),
		editor("look", look),
		editor("settings", designSettingsFull()),
		{Name: "design/versions", Title: "Versions of Paid invoices", Active: "design", Page: page.Versions(designVersions())},
		editor("settings-faults", designSettingsFaults()),
		{Name: "design/gone", Title: "Design a key", Active: "design", Page: page.DesignGone(page.DesignGoneView{Title: "This draft is not here any more", Text: "It was put to use or thrown away."})},
	}
}

func designList() page.DesignListView {
	return page.DesignListView{
		May: true, Starts: designStarts(), Paste: page.PasteView{ID: "paste-0"},
		Rules: []page.DesignRuleView{
			{Name: "paid-invoices", Title: "Paid invoices", Formula: `key("stripe", body.data.object.id, body.type)`, Keys: "1,204", LastCall: when(2 * time.Minute)},
			{Name: "new-orders", Title: "New orders", Formula: `key("shopify", headers["x-shopify-event-id"], headers["x-shopify-topic"])`, Keys: "37", LastCall: page.At(time.Time{}, now()), Unsaved: true},
		},
		Drafts: []page.DesignDraftView{
			{ID: "new-00112233aabbccdd", Title: "SharePoint list, every edit", Samples: "3 samples", Saved: when(3 * time.Hour)},
			{ID: "new-00112233aabbccde", Title: "Unknown sender, 29 Nov 12:05", Samples: "1 sample", Saved: when(26 * time.Hour)},
			{ID: "new-00112233aabbccdf", Title: "Unknown sender, 28 Nov 9:41", Samples: "0 samples", Saved: when(50 * time.Hour)},
			{ID: "new-00112233aabbcce0", Title: "Stripe events, 27 Nov 16:20", Samples: "2 samples", Saved: when(70 * time.Hour)},
		},
	}
}

// designBase is an editor without samples and without a key.
func designBase() page.DesignView {
	return page.DesignView{
		Draft: "new-00112233aabbccdd", Title: "Paid invoices", May: true, Unsaved: true, Saved: when(3 * time.Minute),
		Paste: page.PasteView{ID: "paste-2"}, Use: designUse(), Catch: page.CatchView{Address: "http://127.0.0.1:47821/v1/catch"}, Key: page.KeyFormView{Field: designFormula("")},
		Settings: designSettings(), Past: page.PastView{Rev: "3", Undo: "adding a sample"},
	}
}

func designUse() page.UseView {
	return page.UseView{Title: "Paid invoices", Verb: "Use this key"}
}

func designNoSample() page.DesignView {
	v := designBase()
	v.Title, v.Use.Title, v.Settings.KeepAdvice = "New rule", "", ""
	v.Verdict = []page.VerdictView{{Tone: "info", Word: "Next", Text: "Add a sample of your event first."}}
	v.Use.Off = "The key has no part yet. Click a field, or use the suggestion."
	return v
}
