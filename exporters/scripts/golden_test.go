package scripts

import (
	"testing"

	"dedupedesk/exporters/exporttest"
)

func TestGolden(t *testing.T) { exporttest.Golden(t, New(), "testdata/*.txtar") }
