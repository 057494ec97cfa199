package cli

import (
	"os"
	"path/filepath"
)

type backupCommand struct {
	File string `arg:"" complete:"file" help:"The file to write. There must be none of that name."`
}

// Run writes a copy of the key file, while others work on it.
func (b *backupCommand) Run(c *call) error {
	l, err := c.openLedger()
	if err != nil {
		return err
	}
	path, err := filepath.Abs(b.File)
	if err != nil {
		return err
	}
	err = c.during("Writing a copy of the key file", func() error { return l.Backup(c.ctx, path) })
	if err != nil {
		return at(b.File, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return c.answer(map[string]any{"file": path, "bytes": info.Size()}, "backed up %s", b.File)
}
