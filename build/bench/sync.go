package main

import (
	"context"
	"os"
	"path/filepath"
)

const (
	syncBytes = 16 << 10 // some four pages, which a small transaction touches
	pageBytes = 4 << 10
	laidOut   = 8 << 20 // as large as a write-ahead log becomes before it is used anew
)

// A syncer writes and syncs as a database does for one transaction, without one.
type syncer struct {
	file  *os.File
	at    int64
	wrap  int64 // where it starts again; 0 = the file grows
	piece []byte
	n     int // pieces for one sync
}

// newSyncer makes a file in dir, to which each sync writes n pieces of so many bytes.
// Laid out before, it holds bytes of which these replace some, as in a write-ahead log
// after its first checkpoint; else it grows, which costs the file system an entry of
// its own at each sync.
func newSyncer(dir, name string, n, bytes int, laid bool) (*syncer, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	s := &syncer{file: f, piece: make([]byte, bytes), n: n}
	for i := range s.piece {
		s.piece[i] = byte(i)
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
	s.piece[0]++
	for range s.n {
		if s.wrap > 0 && s.at+int64(len(s.piece)) > s.wrap {
			s.at = 0
		}
		if _, err := s.file.WriteAt(s.piece, s.at); err != nil {
			return err
		}
		s.at += int64(len(s.piece))
	}
	return syncData(s.file)
}
