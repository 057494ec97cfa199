//go:build !linux

package main

import "os"

// syncName is the call by which syncData syncs.
const syncName = "fsync"

func syncData(f *os.File) error { return f.Sync() }
