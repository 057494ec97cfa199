// Package lab shows the race and the cure: events that arrive more than once are worked
// on by handlers as people build them, against a real table, and the rows are counted.
//
// # What is real and what is not
//
// The table is a SQLite file, its unique column is one, and each look and each write is a
// statement of its own. The guard of the method Reserve is what the caller hands in: the
// program hands in its own endpoint over HTTP, on a ledger that it throws away. Invented
// are the events and the work, which is a pause.
//
// # Time
//
// Deliveries enter evenly, one each pause ÷ workers, which is one tick; so as many are
// worked on at once as there are workers. A pause lasts as many ticks. Ticks take their
// real time where the computer keeps up. Where it does not, the ticks wait: a slow
// computer changes how long a run takes, and not which of two steps came first. In a tick
// those who waited for it go before the delivery that enters. With one worker each
// delivery waits until the one before it is finished.
//
// # What it promises
//
// The same [Config] makes the same deliveries in the same order, with the same fates.
// Rows are counted by the table. A run that ctx ends returns what was counted so far and
// says that it is partial. Nothing outlives a run but its [Result].
//
// # Units
//
// Shares are percent of the events, or of the deliveries where the name says so.
//
// # Errors
//
// [Config.Check] returns a [*Fault] that names the field. Other errors are those of the
// table or of the guard.
//
// # Concurrency
//
// [Run] may run several times at once.
//
// # Sources
//
// The default is the test of the article that this program came from: 500 events, 70 %
// once, 25 % twice, 5 % three times, copies back to back, a pause of 20 ms, eight at once.
// [Resent] is the worked example of its sister about stores: 40 resent orders at $22.
package lab
