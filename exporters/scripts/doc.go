// Package scripts makes checklists and files for work that a script or a database does:
// POSIX shell, Python, Node, PowerShell, Google Apps Script and PostgreSQL.
//
// # What it promises
//
// A script sends the whole event as it came to this program, which makes the key, so that
// any formula fits and no digit of a number is lost. It names itself by an owner that is
// made once for each run, tries again under the same owner, asks for more time while its
// work lasts, reports the end, and gives the key back on failure. Only the status claimed
// leads to the work. Its exit codes are those of dedupe run. No file holds a password.
//
// Apps Script with a list of its own, and PostgreSQL, make the key themselves: of the
// rule's parts, cleaned and escaped as the rule does it. What they cannot say blocks the
// file in words.
//
// Every text of a rule stands in a file as a literal of its language, written by the
// function for that language.
//
// # What it cannot promise
//
// PowerShell and Apps Script were not run by us; the steps say so.
//
// # Units, errors, concurrency
//
// As package exporters has them.
package scripts
