// Package rules turns what a sender delivers into the key by which copies are
// told from different events, and judges a rule on its samples before anybody
// relies on it.
//
// # The road of an event
//
//	bytes --DecodeEvent--> Event --Program.Keys--> Keyed{Key, Fingerprint, ...}
//
// A [Rule] holds the formulas. [Engine.Compile] checks them once, when the rule
// is saved; [Program.Keys] runs them and does nothing else. [Engine.Judge] runs
// a rule over its samples, which carry groups ("these are copies of one event"),
// and says in sentences what is wrong. A [Tree] shows what samples hold,
// [Engine.Suggestions] what could be a key, and [Resend] what the sender's next try
// would be like. [Repair] mends JSON that hands wrote, [Engine.Mask] makes samples fit
// to be given away. [Parts] and [Formula] translate between blocks on the screen and the
// formula.
//
// # What it promises
//
// No digit of a number is lost on the way from the sender's bytes to the key. A
// field that is missing, null, empty, a list or a map never makes a key: it is a
// [*KeyError] that names the part. The same rule gives the same key for the same
// event for ever: a function of the language never changes what it returns, it
// would get a new name. A formula sees the event alone, no clock, network or
// random number; secret(x) alone depends on more, the key of [WithSecret]. Every
// evaluation is bounded in steps, in bytes and in time, in the editor as at the
// endpoint; one that reaches a bound is an error with the code too_much_work, and a
// panic inside is an error too. Where formulas differ from CEL stands in a table of
// the tests, which run CEL's own conformance data.
//
// # Units
//
// Keys are counted in code points (at most [MaxKey]). Lines and columns start at 1;
// columns of a [SyntaxError] count code points, those of an [Issue] UTF-16 units,
// which browsers use.
//
// # Errors
//
// What a person can mend is a [*SyntaxError], [*UnsupportedError], [*FileError]
// or [*KeyError], or a list of [Issue]. Their messages are made to be shown.
// Any other error is a fault of the house.
//
// # Concurrency
//
// An [Engine] and a [Program] may be used by any number of goroutines at once.
package rules
