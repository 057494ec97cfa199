package cli

import "os"

// passedOn is caught so that Ctrl+C, which Windows sends to every program of the
// console by itself, ends the command first and this one after it.
var passedOn = []os.Signal{os.Interrupt}

func passSignal(*os.Process, os.Signal) {}

// exitCode returns a process's exit code.
func exitCode(s *os.ProcessState) int { return s.ExitCode() }
