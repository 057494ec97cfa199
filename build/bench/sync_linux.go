package main

import (
	"os"
	"syscall"
)

// syncName is the call by which syncData syncs; SQLite uses the same one.
const syncName = "fdatasync"

func syncData(f *os.File) error { return syscall.Fdatasync(int(f.Fd())) }
