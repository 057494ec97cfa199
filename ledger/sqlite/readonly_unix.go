//go:build unix

package sqlite

import (
	"errors"
	"syscall"
)

// readOnly reports whether there is a file at path that this process may not write
// to. It does not open it: to close it again would drop the locks that this process
// holds on it.
func readOnly(path string) bool {
	const write = 2 // W_OK, see access(2)
	err := syscall.Access(path, write)
	return errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EROFS)
}
