// Package houserules holds the house's rules as tests: which part may import
// which, that every package says what it promises, how large a file may grow,
// and which versions must stay together.
//
// It has no code of its own. Run it with -count=1: the tests ask the go command,
// and the test cache does not know that.
package houserules
