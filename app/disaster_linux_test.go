package main_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"dedupedesk/ledger/postgres/pgtest"
)

// asRoot runs a command as root, by sudo where this process is somebody else.
func asRoot(args ...string) error {
	if os.Getuid() != 0 {
		args = append([]string{"sudo", "-n"}, args...)
	}
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		return errors.New(strings.Join(args, " ") + ": " + err.Error() + ": " + string(out))
	}
	return nil
}

// smallDisk returns a folder on a disk of its own that is soon full.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	options := "size=" + size + ",mode=0700,uid=" + strconv.Itoa(os.Getuid()) + ",gid=" + strconv.Itoa(os.Getgid())
	if err := asRoot("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir); err != nil {
		t.Fatalf("a small disk can be made by root alone, or by sudo without a password: %v", err)
	}
	t.Cleanup(func() {
		if err := asRoot("umount", dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill fills the disk of dir to its last byte and returns how to free it.
func fill(t *testing.T, dir string) (free func()) {
	t.Helper()
	f, err := os.CreateTemp(dir, "ballast")
	if err != nil {
		t.Fatal(err)
	}
	for size := 1 << 16; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("fill the disk: %v", err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(f.Name()); err != nil {
			t.Error(err)
		}
	}
}

// newHouseIn starts an engine whose data folder is in dir.
func newHouseIn(t *testing.T, dir string) *house {
	t.Helper()
	h := prepareHouse(t, "")
	h.dir = filepath.Join(dir, "data")
	h.start()
	h.token = strings.TrimSpace(h.must("token", "new", "tests"))
	h.admin = strings.TrimSpace(h.must("token", "new", "operator", "--scope", "admin"))
	t.Cleanup(h.stop)
	return h
}

// TestPeers58DiskFull fills the disk under a running engine, more than once, and frees
// it again. The engine needs no new start.
func TestPeers58DiskFull(t *testing.T) {
	disk := smallDisk(t, "12m")
	h := newHouseIn(t, disk)
	for _, name := range []string{"full-1", "full-2"} {
		s := h.besiege(name)
		h.emptyLog()
		free := fill(t, disk)
		s.refused("disk is full", "disk reported an error", "cannot be created", "no space")
		free()
		s.untouched()
		s.granted()
		h.sound()
	}
}

// TestPeers58DiskFullUnderLoad fills the disk under a crowd: what was answered before is
// there, what was refused may be asked again.
func TestPeers58DiskFullUnderLoad(t *testing.T) {
	disk := smallDisk(t, "12m")
	h := newHouseIn(t, disk)
	for round := range 3 {
		c := newCrowd(h, "load-"+strconv.Itoa(round), uint64(round), 50)
		h.await("some grants", func() bool { return c.answered() > 100 })
		free := fill(t, disk)
		h.await("an answer that it is busy", func() bool { return c.told503() > 0 })
		free()
		was := c.answered()
		h.await("grants after there was room again", func() bool { return c.answered() > was+100 })
		c.end()
		c.checkOnce()
		c.checkKept(h.rows())
		c.checkAccepted(h)
		h.sound()
	}
}

// TestPeers58DiskFullFromTheStart stops an engine on a full disk, and starts another.
func TestPeers58DiskFullFromTheStart(t *testing.T) {
	disk := smallDisk(t, "12m")
	h := newHouseIn(t, disk)
	s := h.besiege("start")
	h.emptyLog()
	free := fill(t, disk)
	h.stop()                  // which ends well, though there is no room to note the time
	freeRest := fill(t, disk) // what the engine left when it closed its files
	said, ended := h.tryToStart()
	if !ended || !strings.Contains(said, "disk") {
		t.Errorf("an engine on a full disk: ended %v, said\n%s", ended, said)
	}
	free()
	freeRest()
	h.start()
	s.untouched()
	s.granted()
	h.sound()
}

// tryToStart starts an engine that should refuse, and returns what it said. ended is
// false where it had to be killed.
func (h *house) tryToStart() (said string, ended bool) {
	h.t.Helper()
	cmd := h.command("serve", "--data", h.dir, "--api", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	killer := time.AfterFunc(40*time.Second, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	return out.String(), killer.Stop() && err != nil
}

// TestPeers58LockedFile has another program hold the file for longer than any call may
// take.
func TestPeers58LockedFile(t *testing.T) {
	t.Parallel() // it waits most of the time
	h := newHouse(t)
	s := h.besiege("locked")
	db := h.raw()
	for _, query := range []string{"BEGIN EXCLUSIVE", "INSERT INTO settings VALUES ('other', 'x')"} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	s.refused("locked", "did not answer in time", "given up", "waited")
	if _, err := db.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	s.untouched()
	s.granted()
	h.sound()
}

// ext4 returns a folder on a disk of its own with that file system, and the file that
// is the disk.
func ext4(t *testing.T) (dir, image string) {
	t.Helper()
	dir, image = t.TempDir(), filepath.Join(t.TempDir(), "disk")
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 64<<20); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"mkfs.ext4", "-q", "-F", image},
		{"mount", "-o", "loop", image, dir},
	} {
		if err := asRoot(args...); err != nil {
			t.Fatalf("a disk in a file can be made by root alone, or by sudo without a password: %v", err)
		}
	}
	t.Cleanup(func() {
		if err := asRoot("umount", dir); err != nil {
			t.Error(err)
		}
	})
	if err := asRoot("chown", strconv.Itoa(os.Getuid()), dir); err != nil {
		t.Fatal(err)
	}
	return dir, image
}

// immutable makes files read-only for whoever has them open too, root included, or
// gives the right back. On a tmpfs it would not hold for those.
func immutable(t *testing.T, on bool, paths ...string) {
	t.Helper()
	flag := "-i"
	if on {
		flag = "+i"
	}
	if err := asRoot(append([]string{"chattr", flag}, paths...)...); err != nil {
		t.Fatal(err)
	}
}

// TestPeers58FileBecomesReadOnly takes the right to write from a running engine, and
// gives it back. The engine needs no new start.
func TestPeers58FileBecomesReadOnly(t *testing.T) {
	disk, _ := ext4(t)
	h := newHouseIn(t, disk)
	s := h.besiege("readonly")
	path := filepath.Join(h.dir, "ledger.db")
	files := []string{path, path + "-wal"}
	t.Cleanup(func() { _ = asRoot("chattr", "-i", path, path+"-wal") })
	immutable(t, true, files...)
	s.refused("read-only", "disk reported an error", "cannot be opened")
	immutable(t, false, files...)
	s.untouched()
	s.granted()
	h.sound()
}

// TestPeers58DiskBecomesReadOnly has the system give the disk up, as it does after an
// error: no program can write to it until it is mounted anew, so the engine has to be
// started anew too, and finds all that it answered.
func TestPeers58DiskBecomesReadOnly(t *testing.T) {
	disk, image := ext4(t)
	h := newHouseIn(t, disk)
	s := h.besiege("givenup")
	if err := asRoot("mount", "-o", "remount,abort", disk); err != nil {
		t.Fatal(err)
	}
	s.refused("read-only", "disk reported an error", "cannot be opened")
	h.kill()
	for _, args := range [][]string{{"umount", disk}, {"mount", "-o", "loop", image, disk}} {
		if err := asRoot(args...); err != nil {
			t.Fatal(err)
		}
	}
	h.start()
	s.untouched()
	s.granted()
	h.sound()
}

// TestPeers58DatabaseBecomesReadOnly is what a server does that became a stand-by, or
// whose administrator stopped all writing.
func TestPeers58DatabaseBecomesReadOnly(t *testing.T) {
	server := pgtest.Start(t)
	h := newHouseOn(t, server.New(t))
	s := h.besiege("readonly")
	set := func(to string) {
		t.Helper()
		// The statement itself writes no table, so it is let through.
		pgtest.Exec(t, h.url, "ALTER SYSTEM SET default_transaction_read_only = "+to)
		pgtest.Exec(t, h.url, "SELECT pg_reload_conf()")
		h.await("the server to read its settings", func() bool {
			return pgtest.Number(t, h.url, "SELECT CASE current_setting('default_transaction_read_only') WHEN '"+to+"' THEN 1 ELSE 0 END") == 1
		})
	}
	set("on")
	s.refused("read-only")
	set("off")
	s.untouched()
	s.granted()
	h.sound()
}

// TestPeers58DatabaseStops stops and kills the server under the wishes.
func TestPeers58DatabaseStops(t *testing.T) {
	server := pgtest.Start(t)
	h := newHouseOn(t, server.New(t))
	for name, away := range map[string]func(testing.TB){"stopped": server.Stop, "killed": server.Kill} {
		s := h.besiege(name)
		away(t)
		s.refused("database", notChecked)
		server.Start(t)
		s.untouched()
		s.granted()
		h.sound()
	}
}
