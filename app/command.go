package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"dedupedesk/app/datafolder"
)

// command returns what a person types to call this program on folder: "dedupe
// open", where act is "open".
func command(folder *datafolder.Folder, act string) string {
	words := []string{program(os.Executable()), act}
	if usual, err := datafolder.DefaultPath(); err != nil || usual != folder.Path() {
		words = append(words, "--data", quoted(folder.Path()))
	}
	return strings.Join(words, " ")
}

// program returns the first word of a command line for the program at exe.
func program(exe string, err error) string {
	if err != nil {
		return "dedupe"
	}
	// go run builds into a folder of its own and removes it at the end.
	if strings.Contains(filepath.ToSlash(exe), "/go-build") {
		return "go run ./app"
	}
	name := strings.TrimSuffix(filepath.Base(exe), ".exe")
	if found, err := exec.LookPath(name); err == nil && found == exe {
		return name
	}
	return quoted(exe)
}

// quoted puts quotes around a path that needs them in a shell.
func quoted(path string) string {
	if strings.ContainsAny(path, " '\"$&()") {
		return `"` + path + `"`
	}
	return path
}
