package rules

// A KeyCode says why a part, an event or a sample has no key; "" if it has one.
type KeyCode string

// The codes of a [KeyError].
const (
	KeyMissing     KeyCode = "missing"       // the field is not there
	KeyNull        KeyCode = "null"          // it is null
	KeyEmpty       KeyCode = "empty"         // it is empty text
	KeySpaces      KeyCode = "spaces"        // it holds white space alone
	KeyList        KeyCode = "list"          // it is a list
	KeyMap         KeyCode = "map"           // it is a group of fields
	KeyTooLong     KeyCode = "too_long"      // the part or the key is too long
	KeyControl     KeyCode = "control"       // it holds a character that a key cannot hold
	KeyEnds        KeyCode = "ends"          // the key begins or ends with white space or an invisible character
	KeyFormula     KeyCode = "formula"       // the formula does not fit the event
	KeyTooMuchWork KeyCode = "too_much_work" // a bound was reached
	KeyNoItems     KeyCode = "no_items"      // the list to go through is empty
	KeyBadSample   KeyCode = "bad_sample"    // the sample cannot be read; in a Judgement alone
)

// A VerdictCode names a kind of [Verdict].
type VerdictCode string

// The codes of verdicts. They are part of the command line's JSON: they are added
// to, never renamed.
const (
	VerdictAllGood           VerdictCode = "all_good"             // nothing fails
	VerdictFormulaError      VerdictCode = "formula_error"        // the rule does not compile
	VerdictBadSample         VerdictCode = "bad_sample"           // a sample cannot be read
	VerdictCopiesMissed      VerdictCode = "copies_missed"        // copies of one event have different keys
	VerdictEventsMerged      VerdictCode = "events_merged"        // different events share a key
	VerdictConstantKey       VerdictCode = "constant_key"         // the key is the same for every event
	VerdictEmptyPart         VerdictCode = "empty_part"           // a field of the key is not in every sample
	VerdictBadPart           VerdictCode = "bad_part"             // a part cannot stand in a key
	VerdictFewSamples        VerdictCode = "few_samples"          // the samples cannot prove it yet
	VerdictBatch             VerdictCode = "batch"                // a sample holds many events, and the key names one
	VerdictOnlyAmount        VerdictCode = "only_amount"          // the key is an amount, a number or a state alone
	VerdictOnlyPlace         VerdictCode = "only_place"           // the key is an account, a user … alone
	VerdictOnlyTime          VerdictCode = "only_time"            // the key is a time alone
	VerdictChangesOnEveryTry VerdictCode = "changes_on_every_try" // a field usually differs between tries
	VerdictListPosition      VerdictCode = "list_position"        // a field is a place in a list
	VerdictPersonalData      VerdictCode = "personal_data"        // a field looks like a person's data
	VerdictNoSourcePrefix    VerdictCode = "no_source_prefix"     // the key does not name its source
	VerdictOnlyCase          VerdictCode = "only_case"            // two keys differ in capitals alone
	VerdictStableOnResend    VerdictCode = "stable_on_resend"     // a simulated resend has the same key
	VerdictMissesResend      VerdictCode = "misses_resend"        // a simulated resend has another key
	VerdictRowNumber         VerdictCode = "row_number"           // a field is the number of a row
	VerdictFreeText          VerdictCode = "free_text"            // a field is what people wrote
	VerdictWholeBody         VerdictCode = "whole_body"           // the key is a short code of everything
	VerdictTooLong           VerdictCode = "too_long"             // a key is longer than it may be
	VerdictDataverse         VerdictCode = "dataverse"            // Dataverse cannot look the key up
	VerdictDeliveryID        VerdictCode = "delivery_id"          // a field names the delivery, and another the event
	VerdictSameThing         VerdictCode = "same_thing"           // two events of these samples are about one thing
	VerdictTestButton        VerdictCode = "test_button"          // a sample comes from a test button
	VerdictSeveralHooks      VerdictCode = "several_hooks"        // copies came by several registrations
	VerdictJoined            VerdictCode = "joined"               // fields are joined by hand, so that values run into one another
	VerdictSharedID          VerdictCode = "shared_id"            // samples share an id, and nobody said whether they are copies
)

// An Outcome is what would become of a sample that comes after those before it.
type Outcome string

// The outcomes. They are part of the command line's JSON too.
const (
	OutcomeFirst       Outcome = "first"        // the first key of all
	OutcomeCopyStopped Outcome = "copy_stopped" // a copy, with the key of its event
	OutcomeKeptApart   Outcome = "kept_apart"   // another event, with a key of its own
	OutcomeMerged      Outcome = "merged"       // another event, with a key that is taken: dropped
	OutcomeMissed      Outcome = "missed"       // a copy with a key of its own: runs again
	OutcomeRefused     Outcome = "refused"      // no key
	OutcomeIgnored     Outcome = "ignored"      // the condition is false
)

// A Badge says what a field is good for, from its values in the samples.
type Badge string

// The badges.
const (
	BadgeGood         Badge = "good"          // same on copies, different between events
	BadgeChanges      Badge = "changes"       // differs between copies
	BadgeSame         Badge = "same"          // the same everywhere
	BadgeMissing      Badge = "missing"       // not in every sample
	BadgePersonal     Badge = "personal"      // looks like a person's data
	BadgeListPosition Badge = "list_position" // goes through a place in a list
)
