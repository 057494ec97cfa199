package datafolder

import (
	"path/filepath"
	"strings"
)

// syncMarks are path parts that the common file-sync programs use for their
// folders. A database inside one is copied while it is written, and such copies
// are known to be broken.
var syncMarks = []struct{ mark, name string }{
	{"onedrive", "OneDrive"},
	{"dropbox", "Dropbox"},
	{"icloud", "iCloud"},
	{"mobile documents", "iCloud"},
	{"google drive", "Google Drive"},
	{"googledrive", "Google Drive"},
}

// Warnings returns plain sentences about a folder that is a bad place for a key
// file: one that a sync program copies, or a network share.
func (f *Folder) Warnings() []string {
	var out []string
	lower := strings.ToLower(f.path)
	if real, err := filepath.EvalSymlinks(f.path); err == nil {
		lower += "\n" + strings.ToLower(real) // a link may lead into such a folder
	}
	for _, s := range syncMarks {
		if strings.Contains(lower, s.mark) {
			out = append(out, "The data folder lies in "+s.name+". A sync program may copy the key file while it is being written and break it. Move it with --data DIR to a folder that is not synced.")
			break
		}
	}
	if strings.HasPrefix(f.path, `\\`) || onNetwork(f.path) {
		out = append(out, "The data folder lies on a network share. File locks are not dependable there. Move it with --data DIR to a disk of this computer.")
	}
	return out
}
