// Package alerts tells people elsewhere that keys need a decision: a message to a hook of
// Slack or Microsoft Teams, plain JSON to any address, or a notification on the screen of
// the computer that the program runs on.
//
// # What it promises
//
// Each rule has one [Target] at most. All keys of a rule that began to need a decision
// since the last message are told in one, at most one message a minute, and a reminder
// comes each [RemindAfter] for as long as some are left. A key that was decided on and
// needs a decision again is told again.
//
// A message that was not taken is tried again, later each time, also after a restart, and
// the fault is kept for the pages. A message can come twice where the engine ends between
// sending it and writing that down. Of several engines on one database one sends.
//
// The address of a hook is a password: it is never logged, and of an error only what it
// says without the address. A message names no key unless the target asks for it, since
// keys may say who somebody is.
//
// # Units
//
// Times are the ledger's, in UTC.
//
// # Errors
//
// What a person can mend is a [ledger.Error].
//
// # Concurrency
//
// A [Book] may be used by any number of goroutines at once.
//
// # Sources
//
// Slack: incoming webhooks take {"text": …} and answer 200
// (docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). Teams: the trigger
// "When a Teams webhook request is received" of Workflows takes a message with an Adaptive
// Card (learn.microsoft.com/en-us/connectors/teams). Read 2026-12-01; neither was tried in
// an account of ours.
package alerts
