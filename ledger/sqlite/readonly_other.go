//go:build !unix

package sqlite

import "os"

// readOnly reports whether there is a file at path that is marked as read-only.
func readOnly(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o200 == 0
}
