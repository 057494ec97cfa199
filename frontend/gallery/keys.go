package main

// keysSamples returns the states of the page "keys".
func keysSamples() []sample { return nil }
