//go:build unix

package sqlite

import (
	"os"
	"syscall"
)

// likeOld gives the file at path the mode and owner of the one at old.
func likeOld(old, path string) error {
	info, err := os.Stat(old)
	if err != nil {
		return err
	}
	if err := os.Chmod(path, info.Mode().Perm()); err != nil {
		return err
	}
	now, err := os.Stat(path)
	if err != nil {
		return err
	}
	was, is := info.Sys().(*syscall.Stat_t), now.Sys().(*syscall.Stat_t)
	if was.Uid == is.Uid && was.Gid == is.Gid {
		return nil
	}
	return os.Chown(path, int(was.Uid), int(was.Gid))
}
