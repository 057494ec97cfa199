// Package elsewhere reads a list of keys that another tool keeps: a Claims list of
// SharePoint, a table of Dataverse or Zapier, a data store of Make, or any table like them.
//
// # What it promises
//
// It changes and keeps nothing. Each row becomes a [Key] whose state is one that this
// program knows; a word that it does not know is [Unknown] and told, never taken for
// finished. A time that can be read in two ways is asked about, never guessed.
//
// # Units
//
// Times without a zone are UTC, as exports of these tools mostly are; the page says so.
//
// # Errors
//
// What a person can mend is a [*deliveries.Fault].
//
// # Concurrency
//
// A [List] may be read by any number of goroutines once it is made.
package elsewhere
