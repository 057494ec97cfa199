//go:build desktop

// The tag desktop adds the native window, which needs C and the system's web
// view on Linux and macOS.

package desktop

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// Available tells whether this build has a native window.
const Available = true

// Run shows the window until it is closed. id tells windows of different data
// folders apart: a second start with the same id raises the first window and
// ends. pages answers every request of the window.
func Run(id string, pages http.Handler) error {
	nameLanguage()
	var window atomic.Pointer[context.Context] // a second start may come from another goroutine
	err := wails.Run(&options.App{
		Title:  "Dedupe Desk",
		Width:  1320,
		Height: 860,

		MinWidth:  420,
		MinHeight: 480,

		AssetServer: &assetserver.Options{Handler: pages},
		OnStartup:   func(ctx context.Context) { window.Store(&ctx) },
		// Right-click must still copy and paste.
		EnableDefaultContextMenu: true,
		SingleInstanceLock: &options.SingleInstanceLock{
			UniqueId: "dedupe-desk-" + id,
			OnSecondInstanceLaunch: func(options.SecondInstanceData) {
				if ctx := window.Load(); ctx != nil {
					runtime.WindowUnminimise(*ctx)
					runtime.Show(*ctx)
				}
			},
		},
		// With Linux options but no policy, Wails asks the GPU always, which shows a
		// white window on some drivers (Wails issue 2977).
		Linux: &linux.Options{ProgramName: "Dedupe Desk", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
	if err != nil {
		return fmt.Errorf("show the window: %w", err)
	}
	return nil
}

// nameLanguage gives the web view a language. Under LANG=C it reports "C", which
// number formatting refuses, and then a page's scripts end half way.
func nameLanguage() {
	lang := os.Getenv("LC_ALL")
	if lang == "" {
		lang = os.Getenv("LANG")
	}
	switch base, _, _ := strings.Cut(lang, "."); base {
	case "", "C", "POSIX":
		_ = os.Setenv("LANG", "en_US.UTF-8")
		_ = os.Setenv("LC_ALL", "en_US.UTF-8")
	}
}
