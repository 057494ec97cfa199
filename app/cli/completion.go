package cli

import (
	"embed"
	"strings"
)

// shells are the scripts that teach a shell to ask `dedupe __complete` what fits, so
// that all four complete alike.
//
//go:embed shells/dedupe.*
var shells embed.FS

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"bash, zsh, fish or powershell."`
}

// Run prints the script that a shell reads at its start.
func (k *completionCommand) Run(c *call) error {
	ending := k.Shell
	if ending == "powershell" {
		ending = "ps1"
	}
	script, err := shells.ReadFile("shells/dedupe." + ending)
	if err != nil {
		return err
	}
	if c.flags.JSON {
		return c.printJSON(map[string]any{"shell": k.Shell, "script": string(script)})
	}
	return c.print("%s", strings.TrimSuffix(string(script), "\n"))
}
