// Package exporters turns a person's setup into settings for one platform: a
// checklist to follow, values to copy and files to import.
//
// # What it promises
//
// A checklist is data. The screen, the command line and the printed page walk
// the same list. A value that was found wrong is never offered for copying: its
// step says why in Blocked. No file and no value holds a password; a placeholder
// stands in its place and a step says to paste it. Every checklist ends with a
// step that proves the setting, and says which causes of a double run it covers. A
// file is handed over by one step. A step that is made of a detail names it, so
// that nothing of it is offered while the detail is wrong.
//
// # Where facts come from
//
// What a vendor's product does is a claim of that vendor's page. Each step names
// the page and the day it was read, and says whether anybody tried it.
//
// # Units
//
// Leases are durations. Days are written as 2026-10-31.
//
// # Errors
//
// What a person typed wrong is an [*InputError] that names the field. A detail
// that is still empty is no error: the steps that need it are blocked and say
// what is missing. A sample that does not fit is no error either: it is a
// [Check] of the step. What a platform cannot say of a key is an
// [Inexpressible], whose words block the step.
//
// # Concurrency
//
// Everything here is a value or a pure function. Exporters hold no state and may
// be used by any number of goroutines at once.
package exporters
