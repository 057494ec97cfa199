package main

// homeSamples returns the states of the page "home".
func homeSamples() []sample { return nil }
