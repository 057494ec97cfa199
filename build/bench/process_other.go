//go:build !linux

package main

// bytesWritten is not told by this system.
func bytesWritten() (n int64, ok bool) { return 0, false }

// peakMemory is not told by this system.
func peakMemory(pid int) (n int64, ok bool) { return 0, false }
