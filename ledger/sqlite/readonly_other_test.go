//go:build !unix

// Elsewhere the tests of modes do not run.

package sqlite_test

func dropRights() error { return nil }

func childBackup([]string) error { return nil }
