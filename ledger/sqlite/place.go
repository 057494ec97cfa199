package sqlite

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// A place remembers which files were opened. A file that is removed or replaced
// under its readers lives on for them alone: they and whoever opens the new one
// would both grant the same key. The write-ahead log is as much of the ledger as
// the file itself. A place is safe for concurrent use.
type place struct {
	names  []string
	opened []fs.FileInfo // as names; nil = there was none
	mu     sync.Mutex
	looked time.Time
}

// lookEvery is how long a look stands, so that a claim seldom pays for one.
const lookEvery = time.Second

// newPlace looks at the files of the ledger at path while it is open.
func newPlace(path string) *place {
	beside := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		beside = real // where SQLite keeps what goes with the file
	}
	p := &place{names: []string{path, beside + "-wal", beside + "-shm"}, looked: time.Now()}
	for _, name := range p.names {
		info, err := os.Stat(name)
		if err != nil {
			info = nil
		}
		p.opened = append(p.opened, info)
	}
	return p
}

// check returns Busy if another file, or none, now is where one was opened, or if the
// ledger file got a second name. It looks at most once a second.
func (p *place) check() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.looked) < lookEvery {
		return nil
	}
	for i, was := range p.opened {
		if was == nil {
			continue
		}
		is, err := os.Stat(p.names[i])
		if err != nil || !os.SameFile(was, is) {
			return moved(fmt.Errorf("%s is not the file that was opened: %v", p.names[i], err))
		}
		if i > 0 {
			continue
		}
		if err := oneName(p.names[i], is); err != nil {
			return err
		}
	}
	p.looked = time.Now()
	return nil
}

func moved(err error) error {
	return busy("The ledger file was moved, removed or replaced while this program has it open. Nothing was granted. "+
		"Stop the program, see that the right file is in its place and start it again.", err)
}

// oneName returns Busy if the file at path has another name, a hard link. SQLite keeps
// the write-ahead log beside the name that it is given: two programs that open one file
// by two names do not see what the other grants.
func oneName(path string, info fs.FileInfo) error {
	n := namesOf(path, info)
	if n <= 1 {
		return nil
	}
	return busy("The ledger file has a second name (a hard link), and the same key could be granted under each. Nothing was granted. "+
		"Remove the other name; a restore that was cut off leaves one with .before-restore in it. "+
		"Where you want a copy, make it with dedupe backup afterwards.", fmt.Errorf("%s has %d names", path, n))
}

// mayWrite returns Busy if the file at path, or one that SQLite keeps beside it, is
// there and may not be written to. SQLite would open such a file for reading, and
// leave files beside it that stand in the way once it may be written to again.
func mayWrite(path string) error {
	beside := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		beside = real
	}
	if readOnly(beside) {
		return busy("The ledger file is read-only. Nothing was granted. Check its permissions.", nil)
	}
	for _, name := range []string{beside + "-wal", beside + "-shm"} {
		if readOnly(name) {
			return busy(fmt.Sprintf("The file %s, which belongs to the ledger file, is read-only. Nothing was granted. "+
				"Give it the permissions of the ledger file; do not delete it.", filepath.Base(name)), nil)
		}
	}
	return nil
}
