package main

// designSamples returns the states of the page "design".
func designSamples() []sample { return nil }
