// Package sharepoint makes the checklist for a unique column in a SharePoint
// list: the list itself then refuses a second row with the same event key.
//
// # What it promises
//
// The keys of the person's samples are checked against what the column can hold
// before anything is offered for copying: a unique column with a wrong key
// refuses real events.
//
// # What it can not promise
//
// Nobody here could try anything in a live site; each step says so.
//
// # Units
//
// SharePoint counts the length of text in UTF-16 units.
//
// # Errors, concurrency
//
// As package exporters has them.
package sharepoint
