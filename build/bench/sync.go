package main

import (
	"context"
	"os"
	"path/filepath"
)

const (
	syncBytes = 16 << 10 // some four pages, which a small transaction touches
	laidOut   = 4 << 20  // as large as a write-ahead log becomes before it is used anew
)

// A syncer writes and syncs as a database does for one transaction, without one.
type syncer struct {
	file *os.File
	at   int64
	wrap int64 // where it starts again; 0 = the file grows
	data []byte
}

// newSyncer makes a file in dir. Laid out before, it holds bytes of which each write
// replaces some, as a write-ahead log does after its first checkpoint; else it grows,
// which costs the file system an entry of its own at each sync.
func newSyncer(dir, name string, laid bool) (*syncer, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	s := &syncer{file: f, data: make([]byte, syncBytes)}
	for i := range s.data {
		s.data[i] = byte(i)
	}
	if laid {
		s.wrap = laidOut
		if _, err := f.Write(make([]byte, laidOut)); err != nil {
			return nil, err
		}
	}
	return s, f.Sync()
}

func (s *syncer) once(context.Context) error {
	if s.wrap > 0 && s.at+syncBytes > s.wrap {
		s.at = 0
	}
	s.data[0]++
	if _, err := s.file.WriteAt(s.data, s.at); err != nil {
		return err
	}
	s.at += syncBytes
	return syncData(s.file)
}
