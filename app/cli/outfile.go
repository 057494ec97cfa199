package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// An outFile is a file that gets its name only once it is whole and on disk.
type outFile struct {
	*os.File
	path  string
	force bool // another file of that name may go
}

// newOutFile begins a file that only its owner can read. It is Invalid where there is
// one of that name, unless force is set.
func newOutFile(path string, force bool) (*outFile, error) {
	if err := mayWriteTo(path, force); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*") // with mode 0600
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return &outFile{f, path, force}, nil
}

func mayWriteTo(path string, force bool) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return misuse(path + " is no ordinary file. Take another name.")
	case !force:
		return misuse("There is a file " + path + " already. Take another name, or --force to write over it.")
	}
	return nil
}

// keep gives the file its name.
func (f *outFile) keep() error {
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	if err := mayWriteTo(f.path, f.force); err != nil { // it may have come meanwhile
		return err
	}
	if err := os.Rename(f.Name(), f.path); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return nil
}

// drop removes what was not kept. It is safe after keep.
func (f *outFile) drop() {
	_ = f.Close()
	_ = os.Remove(f.Name())
}
