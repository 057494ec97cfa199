//go:build unix

package sqlite

import (
	"io/fs"
	"syscall"
)

// namesOf returns how many names the file at path has, where info is what [os.Stat]
// tells of it.
func namesOf(_ string, info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}
