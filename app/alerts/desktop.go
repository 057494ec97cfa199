package alerts

import (
	"context"
	"strings"
	"sync"

	"github.com/gen2brain/beeep"
)

const appName = "Dedupe Desk"

// introduced tells the library once who notifies.
var introduced = sync.OnceFunc(func() { beeep.AppName = appName })

// Some desktops read markup in a notification, so what begins it is written as a likeness.
var unmarked = strings.NewReplacer("<", "‹", ">", "›", "&", "+")

// notify shows a message on this computer. A desktop that does not answer is given up.
func notify(ctx context.Context, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	shown := make(chan error, 1)
	introduced()
	go func() { shown <- beeep.Notify(appName, unmarked.Replace(m.Text()), "") }()
	select {
	case <-ctx.Done():
		return &Unreached{"The desktop did not answer within 10 seconds."}
	case err := <-shown:
		if err != nil {
			return &Unreached{"This computer shows no notifications to this program: nobody is signed in on its screen, or it has none."}
		}
		return nil
	}
}
