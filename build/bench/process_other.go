//go:build !linux

package main

import "time"

// bytesWritten is not told by this system.
func bytesWritten() (n int64, ok bool) { return 0, false }

// processorTime is not asked of this system.
func processorTime() (d time.Duration, ok bool) { return 0, false }

// processorTimeOf is not asked of this system.
func processorTimeOf(int) (d time.Duration, ok bool) { return 0, false }

// peakMemory is not told by this system.
func peakMemory(pid int) (n int64, ok bool) { return 0, false }
