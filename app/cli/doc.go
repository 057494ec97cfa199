// Package cli is the command line of Dedupe Desk.
//
// # What it promises
//
// A command ends with 0 for yes, 1 for no (a copy, a condition that is false, a
// verdict that fails) and 2 for an error, its own usage errors included. What a
// script reads goes to the output, what a person reads about a fault goes to the
// error output as one line: "dedupe: ", a sentence. A claim that could not be
// decided is an error, never a yes and never a no. The only other codes are
// those of the command that [dedupe run] ran.
//
// claim, done, release and prune say the words of the script dedupe.py, which
// keeps its ledger in the same kind of file.
//
// # One flag, two secrets
//
// --token takes the password of a remote engine (it begins with dd_) and the
// token of a grant (which never does), each told by its beginning, so that done,
// release and renew can be given both. The password may also come from the
// environment as DEDUPE_TOKEN, where other users of the machine do not see it.
//
// # Completion
//
// The scripts of `dedupe completion` ask the program itself what fits. It then neither
// makes nor upgrades a key file, and says nothing of what it cannot find out.
//
// # Units
//
// --lease and other times are seconds as a number, or text such as 90s, 15m, 8h,
// 35d. prune takes days. Times are shown in UTC.
//
// # Errors
//
// Commands return errors as they are; one place, fault.go, makes the sentence,
// the JSON and the exit code of them.
//
// # Concurrency
//
// [Run] serves one command. Several processes may use one file at once.
package cli
