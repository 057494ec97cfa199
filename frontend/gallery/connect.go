package main

// connectSamples returns the states of the page "connect".
func connectSamples() []sample { return nil }
