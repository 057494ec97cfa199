package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// bytesWritten returns how many bytes this process has handed to write calls.
func bytesWritten() (n int64, ok bool) { return statusLine("/proc/self/io", "wchar") }

// peakMemory returns the most memory that a process has held so far, in bytes.
func peakMemory(pid int) (n int64, ok bool) {
	n, ok = statusLine(fmt.Sprintf("/proc/%d/status", pid), "VmHWM")
	return n << 10, ok // it is told in kB
}

// processorTime returns the time that processors have spent on this process.
func processorTime() (d time.Duration, ok bool) {
	var u syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), err == nil
}

// processorTimeOf returns the time that processors have spent on a process, in steps of
// 10 ms.
func processorTimeOf(pid int) (d time.Duration, ok bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name, in brackets, may hold spaces; user and system time are the 12th and 13th
	// field after it.
	f := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
	if len(f) < 13 {
		return 0, false
	}
	user, errUser := strconv.ParseInt(f[11], 10, 64)
	system, errSystem := strconv.ParseInt(f[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond, errUser == nil && errSystem == nil
}

// statusLine returns the number after a name in one of the kernel's files.
func statusLine(path, name string) (int64, bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			f := strings.Fields(rest)
			if len(f) == 0 {
				return 0, false
			}
			n, err := strconv.ParseInt(f[0], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
